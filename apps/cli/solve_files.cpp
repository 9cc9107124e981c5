#include "apps/cli/solve_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"

namespace stiction::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FileResult {
  std::string kind, size;
  TimedResult timed;
};

FileResult solve_file(const SolveOptions& options, const std::filesystem::path& file) {
  const Problem problem = read_problem(file);
  const std::string method = options.methods.empty() ? name_methods(problem).front() : options.methods.front();
  return {std::string(name_kind(problem)), describe_size(problem), solve_timed(problem, method, options.solver)};
}

Json make_json(const FileResult& file) {
  const ProblemResult& result = file.timed.result;
  Json json;
  json["kind"] = file.kind;
  json["status"] = result.status;
  json["residual"] = result.residual;
  json["iterations"] = result.iterations;
  json["seconds"] = file.timed.seconds;
  json["solution"] = std::vector<double>(result.solution.begin(), result.solution.end());
  return json;
}

std::string paint_status(const ProblemResult& result, std::size_t width) {
  return paint(fmt::format("{:<{}}", result.status, width), result.solved() ? Color::green : Color::red);
}

int solve_one(const SolveOptions& options) {
  const FileResult file = solve_file(options, options.files.front());
  const ProblemResult& result = file.timed.result;
  if (options.json) {
    print(make_json(file).dump(2) + "\n");
  } else {
    print(fmt::format("problem     {}, {}\nstatus      {}\nresidual    {:.3g}\niterations  {}\ntime        {}\n",
                      file.kind, file.size, paint_status(result, 0), result.residual, result.iterations,
                      format_duration(file.timed.seconds)));
  }
  return result.solved() ? exit_ok : exit_limit;
}

int solve_many(const SolveOptions& options) {
  std::size_t width = 4;
  for (const auto& file : options.files) width = std::max(width, file.string().size());
  if (!options.json) {
    print(fmt::format("{:<{}}  {:<11}  {:<15}  {:>9}  {:>10}  {:>10}\n", "file", width, "kind", "status", "residual",
                      "iterations", "time"));
  }
  Json list = Json::array();
  int code = exit_ok, solved = 0;
  for (const auto& file : options.files) {
    Json entry{{"file", file.string()}};
    try {
      const FileResult one = solve_file(options, file);
      const ProblemResult& result = one.timed.result;
      solved += result.solved();
      code = find_graver(code, result.solved() ? exit_ok : exit_limit);
      entry.update(make_json(one));
      if (!options.json) {
        print(fmt::format("{:<{}}  {:<11}  {}  {:>9.2g}  {:>10}  {:>10}\n", file.string(), width, one.kind,
                          paint_status(result, 15), result.residual, result.iterations,
                          format_duration(one.timed.seconds)));
        flush_output();
      }
    } catch (const std::runtime_error&) {
      const Refusal refusal = describe_refusal(file);
      print_error(refusal.message);
      code = find_graver(code, refusal.code);
      entry["status"] = "refused";
      entry["error"] = refusal.message;
      if (!options.json) print(fmt::format("{:<{}}  {:<11}  {:<15}\n", file.string(), width, "-", "refused"));
    }
    list.push_back(std::move(entry));
  }
  print(options.json ? list.dump(2) + "\n" : fmt::format("{} of {} solved\n", solved, options.files.size()));
  return code;
}

}  // namespace

TimedResult solve_timed(const Problem& problem, const std::string& method, const ProblemOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  TimedResult timed{solve_problem(problem, method, options), 0};
  timed.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return timed;
}

// Faults name their file; failures to read name it in their text.
Refusal describe_refusal(const std::filesystem::path& file) {
  try {
    throw;
  } catch (const InputError& error) {
    std::vector<Fault> faults = error.faults();
    for (Fault& fault : faults) {
      if (fault.place.file.empty()) fault.place.file = file.string();
    }
    return {exit_input, format_faults(faults)};
  } catch (const IoError& error) {
    return {exit_io, fmt::format("error: {}\n", error.what())};
  }
}

int find_graver(int a, int b) {
  constexpr std::array order{exit_ok, exit_limit, exit_input, exit_io};
  return std::find(order.begin(), order.end(), a) > std::find(order.begin(), order.end(), b) ? a : b;
}

int solve_files(const SolveOptions& options) {
  return options.files.size() == 1 ? solve_one(options) : solve_many(options);
}

}  // namespace stiction::cli
