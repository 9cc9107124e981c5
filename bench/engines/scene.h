#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

/// Scenes of the comparison with other engines: plain data that every engine's adapter turns into its own world. SI
/// units.
namespace stiction::engines {

using Vec3 = Eigen::Vector3d;
using Quaternion = Eigen::Quaterniond;

struct Pose {
  Vec3 position = Vec3::Zero();  ///< of the centre, which is the centre of mass [m]
  Quaternion orientation = Quaternion::Identity();
};

enum class Shape { sphere, capsule, box };

struct Body {
  Shape shape = Shape::sphere;
  double radius = 0;            ///< sphere, capsule [m]
  double length = 0;            ///< capsule, along its x axis, between the centres of its ends [m]
  Vec3 size = Vec3::Zero();     ///< box: full edges [m]
  double mass = 1;              ///< [kg]
  Vec3 inertia = Vec3::Ones();  ///< principal, about the centre [kg m^2]
  Pose pose;
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();  ///< world axes [m/s, rad/s]
  double restitution = 0;                                         ///< against half-spaces; between bodies it is 0
  bool planar = false;                                            ///< moves in x-y and turns about z only
};

/// All points with normal . x <= offset.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();
  double offset = 0;
};

/// motion: bodies that fall, collide and come to rest, timed and measured from the start.
enum class Kind { rod, balls, slope, tower, pile, bounce, motion };

struct Scene {
  std::string name;
  Kind kind = Kind::rod;
  Vec3 gravity = Vec3(0, 0, -9.81);
  double h = 1e-3;  ///< [s]
  int settle = 0;   ///< steps before anything is timed or measured
  int steps = 0;    ///< steps that are timed and measured
  double friction = 0.5;
  std::vector<Body> bodies;
  std::vector<HalfSpace> half_spaces;
};

/// Names of all scenes; the last, the largest pile, is run only when asked for by name.
const std::vector<std::string>& scene_names();
/// std::invalid_argument for an unknown name.
Scene make_scene(const std::string& name);

}  // namespace stiction::engines
