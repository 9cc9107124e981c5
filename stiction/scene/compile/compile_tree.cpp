#include <fmt/format.h>

#include <cmath>

#include "stiction/base/check.h"
#include "stiction/base/text.h"
#include "stiction/math/spatial.h"
#include "stiction/multibody/constraint_joint.h"
#include "stiction/multibody/coordinate.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/scene/compile/compile_draft.h"

namespace stiction {
namespace {

/// Pose that the scene gives a body, at the start.
Transform given_pose(const BodySpec& spec) {
  return {spec.orientation ? calc_matrix(*spec.orientation) : Mat3::Identity(), spec.position.value_or(Vec3::Zero())};
}

/// Frame F of a joint in its parent: z along the axis; x along axis2 of a universal joint, else normal to the plane of
/// a planar body (so that its constraint rows separate into in-plane and out-of-plane ones), else near the parent's x.
Transform make_parent_frame(Draft& draft, const JointDraft& joint, const Mat3& R_WP) {
  const JointSpec& spec = *joint.spec;
  const Vec3 axis = spec.axis.normalized();
  Vec3 hint = std::abs(axis.x()) > 0.9 ? Vec3::UnitY() : Vec3::UnitX();
  if (std::holds_alternative<JointUniversal>(joint.kind) && spec.axis2) hint = *spec.axis2;
  if (std::holds_alternative<JointPrismatic>(joint.kind) && draft.body(joint.child).spec->planar) {
    hint = R_WP.transpose() * Vec3::UnitZ();
  }
  return {make_frame_with_z(axis, hint), spec.at};
}

/// Frames of a joint on both bodies. Where the child gives a pose, that is its initial pose and M follows from it; else
/// the child hangs with its point child_at, turned by child_orientation at coordinate 0.
void place_joint(Draft& draft, JointDraft& joint, const Transform& X_WP, const std::optional<Transform>& X_WB) {
  const JointSpec& spec = *joint.spec;
  joint.X_PF = make_parent_frame(draft, joint, X_WP.R);
  if (X_WB) {
    const Transform X_FB = (X_WP * joint.X_PF).inverse() * *X_WB;
    joint.X_MB = calc_joint_transform(joint.kind, joint.q.data()).inverse() * X_FB;
  } else {
    const Mat3 R_PB = spec.child_orientation ? calc_matrix(*spec.child_orientation) : Mat3::Identity();
    joint.X_MB.R = joint.X_PF.R.transpose() * R_PB;
    joint.X_MB.p = -(joint.X_MB.R * spec.child_at.value_or(Vec3::Zero()));
  }
}

/// A planar body stays in the x-y plane only if what carries it does and the joint moves it there.
void check_planar(Draft& draft, const JointDraft& joint, const Mat3& R_WP) {
  const BodyDraft &child = draft.body(joint.child), &parent = draft.body(joint.parent);
  if (child.spec->particle)
    draft.fault("body." + child.name + ".particle", fmt::format("joint \"{}\" carries the body", joint.name),
                "a particle moves freely: remove particle = true, or the joint");
  if (!child.spec->planar) return;
  const Vec3 axis = R_WP * joint.spec->axis.normalized();
  const bool along_z = axis.head<2>().norm() < 1e-9, in_plane = std::abs(axis.z()) < 1e-9;
  const bool fits =
      ((std::holds_alternative<JointRevolute>(joint.kind) || std::holds_alternative<JointPlanar>(joint.kind)) &&
       along_z) ||
      (std::holds_alternative<JointPrismatic>(joint.kind) && in_plane) || std::holds_alternative<JointWeld>(joint.kind);
  const bool carried_in_plane =
      joint.parent == 0 || parent.spec->fixed || (parent.spec->planar && !parent.spec->motion);
  if (!fits) {
    draft.fault("joint." + joint.name,
                fmt::format("the child \"{}\" is planar: it cannot move as this {} joint would", child.name,
                            name_of(joint.kind)),
                "use a revolute joint about z, a prismatic one in the x-y plane, or remove planar = true");
  } else if (!carried_in_plane) {
    draft.fault("joint." + joint.name + ".parent",
                fmt::format("the child \"{}\" is planar, but \"{}\" may leave the x-y plane", child.name, parent.name),
                "make the parent planar too, or remove planar = true");
  }
}

void check_jointed_body(Draft& draft, const BodyDraft& body, const JointDraft& joint) {
  const std::string path = "body." + body.name;
  const BodySpec& spec = *body.spec;
  if (spec.velocity || spec.angular_velocity) {
    draft.fault(path + (spec.velocity ? ".velocity" : ".angular_velocity"),
                fmt::format("body \"{}\" moves with its joint \"{}\"", body.name, joint.name),
                fmt::format("give joint.{}.velocity instead", joint.name));
  }
  if (spec.orientation && !spec.position) {
    draft.fault(path + ".orientation", "is given without a position",
                fmt::format("give the position too, or joint.{}.child_orientation instead", joint.name));
  }
  if (spec.position && (joint.spec->child_at || joint.spec->child_orientation)) {
    draft.fault("joint." + joint.name + (joint.spec->child_at ? ".child_at" : ".child_orientation"),
                fmt::format("body \"{}\" gives its own position", body.name), "remove one of them");
  }
}

struct Placement {
  Joint joint;
  std::vector<double> q, v;
};

/// A body in the plane: the angle is taken from the orientation where that is a turn about z, else it counts from
/// there.
Placement place_planar(Draft& draft, const BodyDraft& body, const Transform& X_WB, const Vec6& V_WB) {
  Placement result;
  result.joint.kind = JointPlanar{};
  result.joint.X_PF.p.z() = X_WB.p.z();
  const bool turned_in_plane = std::abs(X_WB.R(2, 2) - 1) < 1e-12;
  const double angle = turned_in_plane ? std::atan2(X_WB.R(1, 0), X_WB.R(0, 0)) : 0;
  if (!turned_in_plane) result.joint.X_MB.R = X_WB.R;
  result.q = {X_WB.p.x(), X_WB.p.y(), angle};
  result.v = {linear(V_WB).x(), linear(V_WB).y(), angular(V_WB).z()};
  const double out_of_plane = std::max(std::abs(linear(V_WB).z()), angular(V_WB).head<2>().norm());
  if (out_of_plane > 1e-12 * std::max(1.0, V_WB.norm())) {
    draft.fault("body." + body.name, "is planar, but its velocity leaves the x-y plane");
  }
  return result;
}

Placement place_free(const Transform& X_WB, const Vec6& V_WB) {
  Placement result;
  result.joint.kind = JointFree{};
  const Quaternion r = calc_quaternion(X_WB.R);
  result.q = {r.w, r.x, r.y, r.z, X_WB.p.x(), X_WB.p.y(), X_WB.p.z()};
  result.v.assign(V_WB.data(), V_WB.data() + 6);
  return result;
}

Placement place_particle(Draft& draft, const BodyDraft& body, const Transform& X_WB, const Vec6& V_WB) {
  Placement result;
  const int dimension = body.spec->planar ? 2 : 3;
  result.joint.kind = JointTranslation{dimension};
  result.joint.X_MB.R = X_WB.R;
  if (body.spec->planar) result.joint.X_PF.p.z() = X_WB.p.z();
  result.q.assign(X_WB.p.data(), X_WB.p.data() + dimension);
  result.v.assign(V_WB.data() + 3, V_WB.data() + 3 + dimension);
  if (body.spec->planar && V_WB[5] != 0)
    draft.fault("body." + body.name, "is planar, but its velocity leaves the x-y plane");
  return result;
}

/// A body that no joint carries: fixed, on a given path, a particle, planar or free.
Placement place_single(Draft& draft, const BodyDraft& body, const Transform& X_WB, const Vec6& V_WB) {
  const BodySpec& spec = *body.spec;
  if (spec.fixed) {
    Placement result;
    result.joint.X_PF = X_WB;
    return result;
  }
  if (spec.motion) {
    PathMotion path;
    path.axis = spec.motion->axis.normalized();
    path.angle = spec.motion->angle.value_or(make_constant(0));
    path.start = calc_quaternion(X_WB.R);
    if (spec.motion->position) {
      path.position = spec.motion->position->components;
    } else {
      for (int i = 0; i < 3; ++i) path.position.push_back(make_constant(X_WB.p[i]));
    }
    Placement result = place_free(X_WB, V_WB);
    result.joint.motion = std::move(path);
    return result;
  }
  if (spec.particle) return place_particle(draft, body, X_WB, V_WB);
  return spec.planar ? place_planar(draft, body, X_WB, V_WB) : place_free(X_WB, V_WB);
}

/// What a body that no joint carries may not say.
void check_single_body(Draft& draft, const BodyDraft& body) {
  const BodySpec& spec = *body.spec;
  const std::string path = "body." + body.name;
  const char* why = spec.fixed ? "the body is fixed" : spec.motion ? "the body follows its motion" : nullptr;
  if (why && spec.velocity) draft.fault(path + ".velocity", why, "remove the velocity");
  if (why && spec.angular_velocity) draft.fault(path + ".angular_velocity", why, "remove it");
  if (spec.motion && spec.motion->position && spec.position) {
    draft.fault(path + ".position", "the motion gives the position too", "remove one of them");
  }
}

bool fully_driven(const JointDraft& joint) {
  if (joint.drivers.empty()) return false;
  for (const auto& driver : joint.drivers) {
    if (!driver) return false;
  }
  return true;
}

Placement place_jointed(const JointDraft& joint) {
  Placement result;
  result.joint.kind = joint.kind;
  result.joint.X_PF = joint.X_PF;
  result.joint.X_MB = joint.X_MB;
  result.q = joint.q;
  result.v = joint.v;
  if (fully_driven(joint)) {
    CoordinateMotion motion;
    for (const auto& driver : joint.drivers) motion.coordinates.push_back(*driver);
    result.joint.motion = std::move(motion);
  }
  return result;
}

void append(System& system, Draft& draft, int body_index, Placement placement, int parent) {
  BodyDraft& body = draft.body(body_index);
  body.index = system.n_bodies();
  Joint& joint = placement.joint;
  joint.parent = parent;
  joint.nq = calc_nq(joint.kind), joint.nv = calc_nv(joint.kind);
  joint.q_start = system.nq, joint.v_start = system.nv;
  STICTION_CHECK(static_cast<int>(placement.q.size()) == joint.nq && static_cast<int>(placement.v.size()) == joint.nv);
  system.nq += joint.nq, system.nv += joint.nv;
  State& state = system.initial;
  state.q.conservativeResize(system.nq), state.v.conservativeResize(system.nv);
  for (int i = 0; i < joint.nq; ++i) state.q[joint.q_start + i] = placement.q[static_cast<std::size_t>(i)];
  for (int i = 0; i < joint.nv; ++i) state.v[joint.v_start + i] = placement.v[static_cast<std::size_t>(i)];
  Body record{.name = body.name, .mass = body.mass, .shapes = {}};
  for (const auto& [name, shape] : body.spec->shapes) {
    record.shapes.push_back({name, shape.shape, {calc_matrix(shape.orientation), shape.position}});
  }
  system.bodies.push_back(std::move(record));
  system.joints.push_back(std::move(joint));
}

/// Up is against gravity, unless the scene says otherwise.
Vec3 find_up(const WorldSpec& world) {
  if (world.up) return world.up->normalized();
  return world.gravity.norm() > 0 ? Vec3(-world.gravity.normalized()) : Vec3::UnitZ();
}

}  // namespace

void check_initial_motion(Draft& draft) {
  for (std::size_t i = 1; i < draft.bodies.size(); ++i) {
    const BodyDraft& body = draft.bodies[i];
    if (draft.is_faulty("body." + body.name)) continue;
    if (body.joint >= 0) {
      check_jointed_body(draft, body, draft.joint(body.joint));
    } else {
      check_single_body(draft, body);
    }
  }
}

System build_tree(Draft& draft, bool assembly, const System* assembled) {
  System system;
  system.gravity = draft.scene.world.gravity;
  system.up = find_up(draft.scene.world);
  system.bodies.push_back({.name = "world", .mass = {}, .shapes = {}});
  system.joints.push_back({});
  // Poses and velocities of all bodies at the start, once they are known.
  std::optional<Kinematics> start;
  if (assembled) {
    start.emplace(*assembled);
    VecX q = assembled->initial.q, v = assembled->initial.v, dv = VecX::Zero(assembled->nv);
    update_prescribed(*assembled, 0, q, v, dv);
    update_positions(*assembled, q, *start);
    update_velocities(*assembled, v, *start);
  }
  std::vector<Transform> X_WB(draft.bodies.size());
  for (const int i : draft.order) {
    BodyDraft& body = draft.body(i);
    const auto at = static_cast<std::size_t>(i);
    const bool jointed = body.joint >= 0;
    if (jointed && (assembly || draft.joint(body.joint).form == JointForm::tree)) {
      JointDraft& joint = draft.joint(body.joint);
      const auto parent = static_cast<std::size_t>(joint.parent);
      if (assembly) {
        check_planar(draft, joint, X_WB[parent].R);
        const auto given = body.spec->position ? std::optional(given_pose(*body.spec)) : std::nullopt;
        place_joint(draft, joint, X_WB[parent], given);
      }
      X_WB[at] = X_WB[parent] * joint.X_PF * calc_joint_transform(joint.kind, joint.q.data()) * joint.X_MB;
      append(system, draft, i, place_jointed(joint), joint.parent == 0 ? 0 : draft.body(joint.parent).index);
    } else if (jointed) {
      // Constraint form: a body of its own, placed where the assembly found it.
      const auto k = static_cast<std::size_t>(find_body(*assembled, body.name));
      X_WB[at] = start->X_WB[k];
      append(system, draft, i,
             body.spec->planar ? place_planar(draft, body, X_WB[at], start->V_WB[k])
                               : place_free(X_WB[at], start->V_WB[k]),
             0);
    } else {
      X_WB[at] = given_pose(*body.spec);
      const Vec6 V_WB =
          make_spatial(body.spec->angular_velocity.value_or(Vec3::Zero()), body.spec->velocity.value_or(Vec3::Zero()));
      append(system, draft, i, place_single(draft, body, X_WB[at], V_WB), 0);
    }
  }
  // Joints that close loops: both bodies stand already; the joint lies where it is on the parent, and on the child
  // either at child_at or at the point that is there.
  for (JointDraft& joint : draft.joints) {
    if (!joint.closes_loop) continue;
    place_joint(draft, joint, X_WB[static_cast<std::size_t>(joint.parent)],
                X_WB[static_cast<std::size_t>(joint.child)]);
    if (joint.spec->child_at) joint.X_MB.p = -(joint.X_MB.R * *joint.spec->child_at);
  }
  system.initial.z = VecX::Zero(ledger_size);
  return system;
}

namespace {

std::vector<JointLimit> make_limits(Draft& draft, const JointDraft& joint) {
  const JointSpec& spec = *joint.spec;
  if (!spec.lower && !spec.upper) return {};
  std::vector<JointLimit> limits(joint.drivers.size());
  const auto take = [&](const std::optional<std::vector<double>>& given, const char* field, double JointLimit::*side) {
    if (!given) return;
    if (given->size() != limits.size()) {
      draft.fault("joint." + joint.name + "." + field, fmt::format("a {} joint takes {} numbers, got {}",
                                                                   name_of(joint.kind), limits.size(), given->size()));
      return;
    }
    for (std::size_t i = 0; i < limits.size(); ++i) limits[i].*side = (*given)[i];
  };
  take(spec.lower, "lower", &JointLimit::lower);
  take(spec.upper, "upper", &JointLimit::upper);
  for (const JointLimit& limit : limits) {
    if (limit.lower > limit.upper)
      draft.fault("joint." + joint.name + ".lower", "the lower limit is above the upper one");
  }
  return limits;
}

}  // namespace

void reduce_to_plane(Draft& draft, const Kinematics& start, int a, int b, const std::string& path,
                     Constraint& constraint) {
  const auto fixed = [&](int body) { return body == 0 || draft.body(body).spec->fixed; };
  const auto planar = [&](int body) { return body != 0 && draft.body(body).spec->planar; };
  if (!(fixed(a) || planar(a)) || !(fixed(b) || planar(b))) return;
  const auto planar_body = [&](int body) {
    const int index = body == 0 ? 0 : draft.body(body).index;
    return PlanarBody{start.X_WB[static_cast<std::size_t>(index)], planar(body)};
  };
  const double misfit = drop_planar_rows(constraint, planar_body(a), planar_body(b));
  if (misfit > closing_tolerance) {
    draft.fault(path,
                fmt::format("does not close: it is open by {} (m or rad) out of the plane of its bodies",
                            format_number(misfit)),
                "planar bodies cannot leave their plane: move them, or remove planar = true");
  }
}

void add_named_joints(Draft& draft, System& system) {
  Kinematics start(system);
  update_positions(system, system.initial.q, start);
  for (JointDraft& joint : draft.joints) {
    const int parent = joint.parent == 0 ? 0 : draft.body(joint.parent).index, child = draft.body(joint.child).index;
    NamedJoint named{.name = joint.name,
                     .form = joint.closes_loop ? JointForm::constraint : joint.form,
                     .kind = joint.kind,
                     .parent = parent,
                     .child = child,
                     .X_PF = joint.X_PF,
                     .X_MB = joint.X_MB,
                     .constraint = -1,
                     .turns_start = -1,
                     .limits = make_limits(draft, joint),
                     .friction = joint.spec->friction.value_or(std::vector<double>{}),
                     .static_friction = {},
                     .stribeck_velocity = {},
                     .dwell_time = 0,
                     .dwell_entry = {},
                     .load_factor = {},
                     .load_entry = {},
                     .load_time = joint.spec->load_time};
    if (!named.friction.empty() && named.friction.size() != joint.drivers.size()) {
      draft.fault("joint." + joint.name + ".friction",
                  fmt::format("a {} joint takes {} numbers, got {}", name_of(joint.kind), joint.drivers.size(),
                              named.friction.size()));
    }
    if (named.form == JointForm::constraint) {
      // Angles are followed in z, so that whole turns are counted.
      const int turns = calc_turns_count(joint.kind);
      if (turns > 0) {
        named.turns_start = system.nz;
        system.nz += turns;
        system.initial.z.conservativeResize(system.nz);
        for (std::size_t k = 0; k < joint.q.size(); ++k) {
          const int turn = find_turn(joint.kind, static_cast<int>(k));
          if (turn >= 0) system.initial.z[named.turns_start + turn] = joint.q[k];
        }
      }
      named.constraint = static_cast<int>(system.constraints.size());
      Constraint constraint = make_joint_constraint(named);
      reduce_to_plane(draft, start, joint.parent, joint.child, "joint." + joint.name, constraint);
      system.constraints.push_back(std::move(constraint));
    }
    system.named_joints.push_back(std::move(named));
  }
  // Drivers that cannot prescribe a whole tree joint become rheonomic constraints.
  for (std::size_t i = 0; i < draft.joints.size(); ++i) {
    const JointDraft& joint = draft.joints[i];
    if (system.named_joints[i].form == JointForm::tree && fully_driven(joint)) continue;
    for (std::size_t k = 0; k < joint.drivers.size(); ++k) {
      if (!joint.drivers[k]) continue;
      RowCoupler row{
          .coordinates = {{static_cast<int>(i), static_cast<int>(k)}}, .ratios = {1}, .offset = *joint.drivers[k]};
      system.constraints.push_back({.name = joint.driver_names[k], .frames = {}, .rows = {std::move(row)}});
    }
  }
}

}  // namespace stiction
