#include <fmt/format.h>

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/scene/read/value.h"

namespace stiction {
namespace {

std::string describe(const Dimension& dimension) {
  const std::string unit = unit_of(dimension);
  return unit.empty() ? describe_dimension(dimension) : fmt::format("{} [{}]", describe_dimension(dimension), unit);
}

/// What is wanted here, the joint being known or not.
std::string describe_wanted(const ReadContext& context, const Measurand& measure) {
  if (!measure.sliding) return describe(measure.turning);
  if (context.slides) return describe(*context.slides ? *measure.sliding : measure.turning);
  return describe(measure.turning) + " or " + describe(*measure.sliding);
}

bool fits(const ReadContext& context, const Dimension& given, const Measurand& measure) {
  const bool turning = fits(given, measure.turning), sliding = measure.sliding && fits(given, *measure.sliding);
  if (!measure.sliding) return turning;
  if (context.slides) return *context.slides ? sliding : turning;
  return turning || sliding;
}

/// A number before its range is looked at.
std::optional<double> read_number(ReadContext& context, const Node& node, const Measurand& measure) {
  if (node.is_number()) {
    if (std::isfinite(node.number)) return node.number;
    context.fail(
        node, fmt::format("expected {}, got {}, which is not finite", describe_wanted(context, measure), show(node)));
    return {};
  }
  if (!node.is_text()) {
    context.fail(node, fmt::format("expected {}, got {}", describe_wanted(context, measure), show(node)));
    return {};
  }
  const auto parsed = parse_quantity(node.text);
  if (const auto* fault = std::get_if<QuantityFault>(&parsed)) {
    context.fail(node,
                 fmt::format("expected {}, got {}: {}", describe_wanted(context, measure), show(node), fault->message),
                 fault->hint);
    return {};
  }
  const Quantity& quantity = std::get<Quantity>(parsed);
  if (fits(context, quantity.dimension, measure)) return quantity.value;
  const bool bare = quantity.dimension == dimension::number;
  context.fail(node,
               fmt::format("expected {}, got {}, {}", describe_wanted(context, measure), show(node),
                           describe_dimension(quantity.dimension)),
               bare ? "a plain number needs no quotes; a text needs a unit" : "");
  return {};
}

/// Several measures may share one range; its unit is then left out.
std::string unit_suffix(const Measurand& measure) {
  const std::string unit = measure.sliding ? std::string() : unit_of(measure.turning);
  return unit.empty() ? unit : fmt::format(" {}", unit);
}

std::string format_numbers(const double* values, std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) words.push_back(format_number(values[i]));
  return fmt::format("[{}]", join_words(words, ", "));
}

/// A direction of length zero stands for none.
std::optional<Node> write_direction(const Vec3& value, bool) {
  return value.isZero(0) ? std::nullopt : std::optional(make_numbers(value.data(), 3));
}

std::string make_count_hint(const Node& node, std::size_t count) {
  if (node.is_array()) return node.items.size() > count ? "decimals have a point: 9.81, not 9,81" : "";
  return count == 3 ? "write the values along x, y and z: [0, 0, 1]" : "";
}

std::string describe_bare(const Dimension& dimension) {
  std::string text = describe(dimension);
  for (const std::string_view article : {"a ", "an "}) {
    if (text.starts_with(article)) return text.substr(article.size());
  }
  return text;
}

}  // namespace

bool is_unit(double length) {
  return std::abs(length - 1) < 1e-14;
}

Measurand operator/(const Measurand& measure, const Dimension& by) {
  if (!measure.sliding) return Measurand(measure.turning / by);
  return Measurand(measure.turning / by, *measure.sliding / by);
}

std::string describe(const Measurand& measure) {
  if (!measure.sliding) return describe_bare(measure.turning);
  return describe_bare(measure.turning) + " or " + describe_bare(*measure.sliding);
}

std::string describe_range(const std::optional<Range>& range) {
  if (!range) return {};
  const std::string low = format_number(range->low);
  if (std::isfinite(range->high))
    return fmt::format("in {}{}, {}]", range->open ? "(" : "[", low, format_number(range->high));
  return fmt::format("{} {}", range->open ? ">" : ">=", low);
}

std::optional<double> read_quantity(ReadContext& context, const Node& node, const Measurand& measure,
                                    const std::optional<Range>& range) {
  const auto value = read_number(context, node, measure);
  if (!value || !range || range->contains(*value)) return value;
  const std::string unit = unit_suffix(measure);
  context.fail(
      node, fmt::format("must be {}{}, got {}{}", describe_range(range), unit, show(node), node.is_text() ? "" : unit),
      range->reason ? range->reason : "");
  return {};
}

std::optional<std::vector<double>> read_quantities(ReadContext& context, const Node& node, std::size_t count,
                                                   const std::vector<Measurand>& measures,
                                                   const std::optional<Range>& range) {
  if (!node.is_array() || node.items.size() != count) {
    const std::string each = measures.size() == 1 ? describe_wanted(context, measures.front()) : "with its own unit";
    context.fail(node, fmt::format("expected an array of {} numbers, each {}, got {}", count, each, show(node)),
                 make_count_hint(node, count));
    return {};
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = read_quantity(context, node.items[i], measures[measures.size() == 1 ? 0 : i], range);
    if (value) values.push_back(*value);
  }
  if (values.size() != count) return {};
  return values;
}

