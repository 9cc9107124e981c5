#include "stiction/stepping/rigid/assemble.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

bool moves_in_plane(const System& system) {
  const auto& shapes = system.contact.shapes;
  return std::all_of(shapes.begin(), shapes.end(),
                     [](const ContactShape& shape) { return shape.planar || !shape.moves_freely; });
}

int choose_dimension(const System& system) {
  if (moves_in_plane(system)) return 2;
  const bool spins = std::any_of(system.contact.rules.begin(), system.contact.rules.end(), [](const ContactRule& rule) {
    return rule.touches && rule.law.friction > 0 && rule.law.spin_radius > 0;
  });
  return spins ? 4 : 3;
}

std::vector<GuardedCoordinate> list_guarded(const System& system) {
  std::vector<GuardedCoordinate> list;
  for (std::size_t j = 0; j < system.named_joints.size(); ++j) {
    const NamedJoint& joint = system.named_joints[j];
    const std::size_t n = std::max(joint.limits.size(), joint.friction.size());
    for (std::size_t k = 0; k < n; ++k) {
      list.push_back({.ref = {static_cast<int>(j), static_cast<int>(k)},
                      .limit = joint.limits.empty() ? JointLimit{} : joint.limits[k],
                      .friction = joint.friction.empty() ? 0 : joint.friction[k]});
    }
  }
  return list;
}

std::vector<int> list_bodies(const ContactModel& model) {
  std::vector<int> bodies;
  for (const ContactShape& shape : model.shapes) bodies.push_back(shape.body);
  return bodies;
}

Vec3 calc_vector(const std::vector<TimeFunction>& function, double t) {
  if (function.empty()) return Vec3::Zero();
  return {calc_sample(function[0], t).value, calc_sample(function[1], t).value, calc_sample(function[2], t).value};
}

/// Is B's the body that the rule names first, and A's the other?
bool is_named_second(const ContactModel& model, const Contact& contact) {
  const ContactRule& rule = model.rules[at(contact.rule)];
  const auto names = [&](int shape) {
    const ContactShape& named = model.shapes[at(shape)];
    return rule.a == named.name || rule.a == named.body_name || rule.a == named.material;
  };
  return !rule.a.empty() && !names(contact.shape_a) && names(contact.shape_b);
}

/// Are all that move balls about their centres of mass? Then their masses are the same at all configurations. (So are
/// those of cubes; but boxes that topple tell the last digit of their inertia, which turns with them.)
bool has_balls_only(const System& system, const TreeDynamics& dynamics) {
  const TreePlan plan(system);
  const auto& shapes = system.contact.shapes;
  return std::all_of(plan.moving.begin(), plan.moving.end(),
                     [&](int body) { return plan.joints[at(body)].plain && dynamics.free_body[at(body)].isotropic; }) &&
         std::all_of(shapes.begin(), shapes.end(), [](const ContactShape& shape) {
           return !shape.moves_freely || std::holds_alternative<Sphere>(shape.shape);
         });
}

/// Rows of a body of its own, transposed: six coordinates that follow upon each other.
using BodyRows = Eigen::Map<const Eigen::Matrix<double, 6, 3>>;
bool is_one_body(const std::vector<int>& members) {
  return members.size() == 6 && members.back() == members.front() + 5;
}

/// Of a positive definite matrix M = C C': L = C^-T, with which M^-1 = L L'.
template <int N>
Eigen::Matrix<double, N, N> calc_inverse_factor(const Eigen::Matrix<double, N, N>& M) {
  Eigen::Matrix<double, N, N> C = Eigen::Matrix<double, N, N>::Zero(), L = C;
  for (int j = 0; j < N; ++j) {
    C(j, j) = std::sqrt(M(j, j) - C.row(j).head(j).squaredNorm());
    for (int i = j + 1; i < N; ++i) C(i, j) = (M(i, j) - C.row(i).head(j).dot(C.row(j).head(j))) / C(j, j);
  }
  for (int j = 0; j < N; ++j) {
    L(j, j) = 1 / C(j, j);
    for (int i = j + 1; i < N; ++i) L(j, i) = -C.row(i).segment(j, i - j).dot(L.row(j).segment(j, i - j)) / C(i, i);
  }
  return L;
}

