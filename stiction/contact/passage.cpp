#include "stiction/contact/passage.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/geometry/shape/surface.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

/// What of `part` two bodies may overlap where their normal has reversed.
constexpr double reversed_part = 0.1;
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
    start_ = X_WB;
    motion_.resize(X_WB.size());
  }
  for (const int body : bodies_) motion_[at(body)] = {};
  bodies_.assign(bodies.begin(), bodies.end());
  for (const int body : bodies_) start_[at(body)] = X_WB[at(body)];
}

std::optional<Passage> PassageSearch::find(const std::vector<Transform>& X_WB, const std::vector<Contact>& at_start,
                                           const std::vector<Contact>& at_end) {
  list_pairs(at_start, at_end);
  if (pairs_.empty()) return std::nullopt;
  end_ = &X_WB;
  for (const int body : bodies_) {
    const Transform &from = start_[at(body)], &to = X_WB[at(body)];
    Motion& motion = motion_[at(body)];
    motion.turn = calc_logarithm(calc_quaternion(to.R * from.R.transpose()));
    motion.angle = motion.turn.norm();
    motion.distance = (to.p - from.p).norm();
  }
  std::optional<Passage> first;
  for (Pair& pair : pairs_) {
    if (is_slow(pair) || is_separated(pair)) continue;
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
  const auto take_nearest = [&](auto& next, const std::vector<Contact>& list, const std::pair<int, int>& wanted) {
    const Contact* nearest = nullptr;
    for (; next != list.end() && key(*next) == wanted; ++next) {
      if (!nearest || next->gap < nearest->gap) nearest = &*next;
    }
    return nearest;
  };
  while (start != at_start.end() || end != at_end.end()) {
    const bool is_next = end == at_end.end() || (start != at_start.end() && key(*start) <= key(*end));
    const std::pair<int, int> wanted = key(is_next ? *start : *end);
    const Contact* const first = take_nearest(start, at_start, wanted);
    const Contact* const last = take_nearest(end, at_end, wanted);
    if (bounds_[at(wanted.first)].bounded && bounds_[at(wanted.second)].bounded)
      pairs_.push_back({.a = wanted.first, .b = wanted.second, .start = first, .end = last});
  }
}

double PassageSearch::calc_arm(int shape) const {
  const ShapeBound& bound = bounds_[at(shape)];
  return model_.shapes[at(shape)].X_BS.p.norm() + (bound.ball ? 0 : bound.reach);
}

/// Too slow to pass: completes what decides about the pair.
bool PassageSearch::is_slow(Pair& pair) const {
  const ContactShape &A = model_.shapes[at(pair.a)], &B = model_.shapes[at(pair.b)];
  const Motion &of_a = motion_[at(A.body)], &of_b = motion_[at(B.body)];
  const double arm_a = calc_arm(pair.a), arm_b = calc_arm(pair.b);
  const Vec3 way_a = (*end_)[at(A.body)].p - start_[at(A.body)].p, way_b = (*end_)[at(B.body)].p - start_[at(B.body)].p;
  pair.way = (way_b - way_a).norm() + of_a.angle * arm_a + of_b.angle * arm_b;
  const ShapeBound &bound_a = bounds_[at(pair.a)], &bound_b = bounds_[at(pair.b)];
  pair.thickness = std::min(calc_thickness(bound_a), calc_thickness(bound_b));
  pair.reversed = !pair.start || !pair.end || pair.start->normal.dot(pair.end->normal) < 0;
  const double chords = (of_a.angle * of_a.angle * arm_a + of_b.angle * of_b.angle * arm_b) / 8;
  const double size = std::min(bound_a.half.norm(), bound_b.half.norm());
  const double limit = pair.reversed ? reversed_part * part_ * pair.thickness : part_ * size + chords;
  const double gap_0 = pair.start ? pair.start->gap : 0, gap_1 = pair.end ? pair.end->gap : 0;
  if (pair.way <= std::max({0.0, gap_0, gap_1}) + limit) return true;
  // To get through it has to go as far as the thinner is thick; to get deeper than at both ends, in and out.
  if (pair.way <= (pair.reversed ? 0.5 * pair.thickness : 2 * limit)) return true;
  pair.allowed = limit + calc_layers(pair) + std::max({0.0, -gap_0, -gap_1});
  return false;
}

double PassageSearch::calc_layers(const Pair& pair) const {
  if (!has_layers_) return 0;
  const Contact& contact = pair.start ? *pair.start : *pair.end;
  const PairLayers layers = model_.find_layers(pair.a, pair.b, contact.rule);
  double thickness = 0;
  for (int i = 0; i < layers.count; ++i) thickness += layers.layer[at(i)]->thickness;
  return thickness;
}

Transform PassageSearch::calc_pose(int shape, double s) const {
  const ContactShape& of = model_.shapes[at(shape)];
  const Transform &from = start_[at(of.body)], &to = (*end_)[at(of.body)];
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
  if (pair.start && separates(pair.start->normal)) return true;
  if (pair.end && separates(pair.end->normal)) return true;
  if (!pair.start || !pair.end) return false;
  const Vec3 middle = pair.start->normal + pair.end->normal;
  return middle.squaredNorm() > 1e-6 && separates(middle.normalized());
}

std::optional<Passage> PassageSearch::follow(const Pair& pair) const {
  const Shape &A = model_.shapes[at(pair.a)].shape, &B = model_.shapes[at(pair.b)].shape;
  const double least =
      std::max(1 / most_samples, std::min(1 / fewest_samples, pair.thickness / (samples_of_thickness * pair.way)));
  std::optional<Passage> passage;
  double gap = pair.start ? pair.start->gap : 0;
  for (double s = std::max(gap / pair.way, least); s < 1; s += std::max(gap / pair.way, least)) {
    gap = calc_closest(A, calc_pose(pair.a, s), B, calc_pose(pair.b, s)).gap;
    if (gap >= -pair.allowed) continue;
    if (!passage) passage = Passage{.part = s, .shape_a = pair.a, .shape_b = pair.b};
    passage->depth = std::max(passage->depth, -gap);
  }
  return passage;
}

}  // namespace stiction
