#include "stiction/geometry/volume/volume_wall.h"

#include "stiction/geometry/volume/volume_moments.h"
#include "stiction/geometry/volume/volume_quadrature.h"
#include "stiction/geometry/volume/volume_wall_figure.h"

namespace stiction {
namespace {

constexpr double sample_angle = 0.1;     ///< between samples of phi [rad]
constexpr double break_accuracy = 1e-3;  ///< of an angle at which figures change inside the wall, in sample_angle: the
                                         ///< integrand is smooth to second order there

/// The largest value of f in [a, b], where it has one maximum, by golden section; ends where `enough` says so.
template <class Function, class Enough>
double find_maximum(Function&& f, double a, double b, Enough&& enough) {
  constexpr double golden = 0.6180339887498949;
  constexpr int steps = 30;  // to 5e-7 of the interval: the maximum to the square of it
  double c = b - golden * (b - a), d = a + golden * (b - a), at_c = f(c), at_d = f(d);
  for (int step = 0; step < steps; ++step) {
    if (enough(at_c)) return c;
    if (enough(at_d)) return d;
    if (at_c > at_d)
      b = d, d = c, at_d = at_c, c = b - golden * (b - a), at_c = f(c);
    else
      a = c, c = d, at_c = at_d, d = a + golden * (b - a), at_d = f(d);
  }
  return at_c > at_d ? c : d;
}
int count_samples(const BoreWall& wall) {
  return std::max(8, static_cast<int>(std::ceil(2 * wall.half / sample_angle)));
}

/// The integrals of (1).
class WallIntegral {
 public:
  WallIntegral(const BoreWall& wall, const FixedVector<Quadric, 3>& body, const WallSlab& slab, double accuracy)
      : wall_(wall), body_(body), slab_(slab), accuracy_(accuracy) {}

  struct Result {
    RegionSums sums = RegionSums::Zero();
    Vec3 origin = Vec3::Zero();
    double error = 0;
    bool complete = true;
  };
  Result calc() {
    Result result;
    if (!(slab_.width() > 0)) return result;
    take_samples();
    if (samples_.overflow) return result.complete = false, result;
    find_angles();
    if (angles_.overflow) return result.complete = false, result;
    for (int k = 0; k + 1 < angles_.size(); ++k) integrate(angles_[k], angles_[k + 1], result);
    result.origin = origin_;
    return result;
  }

 private:
  struct Sample {
    double phi;
    double reach;
    std::size_t signature;
  };
  WallFigure figure(double phi) const { return WallFigure(body_, wall_, phi, slab_.z0, slab_.z1); }
  Sample take(double phi) const {
    const WallFigure at = figure(phi);
    return {phi, at.calc_reach().size, at.calc_signature()};
  }
  void take_samples() {
    const int count = count_samples(wall_);
    FixedVector<Sample, 80> even;
    for (int i = 0; i <= count; ++i) even.push_back(take(wall_.half * (2.0 * i / count - 1)));
    for (int i = 0; i <= count; ++i) {
      samples_.push_back(even[i]);
      // A maximum between the neighbours, where none of the three is in the wall.
      const bool rises = i == 0 || even[i - 1].reach <= even[i].reach,
                 falls = i == count || even[i + 1].reach <= even[i].reach;
      if (!rises || !falls || even[i].reach > 0) continue;
      const double top =
          find_maximum([&](double phi) { return figure(phi).calc_reach().size; }, even[std::max(i - 1, 0)].phi,
                       even[std::min(i + 1, count)].phi, [](double reach) { return reach > 0; });
      if (const Sample at_top = take(top); at_top.reach > 0) samples_.push_back(at_top);
    }
    std::sort(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) { return a.phi < b.phi; });
  }
  void find_angles() {
    for (int i = 0; i + 1 < samples_.size(); ++i) {
      if (samples_[i].signature != 0 || samples_[i + 1].signature != 0) angles_.push_back(samples_[i].phi);
      refine(samples_[i], samples_[i + 1]);
    }
    if (!samples_.empty()) angles_.push_back(samples_[samples_.size() - 1].phi);
    std::sort(angles_.begin(), angles_.end());
    // Angles at which nothing changes are none.
    FixedVector<double, 96> kept;
    for (int i = 0; i < angles_.size(); ++i) {
      const bool inner = i > 0 && i + 1 < angles_.size();
      if (inner && is_smooth(kept[kept.size() - 1], angles_[i], angles_[i + 1])) continue;
      kept.push_back(angles_[i]);
    }
    angles_ = kept;
  }
  bool is_smooth(double before, double at, double after) const {
    const std::size_t middle = figure(at).calc_signature();
    return figure(0.5 * (before + at)).calc_signature() == middle &&
           figure(0.5 * (at + after)).calc_signature() == middle && after - before < 0.5;
  }
  void refine(const Sample& a, const Sample& b) {
    if (a.signature == b.signature || angles_.overflow) return;
    if ((a.reach > 0) != (b.reach > 0) && (a.signature == 0) != (b.signature == 0)) {
      const double edge = find_edge(a, b);
      angles_.push_back(edge);
      // What else changes, beside the edge.
      const double beside = break_accuracy * (b.phi - a.phi);
      if (b.phi - a.phi < break_accuracy * sample_angle) return;
      return a.signature == 0 ? refine(take(std::min(edge + beside, b.phi)), b)
                              : refine(a, take(std::max(edge - beside, a.phi)));
    }
    const double middle = 0.5 * (a.phi + b.phi);
    if (b.phi - a.phi < break_accuracy * sample_angle) return angles_.push_back(middle);
    const Sample at = take(middle);
    refine(a, at), refine(at, b);
  }
  /// Where the body leaves the wall: there the area of the patch may jump. Regula falsi with halved ends (Illinois).
  double find_edge(const Sample& a, const Sample& b) const {
    double x0 = a.phi, f0 = a.reach, x1 = b.phi, f1 = b.reach, x = x0;
    for (int step = 0; step < 60; ++step) {
      const double last = x;
      x = std::clamp(x1 - f1 * (x1 - x0) / (f1 - f0), std::min(x0, x1), std::max(x0, x1));
      const double f = figure(x).calc_reach().size;
      if (f == 0 || std::abs(x - last) < 1e-15) break;
      if ((f > 0) != (f1 > 0))
        x0 = x1, f0 = f1;
      else
        f0 *= 0.5;
      x1 = x, f1 = f;
    }
    return x;
  }

