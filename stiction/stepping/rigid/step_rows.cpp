#include "stiction/stepping/rigid/step_rows.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/mass_entries.h"

namespace stiction {
namespace {

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

/// Rows of a body of its own, transposed: six coordinates that follow upon each other.
using BodyRows = Eigen::Map<const Eigen::Matrix<double, 6, 3>>;

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

StepRows::StepRows(const RigidModel& model)
    : model_(model),
      system_(model.system),
      dynamics_(model.system),
      bonds_(model.parts.size()),
      v_start_(model.parts.size(), 0),
      slot_(model.parts.size(), 0),
      mass_(model.parts.size()),
      inverse_(model.parts.size()),
      factor_(model.parts.size()),
      inverse_is_valid_(model.parts.size(), 0),
      factor_is_valid_(model.parts.size(), 0),
      blocks_of_cluster_(model.parts.size()),
      group_root_(model.parts.size()),
      group_of_root_(model.parts.size()) {
  for (std::size_t c = 0; c < model.parts.size(); ++c) {
    if (!model.parts[c].constraints.empty())
      bonds_[c] = std::make_unique<Bonds>(model.system, model.parts[c].constraints);
    mass_[c].setZero(model.clusters.dimension(static_cast<int>(c)), model.clusters.dimension(static_cast<int>(c)));
  }
  set_masses_of_balls();
}

/// Not by turning their inertia to and fro: that would leave rounding of the configuration at which it was done.
void StepRows::set_masses_of_balls() {
  for (std::size_t c = 0; c < model_.parts.size(); ++c) {
    if (!model_.parts[c].is_ball) continue;
    const MassProperties& mass = system_.bodies[at(model_.parts[c].bodies.front())].mass;
    Vec6 diagonal;
    diagonal << Vec3::Constant(mass.inertia(0, 0)), Vec3::Constant(mass.mass);
    mass_[c] = diagonal.asDiagonal();
  }
}

void StepRows::begin(const Island& island) {
  island_ = &island;
  dimension_ = island.dimension;
  cluster_of_v_.assign(at(island.nv), -1);
  constraint_count_ = 0;
  for (std::size_t slot = 0; slot < island.clusters.size(); ++slot) {
    const auto& [cluster, start, size] = island.clusters[slot];
    slot_[at(cluster)] = static_cast<int>(slot);
    v_start_[at(cluster)] = start;
    std::fill_n(cluster_of_v_.begin() + start, size, cluster);
    if (bonds_[at(cluster)]) constraint_count_ += bonds_[at(cluster)]->set.size();
  }
  row_.setZero(island.nv);
  clear();
}

int StepRows::count_free_velocities() const {
  return island_->clusters.empty() ? 0 : island_->clusters.back().v_start + island_->clusters.back().size;
}

void StepRows::update_configuration(const Kinematics& kinematics, const Instant& instant) {
  pushed_is_valid_ = false;
  bool any = false;
  for (const Island::Cluster& cluster : island_->clusters) {
    if (model_.parts[at(cluster.index)].is_ball) continue;
    mass_[at(cluster.index)].setZero();
    inverse_is_valid_[at(cluster.index)] = factor_is_valid_[at(cluster.index)] = 0;
    any = true;
  }
  if (!any) return;
  calc_mass_entries(kinematics, dynamics_, [&](int i, int j, double m) {
    const int cluster = cluster_of_v_[at(i)];
    if (cluster < 0 || cluster_of_v_[at(j)] != cluster || model_.parts[at(cluster)].is_ball) return;
    const int x = i - v_start_[at(cluster)], y = j - v_start_[at(cluster)];
    mass_[at(cluster)](x, y) = mass_[at(cluster)](y, x) = m;
  });
  if (constraint_count_ == 0) return;
  update_articulated_inertia(system_, kinematics, dynamics_);
  for (const Island::Cluster& cluster : island_->clusters) {
    if (!bonds_[at(cluster.index)]) continue;
    ConstraintSet& set = bonds_[at(cluster.index)]->set;
    set.update_positions(instant);
    set.factorize(kinematics, dynamics_, island_->nv);
  }
}

void StepRows::update_inverse(int cluster) {
  if (inverse_is_valid_[at(cluster)]) return;
  inverse_is_valid_[at(cluster)] = 1;
  const MatX& M = mass_[at(cluster)];
  MatX& A = inverse_[at(cluster)];
  if (M.rows() == 6) {
    A.resize(6, 6);
    invert_mass(Eigen::Map<const Mat6>(M.data()), factor_[at(cluster)], Eigen::Map<Mat6>(A.data()));
    factor_is_valid_[at(cluster)] = bonds_[at(cluster)] ? 0 : 1;
  } else if (M.rows() == 3) {
    A = Mat3(Mat3(M).inverse());
  } else {
    A = M.llt().solve(MatX::Identity(M.rows(), M.rows()));
  }
  if (!bonds_[at(cluster)]) return;
  // A -= M^-1 G' (G M^-1 G')^-1 G M^-1, column by column
  Bonds& bonds = *bonds_[at(cluster)];
  const int n = size_of(cluster), start = v_start(cluster);
  const MatX& MiGt = bonds.set.inverse_mass_jacobian();
  for (int j = 0; j < n; ++j) {
    bonds.lambda = MiGt.row(start + j).transpose();
    bonds.set.solve_in_place(bonds.lambda);
    A.col(j) -= MiGt.middleRows(start, n) * bonds.lambda;
  }
}

void StepRows::clear() {
  blocks_.clear();
  pool_.clear();
  compliance_.clear();
  W_is_valid_ = pushed_is_valid_ = groups_are_valid_ = false;
  for (const Island::Cluster& cluster : island_->clusters) blocks_of_cluster_[at(cluster.index)].clear();
}

/// The d rows of J of a cluster, set to zero where they are new.
double* StepRows::reserve(RowBlock& block, int cluster) {
  const int slot = block.cluster[0] < 0 || block.cluster[0] == cluster ? 0 : 1;
  if (block.cluster[at(slot)] < 0) {
    block.cluster[at(slot)] = cluster;
    block.start[at(slot)] = static_cast<int>(pool_.size());
    pool_.resize(pool_.size() + at(dimension_) * at(size_of(cluster)), 0.0);
  }
  STICTION_DCHECK(block.cluster[at(slot)] == cluster);
  return pool_.data() + block.start[at(slot)];
}

/// J += sign * (velocity of the body's point along the frame's axes, and about the normal), for each joint inboard.
void StepRows::add_body(RowBlock& block, int body, const Vec3& point, double sign, const Kinematics& kinematics) {
  const int cluster = model_.clusters.of_body[at(body)];
  if (cluster < 0) return;
  const int n = size_of(cluster), along = std::min(dimension_, 3);
  double* J = reserve(block, cluster);
  for (int b = body; b != 0; b = kinematics.plan.joints[at(b)].parent) {
    const JointPlan& joint = kinematics.plan.joints[at(b)];
    if (joint.nv == 0 || joint.prescribed) continue;
    const Vec3 r = point - kinematics.X_WB[at(b)].p;
    Vec3 moment[3];
    for (int k = 0; k < along; ++k) moment[k] = r.cross(block.frame.col(k));
    if (joint.plain) {
      double* row = J + (joint.v_start - v_start(cluster));
      for (int k = 0; k < along; ++k) {
        Eigen::Map<Vec3>{row + k* n} += sign * moment[k];
        Eigen::Map<Vec3>{row + k* n + 3} += sign * block.frame.col(k);
      }
      if (dimension_ == 4) Eigen::Map<Vec3>{row + 3 * n} += sign * block.frame.col(0);
      continue;
    }
    for (int i = 0; i < joint.nv; ++i) {
      const SpatialPair h = load_spatial(kinematics.H[at(b)].col(i).data());
      const int column = joint.v_start - v_start(cluster) + i;
      for (int k = 0; k < along; ++k) J[k * n + column] += sign * (block.frame.col(k).dot(h.v) + moment[k].dot(h.w));
      if (dimension_ == 4) J[3 * n + column] += sign * block.frame.col(0).dot(h.w);
    }
  }
}

void StepRows::add_coordinate(RowBlock& block, int row, double sign, const Kinematics& kinematics) {
  row_.setZero();
  add_coordinate_row(system_, kinematics, model_.coordinates[at(block.index)].ref, sign, row_);
  for (int i = 0; i < row_.size(); ++i) {
    const int cluster = cluster_of_v_[at(i)];
    if (row_[i] == 0 || cluster < 0) continue;
    double* J = reserve(block, cluster);
    J[row * size_of(cluster) + i - v_start(cluster)] += row_[i];
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
  const int a = model_.shape(contact.shape_a).body, b = model_.shape(contact.shape_b).body;
  RowBlock block{.kind = RowKind::contact, .index = index, .body_a = a, .body_b = b};
  Vec3 direction = Vec3::Zero();
  if (!law.direction.isZero())
    direction = kinematics.X_WB[at(is_named_second(system_.contact, contact) ? b : a)].R * law.direction;
  block.frame = make_contact_frame(contact.normal, direction, dimension_ == 2);
  block.point_a = contact.point_a;
  block.point_b = contact.point_b;
  if (const PairLayers layers = model_.find_layers(contact); layers.count > 0 && contact.gap < 0) {
    // A layer that is pressed in touches the other surface there: one point for both, or they would get a moment.
    const Vec3 middle = 0.5 * (contact.point_a + contact.point_b);
    block.point_a = layers.count == 2 ? middle : layers.body[0] == a ? contact.point_b : contact.point_a;
    block.point_b = block.point_a;
  }
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
  block.bound = model_.coordinates[at(coordinate)].friction;
  block.ellipsoid = Vec3(1, 0, 0);
  add_coordinate(block, 1, 1, kinematics);
  finish(block);
}

void StepRows::set_compliance(int block, const Mat3& compliance) {
  if (compliance_.empty()) compliance_.resize(at(size()), Mat3::Zero());
  compliance_[at(block)] = compliance;
}

double StepRows::calc_give(int block, const VecX& r) const {
  if (compliance_.empty()) return 0;
  const int m = std::min(dimension_, 3);
  return compliance_[at(block)].row(0).head(m).dot(r.segment(dimension_ * block, m));
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
                                                    model_.coordinates[at(block.index)].ref);
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
    const int n = size_of(cluster), first = v_start(cluster);
    const double* J = pool_.data() + block.start[at(slot)];
    if (dimension_ == 3 && n == 6) {
      u.head<3>() += BodyRows(J).transpose() * v.segment<6>(first);
      continue;
    }
    for (int k = 0; k < dimension_; ++k) {
      for (int m = 0; m < n; ++m) u[k] += J[k * n + m] * v[first + m];
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
  impulse_.setZero(island_->nv);
  is_pushed_.assign(island_->clusters.size(), 0);
  for (int i = 0; i < size(); ++i) {
    const RowBlock& block = blocks_[at(i)];
    for (int side = 0; side < 2; ++side) {
      const int cluster = block.cluster[at(side)];
      if (cluster < 0) continue;
      const int n = size_of(cluster), first = v_start(cluster);
      const double* J = pool_.data() + block.start[at(side)];
      char& is_pushed = is_pushed_[at(slot_[at(cluster)])];
      if (d == 3 && n == 6) {
        const Vec3 impulse = r.segment<3>(3 * i);
        if (impulse.isZero(0)) continue;
        is_pushed = 1;
        impulse_.segment<6>(first) += BodyRows(J) * impulse;
        continue;
      }
      for (int k = 0; k < d; ++k) {
        const double impulse = r[d * i + k];
        if (impulse == 0) continue;
        is_pushed = 1;
        for (int m = 0; m < n; ++m) impulse_[first + m] += J[k * n + m] * impulse;
      }
    }
  }
  for (std::size_t slot = 0; slot < is_pushed_.size(); ++slot) {
    if (!is_pushed_[slot]) continue;
    const auto& [cluster, first, n] = island_->clusters[slot];
    update_inverse(cluster);
    const MatX& A = inverse_[at(cluster)];
    if (n == 6) {
      v.segment<6>(first) += Eigen::Map<const Mat6>(A.data()) * impulse_.segment<6>(first);
    } else {
      for (int j = 0; j < n; ++j) {
        const double impulse = impulse_[first + j];
        for (int i = 0; i < n; ++i) v[first + i] += A(i, j) * impulse;
      }
    }
  }
}

void StepRows::clear_constraint_offset() {
  for (const Island::Cluster& cluster : island_->clusters) {
    if (bonds_[at(cluster.index)]) bonds_[at(cluster.index)]->offset.setZero(bonds_[at(cluster.index)]->set.size());
  }
}

void StepRows::set_constraint_offset(const Instant& instant, double part) {
  for (const Island::Cluster& cluster : island_->clusters) {
    if (!bonds_[at(cluster.index)]) continue;
    Bonds& bonds = *bonds_[at(cluster.index)];
    bonds.set.update_velocities(instant);
    bonds.offset = part * bonds.set.rate();
  }
}

void StepRows::satisfy_constraints(const Instant& instant, double gain, VecX& v) {
  for (const Island::Cluster& cluster : island_->clusters) {
    if (!bonds_[at(cluster.index)]) continue;
    Bonds& bonds = *bonds_[at(cluster.index)];
    bonds.set.update_velocities(instant);
    bonds.lambda = bonds.offset - gain * bonds.set.phi() - bonds.set.rate();
    bonds.set.solve_in_place(bonds.lambda);
    v.noalias() += bonds.set.inverse_mass_jacobian() * bonds.lambda;
  }
}

}  // namespace stiction
