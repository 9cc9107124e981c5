#include <algorithm>
#include <cmath>

#include "stiction/base/index.h"
#include "stiction/geometry/closest/contact_kinematics.h"
#include "stiction/stepping/rigid/end_newton.h"

// F' of (1) to (4) in end_newton.h.

namespace stiction {
namespace {

/// Derivative of exp(phi + d) = exp(J d) exp(phi): the left Jacobian of the rotations.
Mat3 calc_left_jacobian(const Vec3& phi) {
  const double angle = phi.norm();
  const Mat3 cross = calc_skew(phi);
  if (angle < 1e-4) return Mat3::Identity() + 0.5 * cross + cross * cross / 6;
  const double square = angle * angle;
  return Mat3::Identity() + (1 - std::cos(angle)) / square * cross +
         (angle - std::sin(angle)) / (square * angle) * cross * cross;
}

/// How make_contact_frame changes with the normal.
Mat3 calc_frame_change(const Mat3& frame, const Vec3& direction, bool planar, const Vec3& dn) {
  Mat3 change;
  change.col(0) = dn;
  if (planar) {
    change.col(1) = Vec3(-dn.y(), dn.x(), 0);
    change.col(2).setZero();
    return change;
  }
  // t is the normalised projection of an axis; the axis is known by its plane with n and t.
  const Vec3 n = frame.col(0), t = frame.col(1);
  const double along_n = direction.dot(n), along_t = direction.dot(t);
  const Vec3 dt = -(along_n * dn + n * dn.dot(direction)) / along_t;
  change.col(1) = dt - t * t.dot(dt);
  change.col(2) = dn.cross(t) + n.cross(change.col(1));
  return change;
}

/// The axis whose projection is t, where the law names none (make_contact_frame).
Vec3 find_frame_axis(const Vec3& normal) {
  return std::abs(normal.z()) > 0.99 ? Vec3::UnitX() : Vec3::UnitZ();
}

}  // namespace

void EndNewton::calc_J(const VecX& z, Jacobian& J) {
  if (!pose(z)) return;
  make_pattern(J);
  std::fill_n(J.valuePtr(), J.nonZeros(), 0.0);
  for (int i = 0; i < nv_; ++i) J.coeffRef(i, i) = 1;
  calc_end_velocities();
  for (const LoadedContact& loaded : loaded_) {
    add_contact(loaded, J);
    add_law(loaded, z[loaded.start + d_], J);
  }
  for (const BodyPlace& body : place_->rows.island().bodies) add_turned_mass(body.body, J);
}

/// All entries that the loaded contacts can have. It stays while they do.
void EndNewton::make_pattern(Jacobian& J) {
  key_.assign({nv_, d_});
  for (const LoadedContact& loaded : loaded_) {
    key_.push_back(block(loaded).body_a);
    key_.push_back(block(loaded).body_b);
  }
  for (const BodyPlace& body : place_->rows.island().bodies) {
    key_.push_back(body.body);
    key_.push_back(body.v_start);
  }
  if (J.rows() == z_.size() && key_ == pattern_key_) return;
  pattern_key_ = key_;
  pattern_.clear();
  const auto add = [&](int row, int column) { pattern_.emplace_back(row, column, 1.0); };
  for (int i = 0; i < nv_; ++i) add(i, i);
  const Island& island = place_->rows.island();
  for (const Island::Cluster& cluster : island.clusters) {
    for (int i = cluster.v_start; i < cluster.v_start + cluster.size; ++i) {
      for (int j = cluster.v_start; j < cluster.v_start + cluster.size; ++j) add(i, j);
    }
  }
  for (const LoadedContact& loaded : loaded_) {
    const std::array<Side, 2> sides{make_side(block(loaded).body_a), make_side(block(loaded).body_b)};
    for (const Side& side : sides) {
      for (int i = side.v_start; i < side.v_start + side.nv; ++i) {
        for (int k = loaded.start; k < loaded.start + d_; ++k) add(i, k), add(k, i);
        for (const Side& other : sides) {
          for (int j = other.v_start; j < other.v_start + other.nv; ++j) add(i, j);
        }
      }
    }
    for (int k = loaded.start; k <= loaded.start + d_; ++k) {
      for (int m = loaded.start; m <= loaded.start + d_; ++m) add(k, m);
    }
  }
  const auto n = static_cast<Eigen::Index>(z_.size());
  J.resize(n, n);
  J.setFromTriplets(pattern_.begin(), pattern_.end());
}

EndNewton::Side EndNewton::make_side(int body) const {
  Side side;
  side.body = body;
  const JointPlan& joint = place_->kinematics.plan.joints[at(body)];
  side.cluster = model_.clusters.of_body[at(body)];
  if (side.cluster < 0 || joint.prescribed) return side;
  side.v_start = joint.v_start;
  side.nv = joint.nv;
  const double h = place_->h;
  if (joint.plain) {
    side.H.setIdentity();
    side.moved = h * side.H;
    side.moved.topLeftCorner<3, 3>() = h * calc_left_jacobian(Vec3(place_->displacement.segment<3>(joint.v_start)));
  } else {
    side.H = place_->kinematics.H[at(body)];
    side.moved = h * side.H;
  }
  return side;
}

/// Of the velocity `column` of the body sides[side].
EndNewton::Change EndNewton::calc_change(const LoadedContact& loaded, const std::array<Side, 2>& sides,
                                         std::size_t side, int column) const {
  const Contact& contact = loaded.contact;
  const std::vector<Transform>& X_WB = place_->kinematics.X_WB;
  const std::array shapes{&model_.system.contact.shapes[at(contact.shape_a)],
                          &model_.system.contact.shapes[at(contact.shape_b)]};
  const Vec3 turned = sides[side].moved.col(column).head<3>(), shifted = sides[side].moved.col(column).tail<3>();
  std::array<Transform, 2> X_WS;
  std::array<BodyTwist, 2> motion;
  for (std::size_t k = 0; k < 2; ++k) {
    const Transform& X = X_WB[at(sides[k].body)];
    X_WS[k] = X * shapes[k]->X_BS;
    if (k == side) motion[k] = {turned, shifted + turned.cross(X_WS[k].p - X.p)};
  }
  const ClosestPoints closest{.gap = contact.gap,
                              .point_a = contact.point_a,
                              .point_b = contact.point_b,
                              .normal = contact.normal,
                              .residual = 0,
                              .certified = true,
                              .iterations = 0};
  const ContactRates rates =
      calc_contact_rates(shapes[0]->shape, X_WS[0], motion[0], shapes[1]->shape, X_WS[1], motion[1], closest);
  Change change;
  change.gap = rates.gap_rate;
  const RigidLaw& law = model_.law(contact);
  const Vec3 axis = law.direction.isZero() ? find_frame_axis(contact.normal) : block(loaded).frame.col(1);
  change.frame = calc_frame_change(block(loaded).frame, axis, d_ == 2, rates.normal_rate);
  // The points as StepRows::add_contact takes them
  std::array<Vec3, 2> point{rates.point_a_velocity, rates.point_b_velocity};
  if (block(loaded).point_a == block(loaded).point_b && contact.gap < 0) {
    const Vec3 of_a = point[0], of_b = point[1];
    if (block(loaded).point_a == contact.point_a) {
      point[1] = of_a;
    } else if (block(loaded).point_a == contact.point_b) {
      point[0] = of_b;
    } else {
      point[0] = point[1] = 0.5 * (of_a + of_b);
    }
  }
  for (std::size_t k = 0; k < 2; ++k) change.arm[k] = point[k] - (k == side ? shifted : Vec3(Vec3::Zero()));
  return change;
}

/// -A H' wrench in a column of (1), of a body on which that impulse acts about its origin.
void EndNewton::add_push(const Side& side, const Vec6& wrench, int column, Jacobian& J) {
  if (side.nv == 0) return;
  const int first = side.v_start - place_->rows.layout().v_start(side.cluster);
  const MatX& A = place_->rows.A().A(side.cluster);
  const int n = side.nv;
  Vec6 push = Vec6::Zero();
  push.head(n) = side.H.leftCols(n).transpose() * wrench;
  for (int i = 0; i < n; ++i)
    J.coeffRef(side.v_start + i, column) -= A.block(first + i, first, 1, n).row(0).dot(push.head(n));
}

/// What concerns the impulses of a contact, and its geometry.
void EndNewton::add_contact(const LoadedContact& loaded, Jacobian& J) {
  const RowBlock& row = block(loaded);
  const std::array<Side, 2> sides{make_side(row.body_a), make_side(row.body_b)};
  const std::array<Vec3, 2> arm{row.point_a - place_->kinematics.X_WB[at(row.body_a)].p,
                                row.point_b - place_->kinematics.X_WB[at(row.body_b)].p};
  const auto wrench = [&](std::size_t k, const Vec3& force, const Vec3& moment) {
    Vec6 w;
    w << arm[k].cross(force) + moment, force;
    return Vec6(k == 0 ? -w : w);
  };
  for (std::size_t k = 0; k < 2; ++k) {
    for (int j = 0; j < d_; ++j) {
      const Vec3 force = j < 3 ? Vec3(row.frame.col(j)) : Vec3(Vec3::Zero());
      const Vec3 moment = j == 3 ? Vec3(row.frame.col(0)) : Vec3(Vec3::Zero());
      add_push(sides[k], loaded.unit * wrench(k, force, moment), loaded.start + j, J);
    }
    if (sides[k].nv > 0) add_geometry(loaded, sides, k, J);
  }
}

/// Columns of the velocities of one body: how lever arms and directions of the impulses change in (1), gap in (2), slip
/// in (3).
void EndNewton::add_geometry(const LoadedContact& loaded, const std::array<Side, 2>& sides, std::size_t side,
                             Jacobian& J) {
  const RowBlock& row = block(loaded);
  const std::array<int, 2> body{row.body_a, row.body_b};
  const std::array<Vec3, 2> point{row.point_a, row.point_b};
  std::array<Vec3, 2> arm, spin, speed;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec6& V = place_->kinematics.V_WB[at(body[k])];
    arm[k] = point[k] - place_->kinematics.X_WB[at(body[k])].p;
    spin[k] = V.head<3>();
    speed[k] = V.tail<3>() + spin[k].cross(arm[k]);
  }
  const Vec3 force = row.frame * loaded.p.head<3>();
  for (int column = 0; column < sides[side].nv; ++column) {
    const int unknown = sides[side].v_start + column;
    const Change change = calc_change(loaded, sides, side, column);
    const Vec3 force_change = change.frame * loaded.p.head<3>(), moment_change = change.frame.col(0) * loaded.p[3];
    for (std::size_t k = 0; k < 2; ++k) {
      Vec6 wrench;
      wrench << change.arm[k].cross(force) + arm[k].cross(force_change) + moment_change, force_change;
      add_push(sides[k], k == 0 ? Vec6(-wrench) : wrench, unknown, J);
    }
    J.coeffRef(loaded.start, unknown) += change.gap / place_->h;
    const double sign = side == 0 ? -1 : 1;
    const Vec3 own_spin = sides[side].H.col(column).head<3>();
    const Vec3 own = sign * (sides[side].H.col(column).tail<3>() + own_spin.cross(arm[side]));
    const Vec3 carried = spin[1].cross(change.arm[1]) - spin[0].cross(change.arm[0]);
    for (int j = 1; j < std::min(d_, 3); ++j)
      J.coeffRef(loaded.start + j, unknown) +=
          row.frame.col(j).dot(own + carried) + change.frame.col(j).dot(speed[1] - speed[0]);
    if (d_ == 4)
      J.coeffRef(loaded.start + 3, unknown) +=
          sign * row.frame.col(0).dot(own_spin) + change.frame.col(0).dot(spin[1] - spin[0]);
  }
}

