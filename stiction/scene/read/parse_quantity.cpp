#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include "stiction/base/text.h"
#include "stiction/scene/read/other_names.h"
#include "stiction/scene/read/unit.h"

namespace stiction {
namespace {

namespace dim = dimension;

constexpr std::size_t longest_text = 96;
constexpr int highest_power = 9;

/// value in SI = value / divisor * factor * 10^decimal.
struct Scale {
  double factor = 1;
  double divisor = 1;
  int decimal = 0;
};
struct Unit {
  std::string_view name;
  Dimension dimension;
  bool prefixable = false;
  Scale scale = {};
};
constexpr double pi = std::numbers::pi;
constexpr Unit units[] = {
    {"m", dim::length, true},
    {"g", dim::mass, true, {.decimal = -3}},
    {"t", dim::mass, false, {.decimal = 3}},
    {"s", dim::time, true},
    {"min", dim::time, false, {.factor = 60}},
    {"h", dim::time, false, {.factor = 3600}},
    {"N", dim::force, true},
    {"Pa", {.mass = 1, .length = -1, .time = -2}, true},
    {"J", dim::torque, true},
    {"W", {.mass = 1, .length = 2, .time = -3}, true},
    {"Hz", dim::frequency, true},
    {"rad", dim::angle, true},
    {"deg", dim::angle, false, {.factor = pi, .divisor = 180}},
    {"°", dim::angle, false, {.factor = pi, .divisor = 180}},
    {"rev", dim::angle, false, {.factor = 2 * pi}},
    {"rpm", dim::angular_velocity, false, {.factor = pi, .divisor = 30}},
    {"%", dim::number, false, {.decimal = -2}},
};
constexpr std::pair<std::string_view, int> prefixes[] = {
    {"T", 12}, {"G", 9},  {"M", 6},  {"k", 3},  {"d", -1}, {"c", -2},
    {"m", -3}, {"u", -6}, {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12},
};

Scale power(const Scale& scale, int n) {
  Scale result;
  for (int i = 0; i < std::abs(n); ++i) {
    result.factor *= n > 0 ? scale.factor : scale.divisor;
    result.divisor *= n > 0 ? scale.divisor : scale.factor;
  }
  result.decimal = scale.decimal * n;
  return result;
}

Scale operator*(const Scale& a, const Scale& b) {
  return {a.factor * b.factor, a.divisor * b.divisor, a.decimal + b.decimal};
}

/// A unit by its own name, or one that takes a prefix.
std::optional<std::pair<Dimension, Scale>> find_unit(std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return {{unit.dimension, unit.scale}};
  }
  for (const Unit& unit : units) {
    if (!unit.prefixable || !name.ends_with(unit.name)) continue;
    const std::string_view prefix = name.substr(0, name.size() - unit.name.size());
    for (const auto& [word, decimal] : prefixes) {
      if (word == prefix) return {{unit.dimension, unit.scale * Scale{.decimal = decimal}}};
    }
  }
  return {};
}

std::vector<std::string> list_common_units() {
  std::vector<std::string> names = {"kg", "mm",  "cm",  "km",  "ms", "us",   "kN",
                                    "mN", "kPa", "MPa", "GPa", "kJ", "mrad", "km/h"};
  for (const Unit& unit : units) names.emplace_back(unit.name);
  return names;
}

/// Recursive descent over   product := factor { (" " | "*") factor | "/" factor },   factor := ("(" product ")" | name
/// | "1") [power].
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : whole_(text), rest_(text) {}

  struct Result {
    Dimension dimension;
    Scale scale;
  };
  /// Nothing if there is a fault.
  std::optional<Result> parse() {
    const auto result = parse_product();
    if (result && !rest_.empty()) return fail(fmt::format("\"{}\" cannot be read", rest_));
    return result;
  }
  const QuantityFault& fault() const { return fault_; }

 private:
  std::optional<Result> fail(std::string message, std::string hint = {}) {
    if (fault_.message.empty()) fault_ = {std::move(message), std::move(hint)};
    return {};
  }
  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void skip_spaces() {
    while (skip(" ") || skip("\t")) {
    }
  }

  /// Does a digit stand here directly after a letter, as in "m/s2"?
  bool follows_name() const {
    const std::size_t at = whole_.size() - rest_.size();
    return !rest_.empty() && at > 0 && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0 &&
           std::isalpha(static_cast<unsigned char>(whole_[at - 1])) != 0;
  }

  static std::string make_unit_hint(std::string_view name) {
    const std::vector<std::string> units = list_common_units();
    if (std::string hint = make_other_name_hint(name, units); !hint.empty()) return hint;
    const std::string nearest = find_nearest_word(name, units);
    return nearest.empty() ? "units are m g s N Pa J W Hz rad deg rpm min h, with prefixes: mm kg us GPa"
                           : fmt::format("did you mean \"{}\"?", nearest);
  }

