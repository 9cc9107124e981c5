#pragma once

#include "stiction/scene/describe/field.h"
#include "stiction/scene/scene.h"

namespace stiction {

/// The descriptions of all tables of a scene file, one function each, and of the small tables that values are written
/// as.

const Description<Scene>& describe_scene();
const Description<WorldSpec>& describe_world();
const Description<TimeSpec>& describe_time();
const Description<MethodSettings>& describe_method();
const Description<RecordSpec>& describe_record();
const Description<ExpectSpec>& describe_expect();
const Description<MaterialSpec>& describe_material();
const Description<BodySpec>& describe_body();
const Description<ShapeSpec>& describe_shape();
/// The surfaces of a cell: a list of tables.
const TableInfo& describe_surface();
ValueType<std::vector<Quadric>> surfaces();
/// The formulas of a parametric shape.
const TableInfo& describe_parametric();
ValueType<std::shared_ptr<const ParametricSurface>> parametric_surface();
const Description<MotionSpec>& describe_motion();
const Description<CopiesSpec>& describe_copies();
const Description<JointSpec>& describe_joint();
const Description<ConstraintSpec>& describe_constraint();
const Description<SpringSpec>& describe_spring();
const Description<MotorSpec>& describe_motor();
const Description<DriverSpec>& describe_driver();
const Description<ControllerSpec>& describe_controller();
const Description<ForceSpec>& describe_force();
const Description<ContactSpec>& describe_contact();
const Description<NormalSpec>& describe_normal();
const Description<FrictionSpec>& describe_friction();
const Description<LayerSpec>& describe_layer();

/// All of the above but the scene itself, in the order of the reference.
const std::vector<const TableInfo*>& list_tables();

/// { quaternion } or { axis, angle }.
struct RotationForm {
  std::optional<Quaternion> quaternion;
  std::optional<Vec3> axis;
  std::optional<double> angle;
};
const Description<RotationForm>& describe_rotation();
/// Four numbers of any common scale as a unit quaternion; a fault if all are zero.
std::optional<Quaternion> make_unit_quaternion(ReadContext& context, const Node& node, const double* wxyz);

/// { times, values } of a function of time given by points.
struct PointsForm {
  const Node* times = nullptr;
  const Node* values = nullptr;
};
const Description<PointsForm>& describe_points();
/// The tables by which functions of time are written, with the units they have for a length.
std::vector<const TableInfo*> list_function_tables();

/// Checks a name of a body, joint, ...: letters, digits, _ and -, at most 64, none of the reserved words.
bool check_name(ReadContext& context, const Member& member, const std::vector<std::string>& reserved);

/// Calls `read` for each of the tables [KIND.NAME], in the order of the file.
void read_named_tables(ReadContext& context, const Node& node, const std::string& heading,
                       const std::vector<std::string>& reserved, const std::function<void(const Member&)>& read);

/// The tables [KIND.NAME], in the order of the file. `description` must outlive the result.
template <class T>
ValueType<NamedList<T>> named_tables(const Description<T>& description, std::vector<std::string> reserved = {}) {
  const auto read = [&description, reserved](ReadContext& context, const Node& node) -> std::optional<NamedList<T>> {
    NamedList<T> list;
    read_named_tables(context, node, description.info().heading, reserved, [&](const Member& member) {
      list.push_back({member.key, description.read(context, member.value)});
    });
    return list;
  };
  const auto write = [&description](const NamedList<T>& list, bool all) -> std::optional<Node> {
    Node tables;
    for (const auto& [name, spec] : list) tables.members.push_back({name, {}, description.write(spec, all)});
    return list.empty() ? std::nullopt : std::optional(std::move(tables));
  };
  return {"tables " + description.info().heading, {}, read, {}, write};
}

/// The tables [contact."A/B"]: the key is split, the fields are left to the contact formulations.
ValueType<NamedList<ContactSpec>> contact_tables();

/// Sets context.slides for a table whose key `joint` names a joint ("elbow") or one of its coordinates ("slide.angle").
void find_whether_slides(ReadContext& context, const Node& table);

}  // namespace stiction
