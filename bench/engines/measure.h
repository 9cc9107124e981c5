#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/engines/scene.h"

namespace stiction::engines {

/// Deepest overlap of two bodies, or of a body and a half-space, 0 if there is none [m]. In closed form: spheres, ends
/// of capsules and corners of boxes against half-spaces; spheres and capsules against each other; spheres in boxes;
/// corners of boxes in other boxes (edges that cross without a corner inside are not seen; stacked boxes have none).
/// Capsules in boxes are not seen: no scene has both.
double calc_penetration(const Scene& scene, const std::vector<Pose>& poses);

/// Follows a run through its poses.
class Observer {
 public:
  explicit Observer(const Scene& scene) : scene_(scene) {}
  /// The state at which measuring starts.
  void start(const std::vector<Pose>& poses);
  /// After the step that ends at time t, counted from start; depth is measured if `deep`.
  void observe(double t, const std::vector<Pose>& poses, bool deep);

  double penetration() const { return penetration_; }
  /// What the scene is judged by:
  ///   rod     final_x [m]; slap_time: when its higher end first is within 1 mm of the floor [s]
  ///   balls   ball1_x, ball4_x: at the end [m]
  ///   slope   creep: distance moved along the slope [m]
  ///   tower   creep: largest distance a box moved sideways; sink: loss of height of the topmost [m]
  ///   bounce  height_0 .. height_3: of the first rebound, over that of the fall [-]
  ///   motion  height of the common centre of mass at the end [m]; overturned: bodies tilted by more than 45 degrees
  ///   [-] pile    creep: root mean square of the distances moved, over the time [m/s]
  std::map<std::string, double> calc_values() const;

 private:
  void follow_bounce(const std::vector<Pose>& poses);

  const Scene& scene_;
  std::vector<Pose> first_, last_;
  double t_ = 0, penetration_ = 0, slap_time_ = -1;
  std::vector<int> rising_;  ///< of bounce: 0 falling for the first time, 1 rebounding
  std::vector<double> apex_;
};

}  // namespace stiction::engines
