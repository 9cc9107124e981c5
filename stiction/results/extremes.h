#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "stiction/results/limit_watch.h"
#include "stiction/results/measured.h"
#include "stiction/results/trust_measures.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

struct EnergyBalance;

/// The worst of a measure so far, and when and where that was. Of counts: the sum, and the first time.
struct Extreme {
  double value = 0;       ///< NaN is worse than any number
  double time = -1;       ///< [s]; < 0: it never was above 0
  double a = -1, b = -1;  ///< shapes of a contact; joint and coordinate; signal (finite)
  double scale = 0;       ///< what this value is to be compared with, where that differs from value to value
};

/// Watches a run for what its verdict needs. Adding allocates nothing; a step costs a pass over its contacts.
class Extremes {
 public:
  /// Overlaps are judged by the smaller `thickness` of their two shapes [m], by index; where that is 0 or unknown, by
  /// `otherwise`.
  explicit Extremes(std::vector<double> thickness = {}, double otherwise = 1);
  /// A step that ended at t. Of one that failed nothing is taken.
  void add(double t, const StepReport& report, const std::vector<ContactRecord>& contacts, const LimitExcess& limit);
  /// The normals of compliant contacts at t: do any reverse? (Rigid contact is judged by its penetration.)
  void add_normals(double t, const std::vector<ContactRecord>& contacts);
  /// The ledger at t.
  void add(double t, const EnergyBalance& energy);
  /// Energy that settling has added before the first step, which the scene asked for: it counts as no error [J].
  void set_settled(double energy) { settled_ = energy; }
  /// A recorded number that is not finite: of a signal, by its index.
  void add_not_finite(double t, int signal);

  const Extreme& of(TrustMeasure measure) const { return extremes_[static_cast<std::size_t>(measure)]; }
  const Exchanged& exchanged() const { return exchanged_; }

  /// Everything above as numbers, appended; and back, in the same order. Restoring takes what it needs off the front;
  /// false if there are not as many.
  void save(std::vector<double>& memory) const;
  bool restore(std::span<const double>& memory);

 private:
  /// A contact of the last step.
  struct Touch {
    int a = 0, b = 0, point = 0;
    Vec3 normal = Vec3::UnitZ();
  };
  double calc_pair_thickness(int shape_a, int shape_b) const;
  /// Whether this overlap is the worst so far beside its pair.
  void add_overlap(double t, double depth, int shape_a, int shape_b);
  Extreme& at(TrustMeasure measure) { return extremes_[static_cast<std::size_t>(measure)]; }

  std::array<Extreme, measure_count> extremes_;
  Exchanged exchanged_;
  double lowest_ = 0;  ///< total - input so far [J]
  bool has_energy_ = false;
  double settled_ = 0;
  std::vector<Touch> last_;
  std::vector<double> thickness_;
  double otherwise_;
};

}  // namespace stiction
