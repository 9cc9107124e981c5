#include <fmt/format.h>

#include <memory>

#include "stiction/base/fault.h"
#include "stiction/scene/read/read_scene.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/run_scene.h"
#include "bindings/fmi/export_fmu.h"

namespace stiction::cli {
namespace {

struct ExportFmuOptions {
  std::filesystem::path scene, out;
  fmi::FmuRequest request;
  std::vector<std::string> overrides;
};

/// Beside the program, as built or as installed.
std::filesystem::path find_fmu_library() {
  const std::filesystem::path folder = std::filesystem::canonical("/proc/self/exe").parent_path().parent_path();
  const char* const name = "libstiction_fmu.so";
  for (const auto& place : {folder / "lib" / name, folder / "lib/stiction" / name}) {
    if (std::filesystem::exists(place)) return place;
  }
  if (std::filesystem::is_directory(folder / "lib")) {
    for (const auto& entry : std::filesystem::directory_iterator(folder / "lib")) {
      if (std::filesystem::exists(entry.path() / "stiction" / name)) return entry.path() / "stiction" / name;
    }
  }
  throw IoError(
      fmt::format("{} is not in {}: the program was moved without its libraries", name, (folder / "lib").string()));
}

}  // namespace

void add_export_fmu(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportFmuOptions>();
  CLI::App* command = app.add_subcommand("export-fmu", "Write a scene as a functional mock-up unit (FMI 2 or 3)");
  command->add_option("SCENE", options->scene, "Scene file")->required()->type_name(" ");
  command->add_option("-o,--out", options->out, "The FMU (default NAME.fmu)")->type_name("FILE");
  command->add_option("--fmi", options->request.version, "Version of the standard: 2 (default) or 3")
      ->check(CLI::IsMember({2, 3}))
      ->type_name("VERSION");
  command
      ->add_option("--inputs", options->request.inputs,
                   "What is set from outside: motor.drive.effort, ball.force.*, driver.turn.position")
      ->type_name("NAME...");
  command->add_option("--outputs", options->request.outputs, "Signals that are shown: ball.position.*")
      ->type_name("NAME...");
  add_set_option(*command, options->overrides);
  command->callback([options, &action] {
    action = [options] {
      options->request.scene = load_scene_text(options->scene, options->overrides);
      options->request.name = options->scene.stem().string();
      options->request.library = find_fmu_library();
      if (options->out.empty()) options->out = options->request.name + ".fmu";
      const std::string obstacle = export_fmu(options->request, options->out);
      print(fmt::format("wrote {}: co-simulation{}\n", options->out.string(),
                        obstacle.empty() ? " and model exchange" : ""));
      if (!obstacle.empty()) print(fmt::format("no model exchange: {}\n", obstacle));
      return static_cast<int>(exit_ok);
    };
  });
}

}  // namespace stiction::cli
