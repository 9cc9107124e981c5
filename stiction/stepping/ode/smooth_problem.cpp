#include "stiction/stepping/ode/smooth_problem.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "stiction/stepping/control/control_sampler.h"
#include "stiction/stepping/ode/breaks.h"

namespace stiction {
namespace {

constexpr double ledger_factor = 1e2;

// Short vectors: a plain loop is faster than a call of memcpy.
inline const double* copy_in(const double* from, VecX& to) {
  const Eigen::Index n = to.size();
  double* p = to.data();
  for (Eigen::Index i = 0; i < n; ++i) p[i] = from[i];
  return from + n;
}

inline double* copy_out(const VecX& from, double* to) {
  const Eigen::Index n = from.size();
  const double* p = from.data();
  for (Eigen::Index i = 0; i < n; ++i) to[i] = p[i];
  return to + n;
}

}  // namespace

SmoothProblem::SmoothProblem(const System& system, double projection_tolerance, bool located)
    : system_(system),
      equations_(system),
      projection_tolerance_(projection_tolerance),
      located_(located),
      factors_(VecX::Ones(system.nq + system.nv + system.nz)),
      breaks_(collect_breaks(system)),
      work_(system.initial),
      displacement_(system.nv) {
  factors_.segment(system.nq + system.nv, ledger_size).setConstant(ledger_factor);
  equations_.contacts().set_located(located);
  // The energy of bristles is part of the ledger; what changes by events only has no error.
  for (const CompliantSlot& slot : system.contact.slots) {
    const int z = system.nq + system.nv + slot.z_start;
    if (slot.layout.energy >= 0) factors_[z + slot.layout.energy] = ledger_factor;
    if (slot.layout.volume) factors_[z + slot.layout.elastic()] = ledger_factor;
  }
}

void SmoothProblem::unpack(const VecX& y) {
  const double* p = copy_in(y.data(), work_.q);
  p = copy_in(p, work_.v);
  copy_in(p, work_.z);
}

bool SmoothProblem::is_unpacked(const VecX& y) const {
  const auto same = [](const double* part, const VecX& whole) {
    return std::memcmp(part, whole.data(), sizeof(double) * static_cast<std::size_t>(whole.size())) == 0;
  };
  const double *q = y.data(), *v = q + system_.nq, *z = v + system_.nv;
  return same(v, work_.v) && same(q, work_.q) && same(z, work_.z);
}

void SmoothProblem::read(const State& state, VecX& y) const {
  double* p = copy_out(state.q, y.data());
  p = copy_out(state.v, p);
  copy_out(state.z, p);
}

void SmoothProblem::write(const VecX& y, State& state) const {
  const double* p = copy_in(y.data(), state.q);
  p = copy_in(p, state.v);
  copy_in(p, state.z);
  std::copy(work_.modes.begin(), work_.modes.end(), state.modes.begin());
}

void SmoothProblem::set_mode(int guard, bool mode) {
  work_.modes[static_cast<std::size_t>(guard)] = mode ? 1 : 0;
  forget_evaluation();
}

void SmoothProblem::set_modes(const std::vector<int>& modes) {
  work_.modes = modes;
  forget_evaluation();
}

void SmoothProblem::evaluate(double t, const VecX& y) {
  if (t == t_evaluated_ && is_unpacked(y)) return;
  forget_evaluation();
  unpack(y);
  equations_.evaluate(t, work_.q, work_.v, work_.z, work_.modes);
  t_evaluated_ = t;
}

std::span<const CompliantContacts::Observed> SmoothProblem::observe_contacts(double t, const VecX& y) {
  if (!located_) {
    evaluate(t, y);
    return equations_.contacts().observed();
  }
  forget_evaluation();
  unpack(y);
  work_.t = t;
  return equations_.observe_contacts(work_);
}

ContactRecord SmoothProblem::make_record(const CompliantContacts::Observed& seen, const VecX& z, double step) const {
  const ContactMotion& motion = seen.contact.motion;
  const ContactResponse& response = seen.contact.response;
  const CompliantSlot& slot = system_.contact.slots[static_cast<std::size_t>(seen.slot)];
  ContactRecord record{.shape_a = slot.shape_a,
                       .shape_b = slot.shape_b,
                       .point = slot.point,
                       .position = motion.point,
                       .normal = motion.normal,
                       .gap = -motion.depth,
                       .impulse = step * response.force,
                       .moment_impulse = step * response.moment,
                       .slip = motion.slip,
                       .mode = response.normal_force <= 0 ? ContactMode::open
                               : response.sticks          ? ContactMode::stick
                                                          : ContactMode::slip,
                       .certified = motion.certified};
  const CompliantLaw& law = *system_.contact.rules[static_cast<std::size_t>(slot.rule)].compliant;
  const FrictionSeen friction = observe_friction(law, slot.layout.place(z.data() + slot.z_start));
  record.dwell = friction.dwell;
  record.deflection = friction.deflection;
  if (slot.volume) {
    const VolumePatch& patch = equations_.contacts().patch_of(seen.slot);
    record.volume = patch.volume, record.area = patch.area;
    record.extent = patch.calc_extent();
  }
  return record;
}

void SmoothProblem::calc_derivative(double t, const VecX& y, VecX& dy) {
  evaluate(t, y);
  double* p = copy_out(equations_.dq(), dy.data());
  p = copy_out(equations_.dv(), p);
  copy_out(equations_.dz(), p);
}

void SmoothProblem::apply_semi_implicit(double t, double h, VecX& y) {
  evaluate(t, y);
  double *v = y.data() + system_.nq, *z = v + system_.nv;
  const double *dv = equations_.dv().data(), *dz = equations_.dz().data();
  for (int i = 0; i < system_.nv; ++i) {
    v[i] += h * dv[i];
    displacement_[i] = h * v[i];
  }
  for (int i = 0; i < system_.nz; ++i) z[i] += h * dz[i];
  // q is the head of y.
  add_displacement(equations_.kinematics().plan, displacement_, y);
}

bool SmoothProblem::project(double t, VecX& y) {
  const bool followed = equations_.contacts().has_followed();
  if (equations_.n_rows() == 0 && !equations_.has_prescribed() && !followed) {
    // Only quaternions: q is the head of y.
    normalize_quaternions(equations_.kinematics().plan, y);
    return true;
  }
  unpack(y);
  work_.t = t;
  forget_evaluation();
  const Equations::Projection projection = equations_.project(work_, projection_tolerance_);
  drift_ = projection.drift;
  if (followed) equations_.correct_contacts(work_);
  read(work_, y);
  return projection.converged;
}

void SmoothProblem::calc_guards(double t, const VecX& y, VecX& guards) {
  if (!located_) {
    evaluate(t, y);
    return equations_.read_guards(work_.z, guards);
  }
  forget_evaluation();
  unpack(y);
  equations_.calc_guards(t, work_.q, work_.v, work_.z, guards);
}

void SmoothProblem::switch_mode(int guard, bool mode, double t, VecX& y) {
  set_mode(guard, mode);
  if (equations_.contacts().empty()) return;
  unpack(y);
  work_.t = t;
  equations_.switch_contact(guard, work_);
  read(work_, y);
}

void SmoothProblem::switch_mode_late(int guard, bool mode, double t_event, const VecX& y_event, double t, VecX& y) {
  set_mode(guard, mode);
  if (equations_.contacts().empty()) return;
  unpack(y_event);
  work_.t = t_event;
  const std::optional<double> impact_speed = equations_.find_approach(guard, work_);
  unpack(y);
  work_.t = t;
  equations_.switch_contact(guard, work_, impact_speed);
  read(work_, y);
}

Equations::Drift SmoothProblem::calc_drift(double t, const VecX& y) {
  forget_evaluation();
  unpack(y);
  return equations_.calc_drift(t, work_.q, work_.v, work_.z);
}

double SmoothProblem::next_break(double t) const {
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), t);
  const double listed = next == breaks_.end() ? std::numeric_limits<double>::infinity() : *next;
  return std::min(listed, find_next_sample(system_, t));
}

}  // namespace stiction
