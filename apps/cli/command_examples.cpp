#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "stiction/base/text.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/examples.h"
#include "apps/cli/run_scene.h"

namespace stiction::cli {
namespace {

int list_examples() {
  std::size_t width = 0;
  for (const EmbeddedExample& example : embedded_examples()) width = std::max(width, example.name.size());
  for (const EmbeddedExample& example : embedded_examples()) {
    print(fmt::format("{:<{}}  {}\n", example.name, width, read_example(example, {}).title));
  }
  print("\nNext: stiction examples run NAME\n      stiction examples show NAME\n      stiction examples copy NAME\n");
  return exit_ok;
}

int copy_example(const std::string& name, std::filesystem::path file) {
  const EmbeddedExample& example = find_example(name);
  if (file.empty()) file = name + ".toml";
  if (std::filesystem::exists(file)) {
    throw InputError(fmt::format("{} exists already", file.string()),
                     "give another file with --out: no file is overwritten");
  }
  write_file(file, example.text);
  print(fmt::format("wrote {}\n", file.string()));
  return exit_ok;
}

void add_examples_run(CLI::App& examples, Action& action) {
  struct ExamplesOptions {
    std::string name;
    std::filesystem::path out;
    std::vector<std::string> overrides;
    ShowOptions show;
  };
  auto options = std::make_shared<ExamplesOptions>();
  CLI::App* command = examples.add_subcommand("run", "Simulate an example");
  command->add_option("NAME", options->name, "Name of the example")->required()->type_name(" ");
  add_set_option(*command, options->overrides);
  add_strict_option(*command, options->overrides);
  add_out_option(*command, options->out);
  add_show_options(*command, options->show);
  add_dump_option(*command, options->show);
  add_profile_option(*command, options->show);
  add_view_options(*command, options->show);
  command->footer("Example: stiction examples run falling_rod");
  command->callback([options, &action] {
    action = [options] {
      const Scene scene = read_example(find_example(options->name), options->overrides);
      return run_scene(scene, options->name, options->out, options->show);
    };
  });
}

void add_examples_copy(CLI::App& examples, Action& action) {
  struct ExamplesOptions {
    std::string name;
    std::filesystem::path out;
  };
  auto options = std::make_shared<ExamplesOptions>();
  CLI::App* command = examples.add_subcommand("copy", "Copy an example's scene file, to edit it");
  command->add_option("NAME", options->name, "Name of the example")->required()->type_name(" ");
  command->add_option("-o,--out", options->out, "File (default NAME.toml); an existing file is not overwritten")
      ->type_name("FILE");
  command->footer("Example: stiction examples copy falling_rod --out my_rod.toml");
  command->callback([options, &action] { action = [options] { return copy_example(options->name, options->out); }; });
}

void add_examples_show(CLI::App& examples, Action& action) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = examples.add_subcommand("show", "Print an example's scene file");
  command->add_option("NAME", *name, "Name of the example")->required()->type_name(" ");
  command->footer("Example: stiction examples show falling_rod");
  command->callback([name, &action] {
    action = [name] {
      print(find_example(*name).text);
      return exit_ok;
    };
  });
}

void add_examples_gallery(CLI::App& examples, Action& action) {
  auto options = std::make_shared<GalleryOptions>();
  CLI::App* command =
      examples.add_subcommand("gallery", "Simulate all examples and write a page of pictures and reports");
  command->add_option("-o,--out", options->out, "Folder")->required()->type_name("DIR");
  command->add_option("--only", options->names, "Only these examples")->type_name("NAME...");
  command->add_option("--progress", options->progress, "How to show progress (default auto)")
      ->check(CLI::IsMember({"auto", "plain", "none"}))
      ->type_name("MODE");
  command->footer("Example: stiction examples gallery -o gallery");
  command->callback([options, &action] { action = [options] { return make_gallery(*options); }; });
}

}  // namespace

void add_examples(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("examples", "List, show, run or copy the example scenes");
  command->require_subcommand(0, 1);
  command->footer("Example: stiction examples run falling_rod");
  add_examples_run(*command, action);
  add_examples_show(*command, action);
  add_examples_copy(*command, action);
  add_examples_gallery(*command, action);
  CLI::App* list = command->add_subcommand("list", "List the examples (the default)");
  list->footer("Example: stiction examples list");
  command->callback([command, list, &action] {
    if (command->get_subcommands().empty() || command->got_subcommand(list)) action = list_examples;
  });
}

}  // namespace stiction::cli
