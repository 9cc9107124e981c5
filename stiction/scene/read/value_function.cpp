#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "stiction/base/text.h"
#include "stiction/math/table_function.h"
#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

/// Points of a table: times, and `width` values at each.
struct Points {
  std::vector<double> times;
  std::vector<std::vector<double>> columns;
};

/// Reads { times = [...], values = [...] } or [[t, x], ...], where x is a number or an array of `width`.
class PointsReader {
 public:
  PointsReader(const Measurand& measure, std::size_t width) : measure_(measure), width_(width) {}

  std::optional<Points> read(ReadContext& context, const Node& node) const {
    Points points{{}, std::vector<std::vector<double>>(width_)};
    bool complete = true;
    const auto add = [&](const Node& time, const Node& value) {
      const auto t = read_quantity(context, time, dimension::time);
      const auto x = read_value(context, value);
      complete = complete && t && x;
      if (!complete) return;
      points.times.push_back(*t);
      for (std::size_t k = 0; k < width_; ++k) points.columns[k].push_back((*x)[k]);
    };
    if (node.is_table()) {
      const PointsForm form = describe_points().read(context, node);
      if (!form.times || !form.values) return {};
      const std::vector<Node>&times = form.times->items, &values = form.values->items;
      if (times.size() != values.size()) {
        context.fail(*form.values,
                     fmt::format("expected as many values as times, {}, got {}", times.size(), values.size()));
        return {};
      }
      for (std::size_t i = 0; i < times.size(); ++i) add(times[i], values[i]);
    } else if (node.is_array()) {
      for (const Node& pair : node.items) {
        if (!pair.is_array() || pair.items.size() != 2) {
          context.fail(pair, fmt::format("expected a pair [time, value], got {}", show(pair)));
          return {};
        }
        add(pair.items[0], pair.items[1]);
      }
    } else {
      context.fail(node,
                   fmt::format("expected {{ times = [...], values = [...] }} or pairs [[time, value], ...], got {}",
                               show(node)));
      return {};
    }
    if (!complete || !check(context, node, points)) return {};
    return points;
  }

 private:
  std::optional<std::vector<double>> read_value(ReadContext& context, const Node& node) const {
    if (width_ > 1) return read_quantities(context, node, width_, {measure_});
    const auto value = read_quantity(context, node, measure_);
    if (!value) return {};
    return std::vector<double>{*value};
  }

  static bool check(ReadContext& context, const Node& node, const Points& points) {
    if (points.times.size() < 2) {
      context.fail(node, fmt::format("expected at least 2 points, got {}", points.times.size()));
      return false;
    }
    const auto fall = std::adjacent_find(points.times.begin(), points.times.end(), std::greater_equal<>());
    if (fall != points.times.end()) {
      context.fail(node, fmt::format("times must increase, but {} s is followed by {} s", format_number(*fall),
                                     format_number(*(fall + 1))));
      return false;
    }
    // The spline has the largest derivatives: if they are finite, those of the others are.
    for (const std::vector<double>& column : points.columns) {
      const Table table = make_table(points.times, column, Interpolation::cubic);
      const bool finite =
          std::all_of(table.moments.begin(), table.moments.end(), [](double m) { return std::isfinite(m); });
      if (finite) continue;
      context.fail(node, "the values change too fast to be interpolated");
      return false;
    }
    return true;
  }

  Measurand measure_;
  std::size_t width_;
};

ValueType<Points> points(const Measurand& measure, std::size_t width) {
  return {"table, see Function of time: table",
          {},
          [reader = PointsReader(measure, width)](ReadContext& context, const Node& node) {
            return reader.read(context, node);
          },
          {},
          [](const Points& points, bool) -> std::optional<Node> {
            std::vector<Node> pairs;
            for (std::size_t i = 0; i < points.times.size(); ++i) {
              std::vector<double> value;
              for (const std::vector<double>& column : points.columns) value.push_back(column[i]);
              Node at = value.size() == 1 ? make_number(value[0]) : make_numbers(value.data(), value.size());
              pairs.push_back(make_array({make_number(points.times[i]), std::move(at)}));
            }
            return make_array(std::move(pairs));
          }};
}

