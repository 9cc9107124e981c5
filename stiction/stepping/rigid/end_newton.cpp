#include "stiction/stepping/rigid/end_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"

namespace stiction {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

}  // namespace

/// Single bodies that move freely, in space or in the plane, and nothing but contacts.
bool EndNewton::can_pose() const {
  const Island& island = place_->rows.island();
  if (island.is_jointed || !island.coordinates.empty() || place_->rows.A().constraints().count() > 0) return false;
  return std::all_of(island.bodies.begin(), island.bodies.end(), [&](const BodyPlace& body) {
    const JointPlan& joint = place_->kinematics.plan.joints[at(body.body)];
    return joint.prescribed || joint.plain || joint.type == JointType::planar || joint.type == JointType::translation;
  });
}

const RowBlock& EndNewton::block(const LoadedContact& loaded) const {
  return place_->rows.blocks()[at(loaded.block)];
}

/// Unknowns, their bounds and where they start.
void EndNewton::begin(const VecX& v) {
  StepRows& rows = place_->rows;
  const SolvedContacts& solved = place_->problem.solved();
  nv_ = static_cast<int>(v.size());
  d_ = rows.dimension();
  loaded_.clear();
  const ConeMatrix& W = rows.W();
  for (int i = 0; i < rows.size(); ++i) {
    if (!(solved.r[d_ * i] > 0)) continue;
    const RowBlock& row = rows.blocks()[at(i)];
    LoadedContact& loaded = loaded_.emplace_back();
    loaded.contact = solved.contacts[at(row.index)];
    loaded.block = i;
    loaded.start = nv_ + (d_ + 1) * (static_cast<int>(loaded_.size()) - 1);
    loaded.unit = 1 / W.block(W.diagonal(i))(0, 0);
    loaded.p.head(d_) = solved.r.segment(d_ * i, d_);
    for (int j = 1; j < d_; ++j) loaded.axes[j] = row.mu * row.ellipsoid[j - 1];
  }
  const int n = nv_ + (d_ + 1) * static_cast<int>(loaded_.size());
  z_.setZero(n);
  z_.head(nv_) = v;
  lower.setConstant(n, -infinity);
  upper.setConstant(n, infinity);
  for (const LoadedContact& loaded : loaded_) {
    lower[loaded.start] = lower[loaded.start + d_] = 0;
    for (int j = 1; j < d_; ++j) {
      if (loaded.axes[j] == 0) lower[loaded.start + j] = upper[loaded.start + j] = 0;
    }
    if (loaded.axes.isZero(0)) upper[loaded.start + d_] = 0;
    for (int j = 0; j < d_; ++j) z_[loaded.start + j] = loaded.p[j] / loaded.unit;
  }
  is_posed_ = false;
}

McpProblem& EndNewton::pose_only(const Place& place, const VecX& v, VecX& z) {
  if (pose_start(place, v)) {
    z = z_;
  } else {
    z.resize(0);
  }
  return *this;
}

/// Where it starts, in z_. Returns whether it can be posed.
bool EndNewton::pose_start(const Place& place, const VecX& v) {
  place_ = &place;
  if (!can_pose()) return false;
  begin(v);
  if (loaded_.empty()) return false;
  // The slip of what is on its cone
  F_.resize(z_.size());
  calc_F(z_, F_);
  for (const LoadedContact& loaded : loaded_) {
    double used = 0, slip = 0;
    for (int j = 1; j < d_; ++j) {
      if (loaded.axes[j] == 0) continue;
      used += std::pow(loaded.p[j] / loaded.axes[j], 2);
      slip += std::pow(F_[loaded.start + j] * loaded.axes[j], 2);
    }
    const double mu = block(loaded).mu;
    constexpr double on_cone = 1 - 1e-6;  // impulses as near as the solver leaves them slip
    if (mu > 0 && used >= on_cone * loaded.p[0] * loaded.p[0]) z_[loaded.start + d_] = std::sqrt(slip) / mu;
  }
  return true;
}

/// At z_, by differences over what rounding of the configuration is.
double EndNewton::calc_rounding() {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  calc_F(z_, F_);
  VecX &shifted = shifted_, &changed = changed_;
  double most = 0;
  changed.resize(z_.size());
  for (int i = 0; i < nv_; ++i) {
    shifted = z_;
    shifted[i] += rounding * (1 + place_->q_s.cwiseAbs().maxCoeff()) / place_->h;
    calc_F(shifted, changed);
    if (changed.allFinite()) most = std::max(most, (changed - F_).cwiseAbs().maxCoeff());
  }
  return most;
}

