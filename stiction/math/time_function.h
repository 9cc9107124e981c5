#pragma once

#include <variant>
#include <vector>

namespace stiction {

/// Scalar functions of time with exact first and second derivatives: what prescribes a motion or a load.
/// value, rate and acceleration are derivatives of one another to rounding, so that a prescribed motion is consistent.

struct Sample {
  double value = 0;
  double rate = 0;
  double acceleration = 0;
};

/// f = c0 + c1 t + c2 t^2 + ...; a constant is the polynomial of one coefficient.
struct Polynomial {
  std::vector<double> coefficients;
};

/// f = offset + amplitude sin(2 pi frequency t + phase)                                        [frequency Hz, phase
/// rad]
struct Sine {
  double amplitude = 0;
  double frequency = 0;
  double phase = 0;
  double offset = 0;
};

/// A piecewise cubic through the points (time_i, value_i), times strictly increasing, at least 2; how the pieces follow
/// from the points: table_function.h. Before the first and after the last time the value stays constant.
struct Table {
  std::vector<double> times;
  std::vector<double> values;   ///< at the ends of the pieces, laid out as make_table of table_function.h says
  std::vector<double> moments;  ///< second derivatives, likewise
};
/// The cubic spline with continuous second derivative and zero slope at both ends: a motion starts and stops at rest.
/// (The acceleration jumps there: calc_breaks lists these times.)
Table make_table(std::vector<double> times, std::vector<double> values);

using TimeFunction = std::variant<Polynomial, Sine, Table>;

inline TimeFunction make_constant(double value) {
  return Polynomial{{value}};
}
/// Never allocates.
Sample calc_sample(const TimeFunction& function, double t);
bool is_constant(const TimeFunction& function);
/// Times at which a derivative up to the third jumps (the knots of a table): an adaptive integrator stops and restarts
/// there.
std::vector<double> calc_breaks(const TimeFunction& function);

}  // namespace stiction
