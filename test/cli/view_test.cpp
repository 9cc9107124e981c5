#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <regex>
#include <set>

#include "test/cli/program.h"
#include "test/cli/scenes.h"

namespace stiction_test {
namespace {

// A run to look at.
class view_command : public testing::Test {
 protected:
  void SetUp() override {
    write_text(folder_.path() / "spring.toml", spring_scene);
    ASSERT_EQ(run({"run", "spring.toml", "--quiet", "--out", "one"}).code, 0);
  }
  ProgramResult run(const std::vector<std::string>& words, const std::string& environment = "NO_COLOR=1") const {
    return run_program(words, {.folder = folder_.path(), .environment = {environment}});
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.path() / name); }

  TemporaryFolder folder_;
};

TEST_F(view_command, writes_one_file_that_asks_nothing_of_a_network) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  const ProgramResult result = run({"view", "one", "-o", "a.html"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "wrote a.html\n");
  const std::string page = read_text(folder_.path() / "a.html");
  EXPECT_TRUE(contains(page, "Spring &lt;test&gt; &amp; more"));
  for (const char* asking : {"<script src", "<link rel=\"stylesheet", "@import", "<img"})
    EXPECT_FALSE(contains(page, asking));
  ASSERT_EQ(run({"view", "one", "-o", "b.html"}).code, 0);
  EXPECT_EQ(read_text(folder_.path() / "b.html"), page);
}

TEST_F(view_command, run_with_view_leaves_the_report_in_the_run_folder) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  const ProgramResult result = run({"run", "spring.toml", "--out", "two", "--view"}, "DISPLAY=");
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "report: two/report.html")) << result.err;
  EXPECT_TRUE(exists("two/report.html"));
}

// An xdg-open that waits for its browser: it ends when this test has seen the run end, or when its folder is gone, or
// after 1,000 looks.
TEST_F(view_command, a_live_run_waits_for_no_browser_and_says_that_nobody_looked) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  const std::filesystem::path opener = folder_.path() / "bin/xdg-open";
  std::filesystem::create_directories(opener.parent_path());
  const std::filesystem::path closed = folder_.path() / "browser_closed";
  write_text(opener, "#!/bin/sh\ni=0\nwhile [ -d '" + folder_.path().string() + "' ] && [ ! -e '" + closed.string() +
                         "' ] && [ $i -lt 1000 ]; do /bin/sleep 0.05; i=$((i + 1)); done\n");
  std::filesystem::permissions(opener, std::filesystem::perms::owner_all);
  const ProgramResult result = run_program(
      {"run", "spring.toml", "--quiet", "--live", "--out", "live"},
      {.folder = folder_.path(), .environment = {"NO_COLOR=1", "DISPLAY=:1", "PATH=" + opener.parent_path().string()}});
  EXPECT_EQ(result.code, 0) << result.err;
  write_text(closed, "");
  EXPECT_TRUE(contains(result.err, "the run ended before the live view was opened: stiction view live")) << result.err;
}

TEST_F(view_command, mistakes_are_explained_and_leave_nothing) {
  EXPECT_EQ(run({"view", "nowhere", "-o", "a.html"}).code, 5);
  EXPECT_EQ(run({"view", "one", "-o", "one"}).code, 2);
  EXPECT_FALSE(exists("a.html"));
  const ProgramResult late = run({"snapshot", "one", "--time", "1e9", "-o", "a.png"});
  EXPECT_EQ(late.code, 2);
  EXPECT_TRUE(contains(late.err, "--time: the run ends at")) << late.err;
  EXPECT_TRUE(contains(run({"snapshot", "one", "--size", "huge", "-o", "a.png"}).err, "--size"));
  EXPECT_FALSE(exists("a.png"));
}

TEST_F(view_command, a_picture_is_named_as_what_it_is) {
  const ProgramResult snapshot = run({"snapshot", "one", "-o", "a.jpg"});
  EXPECT_EQ(snapshot.code, 2);
  EXPECT_TRUE(contains(snapshot.err, "--out: a snapshot must be named .png, got a.jpg")) << snapshot.err;
  const ProgramResult movie = run({"movie", "one", "-o", "a.avi"});
  EXPECT_EQ(movie.code, 2);
  EXPECT_TRUE(contains(movie.err, "--out: a movie must be named .mp4, got a.avi")) << movie.err;
  EXPECT_FALSE(exists("a.jpg") || exists("a.avi"));
}

TEST_F(view_command, layers_of_pictures_are_those_of_the_page) {
  // The keys of the page's own table, sorted, and the program's.
  const std::string source = read_text(STICTION_EXAMPLES "/../viewer/src/ui/layers.ts");
  const std::size_t start = source.find("defaultLayers: Layers = {"), end = source.find("};", start);
  ASSERT_NE(end, std::string::npos);
  const auto list_words = [](const std::string& text, const std::string& pattern) {
    std::set<std::string> words;
    const std::regex word(pattern);
    for (std::sregex_iterator i(text.begin(), text.end(), word); i != std::sregex_iterator(); ++i)
      words.insert((*i)[1].str());
    return words;
  };
  const std::string refused = run({"snapshot", "one", "--layers", "none", "-o", "a.png"}).err;
  EXPECT_EQ(list_words(refused.substr(refused.find("one of:") + 7), "([a-z]+)"),
            list_words(source.substr(start + 25, end - start - 25), "([a-z]+):"));
  // Without a browser a layer that is known leads to the next fault.
  EXPECT_TRUE(
      contains(run({"snapshot", "one", "--layers", "shapeless", "-o", "a.png"}, "PATH=/nonexistent").err, "chromium"));
  EXPECT_TRUE(contains(run({"snapshot", "one", "--layers", "shapless", "-o", "a.png"}, "PATH=/nonexistent").err,
                       "there is no layer \"shapless\""));
}

