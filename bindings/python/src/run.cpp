#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

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

/// What Python sees of a finished run: plain data, so that it reaches other processes.
struct RecordedRun {
  std::string status, message, hash, title, method, verdict;
  double time = 0, step = 0, wall_seconds = 0;  ///< [s]
  std::int64_t steps = 0;
  bool compliant = false;
  std::map<std::string, double> audit;
  std::vector<std::string> warnings, contact_shapes;
  std::vector<Judgement> reasons;
  std::vector<SignalInfo> signals;
  std::vector<StepEvent> events;
  std::vector<double> times;
  std::vector<std::vector<double>> samples;  ///< by signal
  std::vector<double> contact_rows;          ///< one row a contact and sample: docs/run-format.md
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
  const RunSummary& summary = result.summary;
  const RunDescription& description = result.description;
  const Verdict verdict = judge(summary, description);
  auto run = std::make_unique<RecordedRun>(RecordedRun{.status = name_of(summary.status),
                                                       .message = summary.message,
                                                       .hash = summary.hash,
                                                       .title = description.title,
                                                       .method = description.method,
                                                       .verdict = words_of(verdict.trust),
                                                       .time = summary.time,
                                                       .step = description.step,
                                                       .wall_seconds = summary.wall_seconds,
                                                       .steps = summary.steps,
                                                       .compliant = description.compliant_contact,
                                                       .audit = summary.audit,
                                                       .warnings = description.warnings,
                                                       .contact_shapes = std::move(result.contact_shapes),
                                                       .reasons = verdict.reasons(),
                                                       .signals = std::move(result.signals),
                                                       .events = std::move(result.events),
                                                       .times = std::move(result.times),
                                                       .samples = std::move(result.samples),
                                                       .contact_rows = {}});
  for (const ContactSample& sample : result.contacts) append_contact_row(sample.t, sample.contact, run->contact_rows);
  return run.release();
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

using RowView = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;

RowView contact_rows(nb::handle self) {
  const std::vector<double>& rows = nb::cast<RecordedRun&>(self).contact_rows;
  return RowView(rows.data(), {rows.size() / contact_row_size, std::size_t(contact_row_size)}, self);
}

// Pickled: text and lists of objects as they are, numbers as bytes.

nb::bytes to_bytes(const std::vector<double>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
}
std::vector<double> to_numbers(const nb::bytes& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(double));
  std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(double));
  return numbers;
}

using RunTexts = std::array<std::string, 6>;
using RunState =
    std::tuple<RunTexts, std::array<double, 3>, std::int64_t, bool, std::map<std::string, double>,
               std::vector<std::string>, std::vector<std::string>, std::vector<Judgement>, std::vector<SignalInfo>,
               std::vector<StepEvent>, nb::bytes, std::vector<nb::bytes>, nb::bytes>;
RunState write_run(const RecordedRun& r) {
  std::vector<nb::bytes> samples;
  for (const std::vector<double>& numbers : r.samples) samples.push_back(to_bytes(numbers));
  return {{r.status, r.message, r.hash, r.title, r.method, r.verdict},
          {r.time, r.step, r.wall_seconds},
          r.steps,
          r.compliant,
          r.audit,
          r.warnings,
          r.contact_shapes,
          r.reasons,
          r.signals,
          r.events,
          to_bytes(r.times),
          samples,
          to_bytes(r.contact_rows)};
}
void read_run(RecordedRun& r, const RunState& state) {
  new (&r) RecordedRun();
  const auto& [texts, times, steps, compliant, audit, warnings, shapes, reasons, signals, events, at, samples, rows] =
      state;
  std::tie(r.status, r.message, r.hash, r.title, r.method, r.verdict) = std::tuple_cat(texts);
  std::tie(r.time, r.step, r.wall_seconds) = std::tuple_cat(times);
  std::tie(r.steps, r.compliant, r.audit, r.warnings) = std::tie(steps, compliant, audit, warnings);
  std::tie(r.contact_shapes, r.reasons, r.signals, r.events) = std::tie(shapes, reasons, signals, events);
  r.times = to_numbers(at);
  for (const nb::bytes& numbers : samples) r.samples.push_back(to_numbers(numbers));
  r.contact_rows = to_numbers(rows);
}

using JudgementState = std::tuple<std::string, int, std::array<double, 3>, std::array<std::string, 4>>;
JudgementState write_judgement(const Judgement& j) {
  return {j.measure, static_cast<int>(j.trust), {j.value, j.limit, j.time}, {j.unit, j.place, j.text, j.remedy}};
}
void read_judgement(Judgement& j, const JudgementState& state) {
  const auto& [measure, trust, numbers, texts] = state;
  new (&j) Judgement{.measure = measure,
                     .trust = static_cast<Trust>(trust),
                     .value = numbers[0],
                     .unit = texts[0],
                     .limit = numbers[1],
                     .time = numbers[2],
                     .place = texts[1],
                     .text = texts[2],
                     .remedy = texts[3]};
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
      .def("__getstate__", write_judgement)
      .def("__setstate__", read_judgement)
      .def("__repr__", [](const Judgement& j) { return "<" + std::string(words_of(j.trust)) + ": " + j.text + ">"; });

  nb::class_<RecordedRun>(module, "RecordedRun", "A run and its samples, in memory.")
      .def_ro("status", &RecordedRun::status)
      .def_ro("message", &RecordedRun::message)
      .def_ro("hash", &RecordedRun::hash, "Of the final state, 16 digits.")
      .def_ro("time", &RecordedRun::time, "Reached [s].")
      .def_ro("steps", &RecordedRun::steps)
      .def_ro("wall_seconds", &RecordedRun::wall_seconds)
      .def_ro("audit", &RecordedRun::audit, "Worst value of each audit signal.")
      .def_ro("title", &RecordedRun::title)
      .def_ro("method", &RecordedRun::method)
      .def_ro("step", &RecordedRun::step, "time.step [s]")
      .def_ro("compliant", &RecordedRun::compliant)
      .def_ro("warnings", &RecordedRun::warnings)
      .def_ro("verdict", &RecordedRun::verdict, "trustworthy, look closer or do not trust.")
      .def_ro("reasons", &RecordedRun::reasons, "What is not trustworthy, the worst first.")
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
      .def("contact_rows", contact_rows, "One row a contact and sample; columns: contact_columns(). A view.")
      .def("__getstate__", write_run)
      .def("__setstate__", read_run);

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
