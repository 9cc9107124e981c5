#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stiction/base/fault.h"
#include "stiction/contact/friction_user.h"
#include "stiction/geometry/shape/shape.h"
#include "stiction/math/rotation.h"
#include "stiction/math/time_function.h"
#include "stiction/results/run_store.h"
#include "stiction/stepping/method.h"

namespace stiction {

/// A scene as the user describes it: plain data, SI units, nothing derived. Every field is described to users (unit,
/// default, range, sentence) once, in scene/describe_*.cpp; from there come reading, errors and docs/scene-format.md.
/// A scene can be made in C++ just as well: fill this struct and make a Simulation of it (run/simulation.h).

template <class T>
struct Named {
  std::string name;
  T value;
};
template <class T>
using NamedList = std::vector<Named<T>>;  ///< in the order of the file

struct WorldSpec {
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  std::optional<Vec3> up;       ///< default: against gravity; without gravity z
};

struct TimeSpec {
  double duration = 1;           ///< [s]
  double step = 1e-3;            ///< [s]
  std::optional<double> output;  ///< recording interval [s]; default: the step, or duration/1000 if that is longer (a
                                 ///< whole number of steps)
};

struct RecordSpec {
  std::vector<std::string> signals = {"*"};
};

/// What the author of a scene expects its verdict to be (results/verdict.h), and why.
struct ExpectSpec {
  std::string verdict = "trustworthy";
  std::string because;
};

/// A compliant layer over a rigid core (contact/compliant_layer.h).
struct LayerSpec {
  Mat3 stiffness = Mat3::Zero();    ///< along n, t, o [N/m]
  Mat3 damping = Mat3::Zero();      ///< [N s/m]
  std::optional<double> thickness;  ///< largest normal deflection [m]; none: without a core
  double exponent = 1;              ///< of the normal deflection [-]
  double dissipation = 0;           ///< Hunt and Crossley's factor [s/m]
};

struct MaterialSpec {
  std::optional<double> density;   ///< [kg/m^3]
  std::optional<LayerSpec> layer;  ///< of bodies of this material
};

/// A function of time of a vector: componentwise.
struct VectorFunction {
  std::vector<TimeFunction> components = {make_constant(0), make_constant(0), make_constant(0)};
};

struct ShapeSpec {
  Shape shape;
  Vec3 position = Vec3::Zero();  ///< of the shape in the body [m]
  Quaternion orientation;
  std::optional<double> density;                   ///< overrides the body's
  std::optional<VectorFunction> surface_velocity;  ///< of its surface against the body, body axes [m/s]: a belt
};

/// Prescribed path of a body: position(t), and a turn by angle(t) about an axis (world axes) before its orientation.
struct MotionSpec {
  std::optional<VectorFunction> position;  ///< default: where the body stands
  Vec3 axis = Vec3::UnitZ();
  std::optional<TimeFunction> angle;  ///< [rad]
};

/// Given inertia about the centre of mass: one number (planar bodies: about z; else the same about every axis), three
/// principal moments about the body's axes, or a full symmetric matrix.
using InertiaSpec = std::variant<double, Vec3, Mat3>;

/// The same body many times, on a grid that starts at its position.
struct CopiesSpec {
  std::vector<double> count;    ///< along x, y, z: whole numbers
  Vec3 spacing = Vec3::Zero();  ///< [m]
  double jitter = 0;            ///< each is off its place on the grid by up to this in x, y and z [m]
};

struct BodySpec {
  bool fixed = false;
  bool planar = false;                 ///< moves in x-y, turns about z
  bool particle = false;               ///< does not turn
  std::optional<double> mass;          ///< [kg]
  std::optional<double> density;       ///< [kg/m^3]
  std::optional<InertiaSpec> inertia;  ///< [kg m^2]
  std::optional<Vec3> center_of_mass;  ///< in the body's frame [m]; default: from the shapes, else the origin
  std::optional<Vec3> position;        ///< of the body's origin, world [m]
  std::optional<Quaternion> orientation;
  std::optional<Vec3> velocity;          ///< of the origin, world axes [m/s]
  std::optional<Vec3> angular_velocity;  ///< world axes [rad/s]
  std::optional<std::string> material;
  std::optional<MotionSpec> motion;
  NamedList<ShapeSpec> shapes;  ///< one unnamed, or several named
  std::optional<CopiesSpec> copies;
  std::string copy_of;  ///< the body whose `copies` this is one of; empty for all others
};

struct JointSpec {
  std::string type;  ///< revolute, prismatic, ...
  std::string parent = "world";
  std::string child;
  Vec3 at = Vec3::Zero();        ///< the joint's place in the parent's frame [m]
  Vec3 axis = Vec3::UnitZ();     ///< in the parent's frame
  std::optional<Vec3> axis2;     ///< universal: the second axis, normal to the first, at coordinate 0
  double pitch = 0;              ///< screw: advance a turn [m]
  std::optional<Vec3> child_at;  ///< the joint's place in the child's frame, if the child gives no position
  std::optional<Quaternion> child_orientation;      ///< of the child's frame against the parent's at coordinate 0
  std::vector<double> position;                     ///< initial coordinates [rad, m]
  std::vector<double> velocity;                     ///< initial rates
  std::optional<std::vector<double>> lower, upper;  ///< limits, declared
  std::optional<std::vector<double>> limit_stiffness, limit_damping;  ///< of integrated formulations
  std::optional<std::vector<double>> friction;                        ///< Coulomb friction [N m, N]
  std::optional<std::vector<double>> viscous;                         ///< [N m s/rad, N s/m]
  // Bristles of integrated formulations: force.h, JointFriction; rules for what is left open: compile_joint_forces.cpp
  std::optional<std::vector<double>> static_friction, presliding, stribeck_velocity, bristle_damping;
  std::optional<std::vector<double>> load_friction;  ///< mu r or mu, per force of the joint's reaction [m, -]
  double load_time = 1e-3;                           ///< with which it follows the reaction [s]
  std::optional<double> dwell_time, initial_dwell;   ///< tau_dw [s]; s_dw at the start [-]
  std::optional<JointForm> form;                     ///< default: method.joints
};

/// Loop closure or coupling.
struct ConstraintSpec {
  std::string type;                 ///< point, axis, weld, distance, coupler
  std::string a = "world", b;       ///< bodies
  Vec3 at_a = Vec3::Zero();         ///< in a's frame [m]
  std::optional<Vec3> at_b;         ///< in b's frame; default: the point of b that is there initially
  Vec3 axis_a = Vec3::UnitZ();      ///< axis: in a's frame
  std::optional<Vec3> axis_b;       ///< axis: in b's frame; default: the direction of b that is there initially
  std::optional<double> length;     ///< distance [m]; default: the initial distance
  std::vector<std::string> joints;  ///< coupler: joints ("arm" or "slide.angle")
  std::vector<double> ratios;       ///< coupler: sum of ratio_k * coordinate_k = offset
  std::optional<double> offset;     ///< coupler; default: the initial value of the sum
};

struct SpringSpec {
  std::string type = "linear";  ///< linear, damper, torsional, bushing, spatial
  std::string a = "world", b;   ///< all but torsional: bodies
  Vec3 at_a = Vec3::Zero(), at_b = Vec3::Zero();
  std::string joint;                ///< torsional: "elbow" or "slide.angle"
  std::optional<double> stiffness;  ///< linear [N/m], torsional [N m/rad or N/m]
  std::optional<double> damping;
  std::optional<Mat3> directions_damping;  ///< damper, in the axes of frame A [N s/m]
  std::optional<double> rest_length;       ///< linear [m]; default: the initial length
  std::optional<double> rest;              ///< torsional [rad or m]; default 0
  std::string acts = "both";               ///< linear: both, tension, compression
  std::optional<Mat6> stiffness_matrix;    ///< bushing, spatial, order [rotation; translation], frame A
  std::optional<Mat6> damping_matrix;
  std::optional<Vec6> friction;              ///< bushing, the same order [N m, N]
  std::optional<double> tolerance_rate;      ///< bushing: below it the friction of rotations is smooth [rad/s]
  std::optional<double> tolerance_velocity;  ///< bushing: of translations [m/s]
  Quaternion orientation;                    ///< bushing, spatial, damper: of frame A in a
};

struct MotorSpec {
  std::string joint;                     ///< "elbow" or "slide.angle"
  std::optional<TimeFunction> effort;    ///< torque or force [N m, N]
  std::optional<TimeFunction> position;  ///< target position of a PD motor
  std::optional<TimeFunction> velocity;  ///< target velocity of a velocity motor
  double proportional = 0;               ///< [N m/rad or N/m]
  double derivative = 0;                 ///< [N m s/rad or N s/m]
  std::optional<double> limit;           ///< largest force [N m, N]
  std::optional<double> friction;        ///< Coulomb friction of the motor [N m, N]
};

/// Sampled control (multibody/controller.h).
struct ControllerSpec {
  std::string type = "joint";  ///< joint, impedance, admittance
  double sample_time = 0;      ///< [s]
  double delay = 0;            ///< [s]
  std::string joint;           ///< joint: "elbow" or "slide.angle"
  std::optional<TimeFunction> joint_position;
  double proportional = 0, integral = 0, derivative = 0;
  std::optional<double> limit;
  bool gravity = false;
  std::string body;  ///< impedance, admittance
  Vec3 at = Vec3::Zero();
  VectorFunction target;                                            ///< position [m], or velocity [m/s]
  Vec6 stiffness = Vec6::Zero(), damping = Vec6::Zero();            ///< [rotation; translation]
  VectorFunction angular_target;                                    ///< [rad/s]
  Vec3 yield = Vec3::Zero(), rotational_yield = yield;              ///< [m/(s N)], [rad/(s N m)]
  Vec3 dead_band = Vec3::Zero(), rotational_dead_band = dead_band;  ///< [N], [N m]
  double bandwidth = 0;                                             ///< [1/s]
};

/// Prescribes a joint's coordinate.
struct DriverSpec {
  std::string joint;  ///< "elbow" or "slide.angle"
  TimeFunction motion = make_constant(0);
};

struct ForceSpec {
  std::string body;
  Vec3 at = Vec3::Zero();      ///< in the body's frame [m]
  VectorFunction force;        ///< [N]
  VectorFunction torque;       ///< [N m]
  std::string axes = "world";  ///< world or body
};

/// Powers of mass, length and time.
struct FormulaDimension {
  int mass = 0, length = 0, time = 0;
};
struct FormulaParameter {
  std::string name;
  double value = 0;                           ///< SI
  std::optional<FormulaDimension> dimension;  ///< where it is given with a unit
};
/// A law as text (compile/formula.h).
struct FormulaSpec {
  std::string text;
  std::vector<FormulaParameter> parameters;
};

/// How two bodies push each other apart (compliant contact); rigid methods take the restitution.
struct NormalSpec {
  std::string law = "hertz";                ///< linear, hertz, power, volume, formula, or, from a program, function
  FormulaSpec formula;                      ///< F(x, v, vi) [N]
  NormalUser::Function function;            ///< the same of a program; it has no text
  std::optional<double> stiffness;          ///< [N/m^p]
  double damping = 0;                       ///< linear [N s/m]
  double exponent = 1.5;                    ///< power: p [-]
  std::vector<double> modulus, poisson;     ///< hertz, volume: of both bodies, or of each [Pa, -]
  std::vector<double> volume_stiffness;     ///< volume: k_v of the pair, or of each body [N/m^3]
  std::vector<double> layer;                ///< volume: depth of the elastic layer, likewise [m]
  std::string direction = "area";           ///< volume: area or inertia
  double accuracy = 1e-6;                   ///< volume: of the volume, relative [-]
  std::optional<double> restitution;        ///< e [-]
  std::optional<double> restitution_slope;  ///< alpha of e = 1 - alpha v [s/m]
  std::string damping_rule = "exact";       ///< exact, hunt_crossley, lankarani_nikravesh
  double small_velocity = 1e-3;             ///< [m/s]
  double relaxation_time = 0;               ///< [s]; 0: none
};

/// How they resist sliding; rigid methods take the kinetic coefficient. What is left open follows from rules
/// (compile_compliant.cpp).
struct FrictionSpec {
  std::string law = "bristle";               ///< none, coulomb, bristle, spring, formula, or, from a program, function
  FormulaSpec formula;                       ///< mu(v, N) [-]
  FrictionUser::Function function;           ///< the same of a program; it has no text
  std::optional<double> static_coefficient;  ///< mu_S [-]
  std::optional<double> kinetic;             ///< mu_C [-]
  std::optional<double> presliding;          ///< bristle: delta_z [m]
  std::optional<double> stiffness, damping;  ///< bristle: sigma_0, sigma_1 [1/m, s/m]; spring: [N/m, N s/m]
  double viscous = 0;                        ///< sigma_2 [s/m]
  std::optional<double> stribeck_velocity;   ///< v_S [m/s]
  std::optional<double> dwell_time;          ///< tau_dw [s]
  std::optional<double> tolerance_velocity;  ///< v_eps [m/s]
  double initial_dwell = 0;                  ///< s_dw of contacts that touch at the start [-]
  double torsional_stiffness = 0;            ///< spring [N m/rad]
  std::optional<double> torsional_damping;   ///< spring [N m s/rad]
  std::optional<double> radius;              ///< spring: of the moment's limit [m]
  std::string contensou = "elliptic";        ///< patches: elliptic, disc or polygon
  double spin_factor = 1;                    ///< patches [-]
};

/// What happens where A and B touch.
struct ContactSpec {
  std::string a, b;   ///< "A/B": bodies, shapes of bodies or materials; "default": both empty
  bool touch = true;  ///< false: they pass through each other
  std::variant<double, FrictionSpec> friction = 0.0;  ///< mu [-], or a law
  std::optional<NormalSpec> normal;
  std::optional<LayerSpec> layer;           ///< instead of those of the materials
  std::string patch;                        ///< point or volume; empty: what the normal law is for
  std::optional<double> plane;              ///< of action, between the deepest points of A (0) and B (1) [-]
  std::string points = "exact";             ///< exact or followed: how compliant contact finds the closest points
  std::vector<double> ellipse;              ///< e_t, e_o and, with a spin moment, e_r [-, -, m]; empty: isotropic
  Vec3 direction = Vec3::Zero();            ///< of e_t, in the frame of body A; zero: none given
  std::optional<double> restitution;        ///< e [-], where the normal law says nothing of it
  std::optional<double> restitution_slope;  ///< alpha of e = 1 - alpha v [s/m], likewise
  std::string hypothesis;                   ///< newton, poisson or stronge; empty: stronge with friction, else newton
};

/// Where each field stands in the user's text, by path ("joint.hinge.parent"). Empty for a scene made in C++.
struct SourceMap {
  std::map<std::string, SourcePlace> places;
  /// The place of the path or of its nearest enclosing table; an empty place if unknown.
  SourcePlace find(const std::string& path) const;
};

struct Scene {
  std::string title;
  std::string paper;
  WorldSpec world;
  TimeSpec time;
  MethodSettings method;
  bool method_is_default = false;  ///< method.type was left open: complete() has chosen it
  RecordSpec record;
  ExpectSpec expect;
  NamedList<BodySpec> bodies;
  NamedList<JointSpec> joints;
  NamedList<ConstraintSpec> constraints;
  NamedList<SpringSpec> springs;
  NamedList<MotorSpec> motors;
  NamedList<ControllerSpec> controllers;
  NamedList<DriverSpec> drivers;
  NamedList<ForceSpec> forces;
  NamedList<ContactSpec> contacts;
  NamedList<MaterialSpec> materials;

  SourceMap source;
  SceneText text;  ///< as read; empty for a scene made in C++
};

}  // namespace stiction
