#include <gtest/gtest.h>

#include "stiction/base/random.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

const std::string valid_scene = R"(title = "All there is"
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[time]
duration = 4.5
step = "20 us"
[method]
type = "smooth"
integrator = "rk4"
relative_tolerance = 1e-9
[record]
signals = ["ball.*", 'energy.*']
[material.steel]
density = 7850
[body.plane]
fixed = true
orientation = [{ axis = [0, 1, 0], angle = "20 deg" }, { quaternion = [1, 0, 0, 0] }]
[body.ball]
mass = 2.0
inertia = [[3, 0.5, 0], [0.5, 4, 0], [0, 0, 5]]
position = [0, 0, 2]
shape = { type = "sphere", radius = 0.1 }
[body.hammer.shape.head]
type = "cone"
radius = "15 mm"
height = 0.1
[body.pusher]
motion = { position = { start = [-0.6, 0.3, 0], velocity = [0.1, 0, 0] } }
[joint.hinge]
type = "revolute"
parent = "ball"
child = "hammer"
axis = [0, 0, 1]
position = "30 deg"
lower = -1
upper = 2
[constraint.gear]
type = "coupler"
joints = ["hinge", "slide.angle"]
ratios = [1, -3]
[spring.mount]
type = "bushing"
b = "ball"
stiffness_matrix = [1, 2, 3, 4, 5, 6]
friction = [1, 2, 3, 4, 5, 6]
tolerance_velocity = "1 mm/s"
[motor.m]
joint = "hinge"
effort = { sine = { amplitude = 2, frequency = "1 Hz" } }
[driver.d]
joint = "hinge"
motion = { table = [[0, 0], [1, 0.5], [2, 0]] }
[force.f]
body = "ball"
force = [1, { polynomial = [0, 1, 2] }, 0]
[contact."ball/plane"]
friction = 0.5
)";

const std::vector<std::string> tokens = {"[",
                                         "]",
                                         "{",
                                         "}",
                                         "=",
                                         ".",
                                         ",",
                                         "\"",
                                         "'",
                                         "\"\"\"",
                                         "'''",
                                         "#",
                                         "\n",
                                         "\r\n",
                                         "\\",
                                         "\0",
                                         "\xff",
                                         "\xc3",
                                         "nan",
                                         "inf",
                                         "-",
                                         "1e308",
                                         "1e999",
                                         "0",
                                         "true",
                                         "2020-01-01",
                                         "type = \"box\"",
                                         "include = \"scene.toml\"\n",
                                         "[[body]]\n",
                                         "[body.ball]\n",
                                         "\"1 m\"",
                                         "\"5 kg/(m s)^2\"",
                                         "a.b.c = 1\n",
                                         "[]",
                                         "{}",
                                         "[!]",
                                         "[[[[[[[[",
                                         "x = {{",
                                         "0x",
                                         "\\u0000",
                                         "\\UFFFFFFFF",
                                         "99999999999999999999",
                                         "_1",
                                         "1_000",
                                         "+",
                                         "\t"};

void mutate(std::string& text, Random& random) {
  const auto place = [&](std::size_t size) {
    return static_cast<std::size_t>(random.index(static_cast<int>(size) + 1));
  };
  const std::size_t at = place(text.size()), length = place(std::min<std::size_t>(text.size() - at, 12));
  switch (random.index(6)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, tokens[static_cast<std::size_t>(random.index(static_cast<int>(tokens.size())))]);
      break;
    case 2:
      text.replace(at, length, tokens[static_cast<std::size_t>(random.index(static_cast<int>(tokens.size())))]);
      break;
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(random.index(256));
      break;
    case 4:
      text.insert(place(text.size()), text.substr(at, 10 * length));
      break;
    default:
      if (random.index(20) == 0) text.resize(at);
      break;
  }
}

TEST(ReadScene, ValidSceneOfTheMutationTestIsValid) {
  EXPECT_EQ(format_faults(list_faults(valid_scene)), "");
}

// Whatever the bytes, reading ends with a scene or with faults that have a place. A fixed seed: the same every time.
TEST(ReadScene, MutatedTextsNeverDoAnythingElse) {
  Random random(20240607);
  int valid = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = valid_scene;
    const int count = 1 + random.index(4);
    for (int k = 0; k < count; ++k) mutate(text, random);
    try {
      read_text(text);
      ++valid;
    } catch (const InputError& error) {
      ASSERT_FALSE(error.faults().empty());
      for (const Fault& fault : error.faults()) {
        ASSERT_EQ(fault.place.file, "scene.toml") << text;
        ASSERT_GT(fault.place.line, 0) << text;
        ASSERT_GT(fault.place.column, 0) << text;
        ASSERT_FALSE(fault.message.empty()) << text;
      }
    }
  }
  // Both outcomes must have been seen, or the mutations are too wild or too tame.
  EXPECT_GT(valid, 500);
  EXPECT_LT(valid, 15000);
}

TEST(ReadScene, MutatedOverridesNeverDoAnythingElse) {
  Random random(5);
  const std::vector<std::string> starts = {"time.step=20 us", "body.ball.position=[0, \"1 mm\", 0]",
                                           "contact.\"a/b\".friction=1",
                                           "body.ball.shape={ type = \"box\", size = [1, 1, 1] }"};
  for (int i = 0; i < 2000; ++i) {
    std::string text = starts[static_cast<std::size_t>(random.index(4))];
    for (int k = 0; k < 3; ++k) mutate(text, random);
    for (const Fault& fault : list_faults(valid_scene, {text})) ASSERT_GT(fault.place.line, 0) << text;
  }
}

}  // namespace
}  // namespace stiction
