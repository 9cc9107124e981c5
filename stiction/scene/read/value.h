#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stiction/math/rotation.h"
#include "stiction/scene/read/read_context.h"
#include "stiction/scene/read/unit.h"

namespace stiction {

/// How one kind of value is written, read and described: the part of a field's description that fields share.
template <class T>
struct ValueType {
  std::string meaning;  ///< for the reference: "length [m]"
  std::string range;    ///< "> 0"; may be empty
  /// Nothing if the node does not hold such a value; then the faults say why.
  std::function<std::optional<T>(ReadContext&, const Node&)> read;
  /// A default as the user would write it.
  std::function<std::string(const T&)> format;
  /// The value as read() takes it, at full precision, in SI units; nothing for what stands for "not given": an empty
  /// text or list, a direction of length zero. `all`: tables with their defaults.
  std::function<std::optional<Node>(const T&, bool all)> write = {};
};

/// A dimension, or two of which the joint decides: the first where it turns, the second where it slides.
struct Measurand {
  Measurand(const Dimension& only) : turning(only) {}  // NOLINT(google-explicit-constructor): a dimension is a measure
  Measurand(const Dimension& turning_one, const Dimension& sliding_one) : turning(turning_one), sliding(sliding_one) {}
  Dimension turning;
  std::optional<Dimension> sliding;
};
Measurand operator/(const Measurand& measure, const Dimension& by);
/// "length [m]", "angle [rad] or length [m]", "number"
std::string describe(const Measurand& measure);

struct Range {
  double low;
  bool open;                     ///< is the lower bound itself excluded?
  const char* reason = nullptr;  ///< the rule behind it, as a hint; may be null
  double high = std::numeric_limits<double>::infinity();

  bool contains(double value) const { return (open ? value > low : value >= low) && value <= high; }
};
inline Range above(double low, const char* reason = nullptr) {
  return {low, true, reason};
}
inline Range at_least(double low, const char* reason = nullptr) {
  return {low, false, reason};
}
inline Range between(double low, double high, const char* reason = nullptr) {
  return {low, false, reason, high};
}

/// "> 0", "in [0, 1]"; empty without one.
std::string describe_range(const std::optional<Range>& range);

// Numbers: plain ones are SI, texts carry units.
std::optional<double> read_quantity(ReadContext&, const Node&, const Measurand&, const std::optional<Range>& = {});
/// Exactly `count` numbers; `measures` has one entry, or one for each.
std::optional<std::vector<double>> read_quantities(ReadContext&, const Node&, std::size_t count,
                                                   const std::vector<Measurand>& measures,
                                                   const std::optional<Range>& = {});
ValueType<double> quantity(const Measurand&, const std::optional<Range>& = {});
/// One or more numbers, as many as there are.
ValueType<std::vector<double>> quantities(const Measurand&, const std::optional<Range>& = {});
ValueType<Vec3> vector(const Dimension&, const std::optional<Range>& = {});
/// A direction: any length but zero, made unit.
ValueType<Vec3> axis();
/// A direction that must be written with length 1 (to 1e-6), since a length goes along with it.
ValueType<Vec3> unit_normal();
/// A list of at least `least` points.
ValueType<std::vector<Vec3>> point_list(const Dimension&, std::size_t least);
ValueType<Quaternion> orientation();
/// One moment, three or a symmetric 3 x 3 matrix.
ValueType<InertiaSpec> inertia();
/// One number for all directions, 3 for a diagonal, or a symmetric 3 x 3 matrix; the diagonal not negative.
ValueType<Mat3> matrix3(const Dimension&);
/// 6 x 6, or 6 numbers for a diagonal; the blocks [rotation; translation] have their own dimensions.
struct BlockDimensions {
  Dimension rotation, coupling, translation;
};
ValueType<Mat6> matrix6(const BlockDimensions&);
/// 6 numbers, [rotation; translation].
ValueType<Vec6> vector6(const Dimension& rotation, const Dimension& translation, const std::optional<Range>& = {});

/// A whole number, `least` or more.
ValueType<int> whole_number(int least);

// Words.
ValueType<bool> flag();
/// Free text of one line, not empty.
ValueType<std::string> text();
ValueType<std::vector<std::string>> texts();
/// A choice of words. `otherwise`: the hint for a word that is near none of them.
ValueType<std::string> word(std::vector<std::string> words, std::string otherwise = {});
ValueType<JointForm> joint_form();

// Functions of time.
ValueType<TimeFunction> function_of_time(const Measurand&);
ValueType<VectorFunction> vector_function_of_time(const Dimension&);

/// Is a direction or quaternion of this length a unit one, to rounding? Then it is taken as it stands, so that what is
/// written of a scene reads back as the same bits.
bool is_unit(double length);

std::vector<std::string> quote_all(const std::vector<std::string>& words);
/// The hint for a word that is none of the candidates: what it is called here, the nearest, or the list.
std::string make_hint(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace stiction
