#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <new>

#include "stiction/base/fault.h"
#include "stiction/base/text.h"
#include "stiction/base/version.h"

#include "apps/cli/commands.h"
#include "apps/cli/console.h"
#include "apps/cli/interrupt_watch.h"

namespace stiction::cli {
namespace {

void add_commands(CLI::App& app, Action& action) {
  add_new(app, action);
  add_run(app, action);
  add_check(app, action);
  add_resume(app, action);
  add_examples(app, action);
  add_info(app, action);
  add_export(app, action);
  add_plot(app, action);
  add_view(app, action);
  add_snapshot(app, action);
  add_movie(app, action);
  add_compare(app, action);
  add_scene(app, action);
  add_material(app, action);
  add_geometry(app, action);
  add_solve(app, action);
  add_explain(app, action);
  add_explain_step(app, action);
  add_export_fmu(app, action);
  add_reference(app, action);
  add_version(app, action);
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("stiction {}", version), "Print the version of the program");
  app.footer(
      "stiction COMMAND --help shows the options of a command.\n"
      "Example: stiction examples run falling_rod\n\n"
      "Exit codes: 0 ok, 2 bad input, 3 limit reached, 4 diverged, failed or stopped by --strict,\n"
      "            5 files cannot be read or written, 130 interrupted (Ctrl-C; stiction resume continues)");
}

// The innermost command that was being parsed.
const CLI::App& find_active(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : find_active(*chosen.front());
}

std::vector<std::string> list_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::App* child : command.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(child->get_name());
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
  }
  return words;
}

// What to type for it: "stiction examples copy".
std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent ? full_name(*parent) + " " + command.get_name() : command.get_name();
}

// A word that fits nowhere: an unknown command or option, or one argument too many.
Fault describe_extra(const CLI::App& app) {
  const CLI::App& command = find_active(app);
  const std::vector<std::string> extras = app.remaining(true);
  Fault fault;
  if (extras.empty()) return fault;
  const std::string& word = extras.front();
  const bool option = word.starts_with('-');
  const bool names_command = !option && !command.get_subcommands([](const CLI::App*) { return true; }).empty();
  fault.message = fmt::format("{} \"{}\"",
                              option          ? "unknown option"
                              : names_command ? "unknown command"
                                              : "unexpected argument",
                              word);
  const std::string nearest = find_nearest_word(word.substr(0, word.find('=')), list_words(command));
  fault.hint =
      nearest.empty() ? full_name(command) + " --help lists the choices" : fmt::format("did you mean {}?", nearest);
  return fault;
}

int answer_parse_error(const CLI::App& app, const CLI::ParseError& error) {
  // Help and version are errors to the parser.
  if (error.get_exit_code() == 0) {
    app.exit(error, std::cout, std::cerr);
    std::cout.flush();
    flush_output();
    return exit_ok;
  }
  Fault fault = describe_extra(app);
  if (fault.message.empty()) {
    fault.message = error.what();
    fault.hint = full_name(find_active(app)) + " --help shows the usage";
  }
  print_error(format_fault(fault));
  return exit_input;
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Simulates rigid bodies with contact and friction, and audits every step.", "stiction");
  Action action;
  add_commands(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return answer_parse_error(app, error);
  }
  const int code = action();
  flush_output();
  return code;
}

// Nothing escapes: every failure becomes a message and an exit code.
int guarded_main(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const ReaderGone&) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    return exit_io;
  } catch (const Interrupted&) {
    print_error("error: interrupted\n");
    return exit_interrupted;
  } catch (const InputError& error) {
    print_error(format_faults(error.faults()));
    return exit_input;
  } catch (const IoError& error) {
    print_error(fmt::format("error: {}\n", error.what()));
    return exit_io;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(fmt::format("error: {}\n", error.what()));
    return exit_io;
  } catch (const std::bad_alloc&) {
    print_error("error: out of memory\n");
    return exit_limit;
  } catch (const std::exception& error) {
    print_error(fmt::format("error: internal error: {}\n", error.what()));
    return exit_fault;
  }
}

}  // namespace
}  // namespace stiction::cli

int main(int argc, char** argv) {
  // A reader that goes away ends what is printed (ReaderGone), not a live server or a run that is being written.
  std::signal(SIGPIPE, SIG_IGN);
  return stiction::cli::guarded_main(argc, argv);
}
