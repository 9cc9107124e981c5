#include "stiction/geometry/volume/volume_edges.h"

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/volume/volume_range.h"

namespace stiction {
namespace {

constexpr int max_boxes = 3000, max_depth = 42;

/// f_y g_z - f_z g_y as a quadric.
Quadric calc_tangency(const Quadric& f, const Quadric& g) {
  const Vec3 fy = f.A.row(1), fz = f.A.row(2), gy = g.A.row(1), gz = g.A.row(2);
  const Mat3 product = fy * gz.transpose() - fz * gy.transpose();
  Quadric t{0.5 * (product + product.transpose()), 0.5 * (fy * g.b.z() + gz * f.b.y() - fz * g.b.y() - gy * f.b.z()),
            f.b.y() * g.b.z() - f.b.z() * g.b.y()};
  const double size = std::max({t.A.cwiseAbs().maxCoeff(), t.b.cwiseAbs().maxCoeff(), std::abs(t.c), 1e-300});
  t.A /= size, t.b /= size, t.c /= size;
  return t;
}

/// One of (1): surfaces f and g, and h or, if there is none, their tangency.
struct EdgeSystem {
  int f, g, h;  ///< h = -1: none
  Quadric tangency;
};

class EdgeSearch {
 public:
  explicit EdgeSearch(const UnitRegion& region) : surfaces_(region.surfaces) {
    const int count = static_cast<int>(surfaces_.size());
    for (int i = 0; i < count; ++i) {
      open_surfaces_.push_back(i);
      if (surfaces_[i].f.is_flat()) continue;
      for (int j = i + 1; j < count; ++j) {
        if (surfaces_[j].f.is_flat()) continue;
        add_system({i, j, -1, calc_tangency(surfaces_[i].f, surfaces_[j].f)});
        // Each corner once: a third curved surface only behind both.
        for (int k = 0; k < count; ++k)
          if (k > j || (k != i && surfaces_[k].f.is_flat())) add_system({i, j, k, {}});
      }
    }
    state_.resize(count);
  }

  EdgePlaces find() {
    if (!systems_.empty())
      explore(Vec3::Zero(), Vec3::Constant(1 + boundary_slack), 0, {0, static_cast<int>(open_surfaces_.size())},
              {0, static_cast<int>(open_systems_.size())});
    close_stretches();
    std::sort(found_.x.begin(), found_.x.end());
    return std::move(found_);
  }

 private:
  /// A stretch of open_surfaces_ or open_systems_: those that matter in one box; its parts' lie behind them.
  struct Span {
    int begin, end;
  };
  enum class Verdict { none, one, open };

  void add_system(const EdgeSystem& system) {
    open_systems_.push_back(static_cast<int>(systems_.size()));
    systems_.push_back(system);
  }
  const Quadric& third(const EdgeSystem& system) const {
    return system.h < 0 ? system.tangency : surfaces_[system.h].f;
  }

  void explore(const Vec3& m, const Vec3& h, int depth, Span surfaces, Span systems) {
    ++boxes_;
    const Span own_surfaces{static_cast<int>(open_surfaces_.size()), find_open_surfaces(m, h, surfaces)};
    const Span own_systems{static_cast<int>(open_systems_.size()),
                           own_surfaces.end < 0 ? 0 : find_open_systems(m, h, systems)};
    if (own_surfaces.end >= 0 && own_systems.end > own_systems.begin) {
      if (depth == max_depth || boxes_ > max_boxes) {
        undecided_.push_back({m.x() - h.x(), m.x() + h.x()});
      } else {
        const int axis = depth % 3;
        Vec3 half = h, shift = Vec3::Zero();
        half[axis] *= 0.5, shift[axis] = half[axis];
        explore(m - shift, half, depth + 1, own_surfaces, own_systems);
        explore(m + shift, half, depth + 1, own_surfaces, own_systems);
      }
    }
    open_surfaces_.resize(own_surfaces.begin);
    open_systems_.resize(own_systems.begin);
  }

  /// Appends the surfaces that cut the box; the new end, or -1 if the box lies outside one.
  int find_open_surfaces(const Vec3& m, const Vec3& h, Span surfaces) {
    for (int n = surfaces.begin; n < surfaces.end; ++n) {
      const int i = open_surfaces_[n];
      const ValueRange range = calc_range(surfaces_[i].f, m, h);
      if (range.low > boundary_slack) return -1;
      state_[i] = range.high >= -boundary_slack ? boxes_ : 0;
      if (state_[i]) open_surfaces_.push_back(i);
    }
    return static_cast<int>(open_surfaces_.size());
  }