/// L and A = L L' = M^-1 of a body. Turning and moving do not act on each other where the velocity is that of the
/// centre of mass.
void invert_mass(const Eigen::Map<const Mat6>& M, Mat6& L, Eigen::Map<Mat6> A) {
  if (!M.bottomLeftCorner<3, 3>().isZero(0)) {
    L = calc_inverse_factor<6>(M);
    A = L.lazyProduct(L.transpose());
    return;
  }
  L.setZero();
  A.setZero();
  for (const int k : {0, 3}) {
    const Mat3 part = calc_inverse_factor<3>(M.block<3, 3>(k, k));
    L.block<3, 3>(k, k) = part;
    A.block<3, 3>(k, k) = part.lazyProduct(part.transpose());
  }
}

}  // namespace

Mat3 make_contact_frame(const Vec3& normal, const Vec3& direction, bool planar) {
  Mat3 frame;
  frame.col(0) = normal;
  if (planar) {
    frame.col(1) = Vec3(-normal.y(), normal.x(), 0);
    frame.col(2) = Vec3::UnitZ();
    return frame;
  }
  Vec3 along = direction - normal * normal.dot(direction);
  if (along.norm() < 1e-6 * direction.norm() || direction.isZero()) {
    const Vec3 axis = std::abs(normal.z()) > 0.99 ? Vec3::UnitX() : Vec3::UnitZ();
    along = axis - normal * normal.dot(axis);
  }
  frame.col(1) = along.normalized();
  frame.col(2) = normal.cross(frame.col(1));
  return frame;
}

StepRows::StepRows(const System& system)
    : system_(system),
      clusters_(system),
      body_of_shape_(list_bodies(system.contact)),
      dimension_(choose_dimension(system)),
      dynamics_(system),
      constraints_(system),
      constraint_rows_(at(clusters_.size())),
      coordinates_(list_guarded(system)),
      mass_(at(clusters_.size())),
      inverse_(at(clusters_.size())),
      factor_(at(clusters_.size())),
      inverse_is_valid_(at(clusters_.size()), 0),
      factor_is_valid_(at(clusters_.size()), 0),
      masses_are_constant_(constraints_.empty() && has_balls_only(system, dynamics_)),
      blocks_of_cluster_(at(clusters_.size())),
      row_(VecX::Zero(system.nv)),
      lambda_(VecX::Zero(constraints_.size())) {
  for (int row = 0; row < constraints_.size(); ++row) {
    const int cluster = clusters_.of_constraint[at(constraints_.constraint_of(row))];
    if (cluster >= 0) constraint_rows_[at(cluster)].push_back(row);
  }
  if (masses_are_constant_) set_masses_of_balls();
}

/// Not by turning their inertia to and fro: that would leave rounding of the configuration at which it was done.
void StepRows::set_masses_of_balls() {
  for (int body = 0; body < system_.n_bodies(); ++body) {
    const int cluster = clusters_.of_body[at(body)];
    if (cluster < 0) continue;
    const MassProperties& mass = system_.bodies[at(body)].mass;
    Vec6 diagonal;
    diagonal << Vec3::Constant(mass.inertia(0, 0)), Vec3::Constant(mass.mass);
    mass_[at(cluster)] = diagonal.asDiagonal();
  }
}

void StepRows::update_configuration(const Kinematics& kinematics, const Instant& instant) {
  pushed_is_valid_ = false;
  if (masses_are_constant_) return;
  calc_mass_blocks(system_, kinematics, clusters_, dynamics_, mass_);
  std::fill(inverse_is_valid_.begin(), inverse_is_valid_.end(), 0);
  std::fill(factor_is_valid_.begin(), factor_is_valid_.end(), 0);
  if (constraints_.empty()) return;
  update_articulated_inertia(system_, kinematics, dynamics_);
  constraints_.update_positions(instant);
  constraints_.factorize(kinematics, dynamics_);
}

