// A pair of bodies whose gap the search over shapes that are not convex does not certify, and takes for open.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/examples.h"

namespace stiction {
namespace {

/// A ring whose tube overlaps a pin (ContactPoints.SayWhereTheyMayBeMissing has the proof).
std::string make_ring_on_pin(const std::string& method) {
  return fmt::format(R"(
[time]
duration = 0.01
step = 0.005
[method]
{}
[contact.default]
friction = 0.3
normal = {{ law = "linear", stiffness = 1e3, damping = 1 }}
[body.pin]
fixed = true
shape = {{ type = "cylinder", radius = 0.5, length = 1.5, axis = [0.36, 0.48, 0.8] }}
[body.ring]
mass = 1
inertia = [1, 1, 1]
position = [-0.249916117, -0.158815233, -0.44306337]
orientation = {{ quaternion = [-0.519877684, 0.0815744281, 0.310949714, -0.791443669] }}
shape = {{ type = "torus", radius = 1, tube_radius = 0.3, axis = [0.36, 0.48, 0.8] }}
)",
                     method);
}

class DoubtfulGap : public testing::TestWithParam<const char*> {};

TEST_P(DoubtfulGap, IsToldByTheVerdict) {
  const RunResult run = test::run_text("ring_on_pin", make_ring_on_pin(GetParam()));
  ASSERT_EQ(run.summary.status, RunStatus::completed) << run.summary.message;
  EXPECT_GE(run.summary.audit.at("uncertified"), 1);
  const MeasuredWorst& worst = run.summary.measures.worst.at("uncertified");
  EXPECT_EQ(worst.value, run.summary.measures.exchanged.steps);  // in each
  EXPECT_EQ(worst.place, "pin/ring");
  EXPECT_EQ(judge(run.summary, run.description).trust, Trust::do_not_trust);
}

INSTANTIATE_TEST_SUITE_P(Methods, DoubtfulGap,
                         testing::Values("type = \"cone\"", "type = \"berard\"",
                                         "type = \"compliant\"\nintegrator = \"rk4\""),
                         [](const auto& info) { return "n" + std::to_string(info.index); });

}  // namespace
}  // namespace stiction
