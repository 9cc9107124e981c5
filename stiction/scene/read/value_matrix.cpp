#include <fmt/format.h>

#include "stiction/scene/read/value.h"

namespace stiction {
namespace {

/// n rows of n numbers; `measure_at(i, j)` tells what an entry is.
template <class Matrix, class MeasureAt>
std::optional<Matrix> read_matrix(ReadContext& context, const Node& node, MeasureAt measure_at) {
  constexpr int n = Matrix::RowsAtCompileTime;
  Matrix matrix;
  bool complete = true;
  for (int i = 0; i < n; ++i) {
    std::vector<Measurand> measures;
    for (int j = 0; j < n; ++j) measures.push_back(measure_at(i, j));
    const auto row = read_quantities(context, node.items[static_cast<std::size_t>(i)], n, measures);
    for (int j = 0; row && j < n; ++j) matrix(i, j) = (*row)[static_cast<std::size_t>(j)];
    complete = complete && row;
  }
  if (!complete) return {};
  const double scale = matrix.cwiseAbs().maxCoeff();
  if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) {
    context.fail(node, fmt::format("expected a symmetric {0} x {0} matrix", n));
    return {};
  }
  return matrix;
}

template <class Matrix>
Node write_rows(const Matrix& matrix) {
  constexpr int n = Matrix::RowsAtCompileTime;
  std::vector<Node> rows;
  for (int i = 0; i < n; ++i) {
    const Eigen::Matrix<double, n, 1> row = matrix.row(i);
    rows.push_back(make_numbers(row.data(), n));
  }
  return make_array(std::move(rows));
}

/// A diagonal matrix that is not negative by its diagonal, others row by row.
template <class Matrix>
Node write_matrix(const Matrix& matrix) {
  constexpr int n = Matrix::RowsAtCompileTime;
  const Eigen::Matrix<double, n, 1> diagonal = matrix.diagonal();
  if (matrix == Matrix(diagonal.asDiagonal()) && diagonal.minCoeff() >= 0) return make_numbers(diagonal.data(), n);
  return write_rows(matrix);
}

/// A matrix of inertia stays one: three numbers are something else.
std::optional<Node> write_inertia(const InertiaSpec& inertia, bool) {
  if (const auto* moment = std::get_if<double>(&inertia)) return make_number(*moment);
  if (const auto* moments = std::get_if<Vec3>(&inertia)) return make_numbers(moments->data(), 3);
  return write_rows(std::get<Mat3>(inertia));
}

std::string format_inertia(const InertiaSpec&) {
  return {};
}

}  // namespace

ValueType<InertiaSpec> inertia() {
  const auto read = [](ReadContext& context, const Node& node) -> std::optional<InertiaSpec> {
    if (!node.is_array()) {
      if (const auto moment = read_quantity(context, node, dimension::inertia, above(0))) return *moment;
      return {};
    }
    if (node.items.size() == 3 && node.is_array_of(Node::Kind::array)) {
      const auto matrix = read_matrix<Mat3>(context, node, [](int, int) { return Measurand(dimension::inertia); });
      if (!matrix) return {};
      return *matrix;
    }
    const auto moments = read_quantities(context, node, 3, {dimension::inertia}, at_least(0));
    if (!moments) return {};
    return Vec3((*moments)[0], (*moments)[1], (*moments)[2]);
  };
  return {"one, 3 or 3 x 3: " + describe(Measurand(dimension::inertia)), "of a real body", read, format_inertia,
          write_inertia};
}

ValueType<Mat3> matrix3(const Dimension& dimension) {
  const auto read = [=](ReadContext& context, const Node& node) -> std::optional<Mat3> {
    if (!node.is_array()) {
      if (const auto number = read_quantity(context, node, dimension, at_least(0))) return *number * Mat3::Identity();
      return {};
    }
    if (node.items.size() == 3 && node.is_array_of(Node::Kind::array))
      return read_matrix<Mat3>(context, node, [=](int, int) { return Measurand(dimension); });
    const auto diagonal = read_quantities(context, node, 3, {dimension}, at_least(0));
    if (!diagonal) return {};
    return Mat3(Eigen::Map<const Vec3>(diagonal->data()).asDiagonal());
  };
  return {"one, 3 or 3 x 3: " + describe(Measurand(dimension)), "symmetric", read,
          [](const Mat3&) { return std::string(); },
          [](const Mat3& matrix, bool) { return std::optional(write_matrix(matrix)); }};
}

ValueType<Mat6> matrix6(const BlockDimensions& blocks) {
  const auto measure_at = [=](int i, int j) {
    if (i < 3 && j < 3) return Measurand(blocks.rotation);
    return Measurand(i < 3 || j < 3 ? blocks.coupling : blocks.translation);
  };
  const auto read = [=](ReadContext& context, const Node& node) -> std::optional<Mat6> {
    const bool square = node.items.size() == 6 && node.is_array_of(Node::Kind::array);
    if (square) return read_matrix<Mat6>(context, node, measure_at);
    std::vector<Measurand> measures;
    for (int i = 0; i < 6; ++i) measures.push_back(measure_at(i, i));
    const auto diagonal = read_quantities(context, node, 6, measures, at_least(0));
    if (!diagonal) return {};
    return Mat6(Eigen::Map<const Vec6>(diagonal->data()).asDiagonal());
  };
  return {
      fmt::format("6 or 6 x 6: {}; {}", describe(Measurand(blocks.rotation)), describe(Measurand(blocks.translation))),
      "symmetric", read, [](const Mat6&) { return std::string(); },
      [](const Mat6& matrix, bool) { return std::optional(write_matrix(matrix)); }};
}

}  // namespace stiction
