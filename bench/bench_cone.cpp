/// Scoreboard of cone problems: bench_cone [--limit SECONDS] FILE.hdf5...
/// Our default against Siconos' methods (where built with it), tolerance 1e-8, one thread, each run in a process of its
/// own with a time limit. Time is processor time, the least of three runs if short; reading and converting are not
/// counted.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>

#include "stiction/base/fault.h"
#include "stiction/problems/fclib.h"
#include "stiction/solvers/cone/cone_auto.h"
#ifdef STICTION_WITH_SICONOS
#include "bench_cone_siconos.h"
#endif

namespace {

using namespace stiction;

constexpr double tolerance = 1e-8;

struct Score {
  double seconds = INFINITY, residual = INFINITY;
  int iterations = 0;
  bool solved() const { return residual <= tolerance; }
};

double read_clock() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

// Runs `work` (it returns r and iterations) up to three times.
Score measure(const ConeProblem& problem, const std::function<std::pair<VecX, int>()>& work) {
  Score score;
  double total = 0;
  for (int run = 0; run < 3 && total < 0.5; ++run) {
    const double start = read_clock();
    const auto [r, iterations] = work();
    const double seconds = read_clock() - start;
    total += seconds;
    score.seconds = std::min(score.seconds, seconds);
    score.residual = calc_residual(problem, r);
    score.iterations = iterations;
  }
  return score;
}

// The same in a child process that is ended after `limit` seconds; a crash or a time-out counts as unsolved.
Score measure_apart(double limit, const std::function<Score()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(static_cast<unsigned>(limit));
    if (!std::freopen("/dev/null", "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(1);
    const Score score = work();
    const auto written = write(ends[1], &score, sizeof score);
    _exit(written == sizeof score ? 0 : 1);
  }
  close(ends[1]);
  Score score;
  if (read(ends[0], &score, sizeof score) != sizeof score) score = {};
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return score;
}

Score measure_ours(const ConeProblem& problem) {
  return measure(problem, [&] {
    ConeOptions options;
    options.tolerance = tolerance;
    ConeResult result = solve_cone(problem, options);
    return std::pair(result.r, result.iterations);
  });
}

// The best of Siconos' methods and its name.
std::pair<Score, std::string> measure_siconos([[maybe_unused]] const ConeProblem& problem,
                                              [[maybe_unused]] double limit) {
  std::pair<Score, std::string> best;
#ifdef STICTION_WITH_SICONOS
  for (const std::string& method : name_siconos_methods(problem.dimension())) {
    const Score score = measure_apart(limit, [&] {
      SiconosRun run(problem, method, tolerance);
      return measure(problem, [&] { return std::pair(run.solve(), 0); });
    });
    if (score.solved() && score.seconds < best.first.seconds) best = {score, method};
  }
#endif
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  // The linear algebra under Siconos reads this when it is loaded.
  if (!std::getenv("OPENBLAS_NUM_THREADS")) {
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv("/proc/self/exe", argv);
  }
  double limit = 20;
  std::vector<double> ratios;
  fmt::print("{:<42} {:>5} {:>9} {:>7} {:>10} {:>12} {:>8}\n", "problem", "nc", "residual", "steps", "seconds",
             "siconos", "ratio");
  for (int a = 1; a < argc; ++a) {
    const std::string file = argv[a];
    if (file == "--limit" && a + 1 < argc) {
      limit = std::atof(argv[++a]);
      continue;
    }
    try {
      const ConeProblem problem = read_local_problem(file);
      const Score ours = measure_apart(300, [&] { return measure_ours(problem); });
      const auto [best, method] = measure_siconos(problem, limit);
      const double ratio = best.seconds / ours.seconds;
      fmt::print("{:<42} {:>5} {:>9.1e} {:>7} {:>10.6f} {:>12.6f} {:>8.1f} {}{}\n", file.substr(file.rfind('/') + 1),
                 problem.contacts(), ours.residual, ours.iterations, ours.seconds, best.seconds, ratio, method,
                 ours.solved() ? "" : "  NOT SOLVED");
      std::fflush(stdout);
      if (problem.contacts() >= 20 && ours.solved()) ratios.push_back(ratio);
    } catch (const InputError& error) {
      fmt::print("{}", error.what());
    }
  }
  if (ratios.empty()) return 0;
  std::sort(ratios.begin(), ratios.end());
  fmt::print("20 contacts and more: median ratio {:.1f}, least {:.1f}\n", ratios[ratios.size() / 2], ratios.front());
}