void StepRows::update_inverse(int cluster) {
  if (inverse_is_valid_[at(cluster)]) return;
  inverse_is_valid_[at(cluster)] = 1;
  const MatX& M = mass_[at(cluster)];
  MatX& A = inverse_[at(cluster)];
  if (M.rows() == 6) {
    A.resize(6, 6);
    invert_mass(Eigen::Map<const Mat6>(M.data()), factor_[at(cluster)], Eigen::Map<Mat6>(A.data()));
    factor_is_valid_[at(cluster)] = constraint_rows_[at(cluster)].empty() ? 1 : 0;
  } else if (M.rows() == 3) {
    A = Mat3(Mat3(M).inverse());
  } else {
    A = M.llt().solve(MatX::Identity(M.rows(), M.rows()));
  }
  if (constraint_rows_[at(cluster)].empty()) return;
  // A -= M^-1 G' (G M^-1 G')^-1 G M^-1, column by column
  const std::vector<int>& members = clusters_.members[at(cluster)];
  const MatX& MiGt = constraints_.inverse_mass_jacobian();
  for (std::size_t j = 0; j < members.size(); ++j) {
    lambda_.setZero();
    for (const int row : constraint_rows_[at(cluster)]) lambda_[row] = MiGt(members[j], row);
    constraints_.solve_in_place(lambda_);
    for (std::size_t i = 0; i < members.size(); ++i) {
      double sum = 0;
      for (const int row : constraint_rows_[at(cluster)]) sum += MiGt(members[i], row) * lambda_[row];
      A(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) -= sum;
    }
  }
}

void StepRows::clear() {
  blocks_.clear();
  pool_.clear();
  W_is_valid_ = pushed_is_valid_ = groups_are_valid_ = false;
  for (std::vector<int>& list : blocks_of_cluster_) list.clear();
}

/// The d rows of J of a cluster, set to zero where they are new.
double* StepRows::reserve(RowBlock& block, int cluster) {
  const int slot = block.cluster[0] < 0 || block.cluster[0] == cluster ? 0 : 1;
  if (block.cluster[at(slot)] < 0) {
    block.cluster[at(slot)] = cluster;
    block.start[at(slot)] = static_cast<int>(pool_.size());
    pool_.resize(pool_.size() + at(dimension_) * at(clusters_.dimension(cluster)), 0.0);
  }
  STICTION_DCHECK(block.cluster[at(slot)] == cluster);
  return pool_.data() + block.start[at(slot)];
}

/// J += sign * (velocity of the body's point along the frame's axes, and about the normal), for each joint inboard.
void StepRows::add_body(RowBlock& block, int body, const Vec3& point, double sign, const Kinematics& kinematics) {
  const int cluster = clusters_.of_body[at(body)];
  if (cluster < 0) return;
  const int n = clusters_.dimension(cluster), along = std::min(dimension_, 3);
  double* J = reserve(block, cluster);
  for (int b = body; b != 0; b = kinematics.plan.joints[at(b)].parent) {
    const JointPlan& joint = kinematics.plan.joints[at(b)];
    if (joint.nv == 0 || joint.prescribed) continue;
    const Vec3 r = point - kinematics.X_WB[at(b)].p;
    Vec3 moment[3];
    for (int k = 0; k < along; ++k) moment[k] = r.cross(block.frame.col(k));
    if (joint.plain) {
      double* row = J + clusters_.local[at(joint.v_start)];
      for (int k = 0; k < along; ++k) {
        Eigen::Map<Vec3>{row + k* n} += sign * moment[k];
        Eigen::Map<Vec3>{row + k* n + 3} += sign * block.frame.col(k);
      }
      if (dimension_ == 4) Eigen::Map<Vec3>{row + 3 * n} += sign * block.frame.col(0);
      continue;
    }
    for (int i = 0; i < joint.nv; ++i) {
      const SpatialPair h = load_spatial(kinematics.H[at(b)].col(i).data());
      const int column = clusters_.local[at(joint.v_start + i)];
      for (int k = 0; k < along; ++k) J[k * n + column] += sign * (block.frame.col(k).dot(h.v) + moment[k].dot(h.w));
      if (dimension_ == 4) J[3 * n + column] += sign * block.frame.col(0).dot(h.w);
    }
  }
}