/// The coefficients [c0, c1, ...], c_k in units of the value over s^k.
ValueType<std::vector<double>> coefficients(const Measurand& measure) {
  const auto read = [=](ReadContext& context, const Node& node) -> std::optional<std::vector<double>> {
    constexpr std::size_t most = 16;
    if (!node.is_array() || node.items.empty() || node.items.size() > most) {
      context.fail(node, fmt::format("expected an array of 1 to {} coefficients, got {}", most, show(node)));
      return {};
    }
    std::vector<Measurand> measures;
    for (Measurand next = measure; measures.size() < node.items.size(); next = next / dimension::time)
      measures.push_back(next);
    return read_quantities(context, node, node.items.size(), measures);
  };
  return {"array of coefficients", "1 to 16", read, {}, quantities(measure).write};
}

ValueType<Interpolation> interpolation() {
  static const std::vector<std::string> names(list_interpolations().begin(), list_interpolations().end());
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<Interpolation> {
    const auto name = word(names).read(context, node);
    if (!name) return {};
    return static_cast<Interpolation>(std::find(names.begin(), names.end(), *name) - names.begin());
  };
  return {word(names).meaning,
          {},
          read,
          [](const Interpolation& value) { return quote(names[static_cast<std::size_t>(value)]); },
          [](const Interpolation& value, bool) {
            return std::optional(make_text(names[static_cast<std::size_t>(value)]));
          }};
}
constexpr const char* interpolation_sentence =
    "Between the points of `table`: `hold` keeps each value up to the next point, `linear` joins them by lines, "
    "`monotone` by cubics that never overshoot, `cubic` by the cubic spline. The last two start and stop with rate 0. "
    "Positions of driven joints and bodies cannot jump: `hold` is for loads, targets and surface velocities; `linear` "
    "moves bodies without mass, in "
    "rigid contact.";

/// { start, velocity, acceleration }, { polynomial }, { sine } or { table, interpolation }.
struct FunctionForm {
  double start = 0, velocity = 0, acceleration = 0;
  std::optional<std::vector<double>> polynomial;
  std::optional<Sine> sine;
  std::optional<Points> table;
  Interpolation interpolation = Interpolation::monotone;
};
struct VectorForm {
  Vec3 start = Vec3::Zero(), velocity = Vec3::Zero(), acceleration = Vec3::Zero();
  std::optional<Points> table;
  Interpolation interpolation = Interpolation::monotone;
};

Polynomial make_ramp(double start, double velocity, double acceleration) {
  if (acceleration != 0) return {{start, velocity, acceleration / 2}};
  return velocity != 0 ? Polynomial{{start, velocity}} : Polynomial{{start}};
}

/// One form at a time, and not none.
template <class Form>
void check_one_form(ReadContext& context, const Node& node, Form&) {
  int forms = 0;
  for (const std::string_view key : {"polynomial", "sine", "table"}) forms += find_member(node, key) != nullptr;
  bool ramp = false;
  for (const std::string_view key : {"start", "velocity", "acceleration"}) ramp = ramp || find_member(node, key);
  if (find_member(node, "interpolation") && !find_member(node, "table")) {
    context.fail(node, "\"interpolation\" is given without a table of points",
                 "remove it, or give the points: table = [[0, 0], [1, 0.5]]");
    return;
  }
  // A table of unknown keys only has its faults already.
  if (forms + ramp == 1 || (forms + ramp == 0 && !node.members.empty())) return;
  context.fail(node, fmt::format("expected one function of time, got {}", forms + ramp == 0 ? "none" : "several"),
               "give a number, { start, velocity, acceleration }, { polynomial }, { sine } or { table }");
}

Description<Sine> make_sine_description(const Measurand& measure) {
  Description<Sine> d("Function of time: sine", "offset + amplitude sin(2 pi frequency t + phase).");
  d.add("amplitude", &Sine::amplitude, quantity(measure), "Half of the distance between the extremes.").must_be_given();
  d.add("frequency", &Sine::frequency, quantity(dimension::frequency, at_least(0)), "Periods a second.")
      .must_be_given();
  d.add("phase", &Sine::phase, quantity(dimension::angle), "Angle at time 0.");
  d.add("offset", &Sine::offset, quantity(measure), "Mean value.");
  return d;
}

