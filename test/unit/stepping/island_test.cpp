// Which clusters make an island, and how its coordinates are numbered.
#include "stiction/stepping/rigid/island.h"

#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

// Balls a to e; a spring from a to d; e hangs on an arm that is driven and carries a ball joint.
const char* const island_scene = R"(
[world]
gravity = [0, 0, -9.81]
[method]
type = "cone"
[body.floor]
fixed = true
shape = { type = "halfspace", normal = [0, 0, 1] }
[body.a]
mass = 1
position = [0, 0, 1]
shape = { type = "sphere", radius = 0.1 }
[body.b]
mass = 1
position = [1, 0, 1]
shape = { type = "sphere", radius = 0.1 }
[body.c]
mass = 1
position = [2, 0, 1]
shape = { type = "box", size = [0.1, 0.1, 0.1] }
[body.d]
mass = 1
position = [3, 0, 1]
shape = { type = "sphere", radius = 0.1 }
[body.arm]
mass = 1
inertia = [0.01, 0.01, 0.01]
[body.e]
mass = 1
shape = { type = "sphere", radius = 0.1, position = [0, 0, -0.5] }
[joint.drive]
type = "revolute"
child = "arm"
at = [5, 0, 2]
[joint.ball]
type = "spherical"
parent = "arm"
child = "e"
[driver.turn]
joint = "drive"
motion = { velocity = 1 }
[spring.link]
a = "a"
b = "d"
stiffness = 10
rest_length = 3
[contact.default]
friction = 0.5
)";

struct IslandTest : testing::Test {
  static System make_system() { return compile(read_scene(SceneText{{{"scene.toml", island_scene}}, {}})); }
  static MethodSettings make_settings() {
    MethodSettings settings;
    settings.type = "cone";
    return settings;
  }
  int find_shape(const std::string& name) const {
    for (std::size_t i = 0; i < system.contact.shapes.size(); ++i)
      if (system.contact.shapes[i].body_name == name) return static_cast<int>(i);
    return -1;
  }
  FoundPair make_pair(const std::string& x, const std::string& y) const {
    const int a = find_shape(x), b = find_shape(y);
    return {.a = std::min(a, b), .b = std::max(a, b)};
  }
  std::vector<std::string> list_bodies(const Island& island) const {
    std::vector<std::string> names;
    for (const BodyPlace& place : island.bodies) names.push_back(system.bodies[static_cast<std::size_t>(place.body)].name);
    return names;
  }
  using Names = std::vector<std::string>;

  const System system = make_system();
  const RigidModel model{system, make_settings()};
  const Sleeping sleeping{model};
  IslandFinder finder{model};
};

TEST_F(IslandTest, ForceElementsConnectAndWhatIsFixedDoesNot) {
  FoundContacts found;
  found.pairs = {make_pair("floor", "b"), make_pair("floor", "c")};
  finder.update(found, {}, sleeping);
  ASSERT_EQ(finder.size(), 4);
  EXPECT_EQ(list_bodies(finder.list()[0]), (Names{"a", "d"}));
  EXPECT_EQ(list_bodies(finder.list()[1]), (Names{"b"}));
  EXPECT_EQ(list_bodies(finder.list()[2]), (Names{"c"}));
  // The driven body that carries e comes first, its coordinate last.
  const Island& arm = finder.list()[3];
  EXPECT_EQ(list_bodies(arm), (Names{"arm", "e"}));
  EXPECT_EQ(arm.nv, 4);
  EXPECT_EQ(arm.bodies[0].v_start, 3);
  EXPECT_EQ(arm.bodies[1].v_start, 0);
  EXPECT_TRUE(arm.has_prescribed);
  // Gyroscopic moments: of a box, not of a ball; the spring has forces that may depend on velocities.
  EXPECT_TRUE(finder.list()[0].feels_velocity);
  EXPECT_FALSE(finder.list()[1].feels_velocity);
}

TEST_F(IslandTest, ContactsConnect) {
  FoundContacts found;
  found.pairs = {make_pair("b", "c"), make_pair("c", "d")};
  found.contacts.resize(3);
  found.pairs[0].end = 2;
  found.pairs[1].begin = 2, found.pairs[1].end = 3;
  finder.update(found, {}, sleeping);
  ASSERT_EQ(finder.size(), 2);
  const Island& island = finder.list()[0];
  EXPECT_EQ(list_bodies(island), (Names{"a", "b", "c", "d"}));
  EXPECT_EQ(island.contacts.size(), 3u);
  EXPECT_EQ(island.nv, 24);
  EXPECT_EQ(island.forces.size(), 1u);
}

}  // namespace
}  // namespace stiction
