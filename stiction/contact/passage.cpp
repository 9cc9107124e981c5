#include "stiction/contact/passage.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"
#include "stiction/geometry/shape/smaller_size.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

/// What of `part` two bodies may overlap where their normal has reversed.
constexpr double reversed_part = 0.1;
/// What of the thinner body may be overlapped at an end that is predicted.
constexpr double predicted_part = 0.25;
/// Samples of a way, at least and at most, and of a thickness.
constexpr double fewest_samples = 16, most_samples = 1024, samples_of_thickness = 4;

double calc_thickness(const ShapeBound& bound) {
  return 2 * bound.half.minCoeff();
}

}  // namespace

PassageSearch::PassageSearch(const ContactModel& model, double part)
    : model_(model), part_(part), has_layers_(model.has_layers()) {
  for (const ContactShape& shape : model.shapes) bounds_.push_back(calc_shape_bound(shape.shape));
}

void PassageSearch::begin(std::span<const int> bodies, const std::vector<Transform>& X_WB) {
  if (start_.empty()) {
    start_ = end_ = X_WB;
    motion_.resize(X_WB.size());
  }
  for (const int body : bodies_) motion_[at(body)] = {};
  bodies_.assign(bodies.begin(), bodies.end());
  for (const int body : bodies_) start_[at(body)] = X_WB[at(body)];
}

std::optional<Passage> PassageSearch::find(const std::vector<Transform>& X_WB, const std::vector<Contact>& at_start,
                                           const std::vector<Contact>& at_end) {
  is_ahead_ = false;
  list_pairs(at_start, at_end);
  if (pairs_.empty()) return std::nullopt;
  for (const int body : bodies_) {
    end_[at(body)] = X_WB[at(body)];
    Motion& motion = motion_[at(body)];
    motion.turn = calc_logarithm(calc_quaternion(X_WB[at(body)].R * start_[at(body)].R.transpose()));
    motion.angle = motion.turn.norm();
  }
  return find_first();
}

std::optional<Passage> PassageSearch::find_ahead(const std::vector<Vec6>& V_WB, double h,
                                                 const std::vector<Contact>& at_start) {
  is_ahead_ = true;
  list_pairs(at_start, {});
  if (pairs_.empty()) return std::nullopt;
  for (const int body : bodies_) {
    const Transform& from = start_[at(body)];
    Motion& motion = motion_[at(body)];
    motion.turn = h * V_WB[at(body)].head<3>();
    motion.angle = motion.turn.norm();
    end_[at(body)] = {calc_matrix(calc_exponential(motion.turn)) * from.R, from.p + h * V_WB[at(body)].tail<3>()};
  }
  return find_first();
}

std::optional<Passage> PassageSearch::find_first() {
  std::optional<Passage> first;
  for (Pair& pair : pairs_) {
    if (is_slow(pair) || is_shallow(pair) || is_separated(pair)) continue;
    const std::optional<Passage> passage = follow(pair);
    if (passage && (!first || passage->part < first->part)) first = passage;
  }
  return first;
}

/// Pairs with an end in either list.
void PassageSearch::list_pairs(const std::vector<Contact>& at_start, const std::vector<Contact>& at_end) {
  pairs_.clear();
  const auto key = [](const Contact& contact) { return std::pair(contact.shape_a, contact.shape_b); };
  auto start = at_start.begin(), end = at_end.begin();
  const auto take_nearest = [&](auto& next, const std::vector<Contact>& list, Pair& pair) {
    End nearest;
    for (; next != list.end() && key(*next) == std::pair(pair.a, pair.b); ++next) {
      if (!nearest.known || next->gap < nearest.gap) nearest = {true, next->gap, next->normal};
      pair.rule = next->rule;
    }
    return nearest;
  };
  while (start != at_start.end() || end != at_end.end()) {
    const bool is_start = end == at_end.end() || (start != at_start.end() && key(*start) <= key(*end));
    const Contact& first = is_start ? *start : *end;
    Pair pair{.a = first.shape_a, .b = first.shape_b, .rule = first.rule};
    pair.start = take_nearest(start, at_start, pair);
    pair.end = take_nearest(end, at_end, pair);
    if (bounds_[at(pair.a)].bounded && bounds_[at(pair.b)].bounded) pairs_.push_back(pair);
  }
}

double PassageSearch::calc_arm(int shape) const {
  const ShapeBound& bound = bounds_[at(shape)];
  return model_.shapes[at(shape)].X_BS.p.norm() + (bound.ball ? 0 : bound.reach);
}

/// Is the way so short that whatever the other end is, it does not get from one side to the other, nor deep?
bool PassageSearch::is_slow(Pair& pair) const {
  const int a = model_.shapes[at(pair.a)].body, b = model_.shapes[at(pair.b)].body;
  const double turns = motion_[at(a)].angle * calc_arm(pair.a) + motion_[at(b)].angle * calc_arm(pair.b);
  pair.way = ((end_[at(b)].p - start_[at(b)].p) - (end_[at(a)].p - start_[at(a)].p)).norm() + turns;
  const ShapeBound &A = bounds_[at(pair.a)], &B = bounds_[at(pair.b)];
  pair.thickness = calc_smaller_size(calc_thickness(A), calc_thickness(B));
  pair.size = calc_smaller_size(A.half.norm(), B.half.norm());
  // To get through it has to go as far as the thinner is thick; to get deeper than at both ends, in and out.
  return pair.way <= std::max({0.0, pair.start.gap, pair.end.gap}) + reversed_part * part_ * pair.thickness ||
         pair.way <= std::min(0.5 * pair.thickness, 2 * part_ * pair.size);
}