Description<FunctionForm> make_function_description(const Measurand& measure, const Description<Sine>& sine) {
  using F = FunctionForm;
  Description<F> d(
      "Function of time",
      "A plain number is constant. A table is one of: start + velocity t + acceleration t^2 / 2; a polynomial; a "
      "sine; a table of points.");
  d.add("start", &F::start, quantity(measure), "Value at time 0.");
  d.add("velocity", &F::velocity, quantity(measure / dimension::time), "Rate at time 0.");
  d.add("acceleration", &F::acceleration, quantity(measure / dimension::time / dimension::time),
        "Constant second derivative.");
  d.add("polynomial", &F::polynomial, coefficients(measure), "Coefficients c0, c1, ... of c0 + c1 t + c2 t^2 + ...");
  d.add("sine", &F::sine, table(sine), "A sine.");
  d.add("table", &F::table, points(measure, 1), "Points; the value is constant before the first and after the last.");
  d.add("interpolation", &F::interpolation, interpolation(), interpolation_sentence);
  d.set_check(check_one_form<F>);
  return d;
}

Description<VectorForm> make_vector_description(const Dimension& of) {
  using F = VectorForm;
  Description<F> d(
      "Vector function of time",
      "An array of three functions of time; or one table, which is start + velocity t + acceleration t^2 / 2, or "
      "points.");
  d.add("start", &F::start, vector(of), "Value at time 0.");
  d.add("velocity", &F::velocity, vector(of / dimension::time), "Rate at time 0.");
  d.add("acceleration", &F::acceleration, vector(of / dimension::time / dimension::time),
        "Constant second derivative.");
  d.add("table", &F::table, points(of, 3), "Points with vectors as values.");
  d.add("interpolation", &F::interpolation, interpolation(), interpolation_sentence);
  d.set_check(check_one_form<F>);
  return d;
}

/// The descriptions for one measure; the second refers to the first.
struct FunctionDescriptions {
  explicit FunctionDescriptions(const Measurand& measure)
      : sine(make_sine_description(measure)), function(make_function_description(measure, sine)) {}
  FunctionDescriptions(const FunctionDescriptions&) = delete;
  Description<Sine> sine;
  Description<FunctionForm> function;
};

TimeFunction make_function(const FunctionForm& form) {
  if (form.polynomial) return Polynomial{*form.polynomial};
  if (form.sine) return *form.sine;
  if (form.table) return make_table(form.table->times, form.table->columns[0], form.interpolation);
  return make_ramp(form.start, form.velocity, form.acceleration);
}

std::string format_function(const TimeFunction& function) {
  return is_constant(function) ? format_number(calc_sample(function, 0).value) : std::string();
}

/// An array that is read later, when it is known what its items are.
ValueType<const Node*> array_as_written(std::string meaning) {
  return {std::move(meaning),
          {},
          [](ReadContext& context, const Node& node) -> std::optional<const Node*> {
            if (node.is_array()) return &node;
            context.fail(node, fmt::format("expected an array, got {}", show(node)));
            return {};
          },
          {},
          [](const Node* const& array, bool) { return array ? std::optional(*array) : std::nullopt; }};
}

/// The points that a table continues, and how: the interpolation that makes the same pieces of them.
FunctionForm find_form(const Table& table) {
  FunctionForm form;
  const std::size_t n = table.times.size();
  Points& points = form.table.emplace(Points{table.times, {{}}});
  const bool continuous = table.values.size() == n;
  for (std::size_t i = 0; i < n; ++i)
    points.columns[0].push_back(continuous ? table.values[i] : table.values[std::min(2 * i, table.values.size() - 1)]);
  for (const Interpolation way :
       {Interpolation::monotone, Interpolation::cubic, Interpolation::linear, Interpolation::hold}) {
    const Table made = make_table(points.times, points.columns[0], way);
    form.interpolation = way;
    if (made.values == table.values && made.moments == table.moments) return form;
  }
  throw InputError("a table of points follows none of the interpolations: it cannot be written");
}

FunctionForm find_form(const TimeFunction& function) {
  FunctionForm form;
  if (const auto* polynomial = std::get_if<Polynomial>(&function)) form.polynomial = polynomial->coefficients;
  if (const auto* sine = std::get_if<Sine>(&function)) form.sine = *sine;
  if (const auto* table = std::get_if<Table>(&function)) return find_form(*table);
  return form;
}

}  // namespace