double EndNewton::solve(const Place& place, double tolerance, VecX& v) {
  rounding_ = 0;
  if (!pose_start(place, v)) return infinity;
  calc_F(z_, F_);
  const double before = calc_mcp_residual(*this, z_, F_);
  const McpNewton::Directions directions{.josephy = false, .active_set = true, .gradient = false};
  // Over a surface with little curvature contact points run as a root of the angle does, and steps must be damped.
  constexpr int most_steps = 20, last_steps = 3;
  SolveOutcome outcome = newton_.solve(*this, {tolerance, most_steps, directions, 1}, z_);
  // Quadratic convergence: what three more steps leave is rounding.
  if (outcome.status == McpStatus::solved)
    outcome = newton_.solve(*this, {1e-4 * tolerance, last_steps, directions, 1}, z_);
  rounding_ = outcome.status == McpStatus::solved ? 0 : calc_rounding();
  if (!(outcome.residual <= std::max(0.1 * before, rounding_))) return infinity;
  v = z_.head(nv_);
  for (LoadedContact& loaded : loaded_) loaded.p.head(d_) = loaded.unit * z_.segment(loaded.start, d_);
  return outcome.residual;
}

const Eigen::Vector4d* EndNewton::find_impulse(const Contact& contact) const {
  const auto found = std::find_if(loaded_.begin(), loaded_.end(),
                                  [&](const LoadedContact& loaded) { return loaded.contact.same_place(contact); });
  return found == loaded_.end() ? nullptr : &found->p;
}

/// The loaded contacts among the rows at hand. Returns whether all are there.
bool EndNewton::match() {
  const StepRows& rows = place_->rows;
  const SolvedContacts& solved = place_->problem.solved();
  int next = 0;
  for (LoadedContact& loaded : loaded_) {
    while (next < rows.size() && !solved.contacts[at(rows.blocks()[at(next)].index)].same_place(loaded.contact)) ++next;
    if (next == rows.size()) return false;
    loaded.block = next;
    loaded.contact = solved.contacts[at(rows.blocks()[at(next)].index)];
  }
  return true;
}

/// Everything at the configuration of z, and the impulses of z.
bool EndNewton::pose(const VecX& z) {
  if (!z.allFinite()) return false;
  if (!is_posed_ || posed_ != z.head(nv_)) {
    posed_ = z.head(nv_);
    is_posed_ = false;
    place_->end.pose_at(posed_);
    if (!match()) return false;
    update_velocities(model_.system, posed_, place_->kinematics);
    place_->rows.J().calc_velocities({model_.system, place_->kinematics, place_->t_end, place_->q_s, posed_, place_->z},
                                     u_);
    add_belts(model_, place_->rows, place_->problem.solved().contacts, place_->kinematics, place_->t_end, u_);
    is_posed_ = true;
  }
  for (LoadedContact& loaded : loaded_) {
    loaded.p.head(d_) = loaded.unit * z.segment(loaded.start, d_);
    if (!loaded.axes.isZero(0) && !(loaded.p[0] > 0)) return false;
  }
  return true;
}

/// v_free + A J' p
void EndNewton::calc_end_velocities() {
  r_.setZero(d_ * place_->rows.size());
  for (const LoadedContact& loaded : loaded_) r_.segment(d_ * loaded.block, d_) = loaded.p.head(d_);
  v_end_ = place_->v_kept;
  place_->rows.add_impulses(r_, v_end_);
}

void EndNewton::calc_F(const VecX& z, VecX& F) {
  if (!pose(z)) {
    F.setConstant(nan_value);
    return;
  }
  calc_end_velocities();
  F.head(nv_) = z.head(nv_) - v_end_;
  for (const LoadedContact& loaded : loaded_) write_contact(loaded, z[loaded.start + d_], F);
}

/// (2), (3) and (4)
void EndNewton::write_contact(const LoadedContact& loaded, double sigma, VecX& F) const {
  const double h = place_->h;
  const std::vector<ContactLayers>& layers = place_->problem.solved().layers;
  Vec3 give = Vec3::Zero();
  if (!layers.empty()) {
    const ContactLayers& own = layers[at(loaded.block)];
    for (std::size_t k = 0; k < at(own.count); ++k) {
      const LayerStep& layer = own.layer[k];
      give += layer.A * loaded.p.head<3>() + layer.b - Vec3(0, layer.start[1], layer.start[2]);
    }
  }
  F[loaded.start] = (block(loaded).gap + give[0]) / h;
  double left = block(loaded).mu * loaded.p[0];
  for (int j = 1; j < d_; ++j) {
    double& slip = F[loaded.start + j];
    slip = u_[d_ * loaded.block + j] + (j < 3 ? give[j] / h : 0);
    if (loaded.axes[j] == 0) continue;
    const double part = loaded.p[j] * block(loaded).mu / (loaded.axes[j] * loaded.axes[j] * loaded.p[0]);
    slip += sigma * part;
    left -= loaded.p[j] * part;
  }
  F[loaded.start + d_] = left / loaded.unit;
}

}  // namespace stiction