/// A turns with its body, and v_free + A J' p = A x with x the momentum at the end, which turns change nothing of:
///     d(A x) = S A x - A S x   for a turn S
void EndNewton::add_turned_mass(int body, Jacobian& J) {
  if (!place_->kinematics.plan.joints[at(body)].plain) return;
  const Side side = make_side(body);
  if (side.nv == 0 || model_.parts[at(side.cluster)].is_ball) return;
  const Mat6 A = place_->rows.A().A(side.cluster);
  const Vec6 Ax = v_end_.segment<6>(side.v_start), x = A.inverse() * Ax;
  for (int column = 0; column < 3; ++column) {
    const Mat3 S = calc_skew(side.moved.col(column).head<3>());
    Vec6 turned, pushed;
    turned << S * x.head<3>(), S * x.tail<3>();
    pushed << S * Ax.head<3>(), S * Ax.tail<3>();
    const Vec6 change = pushed - A * turned;
    for (int i = 0; i < 6; ++i) J.coeffRef(side.v_start + i, side.v_start + column) -= change[i];
  }
}

/// (2), (3) and (4) as functions of the contact's own unknowns.
void EndNewton::add_law(const LoadedContact& loaded, double sigma, Jacobian& J) const {
  const int first = loaded.start;
  const double unit = loaded.unit, mu = block(loaded).mu, p_n = loaded.p[0];
  const std::vector<ContactLayers>& layers = place_->problem.solved().layers;
  if (!layers.empty()) {
    const ContactLayers& own = layers[at(loaded.block)];
    const int m = std::min(d_, 3);
    for (std::size_t k = 0; k < at(own.count); ++k) {
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) J.coeffRef(first + i, first + j) += unit * own.layer[k].A(i, j) / place_->h;
      }
    }
  }
  J.coeffRef(first + d_, first) += mu;
  for (int j = 1; j < d_; ++j) {
    if (loaded.axes[j] == 0) continue;
    const double weight = mu / (loaded.axes[j] * loaded.axes[j] * p_n), part = loaded.p[j] * weight;
    J.coeffRef(first + j, first + j) += unit * sigma * weight;
    J.coeffRef(first + j, first) -= unit * sigma * part / p_n;
    J.coeffRef(first + j, first + d_) += part;
    J.coeffRef(first + d_, first) += loaded.p[j] * part / p_n;
    J.coeffRef(first + d_, first + j) -= 2 * part;
  }
}

}  // namespace stiction
