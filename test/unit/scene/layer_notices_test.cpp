// A layer whose core is never reached is told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/compile/notices.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

std::size_t count_warnings(const std::string& wall, const std::string& layer) {
  const Scene scene = read_text(fmt::format(R"(
time = {{ duration = 1, step = 1e-3 }}
method.type = "geometric_implicit"
[body.wall]
fixed = true
shape = {}
[body.ball]
mass = 1
position = [-0.5, 0, 0]
shape = {{ type = "sphere", radius = 0.006 }}
[contact.default]
friction = 0
layer = {{ stiffness = 100{} }}
)",
                                            wall, layer));
  const std::vector<std::string> warnings = list_warnings(scene, compile(scene));
  for (const std::string& warning : warnings) EXPECT_NE(warning.find("core is never reached"), std::string::npos);
  return warnings.size();
}

// A ball of 12 mm and a wall of 3 mm: at a depth of 7.5 mm the ball's centre is in the middle of the wall.
TEST(LayerNotices, TellOfLayersThatAreThickerThanTheirBodies) {
  const std::string wall = "{ type = \"box\", size = [0.003, 1, 1] }";
  EXPECT_EQ(count_warnings(wall, ", thickness = 0.0074"), 0u);
  EXPECT_EQ(count_warnings(wall, ", thickness = 0.0076"), 1u);
  EXPECT_EQ(count_warnings(wall, ""), 0u);  // there is no core
  EXPECT_EQ(count_warnings("{ type = \"halfspace\", normal = [-1, 0, 0] }", ", thickness = 1"), 0u);
}

}  // namespace
}  // namespace stiction