  std::optional<Result> parse_product() {
    Result product;
    bool divided = false;
    skip_spaces();
    // A leading "/" as in "5 /s" divides 1.
    bool divide = skip("/");
    while (true) {
      skip_spaces();
      if (follows_name()) {
        std::string_view before = whole_.substr(0, whole_.size() - rest_.size());
        while (before.starts_with(' ')) before.remove_prefix(1);
        return fail(fmt::format("\"{}\" is not a unit", rest_), fmt::format("did you mean \"{}^{}\"?", before, rest_));
      }
      if (divided && !divide) {
        return fail("it is ambiguous what \"/\" divides by", "use brackets, as in \"N/(m s)\"");
      }
      const auto factor = parse_factor();
      if (!factor) return {};
      const int sign = divide ? -1 : 1;
      product = {product.dimension * power(factor->dimension, sign), product.scale * power(factor->scale, sign)};
      divided = divided || divide;
      skip_spaces();
      divide = skip("/");
      if (divide) continue;
      if (!skip("*") && (rest_.empty() || rest_.front() == ')')) return product;
    }
  }

  std::optional<Result> parse_factor() {
    Result base;
    if (skip("(")) {
      const auto inner = parse_product();
      if (!inner) return {};
      if (!skip(")")) return fail("a \")\" is missing");
      base = *inner;
    } else if (!skip("1")) {
      const std::string_view name = take_name();
      if (name.empty())
        return fail(rest_.empty() ? "a unit is missing at the end" : fmt::format("\"{}\" is not a unit", rest_));
      const auto unit = find_unit(name);
      if (!unit) {
        return fail(fmt::format("there is no unit \"{}\"", name), make_unit_hint(name));
      }
      base = {unit->first, unit->second};
    }
    const auto exponent = parse_power();
    if (!exponent) return {};
    return Result{power(base.dimension, *exponent), power(base.scale, *exponent)};
  }

  /// Letters, the degree sign, % and whatever is not ASCII, except the raised digits.
  std::string_view take_name() {
    std::size_t size = 0;
    while (size < rest_.size()) {
      const auto c = static_cast<unsigned char>(rest_[size]);
      const bool raised = rest_.substr(size).starts_with("²") || rest_.substr(size).starts_with("³");
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || c >= 0x80;
      if (raised || !letter) break;
      ++size;
    }
    const std::string_view name = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return name;
  }

  std::optional<int> parse_power() {
    if (skip("²")) return 2;
    if (skip("³")) return 3;
    if (!skip("^")) return 1;
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || std::abs(value) > highest_power) {
      fail(fmt::format("a power must be a whole number between {} and {}", -highest_power, highest_power));
      return {};
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view whole_, rest_;
  QuantityFault fault_;
};

/// The characters of a decimal number at the start of the text, and its exponent apart.
struct Decimal {
  std::string_view mantissa;
  int exponent = 0;
  std::string_view rest;
};
std::optional<Decimal> take_decimal(std::string_view text) {
  const auto is_digit = [&](std::size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  std::size_t i = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  const std::size_t start = text.starts_with('+') ? 1 : 0;
  std::size_t digits = 0;
  for (; is_digit(i); ++i) ++digits;
  if (i < text.size() && text[i] == '.') {
    for (++i; is_digit(i); ++i) ++digits;
  }
  if (digits == 0) return {};
  Decimal result{text.substr(start, i - start), 0, text.substr(i)};
  // An exponent counts as one only if digits follow the e.
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t sign = i + 1 < text.size() && text[i + 1] == '+' ? 2 : 1;
    int exponent = 0;
    const auto [end, error] =
        std::from_chars(text.data() + std::min(i + sign, text.size()), text.data() + text.size(), exponent);
    if (error == std::errc() && std::abs(exponent) < 1000) {
      result.exponent = exponent;
      result.rest = text.substr(static_cast<std::size_t>(end - text.data()));
    }
  }
  return result;
}

}  // namespace

std::variant<Quantity, QuantityFault> parse_quantity(std::string_view text) {
  if (text.size() > longest_text)
    return QuantityFault{fmt::format("a quantity has at most {} characters", longest_text), {}};
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto decimal = take_decimal(text);
  if (!decimal) return QuantityFault{"it does not start with a number", {}};

  // The unit, if there is one.
  UnitParser::Result unit;
  if (!decimal->rest.empty()) {
    UnitParser parser(decimal->rest);
    const auto parsed = parser.parse();
    if (!parsed) return parser.fault();
    unit = *parsed;
  }

  // Move the decimal point in the text, so that the result is rounded once.
  const std::string shifted = fmt::format("{}e{}", decimal->mantissa, decimal->exponent + unit.scale.decimal);
  double value = 0;
  const auto [end, error] = std::from_chars(shifted.data(), shifted.data() + shifted.size(), value);
  if (error != std::errc() || end != shifted.data() + shifted.size())
    return QuantityFault{"the number is too large or too small", {}};
  value = value / unit.scale.divisor * unit.scale.factor;
  if (!std::isfinite(value)) return QuantityFault{"the number is too large or too small", {}};
  return Quantity{value, unit.dimension};
}

}  // namespace stiction