void StepRows::add_coordinate(RowBlock& block, int row, double sign, const Kinematics& kinematics) {
  row_.setZero();
  add_coordinate_row(system_, kinematics, coordinates_[at(block.index)].ref, sign, row_);
  for (int i = 0; i < system_.nv; ++i) {
    const int cluster = clusters_.of_v[at(i)];
    if (row_[i] == 0 || cluster < 0) continue;
    double* J = reserve(block, cluster);
    J[row * clusters_.dimension(cluster) + clusters_.local[at(i)]] += row_[i];
  }
}

void StepRows::finish(const RowBlock& block) {
  for (const int cluster : block.cluster) {
    if (cluster >= 0) blocks_of_cluster_[at(cluster)].push_back(size());
  }
  blocks_.push_back(block);
}

void StepRows::add_contact(int index, const Contact& contact, const Kinematics& kinematics) {
  const RigidLaw& law = system_.contact.rules[at(contact.rule)].law;
  const int a = body_of(contact.shape_a), b = body_of(contact.shape_b);
  RowBlock block{.kind = RowKind::contact, .index = index, .body_a = a, .body_b = b};
  Vec3 direction = Vec3::Zero();
  if (!law.direction.isZero())
    direction = kinematics.X_WB[at(is_named_second(system_.contact, contact) ? b : a)].R * law.direction;
  block.frame = make_contact_frame(contact.normal, direction, is_planar());
  block.point_a = contact.point_a;
  block.point_b = contact.point_b;
  block.ellipsoid = Vec3(law.along, law.across, law.spin_radius);
  block.mu = law.friction;
  block.gap = contact.gap;
  add_body(block, b, block.point_b, 1, kinematics);
  add_body(block, a, block.point_a, -1, kinematics);
  finish(block);
}

void StepRows::add_limit(int coordinate, bool upper, double gap, const Kinematics& kinematics) {
  RowBlock block{.kind = RowKind::limit, .index = coordinate};
  block.sign = upper ? -1 : 1;
  block.gap = gap;
  add_coordinate(block, 0, block.sign, kinematics);
  finish(block);
}

void StepRows::add_joint_friction(int coordinate, const Kinematics& kinematics) {
  RowBlock block{.kind = RowKind::joint_friction, .index = coordinate};
  block.mu = 1;
  block.bound = coordinates_[at(coordinate)].friction;
  block.ellipsoid = Vec3(1, 0, 0);
  add_coordinate(block, 1, 1, kinematics);
  finish(block);
}

void StepRows::make_frictionless() {
  for (RowBlock& block : blocks_) block.mu = 0;
}

void StepRows::renumber_contacts(const std::vector<int>& index) {
  for (RowBlock& block : blocks_) {
    if (block.kind == RowKind::contact) block.index = index[at(block.index)];
  }
}

void StepRows::calc_velocities(const Instant& instant, VecX& u) const {
  const int d = dimension_;
  u.setZero(d * size());
  for (int i = 0; i < size(); ++i) {
    const RowBlock& block = blocks_[at(i)];
    if (block.kind == RowKind::contact) {
      const Transform &X_a = instant.kinematics.X_WB[at(block.body_a)],
                      &X_b = instant.kinematics.X_WB[at(block.body_b)];
      const SpatialPair V_a = shift_velocity(load_spatial(instant.kinematics.V_WB[at(block.body_a)].data()),
                                             Vec3(block.point_a - X_a.p)),
                        V_b = shift_velocity(load_spatial(instant.kinematics.V_WB[at(block.body_b)].data()),
                                             Vec3(block.point_b - X_b.p));
      const Vec3 relative = V_b.v - V_a.v;
      for (int k = 0; k < std::min(d, 3); ++k) u[d * i + k] = block.frame.col(k).dot(relative);
      if (d == 4) u[d * i + 3] = block.frame.col(0).dot(V_b.w - V_a.w);
    } else {
      const CoordinateValue value = calc_coordinate(system_, instant.kinematics, instant.q, instant.v, instant.z,
                                                    coordinates_[at(block.index)].ref);
      if (block.kind == RowKind::limit) {
        u[d * i] = block.sign * value.velocity;
      } else {
        u[d * i + 1] = value.velocity;
      }
    }
  }
}

