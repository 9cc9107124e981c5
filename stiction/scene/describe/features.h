#pragma once

#include <string>
#include <vector>

namespace stiction {

/// What a scene may ask of a method. One table says which method has it and, of what it has not, why: the matrix of
/// docs/scene-format.md, the refusals of compile() and the warnings of `check` and `run` are made of it.
enum class Feature {
  coulomb_friction,
  exact_cone,
  static_friction,
  dwell_time,
  presliding,
  viscous_contact,
  friction_ellipse,
  spin_moment,
  average_plane,
  patches,
  formulas,
  layers,
  restitution,
  restitution_slope,
  hypothesis,
  belts,
  joint_limits,
  joint_friction,
  joint_static_friction,
  joint_dwell_time,
  joint_load_friction,
  force_elements,
  controllers,
  error_control,
  sleeping,
  nonlinear,
};

/// Does the method have it?
bool has_feature(Feature feature, const std::string& method);
/// "method "cone" has no compliant layers: ...", for a method that has not.
std::string format_refusal(Feature feature, const std::string& method);
/// The matrix as a table in Markdown.
std::string format_features();

/// A feature that a scene asks for, and where.
struct AskedFeature {
  Feature feature = Feature::coulomb_friction;
  std::string path;
  std::string hint;
  bool refused = true;  ///< where the method has it not; else a warning says so
};
struct Scene;
std::vector<AskedFeature> list_asked_features(const Scene& scene);

}  // namespace stiction
