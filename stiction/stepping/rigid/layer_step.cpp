#include "stiction/stepping/rigid/layer_step.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

/// h f and h df/d(delta) of the nonlinear normal law, at delta.
struct NormalImpulse {
  double value = 0, slope = 0;
};
NormalImpulse calc_normal_impulse(const CompliantLayer& layer, double h, double delta, double start) {
  const double k = layer.stiffness(0, 0), p = layer.exponent, x = std::max(0.0, delta);
  const double power = std::pow(x, p), rise = p * std::pow(x, p - 1);
  const double factor = 1 + layer.dissipation * (x - start) / h;
  // Where the law would pull, the contact lets go: a slope above 0 leads back.
  const double least = 1e-3 * h * k * rise;
  if (factor <= 0) return {0, least};
  return {h * k * power * factor, std::max(least, h * k * (rise * factor + power * layer.dissipation / h))};
}

/// h K + C, without the direction o in the plane.
Mat3 calc_impedance(const CompliantLayer& layer, double h, bool planar) {
  Mat3 Z = h * layer.stiffness + layer.damping;
  if (!layer.is_linear()) Z.row(0).setZero(), Z.col(0).setZero(), Z(0, 0) = 1;
  if (planar) Z.row(2).setZero(), Z.col(2).setZero(), Z(2, 2) = 1;
  return Z;
}

/// C delta_l; nothing along o in the plane.
Vec3 calc_damped_start(const LayerStep& step, bool planar) {
  Vec3 c = step.layer->damping * step.start;
  if (planar) c[2] = 0;
  return c;
}

}  // namespace

void pose_layer(double h, bool planar, double iterate, LayerStep& step) {
  const CompliantLayer& layer = *step.layer;
  const Mat3 Z = calc_impedance(layer, h, planar);
  const Vec3 c = calc_damped_start(step, planar);
  step.A.setZero();
  step.b.setZero();
  if (step.on_core) {
    // (3)
    const Eigen::Matrix2d A_TT = Z.bottomRightCorner<2, 2>().inverse();
    step.A.bottomRightCorner<2, 2>() = A_TT;
    step.b[0] = layer.thickness;
    step.b.tail<2>() = A_TT * (c.tail<2>() - Z.block<2, 1>(1, 0) * layer.thickness);
  } else {
    // (2)
    step.A = Z.inverse();
    step.b = step.A * c;
    if (!layer.is_linear()) {
      const NormalImpulse normal = calc_normal_impulse(layer, h, iterate, step.start[0]);
      step.A(0, 0) = 1 / normal.slope;
      step.b[0] = iterate - normal.value / normal.slope;
    }
  }
  if (planar) step.A.row(2).setZero(), step.A.col(2).setZero();
}

bool solve_layer(const Vec3& p, double h, LayerStep& step) {
  const CompliantLayer& layer = *step.layer;
  step.end = step.A * p + step.b;
  if (!layer.is_linear() && !step.on_core) {
    // Without a load the normal law is k delta^p (1 + a d(delta)/dt) = 0.
    const double free = layer.dissipation > 0 ? std::max(0.0, step.start[0] - h / layer.dissipation) : 0;
    step.end[0] = p[0] > 0 ? std::max(free, step.end[0]) : free;
  }
  step.core_impulse = 0;
  if (!step.on_core) {
    constexpr double rounding = 1e-12;
    if (!(step.end[0] > layer.thickness * (1 + rounding))) return false;
    step.on_core = true;
    return true;
  }
  const double carried =
      layer.is_linear() ? h * layer.stiffness.row(0).dot(step.end) + layer.damping.row(0).dot(step.end - step.start)
                        : calc_normal_impulse(layer, h, step.end[0], step.start[0]).value;
  step.core_impulse = p[0] - carried;
  if (step.core_impulse >= 0) return false;
  step.core_impulse = 0;
  step.on_core = false;
  return true;
}

double calc_layer_violation(const Vec3& p, double h, const LayerStep& step) {
  const CompliantLayer& layer = *step.layer;
  Vec3 carried = h * layer.stiffness * step.end + layer.damping * (step.end - step.start);
  double slope = h * layer.stiffness(0, 0) + layer.damping(0, 0);
  if (!layer.is_linear()) {
    const NormalImpulse normal = calc_normal_impulse(layer, h, step.end[0], step.start[0]);
    carried[0] = normal.value;
    slope = normal.slope;
  }
  const bool planar = step.A(2, 2) == 0;
  Vec3 left = p - carried;
  left[0] -= step.core_impulse;
  if (planar) left[2] = 0;
  const double stiffest = std::max(slope, 1e-300);
  const double beyond = std::max(0.0, step.end[0] - layer.thickness);
  const double above = step.core_impulse > 0 ? std::abs(layer.thickness - step.end[0]) : 0;
  return std::max({std::abs(left[0]) / stiffest, (step.A * Vec3(0, left[1], left[2])).norm(), beyond, above});
}

double calc_damped_energy(double h, const LayerStep& step) {
  const CompliantLayer& layer = *step.layer;
  const Vec3 change = step.end - step.start;
  if (layer.is_linear()) return change.dot(layer.damping * change) / h;
  const Vec3 shear(0, change[1], change[2]);
  const double normal = layer.stiffness(0, 0) * std::pow(step.end[0], layer.exponent) * layer.dissipation;
  return (normal * change[0] * change[0] + shear.dot(layer.damping * shear)) / h;
}

Vec3 calc_deflection_in(const Mat3& frame, const Mat3& R_WB, const LayerMemory& memory) {
  const Vec3 shear = R_WB * memory.shear;
  Eigen::Vector2d along(frame.col(1).dot(shear), frame.col(2).dot(shear));
  const double size = memory.shear.norm(), seen = along.norm();
  if (seen > 0) along *= size / seen;
  return {memory.normal, along[0], along[1]};
}

LayerMemory remember_layer(const Mat3& frame, const Mat3& R_WB, const LayerStep& step) {
  LayerMemory memory;
  memory.normal = step.end[0];
  memory.shear = R_WB.transpose() * (step.end[1] * frame.col(1) + step.end[2] * frame.col(2));
  memory.stored = calc_stored_energy(*step.layer, step.end);
  memory.on_core = step.on_core;
  return memory;
}

}  // namespace stiction
