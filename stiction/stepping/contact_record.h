#pragma once

#include <algorithm>

#include "stiction/math/vector.h"

namespace stiction {

enum class ContactMode { open, stick, slip };
inline const char* name_of(ContactMode mode) {
  return mode == ContactMode::open ? "open" : mode == ContactMode::stick ? "stick" : "slip";
}

/// A contact as a step left it: recorded, never recomputed. World axes.
struct ContactRecord {
  int shape_a = 0, shape_b = 0;  ///< indices into ContactModel::shapes
  int point = 0;                 ///< which of the pair's points
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 normal = Vec3::UnitZ();   ///< from A to B
  double gap = 0;                ///< [m]
  Vec3 impulse = Vec3::Zero();   ///< on B, over the step; compliant contact: force at its end times time.step [N s]
  Vec3 moment_impulse = Vec3::Zero();  ///< on B, about the position, likewise [N m s]
  Vec3 slip = Vec3::Zero();  ///< velocity of B's surface against A's in the tangent plane, after the step [m/s]
  ContactMode mode = ContactMode::open;
  bool certified = true;        ///< the gap, see ClosestPoints::certified; not stored in runs
  double volume = 0, area = 0;  ///< of a patch with volume (contact/volume_patch.h); of points 0 [m^3, m^2]
  Vec3 extent = Vec3::Zero();   ///< and half the longest axis of its ellipse; of points 0 [m]
  // Of compliant layers (contact/compliant_layer.h) and of friction, not stored in runs:
  double deflection = 0;    ///< delta_n after the step, of both layers together; or that of bristles [m]
  double shear = 0;         ///< size of the layers' deflection along the surface [m]
  double core_impulse = 0;  ///< the part of the normal impulse that the core bears [N s]
  double dwell = 0;         ///< s_dw of static friction [-]
};

/// Impulses that the laws of rigid contact leave open, and of which those of least norm were taken
/// (solvers/cone/cone_least_norm.h), where a step had to look for them: not where the last ones still hold.
struct Undetermined {
  int components = 0;  ///< number of independent changes of impulses that change no velocity, most in a problem
  double part = 0;     ///< by how much, at least, a normal impulse may differ, of the largest of its group
  int left = 0;        ///< groups in which nothing was chosen: too large, or least norm not found

  void merge(const Undetermined& other) {
    components = std::max(components, other.components);
    part = std::max(part, other.part);
    left += other.left;
  }
};

/// What the contacts of a step left of their own laws. All are >= 0 and 0 at an exact solution, but for dissipation.
struct ContactAudit {
  double penetration = 0;  ///< largest -gap at the end of the step, beyond layers; compliant contact: its depth [m]
  double complementarity =
      0;                   ///< largest |gap times normal impulse|, gaps at the end, of impacts where they are [N m s]
  double cone = 0;         ///< largest |r_t| - mu r_n, in the norm of the ellipsoid [N s]
  double layer = 0;        ///< largest violation of a compliant layer's law, as a deflection (layer_step.h) [m]
  double dissipation = 0;  ///< sum of -r_t . u_t after the step, and what impacts took; below 0: energy was fed [J]
  double residual = 0;     ///< largest measured residual of the problems solved
  int iterations = 0;      ///< of the solver, all problems of the step
  int contacts = 0;        ///< blocks of rows in the last problem
  int unknowns = 0;        ///< of the mixed problem that it stands for: velocities, joint impulses, contacts
  int asleep = 0;          ///< bodies that slept through the step
  int unconverged = 0;     ///< problems whose residual is above the tolerance
  int first_order = 0;     ///< parts of the step taken without locating the impacts in them
  /// Pairs that bear an impulse or are within reach and whose gap is not certified, and which is the first.
  int uncertified = 0;
  int uncertified_a = -1, uncertified_b = -1;
  /// Largest part of a restitution that was given up because it would have created energy [-], and where.
  double restitution_lost = 0;
  int lost_a = -1, lost_b = -1;
  /// Deepest overlap on the way from the start of a (sub)step to its end that neither shows [m], and where.
  double passage = 0;
  int passed_a = -1, passed_b = -1;
  Undetermined undetermined;
  int nonlinear_iterations = 0;    ///< stewart_trinkle, nonlinear: of the step
  double nonlinear_change = 0;     ///< and the last change of the velocities
  int worst_a = -1, worst_b = -1;  ///< shapes of the contact that penetrates most; -1: none does

  void note_passage(double depth, int shape_a, int shape_b) {
    if (depth > passage) passage = depth, passed_a = shape_a, passed_b = shape_b;
  }
  void note_uncertified(int shape_a, int shape_b) {
    if (uncertified++ == 0) uncertified_a = shape_a, uncertified_b = shape_b;
  }
  void note_lost_restitution(double part, int shape_a, int shape_b) {
    if (part > restitution_lost) restitution_lost = part, lost_a = shape_a, lost_b = shape_b;
  }
};

}  // namespace stiction
