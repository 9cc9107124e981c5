#include "bindings/fmi/export_fmu.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "stiction/base/fault.h"
#include "stiction/base/hash.h"
#include "stiction/base/text.h"
#include "stiction/base/version.h"
#include "stiction/results/select_signals.h"
#include "stiction/results/signal_match.h"
#include "stiction/stepping/stepper.h"

#include "bindings/fmi/fmu.h"
#include "bindings/fmi/needed_libraries.h"
#include "bindings/fmi/zip_writer.h"

namespace stiction::fmi {
namespace {

constexpr const char* identifier = "stiction_fmu";

/// As the value of an attribute. XML has no control characters: a line break becomes a blank.
std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return escaped;
}

std::string number(double x) {
  return fmt::format("{:.17g}", x);
}

/// Those that match a glob, in their own order, each once. InputError with all globs that match none.
std::vector<SignalInfo> choose(const std::vector<SignalInfo>& infos, const std::vector<std::string>& globs,
                               const char* what) {
  std::vector<bool> is_chosen(infos.size(), false);
  std::vector<Fault> faults;
  for (const std::string& glob : globs) {
    bool any = false;
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (matches_signal(infos[i].name, glob)) any = is_chosen[i] = true;
    }
    if (any) continue;
    faults.push_back(make_unknown_signal_error(glob, infos).faults().front());  // for its hint
    faults.back().message = fmt::format("--{0}s: there is no {0} \"{1}\"", what, glob);
  }
  if (!faults.empty()) throw InputError(std::move(faults));
  std::vector<SignalInfo> chosen;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (is_chosen[i]) chosen.push_back(infos[i]);
  }
  return chosen;
}

/// All signals, with those on request (gaps) that are named.
const std::vector<SignalInfo>& list_signals(Simulation& simulation, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    try {
      simulation.find_signal(name);
    } catch (const InputError&) {
      continue;  // a glob, or a name that is not there: `choose` says so
    }
  }
  return simulation.signals();
}

/// A variable of the model description.
struct Variable {
  std::string name, unit, causality, initial, start;
  unsigned reference = 0;
  int derivative_of = -1;  ///< index of its state among the variables
};

class Description {
 public:
  Description(const FmuRequest& request, Simulation& simulation);
  std::string format(const std::string& token) const;
  std::vector<SignalInfo> inputs, outputs;
  std::string no_exchange;  ///< why there is no model exchange; empty: there is

 private:
  std::string find_obstacle() const;
  void add_exchange(const Simulation& simulation);
  std::string format_variables() const;
  std::string format_structure() const;
  std::string format_units() const;
  std::string format_kinds() const;

  const FmuRequest& request_;
  const Scene& scene_;
  std::vector<Variable> variables_;  ///< in the order of the file, from index 1 on
  int states_ = 0, indicators_ = 0;
};

Description::Description(const FmuRequest& request, Simulation& simulation)
    : inputs(choose(simulation.inputs(), request.inputs, "input")),
      outputs(choose(list_signals(simulation, request.outputs), request.outputs, "output")),
      request_(request),
      scene_(simulation.scene()) {
  unsigned reference = 0;
  for (const SignalInfo& info : inputs) {
    const double start = simulation.input(simulation.find_input(info.name));
    variables_.push_back({info.name, info.unit, "input", "", number(start), ++reference});
  }
  for (const SignalInfo& info : outputs)
    variables_.push_back({info.name, info.unit, "output", "calculated", "", ++reference});
  no_exchange = find_obstacle();
  if (no_exchange.empty()) add_exchange(simulation);
}

/// Sums over steps or their audits, which another tool's integrator does not take.
bool needs_steps(const std::string& name) {
  if (name.starts_with("audit.")) return true;
  return name.starts_with("contact.") &&
         (name.ends_with(".impulse") || name.ends_with(".impulse.x") || name.ends_with(".impulse.y") ||
          name.ends_with(".impulse.z") || name.ends_with(".peak_force"));
}

std::string Description::find_obstacle() const {
  if (!uses_integrator(scene_.method.type))
    return fmt::format("method.type = \"{}\" steps; it is not an ordinary differential equation", scene_.method.type);
  const auto found =
      std::find_if(outputs.begin(), outputs.end(), [](const SignalInfo& info) { return needs_steps(info.name); });
  if (found == outputs.end()) return "";
  return fmt::format("the output \"{}\" is collected over the steps of the method", found->name);
}

void Description::add_exchange(const Simulation& simulation) {
  const SmoothProblem problem(simulation.system(), scene_.method.projection_tolerance, true);
  VecX y(problem.size());
  problem.read(simulation.state(), y);
  states_ = problem.size(), indicators_ = problem.guard_count();
  const auto first = static_cast<int>(variables_.size());
  for (int i = 0; i < states_; ++i)
    variables_.push_back(
        {fmt::format("state[{}]", i + 1), "", "local", "exact", number(y[i]), first_state + unsigned(i)});
  for (int i = 0; i < states_; ++i)
    variables_.push_back({fmt::format("der(state[{}])", i + 1), "", "local", "calculated", "",
                          first_derivative + unsigned(i), first + i});
  for (int i = 0; i < indicators_ && request_.version == 3; ++i)
    variables_.push_back(
        {fmt::format("indicator[{}]", i + 1), "", "local", "calculated", "", first_indicator + unsigned(i)});
}

std::string Description::format_kinds() const {
  const bool is_2 = request_.version == 2;
  const std::string states = is_2 ? "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
                                  : "canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"";
  std::string text;
  if (no_exchange.empty())
    text += fmt::format("  <ModelExchange modelIdentifier=\"{}\" {}/>\n", identifier,
                        states + (is_2 ? "" : " needsCompletedIntegratorStep=\"true\""));
  text += fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" {}/>\n", identifier,
      states + (is_2 ? "" : " mightReturnEarlyFromDoStep=\"true\" canReturnEarlyAfterIntermediateUpdate=\"false\""));
  return text;
}