  void integrate(double a, double b, Result& result) {
    if (!(b > a) || figure(0.5 * (a + b)).calc_signature() == 0) return;
    if (!has_origin_) {
      const double phi = 0.5 * (a + b);
      origin_ = Vec3(wall_.radius * std::cos(phi), wall_.radius * std::sin(phi), slab_.z0);
      figure(phi).visit_pieces([&](int, double z, double, const FigureChord&) { origin_.z() = z; });
      has_origin_ = true;
    }
    const auto enough = [&](double V) { return 0.3 * accuracy_ * std::max(V, result.sums[0]); };
    const auto q = integrate_smooth<RegionSums, 12, 16>([&](double phi) { return calc_figure_sums(phi); },
                                                        {a, b, false, false}, enough);
    result.sums += q.sums, result.error += q.error;
    if (!wall_.is_sector()) return;
    // The planes of the sector, where the body goes through them.
    for (const double side : {-1.0, 1.0})
      if ((side < 0 ? a : b) == side * wall_.half) result.sums += calc_side_sums(side);
  }
  RegionSums calc_figure_sums(double phi) const {
    const WallFigure at = figure(phi);
    RegionSums sums = RegionSums::Zero();
    const Vec3 e(at.cosine, at.sine, 0);
    at.visit_pieces([&](int, double a, double b, const FigureChord& piece) {
      const auto f = [&](double z) {
        RegionSums line = RegionSums::Zero();
        const FigureChord chord = at.find_chord(z);
        add_points(chord, [&](double r, double weight) { add_point(line, r * e + z * Vec3::UnitZ(), weight * r); });
        if (piece.lo_surface < 0) add_surface(line, wall_.radius * e + z * Vec3::UnitZ() - origin_, wall_.radius * e);
        return line;
      };
      sums += integrate_smooth<RegionSums, 8, 8>(f, {a, b, false, false}, [&](double V) {
                return 0.1 * accuracy_ * std::max(V, sums[0]);
              }).sums;
      // Mouth and bottom.
      for (const double z : {a, b}) {
        if (z != wall_.z0 && z != wall_.z1) continue;
        const Vec3 out = z == wall_.z1 ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ());
        add_points(at.find_chord(z), [&](double r, double weight) {
          add_surface(sums, r * e + z * Vec3::UnitZ() - origin_, -weight * r * out);
        });
      }
    });
    return sums;
  }
  RegionSums calc_side_sums(double side) const {
    const WallFigure at = figure(side * wall_.half);
    RegionSums sums = RegionSums::Zero();
    const Vec3 e(at.cosine, at.sine, 0), out = side * Vec3(-at.sine, at.cosine, 0);
    at.visit_pieces([&](int, double a, double b, const FigureChord&) {
      const auto f = [&](double z) {
        RegionSums line = RegionSums::Zero();
        add_points(at.find_chord(z), [&](double r, double weight) {
          add_surface(line, r * e + z * Vec3::UnitZ() - origin_, -weight * out);
        });
        return line;
      };
      sums += integrate_smooth<RegionSums, 8, 1>(f, {a, b, false, false}, [](double) { return HUGE_VAL; }).sums;
    });
    return sums;
  }
  /// Two Gauss points on a chord: exact for cubics.
  template <class Add>
  static void add_points(const FigureChord& chord, Add&& add) {
    const double length = chord.hi - chord.lo, middle = 0.5 * (chord.lo + chord.hi);
    if (!(length > 0)) return;
    const double offset = 0.5 * length / std::numbers::sqrt3;
    add(middle - offset, 0.5 * length), add(middle + offset, 0.5 * length);
  }
  void add_point(RegionSums& sums, const Vec3& point, double weight) const {
    const Vec3 p = point - origin_;
    sums[0] += weight;
    for (int i = 0; i < 3; ++i) sums[1 + i] += weight * p[i], sums[4 + i] += weight * p[i] * p[i];
    sums[7] += weight * p.x() * p.y(), sums[8] += weight * p.y() * p.z(), sums[9] += weight * p.z() * p.x();
  }

