#include "apps/cli/problem_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "stiction/base/fault.h"
#include "stiction/problems/fclib.h"
#include "stiction/problems/problem_json.h"

namespace stiction::cli {
namespace {

[[noreturn]] void refuse_when(const std::string& when) {
  throw InputError(fmt::format("--dump-problems: expected all, every=N, unconverged, worst=N or t=T1,T2,..., got {}",
                               when.empty() ? "nothing" : when));
}

template <class Number>
Number parse_number(std::string_view text, const std::string& when) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0)) refuse_when(when);
  return number;
}

}  // namespace

ProblemDump::ProblemDump(const std::string& when, std::filesystem::path folder) : folder_(std::move(folder)) {
  const std::string word = when.substr(0, when.find('='));
  const std::string value = when.size() > word.size() ? when.substr(word.size() + 1) : "";
  if (when == "all") return;
  if (when == "unconverged") {
    when_ = When::unconverged;
  } else if (word == "every" || word == "worst") {
    when_ = word == "every" ? When::every : When::worst;
    count_ = parse_number<std::int64_t>(value, when);
    if (count_ == 0) refuse_when(when);
  } else if (word == "t" && !value.empty()) {
    when_ = When::times;
    for (std::size_t from = 0; from <= value.size();) {
      const std::size_t to = std::min(value.find(',', from), value.size());
      times_.push_back(parse_number<double>(std::string_view(value).substr(from, to - from), when));
      from = to + 1;
    }
  } else {
    refuse_when(when);
  }
}

bool ProblemDump::is_wanted(const SolvedProblem& problem, double h) const {
  if (problem.solution.size() == 0) return false;
  switch (when_) {
    case When::all:
    case When::worst:
      return true;
    case When::every:
      return problem.step % count_ == 0;
    case When::unconverged:
      return !problem.converged;
    case When::times:
      break;
  }
  // Times of steps are rounded.
  return std::any_of(times_.begin(), times_.end(),
                     [&](double t) { return t >= problem.t - 1e-6 * h && t < problem.t + h * (1 - 1e-6); });
}

void ProblemDump::add(const SolvedProblem& problem, double h) {
  if (!is_wanted(problem, h)) return;
  if (when_ != When::worst) return write(problem);
  const auto is_worse = [](const SolvedProblem& a, const SolvedProblem& b) { return a.residual > b.residual; };
  if (worst_.size() == static_cast<std::size_t>(count_) && !is_worse(problem, worst_.back())) return;
  const auto kept = worst_.insert(std::upper_bound(worst_.begin(), worst_.end(), problem, is_worse), problem);
  kept->take_apart = nullptr;  // it may be called now alone
  if (worst_.size() > static_cast<std::size_t>(count_)) worst_.pop_back();
}

void ProblemDump::write(const SolvedProblem& problem) {
  std::filesystem::create_directories(folder_);
  of_step_ = problem.step == last_step_ ? of_step_ + 1 : 1;
  last_step_ = problem.step;
  const std::string name = fmt::format("step_{:07}_{}", problem.step, of_step_);
  if (const auto* cone = std::get_if<ConeProblem>(&problem.problem)) {
    write_fclib((folder_ / (name + ".hdf5")).string(), {*cone, problem.solution});
  } else {
    const std::filesystem::path path = folder_ / (name + ".json");
    std::ofstream file(path);
    file << write_problem_json(std::get<MlcpProblem>(problem.problem)) << '\n';
    if (!file) throw IoError(fmt::format("{} cannot be written", path.string()));
  }
  ++files_;
}

int ProblemDump::finish() {
  std::sort(worst_.begin(), worst_.end(),
            [](const SolvedProblem& a, const SolvedProblem& b) { return a.step < b.step; });
  for (const SolvedProblem& problem : worst_) write(problem);
  worst_.clear();
  return files_;
}

}  // namespace stiction::cli
