#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

#include "test/cli/program.h"
#include "test/cli/scenes.h"
#include "test/support/xml_check.h"

namespace stiction_test {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

// A finished run in a folder of its own.
class results_command : public testing::Test {
 protected:
  results_command() {
    write_text(folder_.path() / "spring.toml", spring_scene);
    run({"run", "spring.toml", "--quiet", "--out", "one"});
  }
  ProgramResult run(const std::vector<std::string>& words) { return run_program(words, {.folder = folder_.path()}); }
  std::string read(const std::string& name) { return read_text(folder_.path() / name); }
  bool exists(const std::string& name) { return std::filesystem::exists(folder_.path() / name); }
  std::size_t count_files() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }
  TemporaryFolder folder_;
};

TEST_F(results_command, info_lists_signals_with_units) {
  const ProgramResult table = run({"info", "one", "--signals"});
  EXPECT_EQ(table.code, 0) << table.err;
  EXPECT_TRUE(contains(table.out, "mass.position.x"));
  const nlohmann::json report = nlohmann::json::parse(run({"info", "one", "--json"}).out);
  std::map<std::string, std::string> units;
  for (const auto& signal : report["signals"]) units[signal["name"]] = signal["unit"];
  EXPECT_EQ(units["mass.position.x"], "m");
  EXPECT_EQ(units["mass.velocity.x"], "m/s");
  EXPECT_EQ(units["energy.total"], "J");
  EXPECT_TRUE(contains(run({"info", "one"}).out, "completed"));
}

TEST_F(results_command, csv_holds_the_motion_to_the_last_digit_that_is_known) {
  ASSERT_EQ(run({"export", "one", "--format", "csv", "--signals", "mass.position.x", "--out", "x.csv"}).code, 0);
  const std::vector<std::string> lines = split(read("x.csv"), '\n');
  ASSERT_EQ(lines.size(), 102u);  // header, and 0 to 1 s each 10 ms
  EXPECT_EQ(lines[0], "time,mass.position.x");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i], ',');
    ASSERT_EQ(cells.size(), 2u);
    const double t = std::stod(cells[0]), x = std::stod(cells[1]);
    EXPECT_NEAR(t, 0.01 * static_cast<double>(i - 1), 1e-12);
    // Closed form; RK4's phase error is (w h)^4 / 120 a rad: 0.2 * 1e-8 / 120 * 10 = 1.7e-10.
    EXPECT_NEAR(x, 0.2 * std::cos(10 * t), 1e-9);
  }
  // 17 digits, and the same on standard output.
  EXPECT_GE(lines[50].size(), 17u);
  EXPECT_EQ(run({"export", "one", "--signals", "mass.position.x"}).out, read("x.csv"));
}

TEST_F(results_command, export_takes_globs_and_refuses_what_matches_nothing) {
  const std::string header = split(run({"export", "one", "--signals", "mass.position.*", "energy.tot?l"}).out, '\n')[0];
  EXPECT_EQ(header, "time,mass.position.x,mass.position.y,mass.position.z,energy.total");
  // In the order asked for, each once.
  EXPECT_EQ(split(run({"export", "one", "--signals", "mass.position.*,energy.tot?l"}).out, '\n')[0], header);
  EXPECT_EQ(split(run({"export", "one", "--signals", "energy.total", "mass.position.*", "energy.total"}).out, '\n')[0],
            "time,energy.total,mass.position.x,mass.position.y,mass.position.z");
  const ProgramResult wrong = run({"export", "one", "--signals", "mass.positon.x", "--out", "x.csv"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "mass.position.x")) << wrong.err;
  EXPECT_FALSE(exists("x.csv"));
}

TEST_F(results_command, hdf5_goes_to_a_file) {
  EXPECT_EQ(run({"export", "one", "--format", "hdf5", "--out", "one.h5"}).code, 0);
  EXPECT_EQ(read("one.h5").substr(0, 4), "\x89HDF");  // the format's signature
  EXPECT_EQ(run({"export", "one", "--format", "hdf5"}).code, 2);
}

TEST_F(results_command, plot_is_well_formed_and_says_what_it_shows) {
  ASSERT_EQ(run({"plot", "one", "mass.position.x", "-o", "x.svg"}).code, 0);
  const std::string svg = read("x.svg");
  EXPECT_EQ(find_xml_fault(svg), "");
  EXPECT_TRUE(contains(svg, "mass.position.x [m]"));
  EXPECT_TRUE(contains(svg, "time [s]"));
  EXPECT_TRUE(contains(svg, "Spring &lt;test&gt; &amp; more"));
  ASSERT_EQ(run({"plot", "one", "mass.position.x", "-o", "y.svg"}).code, 0);
  EXPECT_EQ(read("y.svg"), svg);
}

TEST_F(results_command, plot_of_several_runs_names_them) {
  ASSERT_EQ(run({"run", "spring.toml", "--quiet", "--out", "two", "--set", "spring.coil.stiffness=300"}).code, 0);
  ASSERT_EQ(run({"plot", "one", "two", "mass.position.x", "-o", "a.svg"}).code, 0);
  EXPECT_TRUE(contains(read("a.svg"), ">one<") && contains(read("a.svg"), ">two<"));
  ASSERT_EQ(run({"plot", "one", "two", "mass.position.[xy]", "mass.position.?", "-o", "b.svg"}).code, 2);
  ASSERT_EQ(run({"plot", "one", "two", "mass.position.?", "-o", "b.svg"}).code, 0);
  EXPECT_TRUE(contains(read("b.svg"), ">two: mass.position.z<"));
  EXPECT_TRUE(contains(read("b.svg"), ">mass.position [m]<"));
}

