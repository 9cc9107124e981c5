#include "apps/cli/picture_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"

#include "apps/cli/view_run.h"

namespace stiction::cli {
namespace {

// As viewer/src/ui/layers.ts knows them.
const std::vector<std::string>& layer_names() {
  static const std::vector<std::string> names = {"points",     "normals", "forces", "cones",  "closest",
                                                 "velocities", "trails",  "frames", "joints", "shapeless",
                                                 "ghost",      "grid",    "shadows"};
  return names;
}

}  // namespace

void add_picture_options(CLI::App& command, PictureOptions& options, const std::string& file_help) {
  command.add_option("RUN", options.run, "Run folder")->required()->type_name(" ");
  command.add_option("-o,--out", options.out, file_help)->required()->type_name("FILE");
  command.add_option("--size", options.size, "Width and height in pixels (default 1280x720)")->type_name("WxH");
  command
      .add_option("--camera", options.camera,
                  "Position of the camera and the point it looks at, as in the link of a report")
      ->type_name("x,y,z,x,y,z");
  command
      .add_option(
          "--layers", options.layers,
          "What to draw in addition to bodies with shapes, separated by commas: " + join_words(layer_names(), ", "))
      ->type_name("LIST");
}

void check_ending(const std::filesystem::path& out, const std::string& ending, const std::string& what) {
  // A folder is answered when it is written to.
  if (out.extension() == ending || std::filesystem::is_directory(out)) return;
  throw InputError(fmt::format("--out: {} must be named {}, got {}", what, ending, out.string()));
}

PictureSize read_size(const std::string& text) {
  PictureSize size;
  char rest = 0;
  const bool read = std::sscanf(text.c_str(), "%dx%d%c", &size.width, &size.height, &rest) == 2;
  const auto in_range = [](int length) { return length >= 16 && length <= 8192; };
  if (!read || !in_range(size.width) || !in_range(size.height)) {
    throw InputError(fmt::format("--size: expected WIDTHxHEIGHT, 16 to 8192 pixels each, got {}", text),
                     "for example --size 1920x1080");
  }
  return size;
}

namespace {

void check_camera(const std::string& text) {
  double x[6];
  char rest = 0;
  const int read =
      std::sscanf(text.c_str(), "%lf,%lf,%lf,%lf,%lf,%lf%c", &x[0], &x[1], &x[2], &x[3], &x[4], &x[5], &rest);
  if (read == 6 && std::all_of(x, x + 6, [](double value) { return std::isfinite(value); })) return;
  throw InputError(fmt::format("--camera: expected six numbers x,y,z,x,y,z, got {}", text),
                   "position, then the point to look at, for example --camera 2,-2,1,0,0,0");
}

void check_layers(const std::string& text) {
  const std::vector<std::string>& known = layer_names();
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw InputError(fmt::format("--layers: there is no layer \"{}\"", word), "one of: " + join_words(known, ", "));
  }
}

}  // namespace

std::unique_ptr<HeadlessBrowser> show_picture(const PictureOptions& options, double time,
                                              const std::filesystem::path& folder) {
  const PictureSize size = read_size(options.size);
  if (!options.camera.empty()) check_camera(options.camera);
  if (!options.layers.empty()) check_layers(options.layers);
  if (!std::isfinite(time)) throw InputError(fmt::format("--time: expected seconds, got {}", format_number(time)));
  auto browser = std::make_unique<HeadlessBrowser>(size);
  write_report({options.run}, folder / "report.html");
  std::string link = "bare=1&t=" + format_number(time);
  if (!options.camera.empty()) link += "&camera=" + options.camera;
  if (!options.layers.empty()) link += "&layers=" + options.layers;
  browser->open(folder / "report.html", link);
  seek(*browser, time);
  return browser;
}

void seek(HeadlessBrowser& browser, double time) {
  // Two pictures of the screen later what was drawn is there to be taken.
  browser.evaluate(fmt::format(
      "(app => {{ app.clock.seek({}); app.drawNow(); return new Promise(done => requestAnimationFrame(() => "
      "requestAnimationFrame(() => done(0)))); }})(window.stiction.app)",
      format_number(time)));
}

}  // namespace stiction::cli
