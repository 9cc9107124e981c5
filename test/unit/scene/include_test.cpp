#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "test/unit/scene/read_text.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test, removed at its end.
class IncludeTest : public testing::Test {
 protected:
  IncludeTest()
      : folder_(fs::path(testing::TempDir()) /
                ("stiction_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "scene" / "parts");
  }
  ~IncludeTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  fs::path file(const std::string& name) const { return folder_ / name; }
  /// The message of the only fault of loading and reading.
  std::string message_of(const std::string& name) const {
    try {
      read_scene(load_scene_text(file(name)));
    } catch (const InputError& error) {
      return error.faults().size() == 1 ? error.faults().front().message : error.what();
    }
    return "no fault";
  }

  fs::path folder_;
};

TEST_F(IncludeTest, TablesOfOtherFilesComeFirst) {
  write("scene/main.toml", "include = [\"parts/arm.toml\"]\n[body.base]\nfixed = true\n");
  write("scene/parts/arm.toml", "include = \"hand.toml\"\n[body.arm]\nmass = 1\n");
  write("scene/parts/hand.toml", "[body.hand]\nmass = 2\n");
  const SceneText text = load_scene_text(file("scene/main.toml"));
  ASSERT_EQ(text.files.size(), 3u);
  EXPECT_EQ(text.files[0].name, file("scene/main.toml").generic_string());
  const Scene scene = read_scene(text);
  ASSERT_EQ(scene.bodies.size(), 3u);
  EXPECT_EQ(scene.bodies[0].name, "hand");
  EXPECT_EQ(scene.bodies[1].name, "arm");
  EXPECT_EQ(scene.bodies[2].name, "base");
  // Each value carries the file it stands in.
  EXPECT_EQ(scene.source.find("body.hand.mass").file, file("scene/parts/hand.toml").generic_string());
  EXPECT_EQ(scene.source.find("body.base.fixed").file, file("scene/main.toml").generic_string());
}

TEST_F(IncludeTest, TablesAreMergedValuesAreNot) {
  write("scene/main.toml", "include = \"ball.toml\"\n[body.ball]\nposition = [0, 0, 1]\n");
  write("scene/ball.toml", "[body.ball]\nmass = 1\n");
  const Scene scene = read_scene(load_scene_text(file("scene/main.toml")));
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].value.mass, 1);
  EXPECT_EQ(scene.bodies[0].value.position->z(), 1);
  write("scene/main.toml", "include = \"ball.toml\"\n[body.ball]\nmass = 2\n");
  EXPECT_EQ(message_of("scene/main.toml"), "is already given at " + file("scene/ball.toml").generic_string() + ":2:1");
}

TEST_F(IncludeTest, FileIncludedTwiceCountsOnce) {
  write("scene/main.toml", "include = [\"a.toml\", \"b.toml\"]\n");
  write("scene/a.toml", "include = \"common.toml\"\n");
  write("scene/b.toml", "include = \"./common.toml\"\n");
  write("scene/common.toml", "[material.steel]\ndensity = 7850\n");
  EXPECT_EQ(read_scene(load_scene_text(file("scene/main.toml"))).materials.size(), 1u);
}

TEST_F(IncludeTest, Cycle) {
  write("scene/main.toml", "include = \"a.toml\"\n");
  write("scene/a.toml", "include = \"main.toml\"\n");
  EXPECT_EQ(message_of("scene/main.toml"), "\"main.toml\" includes itself");
}

TEST_F(IncludeTest, StaysInTheFolder) {
  write("secret.toml", "title = \"secret\"\n");
  write("scene/main.toml", "include = \"../secret.toml\"\n");
  EXPECT_EQ(message_of("scene/main.toml"), "\"../secret.toml\" may lead out of the scene's folder");
  write("scene/main.toml", "include = \"" + file("secret.toml").generic_string() + "\"\n");
  EXPECT_NE(message_of("scene/main.toml").find("is an absolute path"), std::string::npos);
  // A link is followed before the folder is compared.
  fs::create_symlink(file("secret.toml"), file("scene/link.toml"));
  write("scene/main.toml", "include = \"link.toml\"\n");
  EXPECT_EQ(message_of("scene/main.toml"), "\"link.toml\" leads out of the scene's folder");
  // An included file may not climb out of the main file's folder either.
  write("scene/parts/part.toml", "include = \"../../secret.toml\"\n");
  write("scene/main.toml", "include = \"parts/part.toml\"\n");
  EXPECT_EQ(message_of("scene/main.toml"), "\"../../secret.toml\" may lead out of the scene's folder");
}

TEST_F(IncludeTest, MissingFiles) {
  write("scene/main.toml", "include = [\"nothing.toml\", \"parts\", \"\", \".\"]\n");
  try {
    load_scene_text(file("scene/main.toml"));
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.faults().size(), 4u);
    EXPECT_EQ(error.faults()[0].message, "cannot read \"nothing.toml\": no such file");
    EXPECT_EQ(error.faults()[0].place.column, 12);
    EXPECT_EQ(error.faults()[1].message, "cannot read \"parts\": it is a folder");
    EXPECT_EQ(error.faults()[2].message, "expected the name of a file");
  }
  EXPECT_THROW(load_scene_text(file("scene/no.toml")), IoError);
  EXPECT_THROW(load_scene_text(file("scene")), IoError);
}

TEST_F(IncludeTest, FaultsOfIncludedTextsNameTheirFile) {
  write("scene/main.toml", "include = \"a.toml\"\n[time]\nstep = -1\n");
  write("scene/a.toml", "[body.a]\nmass = -1\n");
  try {
    read_scene(load_scene_text(file("scene/main.toml")));
    FAIL();
  } catch (const InputError& error) {
    ASSERT_EQ(error.faults().size(), 2u);
    EXPECT_EQ(error.faults()[0].place.file, file("scene/a.toml").generic_string());
    EXPECT_EQ(error.faults()[0].place.line_text, "mass = -1");
    EXPECT_EQ(error.faults()[1].place.file, file("scene/main.toml").generic_string());
  }
}

TEST_F(IncludeTest, SyntaxFaultsOfSeveralFilesAtOnce) {
  write("scene/main.toml", "include = [\"a.toml\", \"b.toml\"]\n");
  write("scene/a.toml", "[body\n");
  write("scene/b.toml", "mass = \n");
  try {
    read_scene(load_scene_text(file("scene/main.toml")));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.faults().size(), 2u);
  }
}

TEST(ReadScene, IncludeThatIsNotAmongTheTexts) {
  EXPECT_EQ(only_fault("include = \"arm.toml\"\n"), "1:11 include: \"arm.toml\" is not among the scene's files");
}

}  // namespace
}  // namespace stiction
