#pragma once

#include "stiction/stepping/rigid/rigid_step.h"

namespace stiction {

/// The first time of impact within a (sub)step: contacts that are open at its start and closed at its end. It is
/// predicted, as the first zero of the cubics through gaps and their rates at both ends; the step is taken again up to
/// there, which is mostly enough; while the smallest gap is beyond RigidModel::calc_closed_gap, that step is one
/// of the two ends. Gaps jump where points of a pair come and go: the bracket is halved where predictions do not narrow
/// it, and its closed end is taken at last. Bodies that are through one another at the end of the step are the affair
/// of IslandStepper::take_unpassed.
class TimeOfImpact {
 public:
  TimeOfImpact(IslandWork& work, RigidStep& step);

  /// Could an open contact close within h, at its speed and in free fall?
  bool may_impact(double h) const;
  /// Does some contact close within the step of length h that led to `trial`?
  bool closes(double h, const IslandState& trial);
  /// Then: times of impact of contacts that close, those that are nearly the same counted once.
  int count_impacts() const;
  /// Then: `trial` becomes the state at the first of them. Returns false where a step on the way is not solved: its
  /// gaps tell nothing.
  [[nodiscard]] bool locate(const IslandState& from, IslandState& trial);
  int trial_steps() const { return trial_steps_; }  ///< of the last closes() and locate()

 private:
  /// The contacts that are to be located, at one time of the step.
  struct OpenContacts {
    double time = 0;                ///< from its start [s]
    std::vector<Contact> contacts;  ///< ascending as Contact::comes_before
    std::vector<double> speeds;     ///< of their gaps [m/s]
  };
  enum class Closing { none, now, late };

  void take(const IslandState& from, double h, IslandState& trial);
  void list_open(const IslandState& state, double time, OpenContacts& open);
  Closing judge(const OpenContacts& open) const;
  void predict_all();
  double predict(std::size_t i, std::size_t& next) const;

  IslandWork& work_;
  const RigidModel& model_;
  RigidStep& step_;
  OpenContacts low_, high_, middle_;  ///< before and after the time of impact
  std::vector<double> times_;         ///< predicted, ascending
  int trial_steps_ = 0;
};

}  // namespace stiction