std::string Description::format_units() const {
  std::set<std::string> units;
  for (const Variable& variable : variables_) {
    if (!variable.unit.empty()) units.insert(variable.unit);
  }
  std::string text;
  for (const std::string& unit : units) text += fmt::format("    <Unit name=\"{}\"/>\n", escape(unit));
  return text.empty() ? text : "  <UnitDefinitions>\n" + text + "  </UnitDefinitions>\n";
}

std::string Description::format_variables() const {
  const bool is_2 = request_.version == 2;
  std::string text = "  <ModelVariables>\n";
  if (!is_2)
    text += "    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" variability=\"continuous\"/>\n";
  for (const Variable& variable : variables_) {
    std::string common = fmt::format("name=\"{}\" valueReference=\"{}\" causality=\"{}\" variability=\"continuous\"",
                                     escape(variable.name), variable.reference, variable.causality);
    if (!variable.initial.empty()) common += fmt::format(" initial=\"{}\"", variable.initial);
    std::string value;
    if (!variable.unit.empty()) value += fmt::format(" unit=\"{}\"", escape(variable.unit));
    if (!variable.start.empty()) value += fmt::format(" start=\"{}\"", variable.start);
    if (variable.derivative_of >= 0) {
      const Variable& state = variables_[static_cast<std::size_t>(variable.derivative_of)];
      value +=
          fmt::format(" derivative=\"{}\"", is_2 ? static_cast<unsigned>(variable.derivative_of) + 1 : state.reference);
    }
    text += is_2 ? fmt::format("    <ScalarVariable {}><Real{}/></ScalarVariable>\n", common, value)
                 : fmt::format("    <Float64 {}{}/>\n", common, value);
  }
  return text + "  </ModelVariables>\n";
}

std::string Description::format_structure() const {
  const bool is_2 = request_.version == 2;
  std::string outputs_text, derivatives, unknowns, indicators;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Variable& variable = variables_[i];
    const std::string index =
        is_2 ? fmt::format("index=\"{}\"", i + 1) : fmt::format("valueReference=\"{}\"", variable.reference);
    if (variable.causality == "output") outputs_text += fmt::format("<{} {}/>", is_2 ? "Unknown" : "Output", index);
    if (variable.derivative_of >= 0)
      derivatives += fmt::format("<{} {}/>", is_2 ? "Unknown" : "ContinuousStateDerivative", index);
    if (variable.reference >= first_indicator)
      indicators += fmt::format("<EventIndicator {}/>", index);
    else if (variable.initial == "calculated")
      unknowns += fmt::format("<{} {}/>", is_2 ? "Unknown" : "InitialUnknown", index);
  }
  const auto wrap = [](const char* name, const std::string& text) {
    return text.empty() ? text : fmt::format("<{0}>{1}</{0}>", name, text);
  };
  return "  <ModelStructure>" +
         (is_2 ? wrap("Outputs", outputs_text) + wrap("Derivatives", derivatives) + wrap("InitialUnknowns", unknowns)
               : outputs_text + derivatives + unknowns + indicators) +
         "</ModelStructure>\n";
}

std::string Description::format(const std::string& token) const {
  const bool is_2 = request_.version == 2;
  std::string head = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\" "
      "description=\"{}\" generationTool=\"Stiction {}\" variableNamingConvention=\"flat\"",
      is_2 ? "2.0" : "3.0", escape(request_.name), is_2 ? "guid" : "instantiationToken", token, escape(scene_.title),
      version);
  if (is_2) head += fmt::format(" numberOfEventIndicators=\"{}\"", indicators_);
  return head + ">\n" + format_kinds() + format_units() +
         fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                     number(scene_.time.duration), number(scene_.time.step)) +
         format_variables() + format_structure() + "</fmiModelDescription>\n";
}

std::string read_binary(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (!file) throw IoError("cannot read " + path.string());
  return bytes.str();
}

}  // namespace

std::string export_fmu(const FmuRequest& request, const std::filesystem::path& file) {
  Simulation simulation = Simulation::from_text(request.scene);
  const Description description(request, simulation);
  std::string files, overrides, variables;
  ZipWriter zip;
  Hash64 hash;
  int count = 0;
  for (const SceneText::File& part : request.scene.files) {
    files += part.name + "\n";
    hash.add_bytes(part.text.data(), part.text.size());
    zip.add(fmt::format("resources/scene_{}.toml", count++), part.text);
  }
  for (const std::string& text : request.scene.overrides) overrides += text + "\n";
  for (const SignalInfo& info : description.inputs) variables += "input " + info.name + "\n";
  for (const SignalInfo& info : description.outputs) variables += "output " + info.name + "\n";
  for (const std::string* text : {&files, &overrides, &variables}) hash.add_bytes(text->data(), text->size());
  zip.add("resources/files.txt", files);
  zip.add("resources/overrides.txt", overrides);
  zip.add("resources/variables.txt", variables);
  const std::string token = "{stiction-" + hash.text() + "}";
  zip.add("resources/token.txt", token + "\n");
  zip.add("modelDescription.xml", description.format(token));
  const std::string binaries = request.version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
  zip.add(binaries + identifier + ".so", read_binary(request.library));
  for (const std::filesystem::path& needed : find_needed_libraries(request.library))
    zip.add(binaries + needed.filename().string(), read_binary(needed));
  zip.write(file);
  return description.no_exchange;
}

}  // namespace stiction::fmi