// Until it touches, at 0.386 s, the rod falls: its height is > 0 and its velocity <= 0 at all 31 samples.
TEST_F(view_command, a_plot_tells_what_it_leaves_out) {
  ASSERT_EQ(run({"examples", "run", "falling_rod", "--quiet", "--out", "rod", "--set", "time.duration=0.3", "--set",
                 "time.output=0.01"})
                .code,
            0);
  const ProgramResult low = run({"plot", "rod", "rod.velocity.y", "--log", "y", "-o", "a.svg"});
  EXPECT_EQ(low.code, 0);
  EXPECT_EQ(low.err, "31 of 31 points are not drawn: a logarithmic axis has no place for values <= 0\n");
  EXPECT_EQ(run({"plot", "rod", "rod.position.y", "--log", "y", "-o", "b.svg"}).err, "");
  EXPECT_EQ(run({"plot", "rod", "rod.position.y", "--events", "*", "-o", "b.svg"}).err,
            "no event is marked: none was recorded\n");
  ASSERT_EQ(run({"examples", "run", "falling_rod", "--quiet", "--out", "whole"}).code, 0);
  const ProgramResult odd = run({"plot", "whole", "rod.position.y", "--events", "nokind", "-o", "b.svg"});
  EXPECT_TRUE(odd.err.starts_with("no event is marked: none is of kind \"nokind\", there are impact")) << odd.err;
  EXPECT_EQ(run({"plot", "whole", "rod.position.y", "--events", "impact", "-o", "b.svg"}).err, "");
}

// Programs that pictures need and that are not there: what is missing, how to get it, what works without.
TEST_F(view_command, missing_programs_are_named_with_a_hint) {
  const ProgramResult snapshot = run({"snapshot", "one", "-o", "a.png"}, "PATH=/nonexistent");
  EXPECT_EQ(snapshot.code, 2);
  EXPECT_TRUE(contains(snapshot.err, "chromium") && contains(snapshot.err, "hint:")) << snapshot.err;
  const ProgramResult movie = run({"movie", "one", "-o", "a.mp4"}, "PATH=/nonexistent");
  EXPECT_EQ(movie.code, 2);
  EXPECT_TRUE(contains(movie.err, "ffmpeg") && contains(movie.err, "hint:")) << movie.err;
  EXPECT_FALSE(exists("a.png") || exists("a.mp4"));
}

TEST_F(view_command, gallery_without_a_browser_has_plots_for_pictures) {
  if (!STICTION_WITH_PAGE) GTEST_SKIP() << "built without npm";
  const ProgramResult result =
      run({"examples", "gallery", "-o", "g", "--only", "falling_rod", "spring_mass", "pinch", "impact"},
          "PATH=/nonexistent");
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string page = read_text(folder_.path() / "g/index.html");
  EXPECT_TRUE(contains(page, "stewart-trinkle-2000, section 4.1, Figs 2-5"));
  EXPECT_TRUE(contains(page, "The tip hits the floor near 0.386 s"));
  // A formula is no sentence: what follows it is, or else the size of the scene is told.
  EXPECT_TRUE(contains(page, "<p>Nothing creeps.</p>")) << page;
  EXPECT_FALSE(contains(page, "body over ")) << page;  // a scene without a description gets no sentence made up
  EXPECT_TRUE(contains(page, "<p>Force against depth is the loop of Fig. 5.2.</p>")) << page;
  for (const char* file : {"g/falling_rod.html", "g/falling_rod.svg", "g/spring_mass.html"})
    EXPECT_TRUE(exists(file)) << file;
  EXPECT_EQ(run({"examples", "gallery", "-o", "h", "--only", "faling_rod"}).code, 2);
}

TEST_F(view_command, info_names_the_deepest_contact) {
  ASSERT_EQ(run({"examples", "run", "falling_rod", "--quiet", "--out", "rod"}).code, 0);
  const nlohmann::json report = nlohmann::json::parse(run({"info", "rod", "--json"}).out);
  const nlohmann::json& deepest = report["deepest_contact"];
  // The scene has one pair only, called rod/floor.
  EXPECT_EQ(deepest["a"], "rod");
  EXPECT_EQ(deepest["b"], "floor");
  EXPECT_EQ(deepest["penetration"], report["audit"]["penetration"]);
  const std::string text = run({"info", "rod"}).out;
  // The audit has it, with its place: said once.
  const std::size_t line = text.find("penetration");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_TRUE(contains(text.substr(line, text.find('\n', line) - line), "rod/floor")) << text;
  EXPECT_FALSE(contains(text, "deepest")) << text;
  EXPECT_FALSE(contains(text, "worst_a")) << text;
  // Without contacts there is none.
  EXPECT_FALSE(contains(run({"info", "one", "--json"}).out, "deepest_contact"));
}

}  // namespace
}  // namespace stiction_test
