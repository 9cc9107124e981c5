#include "stiction/multibody/constraint_row.h"

#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

Measure calc_phi(const RowPoint& row, const PairPose& pose, const VecX&) {
  return calc_displacement(pose, row.axis);
}

Measure calc_phi(const RowNormal& row, const PairPose& pose, const VecX&) {
  return calc_axes_product(pose, row.axis_a, row.axis_b);
}

Measure calc_phi(const RowDistance& row, const PairPose& pose, const VecX&) {
  Measure result = calc_distance(pose);
  result.value -= row.length;
  return result;
}

Measure calc_phi(const RowScrew& row, const PairPose& pose, const VecX& z) {
  // phi = displacement - pitch * angle
  Measure result = calc_displacement(pose, 2);
  const Measure turn = calc_turn(pose);
  const double angle = row.turns < 0 ? turn.value : add_whole_turns(turn.value, z[row.turns]);
  result.value -= row.pitch * angle;
  result.F_a -= row.pitch * turn.F_a;
  result.F_b -= row.pitch * turn.F_b;
  return result;
}

double calc_gamma(const RowPoint& row, const PairPose& pose, const PairMotion& motion) {
  return calc_displacement_bias(pose, motion, row.axis);
}

double calc_gamma(const RowNormal& row, const PairPose& pose, const PairMotion& motion) {
  return calc_axes_product_bias(pose, motion, row.axis_a, row.axis_b);
}

double calc_gamma(const RowDistance&, const PairPose& pose, const PairMotion& motion) {
  return calc_distance_bias(pose, motion);
}

double calc_gamma(const RowScrew& row, const PairPose& pose, const PairMotion& motion) {
  return calc_displacement_bias(pose, motion, 2) - row.pitch * calc_turn_bias(pose, motion);
}

}  // namespace

std::optional<PairRow> find_pair_row(const ConstraintRow& row) {
  if (const auto* r = std::get_if<RowPoint>(&row)) return *r;
  if (const auto* r = std::get_if<RowNormal>(&row)) return *r;
  if (const auto* r = std::get_if<RowDistance>(&row)) return *r;
  if (const auto* r = std::get_if<RowScrew>(&row)) return *r;
  return std::nullopt;
}

Measure calc_row(const PairRow& row, const PairPose& pose, const VecX& z) {
  return std::visit([&](const auto& r) { return calc_phi(r, pose, z); }, row);
}

double calc_row_gamma(const PairRow& row, const PairPose& pose, const PairMotion& motion) {
  return std::visit([&](const auto& r) { return calc_gamma(r, pose, motion); }, row);
}

double calc_coupler(const RowCoupler& row, const Instant& at) {
  double sum = -calc_sample(row.offset, at.t).value;
  for (std::size_t k = 0; k < row.coordinates.size(); ++k)
    sum += row.ratios[k] * calc_coordinate_position(at.system, at.kinematics, at.q, at.z, row.coordinates[k]);
  return sum;
}

CouplerRate calc_coupler_rate(const RowCoupler& row, const Instant& at) {
  CouplerRate result;
  result.phi_t = -calc_sample(row.offset, at.t).rate;
  result.rate = result.phi_t;
  for (std::size_t k = 0; k < row.coordinates.size(); ++k)
    result.rate +=
        row.ratios[k] * calc_coordinate(at.system, at.kinematics, at.q, at.v, at.z, row.coordinates[k]).velocity;
  return result;
}

double calc_coupler_gamma(const RowCoupler& row, const Instant& at) {
  double sum = -calc_sample(row.offset, at.t).acceleration;
  for (std::size_t k = 0; k < row.coordinates.size(); ++k)
    sum += row.ratios[k] * calc_coordinate_bias(at.system, at.kinematics, row.coordinates[k]);
  return sum;
}

}  // namespace stiction
