#pragma once

#include <vector>

#include "stiction/multibody/system.h"

namespace stiction {

/// What the loops over the tree know beforehand of each body's inboard joint, gathered in one dense array.

/// How the articulated-body algorithm treats a joint.
enum class HingeRole {
  rigid,      ///< weld or prescribed: the accelerations across it are known
  one,        ///< solved for 1 acceleration
  two,        ///< for 2
  three,      ///< for 3
  six,        ///< a free joint with bodies outboard
  free_leaf,  ///< a free joint with nothing outboard: Newton-Euler about the centre of mass, in closed form
};

struct JointPlan {
  JointType type = JointType::weld;
  HingeRole role = HingeRole::rigid;
  int parent = 0;
  int q_start = 0, v_start = 0, nq = 0, nv = 0;
  bool prescribed = false;
  bool parent_moves = false;  ///< the parent is not fixed in the world
  bool plain = false;         ///< a free joint on the world with F = W and M = B: v is V_WB
};

/// What only joints need that are not plain.
struct JointFrames {
  double pitch = 0;  ///< of a screw
  Transform X_PF, X_MB;
  Vec3 p_MB_B = Vec3::Zero();  ///< X_MB.p in the axes of B
  /// Joints that turn about z:  R_PB(angle) = R_still + cos(angle) R_cos + sin(angle) R_sin;  weld, prismatic,
  /// translation: R_still.
  Mat3 R_still, R_cos, R_sin;
};

struct TreePlan {
  explicit TreePlan(const System& system);

  std::vector<JointPlan> joints;
  std::vector<JointFrames> frames;
  std::vector<int> moving;  ///< bodies that can move, parents first
  /// Of these, all but free leaves on what does not move: those whose accelerations depend on each other.
  std::vector<int> coupled;
  std::vector<int> quaternions;  ///< where in q they begin
  std::vector<int> prescribed;   ///< bodies whose joints are functions of time
  std::vector<int> fixed;  ///< bodies welded to the world, directly or through others, parents first; not the world
};

/// A body and where the coordinates of its joint stand.
struct BodyPlace {
  int body = 0, q_start = 0, v_start = 0;
};
/// Makes `part`, a plan of the same system, one of some bodies only (parents first): loops go over these, and q and v
/// hold their coordinates alone, where their places say. Bodies that carry them must be among them, or fixed.
void select_bodies(const TreePlan& whole, const std::vector<BodyPlace>& bodies, TreePlan& part);

}  // namespace stiction
