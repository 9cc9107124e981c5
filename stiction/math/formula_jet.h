#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "stiction/math/jet.h"

namespace stiction {

/// A formula of two variables u and v that is evaluated with its exact derivatives (jet.h). Its language is the smooth
/// part of that of muParser, in which the laws of scenes are written: numbers, _pi, _e, u, v, names of constants,
/// + - * / ^ and brackets, sin cos tan sinh cosh tanh exp ln sqrt. As there, ^ goes before a minus in front and from
/// the right: -2^2 = -4, 2^3^2 = 2^9. What has kinks (abs, min, ?:) is refused.
class FormulaJet {
 public:
  using Constants = std::vector<std::pair<std::string, double>>;
  /// The formula, or what cannot be read.
  static std::variant<FormulaJet, std::string> parse(std::string_view text, const Constants& constants);
  Jet evaluate(double u, double v) const;

 private:
  friend class FormulaReader;
  enum class Op { constant, u, v, add, subtract, multiply, divide, power, negate, function };
  struct Step {
    Op op = Op::constant;
    double constant = 0;
    Jet (*function)(const Jet&) = nullptr;
  };
  static constexpr int most_depth = 64;  ///< of its stack
  std::vector<Step> steps_;              ///< operands first
};

}  // namespace stiction