const Description<PointsForm>& describe_points() {
  static const Description<PointsForm> description = [] {
    Description<PointsForm> d("Function of time: table", "Points, also written as pairs: [[0, 0], [1, 0.5]].");
    d.add("times", &PointsForm::times, array_as_written("array of times [s]"), "Increasing, at least 2.")
        .must_be_given();
    d.add("values", &PointsForm::values, array_as_written("array"), "One value for each time.").must_be_given();
    return d;
  }();
  return description;
}

std::vector<const TableInfo*> list_function_tables() {
  static const FunctionDescriptions of_length{dimension::length};
  static const Description<VectorForm> of_vector = make_vector_description(dimension::length);
  return {&of_length.function.info(), &of_length.sine.info(), &describe_points().info(), &of_vector.info()};
}

ValueType<TimeFunction> function_of_time(const Measurand& measure) {
  const auto descriptions = std::make_shared<const FunctionDescriptions>(measure);
  return {"function of time: " + describe(measure),
          {},
          [=](ReadContext& context, const Node& node) -> std::optional<TimeFunction> {
            if (node.is_table()) return make_function(descriptions->function.read(context, node));
            if (node.is_text() && std::isalpha(static_cast<unsigned char>(node.text.front())) != 0) {
              context.fail(node, fmt::format("expected a number or a function of time, got {}", show(node)),
                           "a function is a table: { table = [[0, 0], [1, 5]] } or { sine = { amplitude = 1, frequency "
                           "= 2 } }");
              return {};
            }
            if (node.is_array()) {
              context.fail(node, fmt::format("expected a number or a function of time, got {}", show(node)),
                           "points are written { table = [[0, 0], [1, 5]] }");
              return {};
            }
            const auto value = read_quantity(context, node, measure);
            if (!value) return {};
            return make_constant(*value);
          },
          format_function,
          [=](const TimeFunction& function, bool) -> std::optional<Node> {
            const auto* polynomial = std::get_if<Polynomial>(&function);
            if (polynomial && polynomial->coefficients.size() <= 1)
              return make_number(polynomial->coefficients.empty() ? 0 : polynomial->coefficients[0]);
            return descriptions->function.write(find_form(function), false);
          }};
}

ValueType<VectorFunction> vector_function_of_time(const Dimension& of) {
  const auto description = std::make_shared<const Description<VectorForm>>(make_vector_description(of));
  const ValueType<TimeFunction> component = function_of_time(of);
  const auto read_components = [=](ReadContext& context, const Node& node) -> std::optional<VectorFunction> {
    VectorFunction function{{}};
    for (const Node& item : node.items) {
      if (auto value = component.read(context, item)) function.components.push_back(std::move(*value));
    }
    if (function.components.size() != 3) return {};
    return function;
  };
  const auto read = [=](ReadContext& context, const Node& node) -> std::optional<VectorFunction> {
    if (node.is_array() && node.items.size() == 3) return read_components(context, node);
    if (!node.is_table()) {
      context.fail(node, fmt::format("expected an array of 3 numbers or functions of time, got {}", show(node)));
      return {};
    }
    const VectorForm form = description->read(context, node);
    VectorFunction function{{}};
    for (int k = 0; k < 3; ++k) {
      if (form.table) {
        function.components.push_back(
            make_table(form.table->times, form.table->columns[static_cast<std::size_t>(k)], form.interpolation));
      } else {
        function.components.push_back(make_ramp(form.start[k], form.velocity[k], form.acceleration[k]));
      }
    }
    return function;
  };
  return {"vector function of time: " + describe(Measurand(of)),
          {},
          read,
          [](const VectorFunction& value) {
            std::vector<std::string> words;
            for (const TimeFunction& function : value.components) words.push_back(format_function(function));
            return fmt::format("[{}]", join_words(words, ", "));
          },
          [=](const VectorFunction& value, bool all) {
            std::vector<Node> items;
            for (const TimeFunction& function : value.components) items.push_back(*component.write(function, all));
            return std::optional(make_array(std::move(items)));
          }};
}

}  // namespace stiction