Vec3 StepRows::calc_surface_velocity(const Contact& contact, const Kinematics& kinematics, double t) const {
  const ContactShape &a = system_.contact.shapes[at(contact.shape_a)], &b = system_.contact.shapes[at(contact.shape_b)];
  Vec3 velocity = Vec3::Zero();
  if (!b.surface_velocity.empty()) velocity += kinematics.X_WB[at(b.body)].R * calc_vector(b.surface_velocity, t);
  if (!a.surface_velocity.empty()) velocity -= kinematics.X_WB[at(a.body)].R * calc_vector(a.surface_velocity, t);
  return velocity - contact.normal * contact.normal.dot(velocity);
}

Eigen::Vector4d StepRows::calc_row_velocities(int i, const VecX& v) const {
  const RowBlock& block = blocks_[at(i)];
  Eigen::Vector4d u = Eigen::Vector4d::Zero();
  for (int slot = 0; slot < 2; ++slot) {
    const int cluster = block.cluster[at(slot)];
    if (cluster < 0) continue;
    const std::vector<int>& members = clusters_.members[at(cluster)];
    const double* J = pool_.data() + block.start[at(slot)];
    if (dimension_ == 3 && is_one_body(members)) {
      u.head<3>() += BodyRows(J).transpose() * v.segment<6>(members[0]);
      continue;
    }
    const int n = static_cast<int>(members.size());
    for (int k = 0; k < dimension_; ++k) {
      for (int m = 0; m < n; ++m) u[k] += J[k * n + m] * v[members[at(m)]];
    }
  }
  return u;
}

void StepRows::add_impulses(const VecX& r, VecX& v) {
  const int d = dimension_;
  if (pushed_is_valid_ && pushed_by_ == r) {
    v += pushed_;
    return;
  }
  impulse_.setZero(system_.nv);
  is_pushed_.assign(at(clusters_.size()), 0);
  for (int i = 0; i < size(); ++i) {
    const RowBlock& block = blocks_[at(i)];
    for (int slot = 0; slot < 2; ++slot) {
      const int cluster = block.cluster[at(slot)];
      if (cluster < 0) continue;
      const std::vector<int>& members = clusters_.members[at(cluster)];
      const int n = static_cast<int>(members.size());
      const double* J = pool_.data() + block.start[at(slot)];
      if (d == 3 && is_one_body(members)) {
        const Vec3 impulse = r.segment<3>(3 * i);
        if (impulse.isZero(0)) continue;
        is_pushed_[at(cluster)] = 1;
        impulse_.segment<6>(members[0]) += BodyRows(J) * impulse;
        continue;
      }
      for (int k = 0; k < d; ++k) {
        const double impulse = r[d * i + k];
        if (impulse == 0) continue;
        is_pushed_[at(cluster)] = 1;
        for (int m = 0; m < n; ++m) impulse_[members[at(m)]] += J[k * n + m] * impulse;
      }
    }
  }
  for (int cluster = 0; cluster < clusters_.size(); ++cluster) {
    if (!is_pushed_[at(cluster)]) continue;
    update_inverse(cluster);
    const MatX& A = inverse_[at(cluster)];
    const std::vector<int>& members = clusters_.members[at(cluster)];
    if (is_one_body(members)) {
      v.segment<6>(members[0]) += Eigen::Map<const Mat6>(A.data()) * impulse_.segment<6>(members[0]);
      continue;
    }
    const int n = static_cast<int>(members.size());
    for (int j = 0; j < n; ++j) {
      const double impulse = impulse_[members[at(j)]];
      for (int i = 0; i < n; ++i) v[members[at(i)]] += A(i, j) * impulse;
    }
  }
}

void StepRows::calc_constraint_rates(const Instant& instant, VecX& rates) {
  constraints_.update_velocities(instant);
  rates = constraints_.rate();
}

void StepRows::satisfy_constraints(const Instant& instant, double gain, const VecX& offset, VecX& v) {
  constraints_.update_velocities(instant);
  lambda_ = offset - gain * constraints_.phi() - constraints_.rate();
  constraints_.solve_in_place(lambda_);
  v.noalias() += constraints_.inverse_mass_jacobian() * lambda_;
}

}  // namespace stiction