TEST_F(results_command, contacts_under_the_default_can_be_plotted) {
  ASSERT_EQ(run({"examples", "run", "grasp", "--quiet", "--out", "grasp", "--set", "time.duration=0.1"}).code, 0);
  const ProgramResult all = run({"plot", "grasp", "contact.*", "-o", "a.svg"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_TRUE(contains(read("a.svg"), "contact.block/left.peak_force"));
  // A pair may be named in either order; the force is the same. Vectors act on the second body.
  ASSERT_EQ(run({"plot", "grasp", "contact.left/block.force", "-o", "b.svg"}).code, 0);
  EXPECT_TRUE(contains(read("b.svg"), "contact.block/left.force"));
  EXPECT_EQ(run({"export", "grasp", "--signals", "contact.left/block.force"}).out,
            run({"export", "grasp", "--signals", "contact.block/left.force"}).out);
  EXPECT_EQ(run({"export", "grasp", "--signals", "contact.left/block.impulse.x"}).code, 2);
  const ProgramResult none = run({"plot", "grasp", "contact.left/blok.force", "-o", "b.svg"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(contains(none.err, "hint: contact signals: contact.{block/left, block/right, left/right}.{force, "))
      << none.err;
  EXPECT_TRUE(contains(run({"plot", "one", "contact.*", "-o", "b.svg"}).err, "there are no contact signals"));
}

TEST_F(results_command, plot_gives_each_unit_a_panel_and_with_split_each_signal) {
  const ProgramResult units =
      run({"plot", "one", "mass.position.x", "mass.velocity.x", "mass.position.y", "-o", "a.svg"});
  ASSERT_EQ(units.code, 0) << units.err;
  EXPECT_TRUE(contains(units.out, "(3 curves in 2 panels)")) << units.out;
  const std::string svg = read("a.svg");
  EXPECT_EQ(find_xml_fault(svg), "");
  EXPECT_TRUE(contains(svg, ">mass.position [m]<") && contains(svg, ">mass.velocity.x [m/s]<"));
  EXPECT_TRUE(contains(
      run({"plot", "one", "mass.position.x", "mass.velocity.x", "mass.position.y", "--split", "-o", "b.svg"}).out,
      "in 3 panels"));
}

TEST_F(results_command, plot_of_a_signal_against_another_names_both_axes) {
  ASSERT_EQ(run({"plot", "one", "mass.velocity.x", "--against", "mass.position.x", "-o", "a.svg"}).code, 0);
  EXPECT_TRUE(contains(read("a.svg"), ">mass.position.x [m]<"));
  EXPECT_TRUE(contains(read("a.svg"), ">mass.velocity.x [m/s]<"));
  EXPECT_FALSE(contains(read("a.svg"), "time [s]"));
  const ProgramResult wrong = run({"plot", "one", "mass.velocity.x", "--against", "mass.positon.x", "-o", "b.svg"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "mass.position.x")) << wrong.err;
}

TEST_F(results_command, plot_writes_png_beside_svg) {
  ASSERT_EQ(run({"plot", "one", "mass.position.x", "-o", "a.svg", "-o", "a.png"}).code, 0);
  EXPECT_EQ(find_xml_fault(read("a.svg")), "");
  // Signature and header of the PNG standard; 860 x 480 at two pixels each: 1720 = 0x6b8, 960 = 0x3c0.
  const std::string png = read("a.png");
  ASSERT_GT(png.size(), 5000u);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(12, 12), std::string("IHDR\0\0\x06\xb8\0\0\x03\xc0", 12));
  const ProgramResult wrong = run({"plot", "one", "mass.position.x", "-o", "a.pdf"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, ".svg or .png, got a.pdf")) << wrong.err;
}

TEST_F(results_command, plot_mistakes_are_explained) {
  EXPECT_TRUE(contains(run({"plot", "one", "-o", "a.svg"}).err, "no signal is given"));
  EXPECT_TRUE(contains(run({"plot", "one", "mass.position.q", "-o", "a.svg"}).err, "mass.position.x"));
  EXPECT_TRUE(contains(run({"plot", "one", "runs/two", "x", "-o", "a.svg"}).err, "runs/two is neither a run folder"));
  EXPECT_FALSE(exists("a.svg"));
}

TEST_F(results_command, output_that_cannot_be_written_leaves_nothing_behind) {
  const std::size_t before = count_files();
  EXPECT_EQ(run({"plot", "one", "mass.position.x", "-o", "nowhere/x.svg"}).code, 5);
  EXPECT_EQ(run({"plot", "one", "mass.position.x", "-o", "one"}).code, 5);
  EXPECT_EQ(run({"export", "one", "--out", "nowhere/x.csv"}).code, 5);
  EXPECT_EQ(run({"export", "one", "--format", "hdf5", "--out", "nowhere/x.h5"}).code, 5);
  EXPECT_EQ(run_program({"export", "one"}, {.folder = folder_.path(), .out_file = "/dev/full"}).code, 5);
  EXPECT_EQ(count_files(), before);
}

TEST_F(results_command, a_damaged_run_is_an_io_error) {
  std::filesystem::create_directory(folder_.path() / "bad");
  write_text(folder_.path() / "bad/run.sqlite",
             "this is no database, though it is long enough to look like one at first");
  for (const std::string command : {"info", "resume", "export"}) {
    const ProgramResult result = run({command, "bad"});
    EXPECT_EQ(result.code, 5) << command;
    EXPECT_TRUE(contains(result.err, "error: ")) << result.err;
  }
  EXPECT_EQ(run({"plot", "bad", "x", "-o", "a.svg"}).code, 5);
}

}  // namespace
}  // namespace stiction_test
