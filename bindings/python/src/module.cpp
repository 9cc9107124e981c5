#include "bindings/python/src/module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <filesystem>

#include "stiction/base/fault.h"
#include "stiction/base/internal_error.h"
#include "stiction/base/version.h"

namespace nb = nanobind;

namespace stiction::python {
namespace {

/// An exception that carries faults reaches other processes.
using FaultState = std::tuple<std::string, int, int, int, std::string, std::string, std::string, std::string>;
FaultState write_fault(const Fault& fault) {
  const SourcePlace& at = fault.place;
  return {at.file, at.line, at.column, at.length, at.line_text, fault.path, fault.message, fault.hint};
}
void read_fault(Fault& fault, const FaultState& state) {
  new (&fault) Fault();
  SourcePlace& at = fault.place;
  std::tie(at.file, at.line, at.column, at.length, at.line_text, fault.path, fault.message, fault.hint) = state;
}

}  // namespace

/// Exceptions: InputError is stiction.SceneError, which carries the faults as data; IoError is OSError; InternalError
/// is stiction.InternalError.
void bind_errors(nb::module_& module) {
  nb::class_<Fault>(module, "Fault", "One thing that is wrong with a scene.")
      .def_prop_ro("file", [](const Fault& fault) { return fault.place.file; })
      .def_prop_ro(
          "line", [](const Fault& fault) { return fault.place.line; }, "From 1; 0: unknown.")
      .def_prop_ro("column", [](const Fault& fault) { return fault.place.column; })
      .def_ro("path", &Fault::path, "The field, as the user writes it: body.top.mass.")
      .def_ro("message", &Fault::message)
      .def_ro("hint", &Fault::hint, "What to do; may be empty.")
      .def("__repr__", [](const Fault& fault) { return "<stiction.Fault " + format_fault(fault) + ">"; })
      .def("__getstate__", write_fault)
      .def("__setstate__", read_fault);

  nb::exception<InternalError>(module, "InternalError", PyExc_RuntimeError);
  // SceneError stands in Python (errors.py), so that it can have an attribute `faults`.
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      const nb::object type = nb::module_::import_("stiction.errors").attr("SceneError");
      PyErr_SetObject(type.ptr(), type(error.what(), error.faults()).ptr());
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const std::filesystem::filesystem_error& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

}  // namespace stiction::python

NB_MODULE(_core, module) {
  module.doc() = "Stiction in C++: the classes behind the package stiction.";
  module.attr("__version__") = stiction::version;
  stiction::python::bind_errors(module);
  stiction::python::bind_simulation(module);
  stiction::python::bind_run(module);
  stiction::python::bind_rollout(module);
  stiction::python::bind_contact_pair(module);
  stiction::python::bind_tables(module);
}
