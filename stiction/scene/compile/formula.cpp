#include "stiction/scene/compile/formula.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

namespace stiction {

struct Formula::Parser {
  Parser(const FormulaSpec& of, const std::vector<std::string>& names)
      : spec(of), variables(names), values(names.size(), 0.0), parameters(of.parameters.size(), 0.0) {
    for (std::size_t i = 0; i < names.size(); ++i) parser.DefineVar(names[i], &values[i]);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i] = spec.parameters[i].value;
      parser.DefineVar(spec.parameters[i].name, &parameters[i]);
    }
    parser.SetExpr(spec.text);
  }

  FormulaSpec spec;
  std::vector<std::string> variables;
  std::vector<double> values, parameters;
  mu::Parser parser;
};

Formula::Formula(std::unique_ptr<Parser> parser) : parser_(std::move(parser)) {}
Formula::Formula(const Formula& other)
    : parser_(std::make_unique<Parser>(other.parser_->spec, other.parser_->variables)) {}
Formula& Formula::operator=(const Formula& other) {
  if (this != &other) parser_ = std::make_unique<Parser>(other.parser_->spec, other.parser_->variables);
  return *this;
}
Formula::~Formula() = default;

namespace {

/// muParser takes x = 3 as an assignment.
bool assigns(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool compares = (i > 0 && std::string("<>!=").find(text[i - 1]) != std::string::npos) ||
                          (i + 1 < text.size() && text[i + 1] == '=');
    if (!compares) return true;
  }
  return false;
}

}  // namespace

std::optional<Formula> Formula::parse(const FormulaSpec& spec, const std::vector<std::string>& variables,
                                      std::string& message) {
  if (assigns(spec.text)) {
    message = fmt::format("the formula {} assigns: == compares", spec.text);
    return {};
  }
  for (const FormulaParameter& parameter : spec.parameters) {
    const bool is_variable = std::find(variables.begin(), variables.end(), parameter.name) != variables.end();
    if (!is_variable && !mu::Parser().GetFunDef().contains(parameter.name)) continue;
    message = fmt::format("the parameter {} has the name of a {}", parameter.name,
                          is_variable ? "variable of the formula" : "function");
    return {};
  }
  try {
    Formula formula(std::make_unique<Parser>(spec, variables));
    int count = 0;
    formula.parser_->parser.Eval(count);
    if (count != 1) {
      message = fmt::format("the formula {} has {} values, not one", spec.text, count);
      return {};
    }
    return formula;
  } catch (const mu::Parser::exception_type& fault) {
    message = fmt::format("cannot read the formula {}: {}", spec.text, fault.GetMsg());
    return {};
  }
}

double Formula::evaluate(std::span<const double> values) const {
  std::copy(values.begin(), values.end(), parser_->values.begin());
  return parser_->parser.Eval();
}

double Formula::evaluate(std::span<const double> values, std::span<const double> parameters) const {
  const std::vector<double> own = parser_->parameters;
  std::copy(parameters.begin(), parameters.end(), parser_->parameters.begin());
  const double value = evaluate(values);
  parser_->parameters = own;
  return value;
}

std::optional<bool> check_dimension(const FormulaSpec& spec, const std::vector<std::string>& variables,
                                    const std::vector<FormulaDimension>& of_variables, const FormulaDimension& wanted) {
  if (spec.parameters.empty()) return {};
  std::vector<double> parameters, changed_parameters;
  // Units of which no product is another.
  const auto scale_of = [](const FormulaDimension& d) {
    return std::pow(2.0, d.mass) * std::pow(3.0, d.length) * std::pow(5.0, d.time);
  };
  for (const FormulaParameter& parameter : spec.parameters) {
    if (!parameter.dimension) return {};
    parameters.push_back(parameter.value);
    changed_parameters.push_back(parameter.value * scale_of(*parameter.dimension));
  }
  std::string unused;
  const std::optional<Formula> formula = Formula::parse(spec, variables, unused);
  if (!formula) return {};
  bool any = false;
  for (const double size : {1e-3, 0.017, 0.3}) {
    std::vector<double> values, changed;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      values.push_back(size * (1 + 0.1 * static_cast<double>(i)));
      changed.push_back(values.back() * scale_of(of_variables[i]));
    }
    const double before = formula->evaluate(values, parameters), after = formula->evaluate(changed, changed_parameters);
    if (!std::isfinite(before) || !std::isfinite(after) || before == 0) continue;
    any = true;
    if (std::abs(after / (before * scale_of(wanted)) - 1) > 1e-9) return false;
  }
  return any ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace stiction
