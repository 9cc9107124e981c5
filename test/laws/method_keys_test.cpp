// Keys of [method] and the methods that use them (describe/method_keys.h): a note that a key has no effect is true, and
// no example carries such a key.
#include "stiction/scene/describe/method_keys.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "stiction/run/simulation.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/stepping/stepper.h"

#include "support/examples.h"

namespace stiction {
namespace {

/// Each key with a value that is not its default.
const std::vector<std::pair<std::string, std::string>> keys = {
    {"integrator", "\"rk2\""},
    {"relative_tolerance", "1e-3"},
    {"absolute_tolerance", "1e-3"},
    {"max_step", "5e-4"},
    {"event_tolerance", "1e-4"},
    {"theta", "1"},
    {"directions", "4"},
    {"nonlinear", "true"},
    {"nonlinear_tolerance", "1e-3"},
    {"nonlinear_iterations", "2"},
    {"solver_tolerance", "1e-3"},
    {"impacts", "0"},
    {"settle", "true"},
    {"sleep", "0.01"},
    {"sleep_speed", "10"},
    {"located_contacts", "0"},
    {"threads", "2"},
    {"joints", "\"constraint\""},
    {"projection_tolerance", "1e-9"},
    {"strict", "true"},
};

/// A ball that lands obliquely on a floor beside a double pendulum with a stop.
std::string make_text(const std::string& method) {
  return "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.05\nstep = 1e-3\n[method]\n" + method +
         "[body.floor]\nfixed = true\nshape = { type = \"halfspace\" }\n"
         "[body.ball]\nmass = 1\nposition = [0, 0, 0.105]\nvelocity = [1, 0.3, -1]\nangular_velocity = [0, 3, 9]\n"
         "shape = { type = \"sphere\", radius = 0.1 }\n"
         "[body.upper]\nmass = 1\ninertia = 0.1\n[body.lower]\nmass = 1\ninertia = 0.1\n"
         "[joint.shoulder]\ntype = \"revolute\"\nchild = \"upper\"\nat = [3, 0, 3]\nchild_at = [0, 0, 0.5]\n"
         "axis = [0, 1, 0]\nvelocity = 2\nupper = 0.05\n"
         "[joint.elbow]\ntype = \"revolute\"\nparent = \"upper\"\nchild = \"lower\"\nat = [0, 0, -0.5]\n"
         "child_at = [0, 0, 0.5]\naxis = [0, 1, 0]\nvelocity = -3\n"
         "[contact.default]\nnormal = { law = \"linear\", stiffness = 1e4, damping = 20 }\n"
         "friction = { law = \"coulomb\", kinetic = 0.4 }\n";
}

VecX run_to_end(const std::string& method) {
  Simulation simulation = Simulation::from_text(make_text(method));
  (void)simulation.step_to(0.05);
  VecX end(simulation.state().q.size() + simulation.state().v.size());
  end << simulation.state().q, simulation.state().v;
  return end;
}

std::vector<std::string> list_unused(const std::string& text) {
  std::vector<std::string> list;
  for (const UnusedKey& unused : list_unused_keys(read_scene(SceneText{{{"keys.toml", text}}, {}})))
    list.push_back(unused.key);
  return list;
}

class MethodKeys : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, MethodKeys,
                         testing::Values("smooth", "compliant", "cone", "geometric_implicit", "stewart_trinkle",
                                         "berard", "anitescu_potra"),
                         [](const auto& method) { return method.param; });

// Where one is told, the motion is the same to the last bit.
TEST_P(MethodKeys, AKeyWithoutEffectHasNone) {
  const std::string type = fmt::format("type = \"{}\"\n", GetParam());
  const VecX plain = run_to_end(type);
  std::size_t told = 0;
  for (const auto& [key, value] : keys) {
    const std::string method = fmt::format("{}{} = {}\n", type, key, value);
    if (key == "sleep" && uses_integrator(GetParam())) continue;  // refused
    const std::vector<std::string> unused = list_unused(make_text(method));
    if (unused.empty()) continue;
    EXPECT_EQ(unused, std::vector<std::string>{key});
    EXPECT_EQ(run_to_end(method), plain) << GetParam() << ": " << key;
    ++told;
  }
  EXPECT_GE(told, 5u);
}

// What is used changes the motion, where this scene shows it.
TEST(MethodKeysInUse, ActWhereNothingIsTold) {
  const std::vector<std::tuple<std::string, std::string, std::string>> acting = {
      {"cone", "", "theta = 1"},
      {"cone", "", "impacts = 0"},
      {"berard", "", "directions = 4"},
      {"stewart_trinkle", "", "nonlinear = true"},
      {"stewart_trinkle", "nonlinear = true\n", "nonlinear_tolerance = 1e-2"},
      {"geometric_implicit", "", "nonlinear_tolerance = 1e-2"},
      {"geometric_implicit", "", "max_step = 5e-4"},
      {"geometric_implicit", "max_step = 2e-3\n", "absolute_tolerance = 1e-4"},
      {"compliant", "", "integrator = \"rk2\""},
      {"compliant", "integrator = \"dormand_prince\"\n", "relative_tolerance = 1e-4"},
      {"compliant", "integrator = \"dormand_prince\"\n", "max_step = 1e-4"},
  };
  for (const auto& [type, before, key] : acting) {
    const std::string method = fmt::format("type = \"{}\"\n{}", type, before);
    EXPECT_EQ(list_unused(make_text(method + key + "\n")), std::vector<std::string>{}) << type << ": " << key;
    EXPECT_NE(run_to_end(method + key + "\n"), run_to_end(method)) << type << ": " << key;
  }
}

// A key that joins [method] has to say who uses it: those of every method are few.
TEST(MethodKeysInUse, EveryKeyIsInTheTable) {
  const std::set<std::string> of_all = {"type", "joints", "projection_tolerance", "strict"};
  std::set<std::string> tried = {"type"};
  for (const auto& [key, value] : keys) tried.insert(key);
  for (const FieldInfo& field : describe_method().info().fields) {
    EXPECT_EQ(find_users_of_key(field.name).empty(), of_all.contains(field.name)) << field.name;
    EXPECT_TRUE(tried.contains(field.name)) << field.name;
    if (of_all.contains(field.name)) continue;
    EXPECT_NE(field.sentence.find(find_users_of_key(field.name)), std::string::npos) << field.sentence;
  }
}

// Written with its default it has no effect either, and is told all the same; of a scene without a text, what differs.
TEST(MethodKeysInUse, WhatIsGivenIsTold) {
  EXPECT_EQ(list_unused(make_text("type = \"berard\"\ntheta = 0.5\n")), std::vector<std::string>{"theta"});
  Scene scene;
  scene.method.type = "cone";
  scene.method.directions = 6;
  const std::vector<UnusedKey> unused = list_unused_keys(scene);
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_EQ(format_unused_key(unused[0]),
            "method.directions has no effect: it is used by `stewart_trinkle`, `berard`, `anitescu_potra`");
}

TEST(MethodKeysInUse, NoExampleCarriesOneWithoutEffect) {
  for (const std::string& name : test::example_names())
    for (const UnusedKey& unused : list_unused_keys(test::load_example(name)))
      ADD_FAILURE() << name << ": " << format_unused_key(unused);
}

}  // namespace
}  // namespace stiction
