// A run that is killed at any moment and resumed ends with the same bits as one that never was, under every method; and
// taking checkpoints does not change the motion.
#include <gtest/gtest.h>

#include <limits>

#include "stiction/results/sqlite.h"

#include "support/child_process.h"
#include "support/examples.h"
#include "support/temporary_folder.h"

namespace stiction {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

RunOptions make_options(const std::filesystem::path& folder, double checkpoint_interval) {
  RunOptions options;
  options.folder = folder;
  options.checkpoint_interval = checkpoint_interval;
  return options;
}

struct Resumed {
  std::string example;
  std::vector<std::string> overrides;
  std::string name() const {
    std::string text = example;
    for (const std::string& word : overrides) {
      if (!word.starts_with("method.")) continue;
      text += '_';
      for (const char c : word.substr(word.find('=') + 1)) {
        if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') text += c;
      }
    }
    return text;
  }
};

// Events (ropes that go taut, touch-downs, impacts), constraints, bristles and sleepers are among them.
std::vector<Resumed> list_resumed() {
  std::vector<Resumed> list;
  for (const char* integrator : {"rk4", "semi_implicit_euler", "dormand_prince", "cvode_bdf", "cvode_adams"}) {
    const std::string word = std::string("method.integrator=\"") + integrator + "\"";
    list.push_back({"slider_crank", {word, "time.duration=0.3", "time.step=1e-3"}});
    list.push_back({"double_pendulum", {word, "time.duration=0.3", "time.step=1e-3", "method.joints=\"constraint\""}});
  }
  for (const char* integrator : {"rk4", "dormand_prince", "cvode_bdf"}) {
    const std::string word = std::string("method.integrator=\"") + integrator + "\"";
    // It touches at 0.02 s.
    list.push_back(
        {"ball_on_slope",
         {word, "time.duration=0.03", "time.step=4e-5", "time.output=2e-4", "body.ball.position=[0,0,0.535]"}});
  }
  for (const char* method : {"cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"}) {
    const std::string word = std::string("method.type=\"") + method + "\"";
    list.push_back({"falling_rod", {word, "time.duration=0.7"}});
    list.push_back({"newtons_cradle", {word, "time.duration=0.4"}});
  }
  list.push_back({"card_house", {"time.duration=0.1"}});
  // Layers that are pressed in, to the core, and sheared.
  list.push_back({"disc_core", {"time.duration=0.4"}});
  list.push_back({"ellipsoid_tilted", {"time.duration=0.3"}});
  return list;
}

class EveryResumed : public testing::TestWithParam<Resumed> {
 protected:
  Scene load() const { return test::load_example(GetParam().example, GetParam().overrides); }
  test::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Checkpoint, EveryResumed, testing::ValuesIn(list_resumed()),
                         [](const auto& info) { return info.param.name(); });

void expect_same_run(const std::filesystem::path& first, const std::filesystem::path& second) {
  const auto a = RunReader::open(first), b = RunReader::open(second);
  const RunSummary one = a->summary(), other = b->summary();
  EXPECT_EQ(one.status, RunStatus::completed) << one.message;
  EXPECT_EQ(one.hash, other.hash);
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.evaluations, other.evaluations);
  EXPECT_EQ(one.audit, other.audit);
  EXPECT_EQ(one.energy_worst_residual, other.energy_worst_residual);
  EXPECT_EQ(a->times(), b->times());
  for (const SignalInfo& signal : a->signals()) {
    const std::vector<double> x = a->read(signal.name), y = b->read(signal.name);
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << signal.name;
  }
  const auto events_of = [](const RunReader& run) {
    std::vector<std::string> list;
    for (const StepEvent& event : run.events())
      list.push_back(std::to_string(event.t) + " " + event.kind + " " + event.name);
    return list;
  };
  EXPECT_EQ(events_of(*a), events_of(*b));
  const auto count_contacts = [](const RunReader& run) {
    std::size_t count = 0;
    for (int part = 0; part < run.part_count(); ++part) count += run.contacts(part).size();
    return count;
  };
  EXPECT_EQ(count_contacts(*a), count_contacts(*b));
}

// What a kill would leave is the folder as it is between two transactions: copied there, while the run goes on.
TEST_P(EveryResumed, EndsTheSameFromEveryMoment) {
  const Scene scene = load();
  simulate(scene, make_options(folder_ / "whole", never));
  const std::int64_t steps = RunReader::open(folder_ / "whole")->summary().steps;
  // Five moments, in no rhythm with samples.
  constexpr int moments = 5;
  int calls = 0, copies = 0;
  RunOptions options = make_options(folder_ / "watched", 0);
  options.is_interrupted = [&] {
    if (++calls < (copies + 1) * steps / (moments + 1) + 7 * copies % 5) return false;
    std::filesystem::copy(folder_ / "watched", folder_ / ("copy" + std::to_string(copies++)));
    return false;
  };
  // With a checkpoint after every step that can be followed by one.
  simulate(scene, options);
  expect_same_run(folder_ / "watched", folder_ / "whole");
  ASSERT_GE(copies, moments);
  for (int i = 0; i < copies; ++i) {
    SCOPED_TRACE(i);
    const std::filesystem::path copy = folder_ / ("copy" + std::to_string(i));
    resume(copy);
    expect_same_run(copy, folder_ / "whole");
  }
}

