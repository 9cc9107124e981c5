#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "stiction/report/report_page.h"
#include "stiction/results/judgement.h"
#include "stiction/run/simulate.h"

#include "bindings/python/src/live_simulation.h"
#include "bindings/python/src/module.h"
#include "bindings/python/src/signal_check.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stiction::python {
namespace {

/// A finished run with its samples in memory.
struct RecordedRun {
  RunSummary summary;
  RunDescription description;
  Verdict verdict;
  std::vector<SignalInfo> signals;
  std::vector<double> times;
  std::vector<std::vector<double>> samples;
  std::vector<StepEvent> events;
  std::vector<ContactSample> contacts;
  std::vector<std::string> contact_shapes;
};

using Column = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;

Column make_column(const std::vector<double>& values, nb::handle owner) {
  return Column(values.data(), {values.size()}, owner);
}

/// Called between steps; an exception of Python (Ctrl-C among them) stops the run and is raised again.
struct Callbacks {
  nb::object progress;
  std::exception_ptr raised;
  SignalCheck signals;

  RunOptions make_options(const std::filesystem::path& folder) {
    RunOptions options;
    options.folder = folder;
    options.on_progress = [this](const Progress& at) {
      if (raised || signals.raised() || progress.is_none()) return;
      const nb::gil_scoped_acquire acquire;
      try {
        progress(at.t, at.duration);
      } catch (nb::python_error&) {
        raised = std::current_exception();
      }
    };
    options.is_interrupted = [this] { return raised != nullptr || signals(); };
    return options;
  }
  void rethrow() const {
    if (raised) std::rethrow_exception(raised);
    signals.rethrow();
  }
};

RecordedRun* make_run(RunResult result) {
  auto* run = new RecordedRun{.summary = std::move(result.summary),
                              .description = std::move(result.description),
                              .verdict = {},
                              .signals = std::move(result.signals),
                              .times = std::move(result.times),
                              .samples = std::move(result.samples),
                              .events = std::move(result.events),
                              .contacts = std::move(result.contacts),
                              .contact_shapes = std::move(result.contact_shapes)};
  run->verdict = judge(run->summary, run->description);
  return run;
}

RecordedRun* open_run(const std::filesystem::path& folder) {
  const auto reader = RunReader::open(folder);
  RunResult result;
  result.summary = reader->summary();
  result.description = reader->description();
  result.signals = reader->signals();
  result.times = reader->times();
  for (const SignalInfo& info : result.signals) result.samples.push_back(reader->read(info.name));
  result.events = reader->events();
  for (int part = 0; part < reader->part_count(); ++part) {
    const std::vector<ContactSample> contacts = reader->contacts(part);
    result.contacts.insert(result.contacts.end(), contacts.begin(), contacts.end());
  }
  result.contact_shapes = reader->contact_shapes();
  return make_run(std::move(result));
}

RecordedRun* run_simulation(LiveSimulation& live, const std::filesystem::path& folder, nb::object progress) {
  Callbacks callbacks{.progress = std::move(progress), .raised = nullptr, .signals = {}};
  const RunOptions options = callbacks.make_options(folder);
  RunResult result = live.release([&](Simulation& simulation) { return simulation.run(options); });
  callbacks.rethrow();
  return folder.empty() ? make_run(std::move(result)) : open_run(folder);
}

/// One row a contact, of the columns of docs/run-format.md.
nb::ndarray<nb::numpy, double> contact_rows(const RecordedRun& run) {
  auto* rows = new std::vector<double>();
  for (const ContactSample& sample : run.contacts) append_contact_row(sample.t, sample.contact, *rows);
  nb::capsule owner(rows, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::ndarray<nb::numpy, double>(rows->data(), {run.contacts.size(), std::size_t(contact_row_size)}, owner);
}

}  // namespace

void bind_run(nb::module_& module) {
  nb::class_<Judgement>(module, "Judgement", "One measure of a run, judged (docs/verdict.md).")
      .def_ro("measure", &Judgement::measure)
      .def_prop_ro("trust", [](const Judgement& j) { return std::string(words_of(j.trust)); })
      .def_ro("value", &Judgement::value)
      .def_ro("unit", &Judgement::unit)
      .def_ro("limit", &Judgement::limit)
      .def_ro("time", &Judgement::time)
      .def_ro("place", &Judgement::place)
      .def_ro("text", &Judgement::text)
      .def_ro("remedy", &Judgement::remedy)
      .def("__repr__", [](const Judgement& j) { return "<" + std::string(words_of(j.trust)) + ": " + j.text + ">"; });

  nb::class_<RecordedRun>(module, "RecordedRun", "A run and its samples, in memory.")
      .def_prop_ro("status", [](const RecordedRun& r) { return std::string(name_of(r.summary.status)); })
      .def_prop_ro("message", [](const RecordedRun& r) { return r.summary.message; })
      .def_prop_ro(
          "hash", [](const RecordedRun& r) { return r.summary.hash; }, "Of the final state, 16 digits.")
      .def_prop_ro(
          "time", [](const RecordedRun& r) { return r.summary.time; }, "Reached [s].")
      .def_prop_ro("steps", [](const RecordedRun& r) { return r.summary.steps; })
      .def_prop_ro("wall_seconds", [](const RecordedRun& r) { return r.summary.wall_seconds; })
      .def_prop_ro(
          "audit", [](const RecordedRun& r) { return r.summary.audit; }, "Worst value of each audit signal.")
      .def_prop_ro("title", [](const RecordedRun& r) { return r.description.title; })
      .def_prop_ro("method", [](const RecordedRun& r) { return r.description.method; })
      .def_prop_ro(
          "step", [](const RecordedRun& r) { return r.description.step; }, "time.step [s]")
      .def_prop_ro("compliant", [](const RecordedRun& r) { return r.description.compliant_contact; })
      .def_prop_ro("warnings", [](const RecordedRun& r) { return r.description.warnings; })
      .def_prop_ro(
          "verdict", [](const RecordedRun& r) { return std::string(words_of(r.verdict.trust)); },
          "trustworthy, look closer or do not trust.")
      .def_prop_ro(
          "reasons", [](const RecordedRun& r) { return r.verdict.reasons(); },
          "What is not trustworthy, the worst first.")
      .def_ro("signals", &RecordedRun::signals)
      .def_ro("events", &RecordedRun::events)
      .def_ro("contact_shapes", &RecordedRun::contact_shapes)
      .def_prop_ro("times", [](nb::handle self) { return make_column(nb::cast<RecordedRun&>(self).times, self); })
      .def(
          "samples",
          [](nb::handle self, std::size_t index) {
            return make_column(nb::cast<RecordedRun&>(self).samples.at(index), self);
          },
          "index"_a, "Samples of a signal by its index: a view, not a copy.")
      .def("contact_rows", contact_rows, "One row a contact and sample; columns: contact_columns().");

  module.def("contact_columns", [] { return contact_columns(); });
  module.def("run_simulation", run_simulation, "simulation"_a, "folder"_a = "", "progress"_a = nb::none(),
             nb::sig("def run_simulation(simulation: Simulation, folder: str | os.PathLike[str] = ..., "
                     "progress: object | None = None) -> RecordedRun"),
             "From where it stands to the end of its scene, recorded.");
  module.def(
      "make_report",
      [](const std::vector<std::string>& folders) {
        const nb::gil_scoped_release release;
        return make_report(std::vector<std::filesystem::path>(folders.begin(), folders.end()));
      },
      "folders"_a, "One HTML file that shows stored runs; the others are compared with the first.");
  module.def("open_run", open_run, "folder"_a, nb::sig("def open_run(folder: str | os.PathLike[str]) -> RecordedRun"),
             "A run that was stored by `stiction run` or run(out=...).");
}

}  // namespace stiction::python
