#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/text.h"
#include "stiction/results/wrap_lines.h"
#include "stiction/scene/describe/describe.h"
#include "stiction/scene/describe/features.h"
#include "stiction/scene/read/read_scene.h"

namespace stiction {
namespace {

constexpr std::string_view introduction = R"md(# Scene files

This page is printed by `stiction reference`, from the same descriptions that scenes are checked against.

A scene is a TOML file of named tables. A complete one:

```toml
title = "Pendulum with a spring"

[world]
gravity = [0, -9.81, 0]

[time]
duration = 2
step = "1 ms"

[body.rod]
mass = "1.2 kg"
center_of_mass = [0.25, 0, 0]
inertia = [0.001, 0.025, 0.025]

[joint.hinge]
type = "revolute"
child = "rod"
axis = [0, 0, 1]
position = "-30 deg"

[spring.return]
type = "torsional"
joint = "hinge"
stiffness = "5 N m/rad"
damping = 0.02
```

## Rules

- Unknown keys, wrong types, wrong units and impossible values are errors. All errors are reported at once, each with
  its position in the file.
- A value is written once: the same key in two files is an error.
- Names of bodies, joints and so on have 1 to 64 letters, digits, `_` and `-`. `world` is the fixed frame. It,
  `energy`, `momentum`, `audit` and `time` cannot be names of bodies or joints.
- Numbers must be finite. A scene has at most 64 MiB of text in 64 files, brackets nested 64 deep and keys of 32 parts.
- `--set key.path=value` on the command line replaces or adds any value, with the same checks:
  `--set time.step="20 us"`, `--set body.rod.mass=2`.

## Values

| kind | written as |
|---|---|
| number with a unit | a plain number in the SI unit shown in brackets, or text with a unit: `0.015`, `"15 mm"` |
| vector | an array of 3 such numbers: `[0, "20 cm", 1]` |
| direction | an array of 3 numbers of any length but zero |
| orientation | a table, or an array of tables: see [orientation](#orientation) |
| function of time | a number, or a table: see [function of time](#function-of-time) |
| text, true or false | as in TOML |

Units are products and quotients of `m g t s min h N Pa J W Hz rad deg rev rpm %`, with the prefixes
`T G M k d c m u n p` where customary and whole powers: `"9.81 m/s^2"`, `"5 N m/rad"`, `"0.1 kg*m^2/s"`, `"2 N/(m s)"`.
The dimension is checked. Radians may be omitted (`"5 N m"` for 5 N m/rad), but an angle is never taken for a length or
a pure number, nor a frequency in Hz for an angular velocity.

## Includes

`include = ["arm.toml", "parts/hand.toml"]` before the first table adds the tables of other files. Paths are relative to
the including file and stay inside the folder of the scene. A file that is included twice counts once.

`stiction scene normalise SCENE -o OUT` writes a scene, with its includes and overrides, as one file of plain SI numbers
at full precision. It reads back as the same scene, bit for bit. Defaults are left out, or written with `--all`; copies
become bodies of their own. `stiction scene hash SCENE` prints a hash that is equal for scenes which say the same.
)md";

/// In lines of at most 120 columns; what stands in backticks is not broken, as a line of it may begin like a list.
std::string wrap_prose(std::string text, std::size_t margin = 0, const std::string& first = "") {
  constexpr char unbroken = '\x01';
  bool in_code = false;
  for (char& c : text) {
    if (c == '`') in_code = !in_code;
    if (c == ' ' && in_code) c = unbroken;
  }
  std::string lines = wrap_lines(text, margin, first);
  std::replace(lines.begin(), lines.end(), unbroken, ' ');
  return lines;
}

std::string format_types(const TableInfo& table) {
  if (table.types.empty()) return {};
  std::string text =
      table.default_type.empty()
          ? fmt::format("The key `{}` is required. It is one of:\n\n", table.type_key)
          : fmt::format("The key `{}` is \"{}\" by default. It is one of:\n\n", table.type_key, table.default_type);
  for (const TypeInfo& type : table.types) {
    std::string item = fmt::format("`{}`: {}", type.name, type.sentence);
    if (!type.formula.empty()) item += fmt::format(" `{}`", type.formula);
    if (!type.paper.empty()) item += fmt::format(" ({})", type.paper);
    text += wrap_prose(item, 2, "- ");
  }
  return text + "\n";
}

/// " (for revolute and prismatic)" or, where that is shorter, " (not for weld)"; nothing if all types have the field.
std::string format_types_of(const FieldInfo& field, const TableInfo& table) {
  std::vector<std::string> others;
  for (const std::string& type : table.list_types())
    if (!field.applies_to(type)) others.push_back(type);
  if (others.empty()) return {};
  return others.size() < field.types.size() ? fmt::format(" (not for {})", join_words(others))
                                            : fmt::format(" (for {})", join_words(field.types));
}

/// "- `step`: time [s]; default 0.001; `> 0`. Step of the integrators ...", with the types that have the field.
std::string format_field(const FieldInfo& field, const TableInfo& table) {
  std::string item = fmt::format("`{}`{}: {}", field.name, format_types_of(field, table), field.meaning);
  if (field.required) item += "; required";
  if (!field.required && !field.default_text.empty()) item += "; default " + field.default_text;
  if (!field.range.empty()) item += fmt::format("; `{}`", field.range);
  return wrap_prose(item + ". " + field.sentence, 2, "- ");
}

std::string format_table(const TableInfo& table) {
  const bool is_file_table = table.heading.starts_with('[');
  std::string text =
      is_file_table ? fmt::format("## `{}`\n\n", table.heading) : fmt::format("## {}\n\n", table.heading);
  text += wrap_prose(table.sentence) + "\n" + format_types(table);
  if (!table.fields.empty()) {
    text += table.types.empty() ? "Keys:\n\n" : "Other keys:\n\n";
    for (const FieldInfo& field : table.fields) text += format_field(field, table);
    text += "\n";
  }
  if (!table.example.empty()) text += fmt::format("```toml\n{}```\n\n", table.example);
  return text;
}

constexpr std::string_view orientation_example = R"md(```toml
[body.plate]
mass = 1
inertia = 0.1
orientation = [{ axis = [0, 0, 1], angle = "30 deg" }, { axis = [1, 0, 0], angle = "6 deg" }]

[body.block]
mass = 1
inertia = 0.1
orientation = { quaternion = [0.5, 0.5, 0.5, 0.5] }
```

)md";

constexpr std::string_view function_example =
    R"md(Units are shown for a length; for other values they are those of the value.

```toml
[driver.lift]
joint = "lift"
motion = { table = { times = [0, "0.5 s", 2], values = [0, "10 cm", 0] } }

[driver.turn]
joint = "turn"
motion = { polynomial = [0, "20 deg/s", 0, 0.01] }

[force.step]
body = "block"
force = [{ table = [[0, 0], [1, "5 N"], [2, 0]], interpolation = "hold" }, 0, 0]

[force.shake]
body = "block"
force = [{ sine = { amplitude = "3 N", frequency = "2 Hz", phase = "90 deg" } }, 0, { start = 1, velocity = 0.5 }]
```

)md";

}  // namespace

std::string format_scene_reference() {
  std::string text(introduction);
  text += fmt::format("\n{}", format_table(describe_scene().info()));
  for (const TableInfo* table : list_tables()) text += format_table(*table);
  text += format_table(describe_rotation().info()) + std::string(orientation_example);
  for (const TableInfo* table : list_function_tables()) text += format_table(*table);
  text += function_example;
  text += format_features();
  // One line end at the end.
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace stiction
