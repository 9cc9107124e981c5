// Who watches a motion does not change it: the final state has the same bits whatever is recorded, and how often.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "support/examples.h"

namespace stiction {
namespace {

using test::run_example;

struct Watched {
  std::string example;
  std::string method;      ///< method.type
  std::string integrator;  ///< of methods that have one
  double step = 0;         ///< [s]
  double duration = 0;     ///< [s], no whole number of steps: the last one is cut
};

std::string number(double value) {
  std::ostringstream text;
  text << std::setprecision(17) << value;
  return text.str();
}

std::vector<std::string> make_overrides(const Watched& watched, const std::string& output) {
  std::vector<std::string> overrides = {"time.step=" + number(watched.step),
                                        "time.duration=" + number(watched.duration), "time.output=" + output,
                                        "method.type=\"" + watched.method + "\""};
  if (!watched.integrator.empty()) overrides.push_back("method.integrator=\"" + watched.integrator + "\"");
  return overrides;
}

class EveryWatched : public testing::TestWithParam<Watched> {};

INSTANTIATE_TEST_SUITE_P(Recording, EveryWatched,
                         testing::Values(Watched{"double_pendulum", "smooth", "rk4", 1e-3, 0.9004},
                                         Watched{"slider_crank", "smooth", "semi_implicit_euler", 1e-3, 0.5004},
                                         Watched{"impact", "compliant", "rk4", 2e-6, 0.0010008},
                                         Watched{"card_house", "cone", "", 2e-3, 0.301},
                                         Watched{"falling_rod", "cone", "", 1e-3, 0.6004},
                                         Watched{"falling_rod", "stewart_trinkle", "", 1e-3, 0.6004},
                                         Watched{"falling_rod", "anitescu_potra", "", 1e-3, 0.6004}),
                         [](const auto& info) {
                           return info.param.example + "_" + info.param.method +
                                  (info.param.integrator.empty() ? "" : "_" + info.param.integrator);
                         });

TEST_P(EveryWatched, EndsTheSameWhateverTheRecordingInterval) {
  const Watched& watched = GetParam();
  const auto in_steps = [&](double count) { return number(count * watched.step); };
  const RunResult every_step = run_example(watched.example, make_overrides(watched, in_steps(1)));
  ASSERT_EQ(every_step.summary.status, RunStatus::completed) << every_step.summary.message;
  // Whole numbers of steps, and one that is none.
  for (const double count : {7.0, 3.0, 10.0, 2.6}) {
    SCOPED_TRACE(count);
    const RunResult run = run_example(watched.example, make_overrides(watched, in_steps(count)));
    EXPECT_EQ(run.summary.hash, every_step.summary.hash);
    EXPECT_EQ(run.summary.steps, every_step.summary.steps);
    // A sample is that of the first step at its recording time or after it, by less than a step.
    for (std::size_t i = 0; i + 1 < run.times.size(); ++i) {
      const double late = run.times[i] - static_cast<double>(i) * count * watched.step;
      EXPECT_GE(late, -1e-9 * watched.step);
      EXPECT_LT(late, watched.step);
    }
    EXPECT_EQ(run.times.back(), run.summary.time);
  }
}

// Adaptive methods interpolate; their longest step is given here, as it is the recording interval by default.
TEST(Recording, AdaptiveMethodsEndTheSame) {
  for (const std::string integrator : {"dormand_prince", "cvode_bdf"}) {
    SCOPED_TRACE(integrator);
    const auto run = [&](const std::string& more) {
      return run_example("ball_on_slope", {"method.integrator=\"" + integrator + "\"", "time.duration=0.7",
                                           "method.max_step=1e-3", more})
          .summary.hash;
    };
    const std::string hash = run("time.output=1e-3");
    EXPECT_EQ(run("time.output=7e-3"), hash);
    EXPECT_EQ(run("time.output=0.00123"), hash);
    EXPECT_EQ(run("record.signals=[\"energy.total\"]"), hash);
  }
}

TEST_P(EveryWatched, EndsTheSameWhateverSignalsAreRecorded) {
  const Watched& watched = GetParam();
  std::vector<std::string> overrides = make_overrides(watched, number(watched.step));
  const std::string hash = run_example(watched.example, overrides).summary.hash;
  overrides.push_back("record.signals=[\"energy.total\"]");
  EXPECT_EQ(run_example(watched.example, overrides).summary.hash, hash);
}

}  // namespace
}  // namespace stiction