// Two balls that bounce for 4 s, in 40,000 steps.
constexpr const char* bouncing_scene = R"(
[world]
gravity = [0, 0, -9.81]
[time]
duration = 4
step = 1e-4
output = 0.01
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.first]
mass = 1
position = [0, 0, 0.4]
shape = { type = "sphere", radius = 0.1 }
[body.second]
mass = 1
position = [1, 0, 0.55]
shape = { type = "sphere", radius = 0.1 }
[contact.default]
friction = 0.3
restitution = 0.95
)";

// Killed after its scene was stored and before its first checkpoint, as the run folder is then: it begins at its start.
TEST(KilledRun, BeginsAnewWithoutACheckpoint) {
  const test::TemporaryFolder folder;
  const Scene scene = read_scene(SceneText{{{"bouncing.toml", bouncing_scene}}, {"time.duration=0.1"}});
  simulate(scene, make_options(folder / "whole", never));
  const auto place = folder / "killed";
  RunOptions options = make_options(place, never);
  options.max_steps = 1;
  simulate(scene, options);
  Database(place / "run.sqlite", DatabaseAccess::write)
      .execute("DELETE FROM checkpoint; DELETE FROM part; DELETE FROM chunk; DELETE FROM contact; DELETE FROM event");
  ASSERT_FALSE(RunReader::open(place)->has_checkpoint());
  resume(place);
  expect_same_run(place, folder / "whole");
}

// By a real kill -9, three times over. When it comes is not asserted; what is found afterwards is.
TEST(KilledRun, GoesOnToTheSameEndAndHasItsEvents) {
  const test::TemporaryFolder folder;
  const Scene scene = read_scene(SceneText{{{"bouncing.toml", bouncing_scene}}, {}});
  simulate(scene, make_options(folder / "whole", never));
  const std::size_t all_events = RunReader::open(folder / "whole")->events().size();
  ASSERT_GT(all_events, 10u);
  const auto place = folder / "killed";
  // Long enough for the first checkpoints of a slow machine; a run that was faster has ended, which is as good.
  for (const int milliseconds : {60, 150, 90}) {
    test::ChildProcess child([&] {
      const RunOptions options = make_options(place, 0.004);
      if (holds_run(place)) {
        resume(place, options);
      } else {
        simulate(scene, options);
      }
    });
    usleep(static_cast<useconds_t>(1000 * milliseconds));
    child.kill();
    if (!holds_run(place)) continue;
    const auto reader = RunReader::open(place);
    const double end = reader->times().empty() ? 0 : reader->times().back();
    // All that happened up to the last sample is there.
    const std::vector<StepEvent> events = reader->events(), expected = RunReader::open(folder / "whole")->events();
    std::size_t until_end = 0;
    while (until_end < expected.size() && expected[until_end].t <= end) ++until_end;
    EXPECT_GE(events.size(), until_end);
    for (std::size_t i = 0; i < std::min(events.size(), expected.size()); ++i) EXPECT_EQ(events[i].t, expected[i].t);
  }
  ASSERT_TRUE(holds_run(place));
  resume(place);
  expect_same_run(place, folder / "whole");
}

// 10 s are the bar for a run whose step takes up to 10 ms: 1,000 steps.
TEST(KilledRun, CvodeIsNeverMoreThanAThousandStepsFromACheckpoint) {
  const Scene scene = test::load_example(
      "double_pendulum", {"method.integrator=\"cvode_bdf\"", "method.relative_tolerance=1e-10", "time.duration=20"});
  const test::TemporaryFolder folder;
  std::int64_t worst = 0;
  RunOptions options = make_options(folder / "run", 0);
  std::int64_t calls = 0;
  options.on_progress = [&](const Progress& progress) {
    const std::int64_t saved = RunReader::open(folder / "run")->last_checkpoint().state.step;
    worst = std::max(worst, progress.steps - saved);
    ++calls;
  };
  const RunResult run = simulate(scene, options);
  ASSERT_GT(run.summary.steps, 5000);
  ASSERT_GT(calls, 5);
  EXPECT_LE(worst, 1000);
}

}  // namespace
}  // namespace stiction
