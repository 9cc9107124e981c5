#include "stiction/stepping/rigid/jacobian_rows.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/index.h"
#include "stiction/multibody/coordinate.h"

namespace stiction {
namespace {

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

JacobianRows::JacobianRows(const RigidModel& model, const ClusterLayout& layout)
    : model_(model), layout_(layout), blocks_of_cluster_(model.parts.size()) {}

void JacobianRows::clear() {
  ++revision_;
  blocks_.clear();
  pool_.clear();
  compliance_.clear();
  for (const Island::Cluster& cluster : layout_.island().clusters) blocks_of_cluster_[at(cluster.index)].clear();
}

const std::vector<int>& JacobianRows::blocks_of(int cluster) const {
  static const std::vector<int> none;
  return cluster < 0 ? none : blocks_of_cluster_[at(cluster)];
}

/// The d rows of J of a cluster, set to zero where they are new.
double* JacobianRows::reserve(RowBlock& block, int cluster) {
  const int slot = block.cluster[0] < 0 || block.cluster[0] == cluster ? 0 : 1;
  if (block.cluster[at(slot)] < 0) {
    block.cluster[at(slot)] = cluster;
    block.start[at(slot)] = static_cast<int>(pool_.size());
    pool_.resize(pool_.size() + at(dimension()) * at(layout_.size(cluster)), 0.0);
  }
  STICTION_DCHECK(block.cluster[at(slot)] == cluster);
  return pool_.data() + block.start[at(slot)];
}

/// J += sign * (velocity of the body's point along the frame's axes, and about the normal), for each joint inboard.
void JacobianRows::add_body(RowBlock& block, int body, const Vec3& point, double sign, const Kinematics& kinematics) {
  const int cluster = model_.clusters.of_body[at(body)];
  if (cluster < 0) return;
  const int n = layout_.size(cluster), along = std::min(dimension(), 3);
  double* J = reserve(block, cluster);
  for (int b = body; b != 0; b = kinematics.plan.joints[at(b)].parent) {
    const JointPlan& joint = kinematics.plan.joints[at(b)];
    if (joint.nv == 0 || joint.prescribed) continue;
    const Vec3 r = point - kinematics.X_WB[at(b)].p;
    Vec3 moment[3];
    for (int k = 0; k < along; ++k) moment[k] = r.cross(block.frame.col(k));
    if (joint.plain) {
      double* row = J + (joint.v_start - layout_.v_start(cluster));
      for (int k = 0; k < along; ++k) {
        Eigen::Map<Vec3>{row + k* n} += sign * moment[k];
        Eigen::Map<Vec3>{row + k* n + 3} += sign * block.frame.col(k);
      }
      if (dimension() == 4) Eigen::Map<Vec3>{row + 3 * n} += sign * block.frame.col(0);
      continue;
    }
    for (int i = 0; i < joint.nv; ++i) {
      const SpatialPair h = load_spatial(kinematics.H[at(b)].col(i).data());
      const int column = joint.v_start - layout_.v_start(cluster) + i;
      for (int k = 0; k < along; ++k) J[k * n + column] += sign * (block.frame.col(k).dot(h.v) + moment[k].dot(h.w));
      if (dimension() == 4) J[3 * n + column] += sign * block.frame.col(0).dot(h.w);
    }
  }
}

void JacobianRows::add_coordinate(RowBlock& block, int row, double sign, const Kinematics& kinematics) {
  row_.setZero(layout_.island().nv);
  add_coordinate_row(model_.system, kinematics, model_.coordinates[at(block.index)].ref, sign, row_);
  for (int i = 0; i < row_.size(); ++i) {
    const int cluster = layout_.cluster_of_v(i);
    if (row_[i] == 0 || cluster < 0) continue;
    double* J = reserve(block, cluster);
    J[row * layout_.size(cluster) + i - layout_.v_start(cluster)] += row_[i];
  }
}

void JacobianRows::finish(const RowBlock& block) {
  for (const int cluster : block.cluster) {
    if (cluster >= 0) blocks_of_cluster_[at(cluster)].push_back(size());
  }
  blocks_.push_back(block);
}

void JacobianRows::add_contact(int index, const Contact& contact, const Kinematics& kinematics) {
  const RigidLaw& law = model_.law(contact);
  const int a = model_.shape(contact.shape_a).body, b = model_.shape(contact.shape_b).body;
  RowBlock block{.kind = RowKind::contact, .index = index, .body_a = a, .body_b = b};
  Vec3 direction = Vec3::Zero();
  if (!law.direction.isZero())
    direction = kinematics.X_WB[at(is_named_second(model_.system.contact, contact) ? b : a)].R * law.direction;
  block.frame = make_contact_frame(contact.normal, direction, dimension() == 2);
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

void JacobianRows::add_limit(int coordinate, bool upper, double gap, const Kinematics& kinematics) {
  RowBlock block{.kind = RowKind::limit, .index = coordinate};
  block.sign = upper ? -1 : 1;
  block.gap = gap;
  add_coordinate(block, 0, block.sign, kinematics);
  finish(block);
}

void JacobianRows::add_joint_friction(int coordinate, const Kinematics& kinematics) {
  RowBlock block{.kind = RowKind::joint_friction, .index = coordinate};
  block.mu = 1;
  block.bound = model_.coordinates[at(coordinate)].friction;
  block.ellipsoid = Vec3(1, 0, 0);
  add_coordinate(block, 1, 1, kinematics);
  finish(block);
}

void JacobianRows::set_compliance(int block, const Mat3& compliance) {
  if (compliance_.empty()) compliance_.resize(at(size()), Mat3::Zero());
  compliance_[at(block)] = compliance;
}

double JacobianRows::calc_give(int block, const VecX& r) const {
  if (compliance_.empty()) return 0;
  const int m = std::min(dimension(), 3);
  return compliance_[at(block)].row(0).head(m).dot(r.segment(dimension() * block, m));
}

void JacobianRows::calc_velocities(const Instant& instant, VecX& u) const {
  const int d = dimension();
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
      const CoordinateValue value = calc_coordinate(model_.system, instant.kinematics, instant.q, instant.v, instant.z,
                                                    model_.coordinates[at(block.index)].ref);
      if (block.kind == RowKind::limit) {
        u[d * i] = block.sign * value.velocity;
      } else {
        u[d * i + 1] = value.velocity;
      }
    }
  }
}

Eigen::Vector4d JacobianRows::multiply(int i, const VecX& v) const {
  const RowBlock& block = blocks_[at(i)];
  Eigen::Vector4d u = Eigen::Vector4d::Zero();
  for (std::size_t side = 0; side < 2; ++side) {
    const int cluster = block.cluster[side];
    if (cluster < 0) continue;
    const int n = layout_.size(cluster), first = layout_.v_start(cluster);
    const double* J = row_data(block, side);
    if (dimension() == 3 && n == 6) {
      u.head<3>() += BodyRows(J).transpose() * v.segment<6>(first);
      continue;
    }
    for (int k = 0; k < dimension(); ++k) {
      for (int m = 0; m < n; ++m) u[k] += J[k * n + m] * v[first + m];
    }
  }
  return u;
}

void JacobianRows::add_transposed(const VecX& r, VecX& sum, std::vector<char>& pushed) const {
  const int d = dimension();
  for (int i = 0; i < size(); ++i) {
    const RowBlock& block = blocks_[at(i)];
    for (std::size_t side = 0; side < 2; ++side) {
      const int cluster = block.cluster[side];
      if (cluster < 0) continue;
      const int n = layout_.size(cluster), first = layout_.v_start(cluster);
      const double* J = row_data(block, side);
      char& is_pushed = pushed[at(layout_.slot(cluster))];
      if (d == 3 && n == 6) {
        const Vec3 impulse = r.segment<3>(3 * i);
        if (impulse.isZero(0)) continue;
        is_pushed = 1;
        sum.segment<6>(first) += BodyRows(J) * impulse;
        continue;
      }
      for (int k = 0; k < d; ++k) {
        const double impulse = r[d * i + k];
        if (impulse == 0) continue;
        is_pushed = 1;
        for (int m = 0; m < n; ++m) sum[first + m] += J[k * n + m] * impulse;
      }
    }
  }
}

}  // namespace stiction
