#include "stiction/math/formula_jet.h"

#include <array>
#include <cctype>
#include <charconv>
#include <numbers>
#include <string>

namespace stiction {
namespace {

struct NamedFunction {
  std::string_view name;
  Jet (*function)(const Jet&);
};
constexpr NamedFunction jet_functions[] = {
    {"sin", [](const Jet& x) { return sin(x); }},   {"cos", [](const Jet& x) { return cos(x); }},
    {"tan", [](const Jet& x) { return tan(x); }},   {"sinh", [](const Jet& x) { return sinh(x); }},
    {"cosh", [](const Jet& x) { return cosh(x); }}, {"tanh", [](const Jet& x) { return tanh(x); }},
    {"exp", [](const Jet& x) { return exp(x); }},   {"ln", [](const Jet& x) { return log(x); }},
    {"sqrt", [](const Jet& x) { return sqrt(x); }}};

}  // namespace

/// Recursive descent:
///     sum = product {(+|-) product},  product = factor {(*|/) factor},  factor = [+|-] power,
///     power = primary [^ factor],  primary = number | name | name ( sum ) | ( sum )
class FormulaReader {
 public:
  FormulaReader(std::string_view text, const FormulaJet::Constants& constants) : text_(text), constants_(constants) {}

  std::variant<FormulaJet, std::string> read() {
    read_sum();
    if (message_.empty() && !peek_end()) fail(std::string("\"") + text_[at_] + "\" does not belong there");
    if (!message_.empty()) return "cannot read the formula " + std::string(text_) + ": " + message_;
    return std::move(formula_);
  }

 private:
  using Op = FormulaJet::Op;

  void fail(std::string message) {
    if (message_.empty()) message_ = std::move(message);
    at_ = text_.size();
  }
  bool peek_end() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ == text_.size();
  }
  bool take(char c) {
    if (peek_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// A step on the stack: an operand makes it deeper, an operator with two operands less deep.
  void add(Op op, double constant = 0, Jet (*function)(const Jet&) = nullptr) {
    const bool is_operand = op == Op::constant || op == Op::u || op == Op::v;
    if (is_operand) ++depth_;
    if (!is_operand && op != Op::negate && op != Op::function) --depth_;
    if (depth_ > FormulaJet::most_depth) return fail("it is too long");
    formula_.steps_.push_back({op, constant, function});
  }

  void read_sum() {
    // Brackets within brackets: as deep as the stack may get
    if (++nesting_ > FormulaJet::most_depth) return fail("too many brackets in one another");
    read_product();
    while (true) {
      if (take('+')) {
        read_product();
        add(Op::add);
      } else if (take('-')) {
        read_product();
        add(Op::subtract);
      } else {
        break;
      }
    }
    --nesting_;
  }
  void read_product() {
    read_factor();
    while (true) {
      if (take('*')) {
        read_factor();
        add(Op::multiply);
      } else if (take('/')) {
        read_factor();
        add(Op::divide);
      } else {
        break;
      }
    }
  }
  void read_factor() {
    bool is_negative = false;
    while (true) {
      if (take('-')) {
        is_negative = !is_negative;
      } else if (!take('+')) {
        break;
      }
    }
    read_power();
    if (is_negative) add(Op::negate);
  }
  void read_power() {
    read_primary();
    if (!take('^')) return;
    if (++nesting_ > FormulaJet::most_depth) return fail("too many powers of powers");
    read_factor();
    --nesting_;
    add(Op::power);
  }
  void read_primary() {
    if (peek_end()) return fail("it ends too early");
    if (take('(')) {
      read_sum();
      if (message_.empty() && !take(')')) fail("a bracket is not closed");
      return;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return read_number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return read_name();
    fail(std::string("\"") + c + "\" does not belong there");
  }
  void read_number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) return fail("a number is expected");
    at_ = static_cast<std::size_t>(end - text_.data());
    add(Op::constant, value);
  }
  void read_name() {
    const std::size_t first = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
    const std::string_view name = text_.substr(first, at_ - first);
    if (name == "u") return add(Op::u);
    if (name == "v") return add(Op::v);
    if (name == "_pi") return add(Op::constant, std::numbers::pi);
    if (name == "_e") return add(Op::constant, std::numbers::e);
    for (const auto& [known, value] : constants_)
      if (known == name) return add(Op::constant, value);
    for (const NamedFunction& known : jet_functions) {
      if (known.name != name) continue;
      if (!take('(')) return fail(std::string(name) + " needs brackets");
      read_sum();
      if (message_.empty() && !take(')')) fail("a bracket is not closed");
      return add(Op::function, 0, known.function);
    }
    fail("there is no smooth function or constant " + std::string(name));
  }

  std::string_view text_;
  const FormulaJet::Constants& constants_;
  std::size_t at_ = 0;
  int depth_ = 0, nesting_ = 0;
  std::string message_;
  FormulaJet formula_;
};

std::variant<FormulaJet, std::string> FormulaJet::parse(std::string_view text, const Constants& constants) {
  return FormulaReader(text, constants).read();
}

Jet FormulaJet::evaluate(double u, double v) const {
  std::array<Jet, most_depth> stack;
  std::size_t size = 0;
  for (const Step& step : steps_) {
    const auto apply = [&](auto operation) {
      stack[size - 2] = operation(stack[size - 2], stack[size - 1]);
      --size;
    };
    switch (step.op) {
      case Op::constant:
        stack[size++] = Jet(step.constant);
        break;
      case Op::u:
        stack[size++] = Jet::make_u(u);
        break;
      case Op::v:
        stack[size++] = Jet::make_v(v);
        break;
      case Op::add:
        apply([](const Jet& a, const Jet& b) { return a + b; });
        break;
      case Op::subtract:
        apply([](const Jet& a, const Jet& b) { return a - b; });
        break;
      case Op::multiply:
        apply([](const Jet& a, const Jet& b) { return a * b; });
        break;
      case Op::divide:
        apply([](const Jet& a, const Jet& b) { return a / b; });
        break;
      case Op::power:
        apply([](const Jet& a, const Jet& b) { return pow(a, b); });
        break;
      case Op::negate:
        stack[size - 1] = -stack[size - 1];
        break;
      case Op::function:
        stack[size - 1] = step.function(stack[size - 1]);
        break;
    }
  }
  return stack[0];
}

}  // namespace stiction
