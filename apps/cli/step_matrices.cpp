#include "apps/cli/step_matrices.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/math/dense_least_norm.h"
#include "stiction/math/dense_lu.h"
#include "stiction/multibody/equations.h"

namespace stiction::cli {
namespace {

std::vector<std::string> name_velocities(const System& system) {
  static const char* const spatial[] = {"wx", "wy", "wz", "vx", "vy", "vz"};
  std::vector<std::string> names;
  for (std::size_t b = 0; b < system.joints.size(); ++b) {
    const Joint& joint = system.joints[b];
    for (int k = 0; k < joint.nv; ++k) {
      const bool is_scalar = joint.nq == joint.nv;
      const std::string part = is_scalar ? coordinate_name(joint.kind, k).name : spatial[k];
      names.push_back(system.bodies[b].name + (part.empty() ? "" : "." + part));
    }
  }
  return names;
}

/// One row of J: what the velocity of B against A along `direction` at the contact is of v.
VecX calc_row(const System& system, const Kinematics& kinematics, const ContactRecord& contact, const Vec3& direction) {
  VecX row = VecX::Zero(system.nv);
  const auto add = [&](int shape, double sign) {
    const int body = system.contact.shapes[at(shape)].body;
    const Vec3 r = contact.position - kinematics.X_WB[at(body)].p;
    add_body_force(system, kinematics, body, sign * make_spatial(r.cross(direction), direction), row);
  };
  add(contact.shape_b, 1);
  add(contact.shape_a, -1);
  return row;
}

/// Tangential axes: along the friction impulse where there is one, else any.
Mat3 make_axes(const ContactRecord& contact) {
  const Vec3& n = contact.normal;
  Vec3 t = contact.impulse - contact.impulse.dot(n) * n;
  if (!(t.norm() > 1e-12 * contact.impulse.norm())) t = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
  t = (t - t.dot(n) * n).normalized();
  Mat3 axes;
  axes << n, t, n.cross(t);
  return axes;
}

void add_contacts(const System& system, const Kinematics& kinematics, const std::vector<ContactRecord>& contacts,
                  StepMatrices& step) {
  static const char* const axis_names[] = {"n", "t", "o"};
  std::vector<VecX> rows;
  std::vector<double> impulses;
  for (const ContactRecord& contact : contacts) {
    const ContactShape &a = system.contact.shapes[at(contact.shape_a)], &b = system.contact.shapes[at(contact.shape_b)];
    const Mat3 axes = make_axes(contact);
    for (int k = 0; k < 3; ++k) {
      const VecX row = calc_row(system, kinematics, contact, axes.col(k));
      if (k > 0 && row.isZero(0)) continue;  // out of the plane
      rows.push_back(row);
      impulses.push_back(contact.impulse.dot(axes.col(k)));
      step.rows.push_back(fmt::format("{}/{} {} {}", a.name, b.name, contact.point, axis_names[k]));
    }
  }
  step.J.resize(static_cast<Eigen::Index>(rows.size()), system.nv);
  step.r.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    step.J.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
    step.r[static_cast<Eigen::Index>(i)] = impulses[i];
  }
}

std::string format_entry(double x) {
  return std::abs(x) < 1e-15 ? fmt::format("{:>12}", 0) : fmt::format("{:>12.5g}", x);
}

std::string format_matrix(const std::string& name, const MatX& matrix, const std::vector<std::string>& rows) {
  std::string text = fmt::format("\n{}\n", name);
  std::size_t width = 0;
  for (const std::string& row : rows) width = std::max(width, row.size());
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += fmt::format("  {:<{}}", rows[static_cast<std::size_t>(i)], width);
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += format_entry(matrix(i, j));
    text += "\n";
  }
  return text;
}

MatX join_columns(std::initializer_list<const VecX*> columns) {
  MatX matrix((*columns.begin())->size(), static_cast<Eigen::Index>(columns.size()));
  Eigen::Index j = 0;
  for (const VecX* column : columns) matrix.col(j++) = *column;
  return matrix;
}

}  // namespace

StepMatrices take_step_apart(const System& system, Stepper& stepper, double h, State& state) {
  StepMatrices step;
  step.velocities = name_velocities(system);
  step.t = state.t;
  step.v = state.v;
  // At the start: masses, constraints, and what forces alone do.
  System alone = system;
  alone.constraints.clear();
  alone.contact = {};
  Equations equations(alone);
  State start = state;
  start.modes.resize(at(system.n_modes), 0);
  equations.evaluate(start);
  const Kinematics& kinematics = equations.kinematics();
  TreeDynamics dynamics(system);
  calc_mass_matrix(system, kinematics, dynamics, step.M);
  ConstraintSet constraints(system);
  const Instant instant{system, kinematics, state.t, state.q, state.v, state.z};
  if (!constraints.empty()) {
    constraints.update_positions(instant);
    update_articulated_inertia(system, kinematics, dynamics);
    constraints.factorize(kinematics, dynamics, system.nv);
    step.phi = constraints.phi();
    for (int i = 0; i < constraints.size(); ++i)
      step.constraints.push_back(system.constraints[at(constraints.constraint_of(i))].name);
  }
  step.G = constraints.empty() ? MatX(0, system.nv) : MatX(constraints.jacobian_transposed().transpose());
  const VecX vdot = equations.dv();
  (void)stepper.step(state, state.t + h);
  step.h = state.t - step.t;
  step.v_end = state.v;
  step.hf = step.h * (step.M * vdot);
  add_contacts(system, kinematics, stepper.contacts(), step);
  step.W = step.J * DenseLu(step.M).solve(MatX(step.J.transpose()));
  step.u_end = step.J * step.v_end;
  const VecX rest = step.M * (step.v_end - step.v) - step.hf - step.J.transpose() * step.r;
  step.lambda = step.G.rows() > 0 ? solve_dense_least_norm(step.G.transpose(), rest) : VecX();
  const VecX left = step.G.rows() > 0 ? VecX(rest - step.G.transpose() * step.lambda) : rest;
  step.misfit = left.size() > 0 ? left.cwiseAbs().maxCoeff() : 0;
  return step;
}

std::string format_step(const StepMatrices& step, const std::string& method) {
  std::string text = fmt::format(
      "Step from t = {:.9g} s, h = {:.9g} s, method {}\n\n  M (v+ - v) = h f + G' lambda + J' r,   W = J M^-1 J'\n\n"
      "All at the start of the step, SI units. Left of the equation: {:.2g} N s.\n",
      step.t, step.h, method, step.misfit);
  text += format_matrix("M", step.M, step.velocities);
  text += format_matrix("v, v+, h f", join_columns({&step.v, &step.v_end, &step.hf}), step.velocities);
  if (step.G.rows() > 0) {
    text += format_matrix("G (constraints)", step.G, step.constraints);
    text += format_matrix("phi, lambda", join_columns({&step.phi, &step.lambda}), step.constraints);
  }
  if (step.J.rows() == 0) return text + "\nNo contact is loaded.\n";
  text += format_matrix("J (contacts: n normal, t along the friction, o across)", step.J, step.rows);
  text += format_matrix("W", step.W, step.rows);
  text += format_matrix("r, u+ = J v+", join_columns({&step.r, &step.u_end}), step.rows);
  return text;
}

}  // namespace stiction::cli