  const BoreWall& wall_;
  const FixedVector<Quadric, 3>& body_;
  WallSlab slab_;
  double accuracy_;
  FixedVector<Sample, 160> samples_;
  FixedVector<double, 96> angles_;
  Vec3 origin_ = Vec3::Zero();
  bool has_origin_ = false;
};

}  // namespace

std::optional<InterferenceRegion> find_wall_region(const Shape& shape, const Shape& body, const Transform& X_AB,
                                                   double accuracy) {
  const std::optional<WallPair> pair = find_wall_pair(shape, body, X_AB);
  if (!pair) return {};
  const BoreWall& wall = pair->wall;
  if (pair->calc_reach_bound() < 0) return make_empty_region(RegionMethod::chords);
  const WallIntegral::Result found = WallIntegral(wall, pair->body, pair->slab(), accuracy).calc();
  if (!found.complete) return {};
  if (!(found.sums[0] > 0)) return make_empty_region(RegionMethod::chords);
  const Transform X_AO{wall.X_AF.R, wall.X_AF * found.origin};
  InterferenceRegion region = calc_region(found.sums, X_AO);
  region.method = RegionMethod::chords;
  // Rounding of the surfaces, as far from the origin of A as they are.
  const double place = 2.2e-16 * (X_AO.p.norm() + wall.radius);
  region.error = found.error / region.volume + place * region.dV_dx.norm() / region.volume;
  if (!(region.error <= accuracy)) return {};
  return region;
}

std::optional<WallReach> find_wall_reach(const Shape& shape, const Shape& body, const Transform& X_AB) {
  const std::optional<WallPair> pair = find_wall_pair(shape, body, X_AB);
  if (!pair) return {};
  const BoreWall& wall = pair->wall;
  const WallSlab slab = pair->slab();
  // Apart along the axis: seen at the end that is nearest.
  const bool above = slab.z0 == pair->bounds.lower.z();
  const double z0 = slab.width() > 0 ? slab.z0 : above ? wall.z1 : wall.z0, z1 = slab.width() > 0 ? slab.z1 : z0;
  const auto reach_at = [&](double phi) { return WallFigure(pair->body, wall, phi, z0, z1).calc_reach(); };
  const int count = count_samples(wall);
  double best = -wall.half, most = -HUGE_VAL;
  for (int i = 0; slab.width() > 0 && i <= count; ++i) {
    const double phi = wall.half * (2.0 * i / count - 1), reach = reach_at(phi).size;
    if (reach > most) most = reach, best = phi;
  }
  if (slab.width() > 0) {
    const double step = 2 * wall.half / count;
    const double low = wall.is_sector() ? std::max(best - step, -wall.half) : best - step;
    const double high = wall.is_sector() ? std::min(best + step, wall.half) : best + step;
    best = find_maximum([&](double phi) { return reach_at(phi).size; }, low, high, [](double) { return false; });
  }
  const WallFigure::Reach deepest = reach_at(best);
  const Vec3 e(std::cos(best), std::sin(best), 0);
  WallReach result;
  const bool axial = !(slab.width() > 0) || slab.width() < deepest.size;
  result.depth = axial ? slab.width() : deepest.size;
  result.normal = wall.X_AF.R * (axial ? Vec3(above ? Vec3::UnitZ() : Vec3(-Vec3::UnitZ())) : Vec3(-e));
  result.point =
      wall.X_AF * Vec3(wall.radius * e.x(), wall.radius * e.y(), axial ? (above ? wall.z1 : wall.z0) : deepest.z);
  return result;
}

}  // namespace stiction
