#include "stiction/stepping/ode/butcher.h"

#include "stiction/base/check.h"

namespace stiction {
namespace {

// The number of terms is known to the compiler, so that the inner sum is unrolled and the loop over entries vectorised.
template <int count, bool with_y>
void sum_stages(const StageSum& sum, double h, const double* y, const Stages& k, double* __restrict out,
                Eigen::Index n) {
  std::array<const double*, count> stage;
  std::array<double, count> weight;
  for (std::size_t j = 0; j < count; ++j) {
    stage[j] = k[static_cast<std::size_t>(sum.stage[j])].data();
    weight[j] = h * sum.weight[j];
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    double s = weight[0] * stage[0][i];
    for (std::size_t j = 1; j < count; ++j) s += weight[j] * stage[j][i];
    out[i] = with_y ? y[i] + s : s;
  }
}

template <bool with_y>
void dispatch(const StageSum& sum, double h, const double* y, const Stages& k, VecX& out) {
  const Eigen::Index n = out.size();
  switch (sum.count) {
    case 1:
      return sum_stages<1, with_y>(sum, h, y, k, out.data(), n);
    case 2:
      return sum_stages<2, with_y>(sum, h, y, k, out.data(), n);
    case 3:
      return sum_stages<3, with_y>(sum, h, y, k, out.data(), n);
    case 4:
      return sum_stages<4, with_y>(sum, h, y, k, out.data(), n);
    case 5:
      return sum_stages<5, with_y>(sum, h, y, k, out.data(), n);
    case 6:
      return sum_stages<6, with_y>(sum, h, y, k, out.data(), n);
    default:
      STICTION_CHECK(false);
  }
}

struct TableauRow {
  double c;
  std::initializer_list<double> a;
};

Tableau make_tableau(std::initializer_list<TableauRow> rows, std::initializer_list<double> b) {
  Tableau tableau;
  for (const TableauRow& row : rows) {
    const auto i = static_cast<std::size_t>(tableau.stages++);
    tableau.c[i] = row.c;
    tableau.a[i] = make_stage_sum(row.a);
  }
  tableau.b = make_stage_sum(b);
  return tableau;
}

}  // namespace

StageSum make_stage_sum(std::initializer_list<double> weights) {
  StageSum sum;
  int stage = 0;
  for (const double weight : weights) {
    if (weight != 0) {
      sum.stage[static_cast<std::size_t>(sum.count)] = stage;
      sum.weight[static_cast<std::size_t>(sum.count++)] = weight;
    }
    ++stage;
  }
  return sum;
}

void add_stages(const StageSum& sum, double h, const VecX& y, const Stages& k, VecX& out) {
  dispatch<true>(sum, h, y.data(), k, out);
}

void calc_stage_sum(const StageSum& sum, double h, const Stages& k, VecX& out) {
  dispatch<false>(sum, h, nullptr, k, out);
}

const Tableau& tableau_euler() {
  static const Tableau tableau = make_tableau({{0, {}}}, {1});
  return tableau;
}

const Tableau& tableau_midpoint() {
  static const Tableau tableau = make_tableau({{0, {}}, {0.5, {0.5}}}, {0, 1});
  return tableau;
}

const Tableau& tableau_bogacki_shampine() {
  static const Tableau tableau = make_tableau({{0, {}}, {0.5, {0.5}}, {0.75, {0, 0.75}}}, {2.0 / 9, 1.0 / 3, 4.0 / 9});
  return tableau;
}

const Tableau& tableau_classical() {
  static const Tableau tableau =
      make_tableau({{0, {}}, {0.5, {0.5}}, {0.5, {0, 0.5}}, {1, {0, 0, 1}}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6});
  return tableau;
}

const Tableau& tableau_dormand_prince() {
  static const Tableau tableau =
      make_tableau({{0, {}},
                    {1.0 / 5, {1.0 / 5}},
                    {3.0 / 10, {3.0 / 40, 9.0 / 40}},
                    {4.0 / 5, {44.0 / 45, -56.0 / 15, 32.0 / 9}},
                    {8.0 / 9, {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729}},
                    {1, {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}}},
                   {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84});
  return tableau;
}

}  // namespace stiction
