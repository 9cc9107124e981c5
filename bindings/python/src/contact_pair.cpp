#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "stiction/base/fault.h"

#include "bindings/c/pair.h"
#include "bindings/python/src/module.h"

namespace nb = nanobind;
using namespace nb::literals;

// The contact core: the functions of stiction.h with arrays of numpy.

namespace stiction::python {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Memory = nb::ndarray<double, nb::shape<STICTION_MEMORY_SIZE + 1>, nb::c_contig, nb::device::cpu>;

struct Pair {
  explicit Pair(stiction_pair* made) : pair(made) {}
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;
  ~Pair() { stiction_pair_free(pair); }
  stiction_pair* pair;
};

/// 13 numbers: position, quaternion w x y z, velocity, angular velocity.
stiction_body_state to_state(const Numbers& numbers) {
  if (numbers.shape(0) != 13)
    throw InputError("a body has 13 numbers: position, quaternion w x y z, velocity, angular velocity");
  stiction_body_state state;
  const double* x = numbers.data();
  std::copy_n(x, 3, state.position), std::copy_n(x + 3, 4, state.quaternion);
  std::copy_n(x + 7, 3, state.linear), std::copy_n(x + 10, 3, state.angular);
  return state;
}

stiction_contact_memory to_memory(const double* numbers) {
  stiction_contact_memory memory;
  std::copy_n(numbers, STICTION_MEMORY_SIZE, memory.values);
  memory.touching = numbers[STICTION_MEMORY_SIZE] != 0;
  return memory;
}

template <std::size_t n>
nb::ndarray<nb::numpy, double, nb::ndim<1>> to_array(const double (&values)[n]) {
  auto* data = new double[n];
  std::copy_n(values, n, data);
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return nb::ndarray<nb::numpy, double, nb::ndim<1>>(data, {n}, owner);
}

using Output = stiction_contact_output;

}  // namespace

void bind_contact_pair(nb::module_& module) {
  nb::class_<Output>(module, "ContactOutput", "Forces and rates of a contact at an instant, world axes.")
      .def_ro("gap", &Output::gap, "> 0 apart; its change of sign is an event [m]")
      .def_prop_ro(
          "point", [](const Output& o) { return to_array(o.point); }, nb::rv_policy::automatic, "[m]")
      .def_prop_ro(
          "normal", [](const Output& o) { return to_array(o.normal); }, nb::rv_policy::automatic, "From A to B.")
      .def_ro("normal_force", &Output::normal_force, "[N]")
      .def_prop_ro(
          "friction_force", [](const Output& o) { return to_array(o.friction_force); }, nb::rv_policy::automatic,
          "On B [N].")
      .def_prop_ro(
          "force_a", [](const Output& o) { return to_array(o.force_a); }, nb::rv_policy::automatic,
          "On A, at its origin [N].")
      .def_prop_ro(
          "torque_a", [](const Output& o) { return to_array(o.torque_a); }, nb::rv_policy::automatic, "[N m]")
      .def_prop_ro(
          "force_b", [](const Output& o) { return to_array(o.force_b); }, nb::rv_policy::automatic,
          "On B, at its origin [N].")
      .def_prop_ro(
          "torque_b", [](const Output& o) { return to_array(o.torque_b); }, nb::rv_policy::automatic, "[N m]")
      .def_ro("stored", &Output::stored, "[J]")
      .def_ro("dissipated", &Output::dissipated, "[W]")
      .def_prop_ro(
          "rates", [](const Output& o) { return to_array(o.rates); }, nb::rv_policy::automatic,
          "Of all numbers of the memory but the last.")
      .def_prop_ro("sticks", [](const Output& o) { return o.sticks != 0; });

  nb::class_<Pair>(
      module, "ContactPair",
      "Two shapes and their law of compliant contact, for other simulators (docs/c.md):\n"
      "    F = f(depth, d depth/dt, slip, z),   dz/dt = r(depth, slip, z)\n"
      "It remembers nothing: memory is an array of 12 numbers, make_memory(): z, eleven numbers (deflection of\n"
      "the bristles [m], dwell [-], ...), and whether it touches. A body is an array of 13 numbers: position\n"
      "[m], quaternion w x y z, velocity [m/s], angular velocity [rad/s].")
      .def(
          "__init__",
          [](Pair* place, const nb::object& scene, const std::string& a, const std::string& b) {
            const nb::object given = nb::module_::import_("stiction.scene").attr("to_text")(scene);
            new (place) Pair(capi::read_pair(nb::cast<std::string>(given), a, b));
          },
          "scene"_a, "a"_a, "b"_a, "scene: path, text, dict or tables with both bodies and their contact table.")
      .def_static(
          "make_memory",
          [] {
            return to_array({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
          },
          nb::rv_policy::automatic, "Of a contact that does not touch: 12 zeros.")
      .def(
          "evaluate",
          [](const Pair& pair, const Numbers& a, const Numbers& b, const Numbers& memory) {
            if (memory.shape(0) != STICTION_MEMORY_SIZE + 1) throw InputError("memory has 12 numbers");
            return capi::evaluate_pair(*pair.pair, to_state(a), to_state(b), to_memory(memory.data()));
          },
          "a"_a, "b"_a, "memory"_a,
          "Forces F on both bodies and rates dz/dt at an instant; memory is not changed. The host integrates\n"
          "    memory[:-1] += h * output.rates.")
      .def(
          "update",
          [](const Pair& pair, const Numbers& a, const Numbers& b, Memory memory) {
            stiction_contact_memory remembered = to_memory(memory.data());
            const bool changed = capi::update_pair(*pair.pair, to_state(a), to_state(b), remembered);
            std::copy_n(remembered.values, STICTION_MEMORY_SIZE, memory.data());
            memory.data()[STICTION_MEMORY_SIZE] = remembered.touching;
            return changed;
          },
          // A copy in another type would take what is changed here.
          "a"_a, "b"_a, "memory"_a.noconvert(),
          "After a step or at an event: touching begins and ends in memory. True if it did.");
}

}  // namespace stiction::python
