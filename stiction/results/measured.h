#pragma once

#include <map>
#include <string>
#include <vector>

namespace stiction {

/// The worst of one measure (trust_measures.h) in a run, as it is stored.
struct MeasuredWorst {
  double value = 0;
  double time = -1;     ///< [s]; < 0: none
  std::string place{};  ///< "A/B" of a contact, the joint, the signal; "": unknown
  double scale = 0;     ///< what it is judged by, where that differs from value to value; 0: the measure's own
  std::string unit{};   ///< where that differs from value to value; "": the measure's own
  bool operator==(const MeasuredWorst&) const = default;
};

/// What the worst values are compared with, as far as the run itself says.
struct Exchanged {
  double energy = 0;   ///< largest of kinetic energy, |input|, |dissipated| [J]
  double total = 0;    ///< largest |total energy|, whose rounding is all there is where nothing moves [J]
  double impulse = 0;  ///< largest of a contact in a step [N s]
  double steps = 0;
  bool operator==(const Exchanged&) const = default;
};

/// All that a run measured of itself for its verdict.
struct RunMeasures {
  std::map<std::string, MeasuredWorst> worst;  ///< by the name of the measure; empty: nothing was measured
  Exchanged exchanged;
  bool operator==(const RunMeasures&) const = default;
};

/// What is known of a run before its first step, so that nobody who looks at it has to read its scene again.
struct RunDescription {
  std::string title, paper;
  std::string method, integrator;  ///< as in [method]
  double step = 0, duration = 0;   ///< [s]
  bool rigid_contact = false, compliant_contact = false;
  bool constraints = false, limits = false;  ///< are there any?
  double smallest_size = 0;                  ///< half the diagonal of the smallest bounded shape [m]; 0: there is none
  std::string smallest_shape;                ///< its name
  double thickness = 0;                      ///< the shortest edge of a box about a bounded shape [m]; 0: there is none
  std::string thinnest_shape;                ///< whose
  double weight_energy = 0;                  ///< weight of all that moves freely times smallest_size [J]
  std::string expected, because;  ///< [expect]: the word of the verdict and why; "" where nothing is expected
  std::string unmodelled;         ///< what the scene has and the method leaves out; "": nothing
  std::map<std::string, std::string> parameters;  ///< in effect, by their key in the scene, as a user reads them
  std::vector<std::string> warnings;
  bool operator==(const RunDescription&) const = default;
};

}  // namespace stiction