ValueType<double> quantity(const Measurand& measure, const std::optional<Range>& range) {
  return {describe(measure), describe_range(range),
          [=](ReadContext& context, const Node& node) { return read_quantity(context, node, measure, range); },
          [](const double& value) { return format_number(value); },
          [](const double& value, bool) { return std::optional(make_number(value)); }};
}

ValueType<std::vector<double>> quantities(const Measurand& measure, const std::optional<Range>& range) {
  return {"array of: " + describe(measure), describe_range(range),
          [=](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
            if (!node.is_array() || node.items.empty()) {
              context.fail(node, fmt::format("expected an array of numbers, got {}", show(node)));
              return {};
            }
            return read_quantities(context, node, node.items.size(), {measure}, range);
          },
          [](const std::vector<double>& values) { return format_numbers(values.data(), values.size()); },
          [](const std::vector<double>& values, bool) {
            return values.empty() ? std::nullopt : std::optional(make_numbers(values.data(), values.size()));
          }};
}

ValueType<Vec3> vector(const Dimension& dimension, const std::optional<Range>& range) {
  return {"vector: " + describe(Measurand(dimension)), describe_range(range),
          [=](ReadContext& context, const Node& node) -> std::optional<Vec3> {
            const auto values = read_quantities(context, node, 3, {dimension}, range);
            if (!values) return {};
            return Vec3((*values)[0], (*values)[1], (*values)[2]);
          },
          [](const Vec3& value) { return format_numbers(value.data(), 3); },
          [](const Vec3& value, bool) { return std::optional(make_numbers(value.data(), 3)); }};
}

ValueType<Vec6> vector6(const Dimension& rotation, const Dimension& translation, const std::optional<Range>& range) {
  return {fmt::format("6: {}; {}", describe(Measurand(rotation)), describe(Measurand(translation))),
          describe_range(range),
          [=](ReadContext& context, const Node& node) -> std::optional<Vec6> {
            const Measurand turn(rotation), shift(translation);
            const auto values = read_quantities(context, node, 6, {turn, turn, turn, shift, shift, shift}, range);
            if (!values) return {};
            return Vec6(Eigen::Map<const Vec6>(values->data()));
          },
          [](const Vec6& value) { return format_numbers(value.data(), 6); },
          [](const Vec6& value, bool) { return std::optional(make_numbers(value.data(), 6)); }};
}

ValueType<Vec3> axis() {
  return {"direction", "not zero",
          [](ReadContext& context, const Node& node) -> std::optional<Vec3> {
            const auto values = read_quantities(context, node, 3, {dimension::number});
            if (!values) return {};
            Vec3 direction((*values)[0], (*values)[1], (*values)[2]);
            if (is_unit(direction.norm())) return direction;
            // Scaled first: the squares of very small or very large components are not representable.
            const double scale = direction.cwiseAbs().maxCoeff();
            if (scale == 0) {
              context.fail(node, "expected a direction, got a vector of length zero");
              return {};
            }
            direction /= scale;
            return Vec3(direction / direction.norm());
          },
          [](const Vec3& value) { return format_numbers(value.data(), 3); }, write_direction};
}

ValueType<Vec3> unit_normal() {
  return {"unit vector", "of length 1",
          [](ReadContext& context, const Node& node) -> std::optional<Vec3> {
            const auto values = read_quantities(context, node, 3, {dimension::number});
            if (!values) return {};
            const Vec3 normal((*values)[0], (*values)[1], (*values)[2]);
            const double length = normal.stableNorm();
            if (std::abs(length - 1) > 1e-6) {
              const Vec3 unit = normal / length;
              context.fail(node,
                           fmt::format("expected a normal of length 1, got one of length {}", format_number(length)),
                           length > 0 && std::isfinite(length) ? "write " + format_numbers(unit.data(), 3) : "");
              return {};
            }
            return is_unit(length) ? normal : Vec3(normal / length);
          },
          [](const Vec3& value) { return format_numbers(value.data(), 3); }, write_direction};
}

ValueType<std::vector<Vec3>> point_list(const Dimension& dimension, std::size_t least) {
  return {fmt::format("list of points, {}", describe(Measurand(dimension))),
          fmt::format("at least {}", least),
          [=](ReadContext& context, const Node& node) -> std::optional<std::vector<Vec3>> {
            if (!node.is_array() || node.items.size() < least) {
              context.fail(node, fmt::format("expected a list of at least {} points [x, y, z]", least));
              return {};
            }
            std::vector<Vec3> list;
            for (const Node& item : node.items) {
              const auto values = read_quantities(context, item, 3, {dimension});
              if (values) list.emplace_back((*values)[0], (*values)[1], (*values)[2]);
            }
            if (list.size() != node.items.size()) return {};
            return list;
          },
          {},
          [](const std::vector<Vec3>& points, bool) -> std::optional<Node> {
            std::vector<Node> items;
            for (const Vec3& point : points) items.push_back(make_numbers(point.data(), 3));
            return make_array(std::move(items));
          }};
}

ValueType<int> whole_number(int least) {
  const auto read = [least](ReadContext& context, const Node& node) -> std::optional<int> {
    const bool whole = node.kind == Node::Kind::integer && node.number <= 1e9;
    if (whole && node.number >= least) return static_cast<int>(node.number);
    context.fail(node, fmt::format("expected a whole number, {} or more, got {}", least, show(node)));
    return {};
  };
  return {"whole number", fmt::format(">= {}", least), read, [](const int& value) { return std::to_string(value); },
          [](const int& value, bool) { return std::optional(make_number(value)); }};
}

}  // namespace stiction
