#include "apps/cli/step_matrices.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "stiction/base/index.h"
#include "stiction/base/infinity.h"

namespace stiction::cli {
namespace {

using Names = std::vector<std::string>;
using Columns = std::vector<std::pair<std::string, VecX>>;

std::string format_entry(double x) {
  return std::abs(x) < 1e-15 ? fmt::format("{:>12}", 0) : fmt::format("{:>12.5g}", x);
}

std::size_t find_width(const Names& rows) {
  std::size_t width = 0;
  for (const std::string& row : rows) width = std::max(width, row.size());
  return width;
}

std::string format_matrix(const std::string& name, const MatX& matrix, const Names& rows) {
  std::string text = fmt::format("\n{}\n", name);
  const std::size_t width = find_width(rows);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    text += fmt::format("  {:<{}}", rows[static_cast<std::size_t>(i)], width);
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) text += format_entry(matrix(i, j));
    text += "\n";
  }
  return text;
}

/// Vectors side by side, each under its name; `last`: a word behind each row.
std::string format_columns(const Columns& columns, const Names& rows, const Names& last = {}) {
  const std::size_t width = find_width(rows);
  std::string text = fmt::format("\n  {:<{}}", "", width);
  for (const auto& [name, column] : columns) text += fmt::format("{:>12}", name);
  text += "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("  {:<{}}", rows[i], width);
    for (const auto& [name, column] : columns) text += format_entry(column[static_cast<Eigen::Index>(i)]);
    text += last.empty() || last[i].empty() ? "\n" : fmt::format("  {}\n", last[i]);
  }
  return text;
}

/// w = M z + q of a pyramid's problem, and of each pair which is basic: not at a bound.
struct Complementary {
  VecX w;
  Names basic;
};
Complementary find_basis(const MlcpProblem& problem, const VecX& z) {
  Complementary found{problem.M * z + problem.q, {}};
  for (Eigen::Index i = 0; i < z.size(); ++i) {
    // Where both are 0 but for rounding, neither is.
    const double w = std::abs(found.w[i]);
    const double to_bound = std::min(z[i] - problem.lower[i], problem.upper[i] - z[i]);
    found.basic.emplace_back(std::max(w, to_bound) < 1e-12 ? "both 0" : to_bound > w ? "z" : "w");
  }
  return found;
}

/// Where the impulse of each contact lies: open, in the cone or on it.
Names find_states(const PosedStep& posed, const VecX& u) {
  Names states(posed.rows.size());
  for (std::size_t i = 0; i < states.size(); ++i)
    if (posed.rows[i].ends_with(" n")) states[i] = u[static_cast<Eigen::Index>(i)] > 1e-9 ? "opens" : "";
  return states;
}

std::string name_kind(const PosedStep& posed) {
  if (posed.moves_positions) return "correction of positions";
  return posed.h == 0 ? "impact" : fmt::format("step of h = {:.9g} s", posed.h);
}

std::string format_line(std::size_t number, const ExplainedProblem& problem) {
  const SolvedProblem& solved = problem.solved;
  const std::string size = solved.solution.size() == 0
                               ? "nothing touches"
                               : fmt::format("{} unknowns, residual {:.2g}{}", problem.posed.unknowns.size(),
                                             solved.residual, solved.converged ? "" : ", not solved");
  return fmt::format("  {}: {}, s at t = {:.9g} s: {}\n", number, name_kind(problem.posed), problem.posed.t_s, size);
}

std::string format_pyramids(const PosedStep& posed, const MlcpProblem& problem, const VecX& z) {
  const Complementary found = find_basis(problem, z);
  std::string text =
      "\nPyramids: w = M z + q, r = E z, with c_n >= 0 against u_n, beta >= 0 against d . u_t + sigma, sigma >= 0 "
      "against mu c_n - sum beta\n";
  text += format_matrix("M", problem.M, posed.unknowns);
  text += format_matrix("E", posed.E, posed.rows);
  return text + "\nz, w and which of both is basic" +
         format_columns({{"q", problem.q}, {"z", z}, {"w", found.w}}, posed.unknowns, found.basic);
}

std::string format_problem(const ExplainedProblem& problem) {
  const PosedStep& posed = problem.posed;
  std::string text = fmt::format(
      "\n  M (v+ - v_free) = G' lambda + J' r,   W = J A J',   A = M^-1 less what constraints hold\n\nAt s, t = {:.9g} "
      "s; SI units. Left of the equation: {:.2g} N s.\n",
      posed.t_s, posed.misfit);
  text += format_matrix("M", posed.M, posed.velocities);
  text += format_columns({{"v", posed.v_start}, {"v_free", posed.v_free}, {"v+", posed.v_end}}, posed.velocities);
  if (posed.G.rows() > 0) {
    text += format_matrix("G (constraints)", posed.G, posed.constraints);
    text += format_columns({{"phi", posed.phi}, {"lambda", posed.lambda}, {"G v+", posed.G * posed.v_end}},
                           posed.constraints);
  }
  if (posed.J.rows() == 0) return text + "\nNothing touches.\n";
  text += format_matrix("J (contacts: n normal, t and o tangential)", posed.J, posed.rows);
  text += format_matrix("W", posed.W, posed.rows);
  const VecX Jv = posed.J * posed.v_end;
  if (const auto* pyramids = std::get_if<MlcpProblem>(&problem.solved.problem))
    return text + format_columns({{"mu", posed.mu}, {"r", posed.r}, {"J v+", Jv}}, posed.rows) +
           format_pyramids(posed, *pyramids, problem.solved.solution);
  const VecX u = posed.W * posed.r + posed.q;
  text += "\nCone: u = W r + q, r in the cone of mu, u + mu |u_t| n in the dual cone, orthogonal to each other\n";
  return text + format_columns({{"mu", posed.mu}, {"q", posed.q}, {"r", posed.r}, {"u", u}, {"J v+", Jv}}, posed.rows,
                               find_states(posed, u));
}

