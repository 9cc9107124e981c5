#pragma once

#include "stiction/multibody/controller.h"
#include "stiction/multibody/dynamics.h"
#include "stiction/stepping/contact_record.h"

namespace stiction {

/// The next sample after t of any controller [s]; infinity if there is none.
double find_next_sample(const System& system, double t);

/// Samples the controllers of a system (controller.h): reads the state, writes outputs and memory into its z. Sample k
/// is taken at t = k T, at the first state that is there or later.
class ControlSampler {
 public:
  explicit ControlSampler(const System& system);
  bool empty() const { return system_.controllers.empty(); }

  /// Contacts of the step that ended: what force sensors have seen; `h`: what their impulses are to be divided by.
  void note_contacts(const std::vector<ContactRecord>& contacts, double h, State& state) const;
  /// Samples that are due at this state, whose last step began at `t_before` (below 0: it is the first).
  bool sample(double t_before, State& state);
  /// The next sample after t.
  double next_time(double t) const { return find_next_sample(system_, t); }

 private:
  void sample(const Controller& controller, State& state);
  double calc_output(const JointControl& law, const Controller& controller, State& state);
  Vec6 calc_output(const CartesianControl& law, const Controller& controller, State& state);
  /// tau_ = g(q): what keeps everything at rest.
  void update_gravity();
  /// The acceleration of (3), [rotation; translation]; moves its `command`, R_c as a rotation vector and x_c, on by T.
  static Vec6 follow_command(const CartesianControl& law, const Controller& controller, double t, const VecX& seen,
                             Eigen::Ref<Vec6> command);
  /// Lambda (a + J M^-1 tau): the wrench that accelerates the point by a against generalized forces -tau.
  Vec6 calc_wrench(const CartesianControl& law, const Vec6& a, const VecX& tau);
  /// Shifts the measured values by one sample and returns those of `delay` samples ago.
  static const double* push_measured(const Controller& controller, const VecX& now, State& state);

  const System& system_;
  Kinematics kinematics_;
  TreeDynamics dynamics_;
  std::vector<Vec6> no_forces_;
  VecX zero_, tau_;
  MatX jacobian_, moved_;
};

}  // namespace stiction
