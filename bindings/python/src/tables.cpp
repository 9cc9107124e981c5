#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "stiction/scene/describe/describe.h"

#include "bindings/python/src/module.h"

namespace nb = nanobind;

// The description of scene files, from which make_tables.py writes the classes of stiction.tables.

namespace stiction::python {

void bind_tables(nb::module_& module) {
  nb::class_<FieldInfo>(module, "FieldInfo", "A field of a table: what a user may write.")
      .def_ro("name", &FieldInfo::name)
      .def_ro("meaning", &FieldInfo::meaning, "Kind of value: 'length [m]'.")
      .def_ro("range", &FieldInfo::range, "'> 0'; may be empty.")
      .def_ro("default", &FieldInfo::default_text, "As a user would write it; may be empty.")
      .def_ro("sentence", &FieldInfo::sentence)
      .def_ro("types", &FieldInfo::types, "It applies to these types only; empty: to all.")
      .def_ro("required", &FieldInfo::required)
      .def_ro("formula", &FieldInfo::formula, "The equation it stands in; may be empty.")
      .def_ro("paper", &FieldInfo::paper, "Where that comes from; may be empty.");
  nb::class_<TypeInfo>(module, "TypeInfo", "One of the types of a table.")
      .def_ro("name", &TypeInfo::name)
      .def_ro("sentence", &TypeInfo::sentence)
      .def_ro("formula", &TypeInfo::formula)
      .def_ro("paper", &TypeInfo::paper);
  nb::class_<TableInfo>(module, "TableInfo", "A table of a scene file.")
      .def_ro("heading", &TableInfo::heading, "'[joint.NAME]'")
      .def_ro("sentence", &TableInfo::sentence)
      .def_ro("types", &TableInfo::types)
      .def_ro("type_key", &TableInfo::type_key)
      .def_ro("default_type", &TableInfo::default_type)
      .def_ro("fields", &TableInfo::fields)
      .def_ro("example", &TableInfo::example);
  module.def(
      "describe_tables",
      [] {
        std::vector<TableInfo> tables = {describe_scene().info()};
        for (const TableInfo* table : list_tables()) tables.push_back(*table);
        return tables;
      },
      "All tables of a scene file, the scene itself first: the description that scenes are checked against.");
}

}  // namespace stiction::python