nlohmann::ordered_json make_json(const MatX& matrix) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const VecX row = matrix.row(i).transpose();
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}
nlohmann::ordered_json make_json(const VecX& vector) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const double x : vector) std::isfinite(x) ? list.push_back(x) : list.push_back(nullptr);
  return list;
}

}  // namespace

ExplainedStep explain_step(Stepper& stepper, double h, State& state) {
  ExplainedStep step;
  stepper.watch_problems([&](const SolvedProblem& solved) {
    step.problems.push_back({solved, solved.take_apart()});
    step.problems.back().solved.take_apart = nullptr;
  });
  step.events = stepper.step(state, state.t + h).events;
  const auto free = std::stable_partition(step.problems.begin(), step.problems.end(),
                                          [](const ExplainedProblem& p) { return p.solved.solution.size() > 0; });
  step.posed = static_cast<int>(free - step.problems.begin());
  return step;
}

std::string format_step(const ExplainedStep& step, int chosen, const std::string& method) {
  const std::vector<ExplainedProblem>& problems = step.problems;
  if (problems.empty()) return fmt::format("Method {}: nothing moves in this step.\n", method);
  std::string text = fmt::format("Step from t = {:.9g} s, method {}: {} problem{}\n", problems.front().solved.t, method,
                                 problems.size(), problems.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < problems.size(); ++i) text += format_line(i + 1, problems[i]);
  for (const StepEvent& event : step.events)
    if (event.kind == "impact")
      text += fmt::format("  impact {} at t = {:.9g} s: its impulses grow as a process, which is no such problem\n",
                          event.name, event.t);
  const int shown = chosen > 0 ? chosen : std::max(1, step.posed);
  if (problems.size() > 1) text += fmt::format("Problem {}; others by --problem N:\n", shown);
  return text + format_problem(problems[at(shown - 1)]);
}

nlohmann::ordered_json format_step_as_json(const ExplainedStep& step, const std::string& method) {
  const std::vector<ExplainedProblem>& problems = step.problems;
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExplainedProblem& problem : problems) {
    const PosedStep& posed = problem.posed;
    nlohmann::ordered_json entry = {{"kind", posed.moves_positions ? "position correction"
                                             : posed.h == 0        ? "impact"
                                                                   : "step"},
                                    {"t_s", posed.t_s},
                                    {"h", posed.h},
                                    {"velocities", posed.velocities},
                                    {"constraints", posed.constraints},
                                    {"rows", posed.rows},
                                    {"unknowns", posed.unknowns}};
    const auto add = [&](const char* name, const auto& value) { entry[name] = make_json(value); };
    add("M", posed.M);
    add("G", posed.G);
    add("phi", posed.phi);
    add("J", posed.J);
    add("W", posed.W);
    add("mu", posed.mu);
    add("v", posed.v_start);
    add("v_free", posed.v_free);
    add("v_end", posed.v_end);
    add("lambda", posed.lambda);
    add("r", posed.r);
    if (const auto* pyramids = std::get_if<MlcpProblem>(&problem.solved.problem); pyramids && posed.rows.size() > 0) {
      const Complementary found = find_basis(*pyramids, problem.solved.solution);
      entry["lcp"] = {{"M", make_json(pyramids->M)},
                      {"q", make_json(pyramids->q)},
                      {"lower", make_json(pyramids->lower)},
                      {"upper", make_json(pyramids->upper)},
                      {"E", make_json(posed.E)},
                      {"z", make_json(problem.solved.solution)},
                      {"w", make_json(found.w)},
                      {"basic", found.basic}};
    } else if (posed.rows.size() > 0) {
      add("q", posed.q);
      add("u", VecX(posed.W * posed.r + posed.q));
    }
    entry["residual"] = problem.solved.residual;
    entry["converged"] = problem.solved.converged;
    entry["misfit"] = posed.misfit;
    list.push_back(std::move(entry));
  }
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  for (const StepEvent& event : step.events)
    events.push_back({{"t", event.t}, {"kind", event.kind}, {"name", event.name}});
  return {{"t", problems.empty() ? 0 : problems.front().solved.t},
          {"method", method},
          {"events", events},
          {"problems", list}};
}

}  // namespace stiction::cli