  /// Appends the systems that may have several solutions in the box, notes the solutions of those with one.
  int find_open_systems(const Vec3& m, const Vec3& h, Span systems) {
    for (int n = systems.begin; n < systems.end; ++n) {
      const int index = open_systems_[n];
      const EdgeSystem& system = systems_[index];
      if (state_[system.f] != boxes_ || state_[system.g] != boxes_) continue;
      if (system.h >= 0 && state_[system.h] != boxes_) continue;
      if (system.h < 0) {
        const ValueRange range = calc_range(system.tangency, m, h);
        if (range.low > 0 || range.high < 0) continue;
      }
      const Verdict verdict = judge(system, m, h);
      if (verdict == Verdict::open) open_systems_.push_back(index);
      if (verdict == Verdict::one) solve(system, m, h);
    }
    return static_cast<int>(open_systems_.size());
  }

  /// J^-1 F(m + e) = v + e + (e'A_i e): none if it is not zero in the box; at most one if it is nearly linear there.
  Verdict judge(const EdgeSystem& system, const Vec3& m, const Vec3& h) const {
    const Quadric* q[3] = {&surfaces_[system.f].f, &surfaces_[system.g].f, &third(system)};
    Mat3 J;
    Vec3 value;
    for (int i = 0; i < 3; ++i) J.row(i) = q[i]->gradient(m), value[i] = q[i]->value(m);
    const double det = J.determinant();
    if (!(std::abs(det) > 1e-13)) return Verdict::open;
    const Mat3 inverse = J.inverse();
    bool nearly_linear = true;
    for (int i = 0; i < 3; ++i) {
      const Mat3 A = inverse(i, 0) * q[0]->A + inverse(i, 1) * q[1]->A + inverse(i, 2) * q[2]->A;
      const double bend = h.dot(A.cwiseAbs() * h), v = inverse.row(i).dot(value);
      if (std::abs(v) > h[i] + bend) return Verdict::none;
      nearly_linear = nearly_linear && 4 * bend < h[i];
    }
    return nearly_linear ? Verdict::one : Verdict::open;
  }

  /// Newton's method from the middle of a box that has one solution or none.
  void solve(const EdgeSystem& system, const Vec3& m, const Vec3& h) {
    const Quadric* q[3] = {&surfaces_[system.f].f, &surfaces_[system.g].f, &third(system)};
    Vec3 p = m;
    for (int step = 0; step < 30; ++step) {
      Mat3 J;
      Vec3 value;
      for (int i = 0; i < 3; ++i) J.row(i) = q[i]->gradient(p), value[i] = q[i]->value(p);
      const Vec3 dp = J.inverse() * value;
      p -= dp;
      // Outside by more than rounding, and still going: the one solution is not here.
      if (!((p - m).cwiseAbs().array() <= 3 * h.array() + 1e-9).all()) return;
      if (dp.cwiseAbs().maxCoeff() < 1e-14) break;
    }
    if (!((p - m).cwiseAbs().array() <= (1 + 1e-6) * h.array() + 1e-9).all()) return;
    for (int s = 0; s < static_cast<int>(surfaces_.size()); ++s)
      if (s != system.f && s != system.g && s != system.h && surfaces_[s].f.value(p) > boundary_slack) return;
    found_.x.push_back(p.x());
  }

  /// The ends of what is left open; stretches that touch count as one.
  void close_stretches() {
    if (undecided_.empty()) return;
    found_.complete = false;
    std::sort(undecided_.begin(), undecided_.end());
    std::array<double, 2> last = undecided_[0];
    const auto add = [&] { found_.x.insert(found_.x.end(), {last[0], 0.5 * (last[0] + last[1]), last[1]}); };
    for (const std::array<double, 2>& stretch : undecided_) {
      if (stretch[0] > last[1] + 1e-9) add(), last = stretch;
      last[1] = std::max(last[1], stretch[1]);
    }
    add();
  }

  const std::vector<RegionSurface>& surfaces_;
  std::vector<EdgeSystem> systems_;
  std::vector<int> open_surfaces_, open_systems_;
  std::vector<int> state_;  ///< the last box that a surface was seen to cut
  std::vector<std::array<double, 2>> undecided_;
  EdgePlaces found_;
  int boxes_ = 0;
};

}  // namespace

EdgePlaces find_edge_places(const UnitRegion& region) {
  return EdgeSearch(region).find();
}

}  // namespace stiction
