#pragma once

#include <nanobind/nanobind.h>

namespace stiction::python {

void bind_errors(nanobind::module_& module);
void bind_simulation(nanobind::module_& module);
void bind_run(nanobind::module_& module);
void bind_rollout(nanobind::module_& module);
void bind_contact_pair(nanobind::module_& module);
void bind_tables(nanobind::module_& module);

}  // namespace stiction::python
