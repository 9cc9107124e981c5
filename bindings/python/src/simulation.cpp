#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "stiction/math/rotation.h"

#include "bindings/python/src/live_simulation.h"
#include "bindings/python/src/module.h"
#include "bindings/python/src/signal_check.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace stiction::python {
namespace {

using View = nb::ndarray<nb::numpy, const double, nb::ndim<1>>;
using Values = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Triple = std::array<double, 3>;

/// Not copied, read only; it shares the memory, whatever becomes of the simulation.
View make_view(const LiveSimulation::Shared& x) {
  auto* share = new LiveSimulation::Shared(x);
  nb::capsule owner(share, [](void* p) noexcept { delete static_cast<LiveSimulation::Shared*>(p); });
  return View(x->data(), {static_cast<std::size_t>(x->size())}, owner);
}

/// A new array.
template <std::size_t n>
nb::ndarray<nb::numpy, double> make_array(const std::array<double, n>& x, std::initializer_list<std::size_t> shape) {
  auto* data = new std::array<double, n>(x);
  nb::capsule owner(data, [](void* p) noexcept { delete static_cast<std::array<double, n>*>(p); });
  return nb::ndarray<nb::numpy, double>(data->data(), shape, owner);
}
nb::ndarray<nb::numpy, double> make_array(const Vec3& x) {
  return make_array(Triple{x.x(), x.y(), x.z()}, {3});
}

Vec3 to_vector(const std::array<double, 3>& x) {
  return {x[0], x[1], x[2]};
}

/// What Python may give as a scene is made text, or the name of a file, by stiction/scene.py.
void make_simulation(LiveSimulation* place, const nb::object& scene, const nb::object& set) {
  const nb::object given = nb::module_::import_("stiction.scene").attr("to_source")(scene, set);
  const auto [text, is_file, overrides] = nb::cast<std::tuple<std::string, bool, std::vector<std::string>>>(given);
  const nb::gil_scoped_release release;
  new (place) LiveSimulation(is_file ? Simulation::from_file(text, overrides) : Simulation::from_text(text, overrides));
}

nb::bytes save(LiveSimulation& live) {
  const std::string bytes = encode_state(live.use().save());
  return nb::bytes(bytes.data(), bytes.size());
}

/// A simulation reaches other processes as the text of its scene, its overrides, and its state.
using LiveState = std::tuple<std::vector<std::pair<std::string, std::string>>, std::vector<std::string>, nb::bytes>;
LiveState write_live(LiveSimulation& live) {
  const SceneText& text = live.use().scene().text;
  std::vector<std::pair<std::string, std::string>> files;
  for (const SceneText::File& file : text.files) files.emplace_back(file.name, file.text);
  return {files, text.overrides, save(live)};
}
void read_live(LiveSimulation* place, const LiveState& state) {
  const auto& [files, overrides, saved] = state;
  SceneText text{.files = {}, .overrides = overrides};
  for (const auto& [name, content] : files) text.files.push_back({name, content});
  Simulation made = Simulation::from_text(text);
  made.restore(decode_state({saved.c_str(), saved.size()}));
  new (place) LiveSimulation(std::move(made));
}

/// With names of its own, that outlive the simulation.
struct ContactCopy {
  explicit ContactCopy(const SimulationContact& seen) : contact(seen), a(seen.shape_a), b(seen.shape_b) {}
  SimulationContact contact;
  std::string a, b;
};

template <class Step>
StepReport take_step(LiveSimulation& live, const Step& step) {
  StepReport report = live.release(step);
  if (report.status == StepStatus::ok) return report;
  const nb::object type = nb::module_::import_("stiction.errors").attr("StepError");
  const std::string message = std::string(name_of(report.status)) + ": " + report.message;
  PyErr_SetObject(type.ptr(), type(message, report).ptr());
  throw nb::python_error();
}

/// From whatever numpy makes an array of.
void set_values(const nb::object& given, VecX& to, const char* name) {
  const auto from = nb::cast<Values>(nb::module_::import_("numpy").attr("ascontiguousarray")(given, "float64"));
  if (from.ndim() != 1 || static_cast<Eigen::Index>(from.size()) != to.size())
    throw InputError(fmt::format(
        "{} must have {} numbers, got {}", name, to.size(),
        from.ndim() == 1 ? std::to_string(from.size()) : fmt::format("an array of {} dimensions", from.ndim())));
  std::copy_n(from.data(), to.size(), to.data());
}

/// What Python shows of a report: an exception that carries it reaches other processes.
using ReportState = std::tuple<int, std::string, double, int, double, double, double, std::vector<StepEvent>>;
ReportState write_report(const StepReport& report) {
  return {static_cast<int>(report.status), report.message,          report.h,     report.evaluations, report.drift,
          report.contact.penetration,      report.contact.residual, report.events};
}
void read_report(StepReport& report, const ReportState& state) {
  new (&report) StepReport();
  int status = 0;
  std::tie(status, report.message, report.h, report.evaluations, report.drift, report.contact.penetration,
           report.contact.residual, report.events) = state;
  report.status = static_cast<StepStatus>(status);
}

void bind_reports(nb::module_& module) {
  nb::class_<StepEvent>(module, "Event", "Something that happened at an instant.")
      .def_ro("t", &StepEvent::t, "[s]")
      .def_ro("kind", &StepEvent::kind, "impact, release, stick, slip, taut, slack, sleep, wake.")
      .def_ro("name", &StepEvent::name, "The pair, the element or the body.")
      .def("__getstate__", [](const StepEvent& event) { return std::tuple(event.t, event.kind, event.name); })
      .def("__setstate__",
           [](StepEvent& event, const std::tuple<double, std::string, std::string>& state) {
             new (&event) StepEvent();
             std::tie(event.t, event.kind, event.name) = state;
           })
      .def("__repr__", [](const StepEvent& event) {
        return "Event(t=" + std::to_string(event.t) + ", kind='" + event.kind + "', name='" + event.name + "')";
      });
  nb::class_<StepReport>(module, "StepReport", "What a step did. Measured, never claimed.")
      .def_prop_ro("status", [](const StepReport& report) { return std::string(name_of(report.status)); })
      .def_ro("message", &StepReport::message)
      .def_ro("h", &StepReport::h, "Length of the step [s].")
      .def_ro("evaluations", &StepReport::evaluations)
      .def_ro("drift", &StepReport::drift, "Violation of the constraints [m, rad].")
      .def_prop_ro(
          "penetration", [](const StepReport& report) { return report.contact.penetration; }, "[m]")
      .def_prop_ro(
          "residual", [](const StepReport& report) { return report.contact.residual; },
          "Of the contact problems solved, measured: 0 <= gap, normal impulse; friction impulse in its cone, opposite\n"
          "to the slip.")
      .def_ro("events", &StepReport::events)
      .def("__getstate__", write_report)
      .def("__setstate__", read_report)
      .def("__repr__", [](const StepReport& report) {
        return "<stiction.StepReport " + std::string(name_of(report.status)) + ", h = " + std::to_string(report.h) +
               " s, " + std::to_string(report.events.size()) + " events>";
      });
  nb::class_<SignalInfo>(module, "Signal", "A signal or an input: its name and unit.")
      .def_ro("name", &SignalInfo::name)
      .def_ro("unit", &SignalInfo::unit)
      .def("__getstate__", [](const SignalInfo& info) { return std::tuple(info.name, info.unit, info.time_base); })
      .def("__setstate__",
           [](SignalInfo& info, const std::tuple<std::string, std::string, std::string>& state) {
             new (&info) SignalInfo();
             std::tie(info.name, info.unit, info.time_base) = state;
           })
      .def("__repr__", [](const SignalInfo& info) { return info.name + " [" + info.unit + "]"; });
}

void bind_contact(nb::module_& module) {
  using Copy = ContactCopy;
  nb::class_<Copy>(module, "Contact", "A contact of the last step, world axes.")
      .def_ro("a", &Copy::a, "Shape A.")
      .def_ro("b", &Copy::b, "Shape B.")
      .def_prop_ro(
          "position", [](const Copy& c) { return make_array(c.contact.position); }, nb::rv_policy::automatic, "[m]")
      .def_prop_ro(
          "normal", [](const Copy& c) { return make_array(c.contact.normal); }, nb::rv_policy::automatic,
          "From A to B.")
      .def_prop_ro(
          "gap", [](const Copy& c) { return c.contact.gap; }, "[m]")
      .def_prop_ro(
          "force", [](const Copy& c) { return make_array(c.contact.force); }, nb::rv_policy::automatic, "On B [N].")
      .def_prop_ro(
          "moment", [](const Copy& c) { return make_array(c.contact.moment); }, nb::rv_policy::automatic,
          "On B, about the point [N m].")
      .def_prop_ro(
          "slip", [](const Copy& c) { return make_array(c.contact.slip); }, nb::rv_policy::automatic,
          "Velocity of B's surface against A's [m/s].")
      .def_prop_ro(
          "mode", [](const Copy& c) { return std::string(name_of(c.contact.mode)); }, "open, stick or slip.")
      .def("__repr__", [](const Copy& c) {
        const Vec3& f = c.contact.force;
        return fmt::format("<stiction.Contact {}/{}: {}, gap {:.3g} m, force [{:.3g}, {:.3g}, {:.3g}] N>", c.a, c.b,
                           name_of(c.contact.mode), c.contact.gap, f.x(), f.y(), f.z());
      });
}

}  // namespace

