#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/results/file_replacement.h"
#include "stiction/results/run_store.h"

#include "apps/cli/child_process.h"
#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/interrupt_watch.h"
#include "apps/cli/picture_options.h"

namespace stiction::cli {
namespace {

struct MovieOptions : PictureOptions {
  double speed = 1;
  int rate = 30;  // pictures a second
};

std::string find_ffmpeg() {
  const auto found = find_program({"ffmpeg"});
  if (!found) {
    throw InputError("ffmpeg is not installed, or not in the PATH",
                     "install it (Debian: apt-get install ffmpeg); stiction snapshot does not need it");
  }
  return *found;
}

int make_movie(const MovieOptions& options) {
  check_ending(options.out, ".mp4", "a movie");
  const std::string ffmpeg = find_ffmpeg();
  const PictureSize size = read_size(options.size);
  if (size.width % 2 != 0 || size.height % 2 != 0)
    throw InputError("--size: a movie must have an even width and height, got " + options.size);
  const std::vector<double> times = RunReader::open(options.run)->times();
  if (times.empty()) throw InputError(fmt::format("{} has no samples yet", options.run.string()));
  const double start = times.front(), step = options.speed / options.rate;
  const auto pictures = static_cast<int>(std::min((times.back() - start) / step, 1e6)) + 1;

  const InterruptWatch watch;
  const TemporaryFolder folder;
  const auto browser = show_picture(options, start, folder.path());
  FileReplacement file(options.out);
  Pipe pipe;
  ChildProcess encoder({ffmpeg,
                        "-y",
                        "-loglevel",
                        "error",
                        "-f",
                        "image2pipe",
                        "-framerate",
                        std::to_string(options.rate),
                        "-c:v",
                        "png",
                        "-i",
                        "-",
                        "-c:v",
                        "libx264",
                        "-crf",
                        "18",
                        "-pix_fmt",
                        "yuv420p",
                        "-movflags",
                        "+faststart",
                        "-f",
                        "mp4",
                        file.temporary().string()},
                       {{pipe.read_end(), STDIN_FILENO}});
  pipe.close_read();
  for (int k = 0; k < pictures; ++k) {
    seek(*browser, std::min(start + k * step, times.back()));
    write_all(pipe.write_end(), browser->take_picture(), "ffmpeg");
  }
  pipe.close_write();
  if (encoder.wait() != 0) throw IoError(options.out.string() + ": ffmpeg failed to write it");
  file.commit();
  print(fmt::format("wrote {} ({} pictures, {:.4g} s)\n", options.out.string(), pictures,
                    static_cast<double>(pictures) / options.rate));
  return exit_ok;
}

}  // namespace

void add_movie(CLI::App& app, Action& action) {
  auto options = std::make_shared<MovieOptions>();
  CLI::App* command = app.add_subcommand("movie", "Write a movie of a run (needs chromium and ffmpeg)");
  add_picture_options(*command, *options, "MP4 file");
  command->add_option("--speed", options->speed, "Simulated seconds per second of the movie (default 1)")
      ->check(CLI::Range(1e-6, 1e6))
      ->type_name("FACTOR");
  command->add_option("--rate", options->rate, "Frames per second (default 30)")
      ->check(CLI::Range(1, 240))
      ->type_name("N");
  command->footer("Example: stiction movie runs/falling_rod --speed 0.1 -o rod.mp4");
  command->callback([options, &action] { action = [options] { return make_movie(*options); }; });
}

}  // namespace stiction::cli
