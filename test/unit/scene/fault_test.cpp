#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "stiction/scene/compile/compile.h"

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;
const fs::path folder = fs::path(STICTION_SOURCE_DIR) / "test/cli/broken";

struct BrokenScene {
  fs::path file;
  std::string found_by;
  std::vector<std::string> expected;
};

std::vector<BrokenScene> list_broken_scenes() {
  std::vector<BrokenScene> scenes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    BrokenScene scene{entry.path(), {}, {}};
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line) && line.starts_with("# ");) {
      if (line.starts_with("# found by: ")) scene.found_by = line.substr(12);
      if (line.starts_with("# expect: ")) scene.expected.push_back(line.substr(10));
    }
    scenes.push_back(scene);
  }
  std::sort(scenes.begin(), scenes.end(), [](const BrokenScene& a, const BrokenScene& b) { return a.file < b.file; });
  return scenes;
}

class BrokenSceneTest : public testing::TestWithParam<BrokenScene> {};

std::size_t count_errors(const std::vector<std::string>& expected) {
  return static_cast<std::size_t>(std::count_if(expected.begin(), expected.end(), [](const std::string& text) {
    return text.find(": error: ") != std::string::npos;
  }));
}

// The words that a user must be told stand in the scene itself: test/cli/broken/README.md.
TEST_P(BrokenSceneTest, SaysWhatIsWrong) {
  const BrokenScene& scene = GetParam();
  ASSERT_FALSE(scene.expected.empty());
  const bool by_reading = scene.found_by == "reading", by_both = scene.found_by == "both";
  ASSERT_TRUE(by_reading || by_both || scene.found_by == "compiling");
  std::vector<Fault> faults;
  bool read = false;
  try {
    const Scene content = read_scene(load_scene_text(scene.file), faults);
    read = faults.empty();
    compile(content, faults);
    FAIL() << "no fault found";
  } catch (const InputError& error) {
    EXPECT_EQ(read, !by_reading && !by_both) << error.what();
    for (const std::string& text : scene.expected) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos)
          << "expected " << text << "\ngot " << error.what();
    }
    const std::size_t count = by_reading || by_both ? count_errors(scene.expected) : error.faults().size();
    EXPECT_EQ(error.faults().size(), count) << error.what();
    for (const Fault& fault : error.faults()) EXPECT_GT(fault.place.line, 0) << fault.message;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenSceneTest, testing::ValuesIn(list_broken_scenes()),
                         [](const testing::TestParamInfo<BrokenScene>& test) {
                           return test.param.file.stem().string();
                         });

TEST(SourceMap, PlacesOfValuesAndTables) {
  const Scene scene = read_text(
      "[body.ball]\nmass = 2\nshape = { type = \"sphere\", radius = 1 }\n[joint.hinge]\ntype = \"revolute\"\nparent = "
      "\"world\"\nchild = \"ball\"\n");
  const auto at = [&](const std::string& path) {
    const SourcePlace place = scene.source.find(path);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  EXPECT_EQ(at("body.ball"), "1:7");
  EXPECT_EQ(at("body.ball.mass"), "2:8");
  EXPECT_EQ(at("body.ball.shape"), "3:9");
  EXPECT_EQ(at("body.ball.shape.radius"), "3:37");
  EXPECT_EQ(at("joint.hinge.parent"), "6:10");
  EXPECT_EQ(at("joint.hinge.type"), "5:8");
  // What is not written stands where its table does.
  EXPECT_EQ(at("body.ball.inertia"), "1:7");
  EXPECT_EQ(at("body.ball.motion.position"), "1:7");
  EXPECT_EQ(at("time.step"), "0:0");
  EXPECT_EQ(scene.source.find("body.ball.mass").line_text, "mass = 2");
  EXPECT_EQ(scene.source.find("body.ball.mass").file, "scene.toml");
}

TEST(Fault, UnderlineCountsCharacters) {
  // Two bytes, one character, before the fault; the line ends with CR LF.
  const std::vector<Fault> faults = list_faults("record = { signals = [\"\u00fc\", 512] }\r\n");
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].place.column, 28);
  EXPECT_EQ(faults[0].place.length, 3);
  EXPECT_EQ(faults[0].place.line_text, "record = { signals = [\"\u00fc\", 512] }");
}

TEST(Fault, LineThatIsTooLongIsNotShown) {
  const std::vector<Fault> faults = list_faults("world = { gravty = [0, 0, 0], " + std::string(500, ' ') + "x = 1 }\n");
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].place.line_text, "");
  EXPECT_EQ(faults[0].place.column, 11);
}

TEST(Fault, FieldsOfAnUnknownTypeAreNotBlamed) {
  EXPECT_EQ(only_fault("[joint.j]\ntype = \"revolut\"\nchild = \"a\"\npitch = 1\nposition = [1, 2]\n"),
            "2:8 joint.j.type: expected \"weld\", \"revolute\", \"prismatic\", \"screw\", \"cylindrical\", "
            "\"universal\", \"planar\", "
            "\"spherical\" or \"free\", got \"revolut\"");
}

}  // namespace
}  // namespace stiction
