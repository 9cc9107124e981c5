#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/scene/scene.h"

namespace stiction {

/// A formula of a scene, f(variables; parameters), in the language of muParser 2.3: + - * / ^, comparisons and ?:, sin
/// cos tan exp ln log10 sqrt abs min max and their like. A copy has its own parser: one object a thread.
class Formula {
 public:
  /// Nothing and a message where it cannot be read, assigns, has several values, or where a parameter has the name of a
  /// variable or a function.
  static std::optional<Formula> parse(const FormulaSpec& spec, const std::vector<std::string>& variables,
                                      std::string& message);
  Formula(const Formula& other);
  Formula& operator=(const Formula& other);
  ~Formula();

  double evaluate(std::span<const double> values) const;
  /// With other values of the parameters.
  double evaluate(std::span<const double> values, std::span<const double> parameters) const;

 private:
  struct Parser;
  explicit Formula(std::unique_ptr<Parser> parser);
  std::unique_ptr<Parser> parser_;
};

/// Is the formula of that dimension, given those of its variables? It is asked in other units, of mass, length and
/// time: a value of the dimension changes with them as it should. Nothing where there is no parameter or one without a
/// unit, as what it hides is not known; else numbers in the formula count as pure.
std::optional<bool> check_dimension(const FormulaSpec& spec, const std::vector<std::string>& variables,
                                    const std::vector<FormulaDimension>& of_variables, const FormulaDimension& wanted);

}  // namespace stiction
