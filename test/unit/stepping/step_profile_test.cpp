// The clock of the parts of a step.
#include "stiction/stepping/step_profile.h"

#include <gtest/gtest.h>

#include <numeric>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

namespace stiction {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
void wait_a_millisecond() {
  const auto start = Clock::now();
  while (seconds_since(start) < 1e-3) {
  }
}
double seconds_of(const StepProfile& profile, StepPart part) {
  return profile.seconds()[static_cast<std::size_t>(part)];
}
double sum_seconds(const StepProfile& profile) {
  return std::accumulate(profile.seconds().begin(), profile.seconds().end(), 0.0);
}

TEST(StepProfile, ATimeBelongsToTheInnermostPart) {
  StepProfile profile;
  profile.start();
  const auto start = Clock::now();
  {
    const StepProfile::Scope outer(profile, StepPart::other);
    wait_a_millisecond();
    {
      const StepProfile::Scope inner(profile, StepPart::solving);
      wait_a_millisecond();
    }
    wait_a_millisecond();
  }
  EXPECT_GE(seconds_of(profile, StepPart::other), 2e-3);
  EXPECT_GE(seconds_of(profile, StepPart::solving), 1e-3);
  EXPECT_LE(sum_seconds(profile), seconds_since(start));
}

TEST(StepProfile, AllThatLocatesAnImpactIsLocating) {
  StepProfile profile;
  profile.start();
  {
    const StepProfile::Scope outer(profile, StepPart::locating);
    const StepProfile::Scope inner(profile, StepPart::solving);
    wait_a_millisecond();
  }
  EXPECT_GE(seconds_of(profile, StepPart::locating), 1e-3);
  EXPECT_EQ(seconds_of(profile, StepPart::solving), 0);
}

TEST(StepProfile, NothingIsCountedBeforeItStartsAndBetweenParts) {
  StepProfile profile;
  { const StepProfile::Scope scope(profile, StepPart::solving); }
  EXPECT_EQ(sum_seconds(profile), 0);
  profile.start();
  { const StepProfile::Scope scope(profile, StepPart::solving); }
  wait_a_millisecond();
  const double before = sum_seconds(profile);
  wait_a_millisecond();
  { const StepProfile::Scope scope(profile, StepPart::finding); }
  EXPECT_EQ(seconds_of(profile, StepPart::solving), before);
}

// A ball that rolls on a floor: all its time is in parts, and the clock changes no bit of its motion.
TEST(StepProfile, ChangesNoMotion) {
  const System system = compile(read_scene(SceneText{{{"ball.toml", R"(
[time]
duration = 1
step = 0.01
[method]
type = "cone"
[contact."floor/ball"]
friction = 0.5
[body.floor]
fixed = true
shape = { type = "halfspace" }
[body.ball]
mass = 1
position = [0, 0, 0.11]
velocity = [1, 0, 0]
shape = { type = "sphere", radius = 0.1 }
)"}},
                                                     {}}));
  MethodSettings settings;
  settings.step = 0.01;
  settings.type = "cone";
  const auto plain = make_stepper(system, settings), profiled = make_stepper(system, settings);
  profiled->start_profile();
  State a = system.initial, b = system.initial;
  double all = 0;
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(plain->step(a, 10).status, StepStatus::ok);
    const auto start = Clock::now();
    ASSERT_EQ(profiled->step(b, 10).status, StepStatus::ok);
    all += seconds_since(start);
  }
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  const StepProfile profile = profiled->profile();
  for (const StepPart part : {StepPart::finding, StepPart::assembling, StepPart::solving, StepPart::other})
    EXPECT_GT(seconds_of(profile, part), 0) << name_of(part);
  EXPECT_LE(sum_seconds(profile), all);
  EXPECT_EQ(sum_seconds(plain->profile()), 0);
}

}  // namespace
}  // namespace stiction