/// Completes what decides about the pair. Is the way too short for that?
bool PassageSearch::is_shallow(Pair& pair) const {
  const auto complete = [&](End& end, double s) {
    if (end.known) return;
    const ClosestPoints points = calc_points(pair, s);
    end = {true, points.gap, points.normal};
  };
  complete(pair.start, 0);
  complete(pair.end, 1);
  const auto calc_chord = [&](int shape) {
    const double angle = motion_[at(model_.shapes[at(shape)].body)].angle;
    return angle * angle * calc_arm(shape) / 8;
  };
  const bool reversed = pair.start.normal.dot(pair.end.normal) < 0;
  const double limit =
      reversed ? reversed_part * part_ * pair.thickness : part_ * pair.size + calc_chord(pair.a) + calc_chord(pair.b);
  // On its other side a body has passed, through a layer, too, and however deep it still is there.
  const double layers = reversed ? 0 : calc_layers(pair), left = reversed ? 0 : -pair.end.gap;
  pair.allowed = limit + layers + std::max({0.0, -pair.start.gap, left});
  if (is_ahead_) {
    const double deep = std::max(limit, predicted_part * pair.thickness);
    pair.allowed = std::min(pair.allowed, deep + layers + std::max(0.0, -pair.start.gap));
    return pair.way <= std::max(0.0, pair.start.gap) + limit;
  }
  return pair.way <= std::max({0.0, pair.start.gap, pair.end.gap}) + limit ||
         pair.way <= (reversed ? 0.5 * pair.thickness : 2 * limit);
}

double PassageSearch::calc_layers(const Pair& pair) const {
  if (!has_layers_) return 0;
  const PairLayers layers = model_.find_layers(pair.a, pair.b, pair.rule);
  double thickness = 0;
  for (int i = 0; i < layers.count; ++i) thickness += layers.layer[at(i)]->thickness;
  return thickness;
}

/// Cells with complements by their contact points: a peg in a bore has them in closed form, the general search takes a
/// thousand times as long.
ClosestPoints PassageSearch::calc_points(const Pair& pair, double s) const {
  const Shape &A = model_.shapes[at(pair.a)].shape, &B = model_.shapes[at(pair.b)].shape;
  const Transform X_WA = calc_pose(pair.a, s), X_WB = calc_pose(pair.b, s);
  if (is_convex(A) && is_convex(B)) return calc_closest(A, X_WA, B, X_WB);
  std::vector<ContactPoint> points;
  calc_contact_points(A, X_WA, B, X_WB, infinity, points);
  if (points.empty()) return calc_closest(A, X_WA, B, X_WB);
  const ContactPoint& nearest = *std::min_element(
      points.begin(), points.end(), [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; });
  return {.gap = nearest.gap, .point_a = nearest.point_a, .point_b = nearest.point_b, .normal = nearest.normal};
}

Transform PassageSearch::calc_pose(int shape, double s) const {
  const ContactShape& of = model_.shapes[at(shape)];
  const Transform &from = start_[at(of.body)], &to = end_[at(of.body)];
  const Motion& motion = motion_[at(of.body)];
  const Mat3 turn = calc_matrix(calc_exponential(s * motion.turn));
  return Transform{turn * from.R, from.p + s * (to.p - from.p)} * of.X_BS;
}

/// How far two convex shapes are apart along `normal`, from A to B.
double PassageSearch::calc_plane_gap(const Pair& pair, const Vec3& normal, double s) const {
  const auto calc_extent = [&](int shape, const Vec3& direction) {
    const Transform X_WS = calc_pose(shape, s);
    return direction.dot(X_WS * calc_support(model_.shapes[at(shape)].shape, X_WS.R.transpose() * direction));
  };
  return -calc_extent(pair.a, normal) - calc_extent(pair.b, -normal);
}

/// Does a plane separate two convex shapes at both ends, and so, on chords, all the way?
bool PassageSearch::is_separated(const Pair& pair) const {
  if (!is_convex(model_.shapes[at(pair.a)].shape) || !is_convex(model_.shapes[at(pair.b)].shape)) return false;
  const auto separates = [&](const Vec3& normal) {
    return calc_plane_gap(pair, normal, 0) > -pair.allowed && calc_plane_gap(pair, normal, 1) > -pair.allowed;
  };
  if (separates(pair.start.normal) || separates(pair.end.normal)) return true;
  const Vec3 middle = pair.start.normal + pair.end.normal;
  return middle.squaredNorm() > 1e-6 && separates(middle.normalized());
}

std::optional<Passage> PassageSearch::follow(const Pair& pair) const {
  const double least =
      std::max(1 / most_samples, std::min(1 / fewest_samples, pair.thickness / (samples_of_thickness * pair.way)));
  std::optional<Passage> passage;
  double gap = pair.start.gap;
  for (double s = std::max(gap / pair.way, least); s < 1; s += std::max(gap / pair.way, least)) {
    gap = calc_points(pair, s).gap;
    if (gap >= -pair.allowed) continue;
    if (!passage) passage = Passage{.part = s, .shape_a = pair.a, .shape_b = pair.b};
    passage->depth = std::max(passage->depth, -gap);
  }
  return passage;
}

}  // namespace stiction
