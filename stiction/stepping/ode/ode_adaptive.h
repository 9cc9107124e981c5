#pragma once

#include "stiction/stepping/ode/ode_events.h"

namespace stiction {

/// What all adaptive methods share. The method takes its own steps and may be ahead of what the caller has seen: up to
/// the end of the last step the caller is served by the dense output, projected onto the manifold in a copy. So the
/// steps, and with them the results, do not depend on where the caller looks.
///
/// Steps end exactly at breaks of f and at events; there the modes are switched, once the caller has arrived, and the
/// method starts afresh. f is evaluated strictly inside the segment between two such times (one rounding unit away from
/// its ends), so that a jump belongs to the side it is seen from.
class AdaptiveIntegrator : public OdeIntegrator, protected DenseOutput {
 public:
  AdaptiveIntegrator(OdeProblem& problem, const OdeSettings& settings);
  const OdeReport& advance(double& t, VecX& y, double t_limit) final;
  void forget() final { started_ = false; }
  bool can_checkpoint(double t, const VecX& y) const final;
  std::vector<double> checkpoint(double t, const VecX& y) final;
  void restore(double t, const VecX& y, const std::vector<double>& memory) final;
  const VecX& trial() const final { return y_trial_; }

 protected:
  /// Forget the history: the next step starts at (t_end_, y_end_).
  virtual void restart() = 0;
  /// One accepted step from (t_end_, y_end_), not beyond t_stop. Moves t_begin_, t_end_ and the projected y_end_ on, or
  /// leaves them all.
  virtual OdeStatus try_step(double t_stop) = 0;
  /// Let the last step end at an event inside it instead: sets t_end_ and y_end_.
  virtual OdeStatus cut_step(double t_event) = 0;
  /// Can the history be written? If not, a checkpoint waits until there is none.
  virtual bool saves_history() const { return true; }
  /// Should the next step start without history? Asked at the end of each step.
  virtual bool drops_history() const { return false; }
  virtual void write_history(std::vector<double>& memory) const = 0;
  virtual void read_history(const double*& memory) = 0;

  /// f, counted, with the time kept inside the segment.
  void calc_derivative(double t, const VecX& y, VecX& dy);
  /// max_i |x_i| / (factor_i (absolute + relative max(|y0_i|, |y1_i|))): 1 is the tolerance. The maximum and not the
  /// mean, so that bodies at rest do not loosen the tolerance of one that moves.
  double calc_norm(const VecX& x, const VecX& y0, const VecX& y1) const;

  OdeProblem& problem_;
  const OdeSettings settings_;
  EventFinder finder_;
  OdeReport report_;
  double t_begin_ = 0, t_end_ = 0;  ///< the last step
  VecX y_end_;
  VecX y_trial_;

 private:
  void begin(double t, const VecX& y);
  bool continues(double t, const VecX& y) const;
  void switch_contradicting_modes();
  OdeStatus take_step();
  OdeStatus serve(double t, VecX& y);
  void arrive();

  bool started_ = false;
  bool unchecked_ = false;         ///< modes given by the caller, not yet compared with the guards
  bool fresh_ = true;              ///< the next step has no history
  double t_low_ = 0, t_stop_ = 0;  ///< the segment in which f is smooth
  double t_out_ = 0;               ///< what the caller was given
  VecX y_out_, guards_;
};

}  // namespace stiction