void bind_simulation(nb::module_& module) {
  bind_reports(module);
  bind_contact(module);
  using Live = LiveSimulation;
  nb::class_<Live>(module, "Simulation",
                   "A scene that is stepped. The same names as in scene files and in C++; SI units; world axes.\n"
                   "Steps give the same bits as `stiction run`.")
      .def("__init__", make_simulation, "scene"_a, "set"_a = nb::none(),
           nb::sig("def __init__(self, scene: str | os.PathLike[str] | collections.abc.Mapping[str, typing.Any] | "
                   "stiction.scene.Table, "
                   "set: collections.abc.Mapping[str, typing.Any] | None = None) -> None"),
           "scene: the path of a scene file, the text of one (it has a line break), or a dict of its tables.\n"
           "set: fields to change, by their path: {'time.step': 1e-4, 'body.ball.mass': '2 kg'}.")
      .def_prop_ro("title", [](const Live& s) { return s.use().scene().title; })
      .def_prop_ro("method", [](const Live& s) { return s.use().scene().method.type; })
      .def_prop_ro(
          "duration", [](const Live& s) { return s.use().scene().time.duration; }, "Of the scene [s].")
      .def_prop_ro("warnings", [](const Live& s) { return s.use().description().warnings; })
      .def_prop_ro(
          "time", [](const Live& s) { return s.use().time(); }, "[s]")
      .def_prop_rw(
          "step_length", [](const Live& s) { return s.use().step_length(); },
          [](Live& s, double step) { s.use().set_step(step); },
          "Length of fixed steps [s]; setting it begins a new grid at the present time.")
      .def(
          "step", [](Live& s) { return take_step(s, [](Simulation& x) { return x.step(); }); },
          "One step of the method. StepError if it fails; the last good state is kept.")
      .def(
          "step_to",
          [](Live& s, double t) {
            SignalCheck check;
            StepReport report = take_step(s, [&](Simulation& x) { return x.step_to(t, std::ref(check)); });
            check.rethrow();
            return report;
          },
          "t"_a,
          "Steps to t exactly; the last one is shortened where t is not on the grid. The report has all events. Ctrl-C "
          "stops it after a step.")
      .def(
          "advance",
          [](Live& s, double t_limit) { return take_step(s, [&](Simulation& x) { return x.advance(t_limit); }); },
          "t_limit"_a, "One step at most, never beyond t_limit [s].")
      .def(
          "to_toml", [](const Live& s, bool all) { return s.use().to_toml(all); }, "all"_a = false,
          "The scene, completed, as one file: SI numbers at full precision, defaults left out (all: written, too).\n"
          "Simulation(text) of it is the same simulation, bit for bit.")
      .def(
          "reset",
          [](Live& s) {
            s.use().reset();
            s.update();
          },
          "Back to the start, inputs as the scene has them.")
      .def(
          "set",
          [](Live& s, const std::string& path, const nb::object& value) {
            const nb::object text = nb::module_::import_("stiction.scene").attr("format_value")(value, path);
            s.use().set(path, nb::cast<std::string>(text));
            s.update();
          },
          "path"_a, "value"_a,
          "The scene with a field changed, from its start: set('body.ball.mass', 2.0), or as text with a unit:\n"
          "set('body.ball.mass', '2000 g'); set('world.gravity', [0, 0, -1.62]); set('method.type', 'cone').")
      .def(
          "copy", [](const Live& s) { return new Live(s.use()); }, "Goes on as the original does, bit for bit.")
      .def("__copy__", [](const Live& s) { return new Live(s.use()); })
      .def(
          "__deepcopy__", [](const Live& s, nb::handle) { return new Live(s.use()); }, "memo"_a)
      .def("__getstate__", write_live)
      .def("__setstate__", read_live)
      .def("save", save, "All that determines the future, as bytes.")
      .def(
          "restore",
          [](Live& s, const nb::bytes& saved) {
            s.use().restore(decode_state(std::string_view(saved.c_str(), saved.size())));
            s.update();
          },
          "saved"_a)
      .def_prop_ro(
          "hash", [](const Live& s) { return calc_hash(s.use().state()); }, "Of the state, 16 digits.")
      .def_prop_ro(
          "q", [](const Live& s) { return make_view(s.q()); }, nb::rv_policy::automatic,
          "Generalized coordinates [m, rad; quaternions w, x, y, z]: a view that shows the state after every step. Not "
          "a copy. After set() has changed\n"
          "their number, older views keep the last state that they showed.")
      .def_prop_ro(
          "v", [](const Live& s) { return make_view(s.v()); }, nb::rv_policy::automatic,
          "Generalized velocities [m/s, rad/s], likewise: M(q) dv/dt = forces - bias(q, v).")
      .def(
          "set_state",
          [](Live& s, const nb::object& q, const nb::object& v) {
            State state = s.use().state();
            set_values(q, state.q, "q");
            set_values(v, state.v, "v");
            s.use().set_state(state);
            s.update();
          },
          "q"_a, "v"_a, nb::sig("def set_state(self, q: numpy.typing.ArrayLike, v: numpy.typing.ArrayLike) -> None"),
          "Coordinates and velocities; what contacts remember is dropped.")
      .def_prop_ro("bodies", [](const Live& s) { return s.use().bodies(); })
      .def(
          "position", [](Live& s, const std::string& body) { return make_array(s.use().pose(body).p); },
          nb::rv_policy::automatic, "body"_a, "Of the body's origin [m].")
      .def(
          "rotation",
          [](Live& s, const std::string& body) {
            const Mat3 R = s.use().pose(body).R.transpose();  // by rows
            std::array<double, 9> numbers;
            std::copy_n(R.data(), 9, numbers.begin());
            return make_array(numbers, {3, 3});
          },
          "body"_a, "Rotation matrix: columns are the body's axes in world axes.")
      .def(
          "quaternion",
          [](Live& s, const std::string& body) {
            const Quaternion q = calc_quaternion(s.use().pose(body).R);
            return make_array(std::array<double, 4>{q.w, q.x, q.y, q.z}, {4});
          },
          "body"_a, "w, x, y, z with w >= 0.")
      .def(
          "velocity", [](Live& s, const std::string& body) { return make_array(s.use().velocity(body).linear); },
          nb::rv_policy::automatic, "body"_a, "Of the body's origin [m/s].")
      .def(
          "angular_velocity",
          [](Live& s, const std::string& body) { return make_array(s.use().velocity(body).angular); },
          nb::rv_policy::automatic, "body"_a, "[rad/s]")
      .def(
          "contacts",
          [](Live& s) {
            const auto contacts = s.use().contacts();
            return std::vector<ContactCopy>(contacts.begin(), contacts.end());
          },
          "Contacts of the last step.")
      .def_prop_ro(
          "signals", [](Live& s) { return s.use().signals(); }, "All signals that have a name.")
      .def(
          "signal", [](Live& s, const std::string& name) { return s.use().signal(name); }, "name"_a,
          "The value of a signal now: signal('ball.position.z').")
      .def(
          "__getitem__", [](Live& s, const std::string& name) { return s.use().signal(name); }, "name"_a)
      .def_prop_ro(
          "inputs", [](const Live& s) { return s.use().inputs(); }, "All that can be set from outside.")
      .def(
          "input", [](const Live& s, const std::string& name) { return s.use().input(s.use().find_input(name)); },
          "name"_a)
      .def(
          "set_input", [](Live& s, const std::string& name, double value) { s.use().set_input(name, value); }, "name"_a,
          "value"_a,
          "It holds until it is set anew: set_input('motor.drive.effort', 2.0). In the unit of its info in inputs.\n"
          "A driver that is set at t0 moves as q(t) = position + velocity (t - t0) + acceleration (t - t0)^2 / 2.")
      .def(
          "__setitem__", [](Live& s, const std::string& name, double value) { s.use().set_input(name, value); },
          "name"_a, "value"_a)
      .def(
          "set_force",
          [](Live& s, const std::string& body, const Triple& force, const Triple& torque) {
            s.use().set_force(body, to_vector(force), to_vector(torque));
          },
          "body"_a, "force"_a, "torque"_a = Triple{0, 0, 0}, "At the body's origin, world axes [N, N m].")
      .def("__repr__", [](const Live& s) {
        return "<stiction.Simulation '" + s.use().scene().title + "' at t = " + std::to_string(s.use().time()) + " s>";
      });
}

}  // namespace stiction::python
