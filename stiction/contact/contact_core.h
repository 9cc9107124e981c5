#pragma once

#include "stiction/contact/compliant_law.h"
#include "stiction/contact/contact_body.h"
#include "stiction/contact/contact_state.h"
#include "stiction/geometry/closest/closest.h"
#include "stiction/math/spatial.h"

namespace stiction {

/// The core of compliant contact, for this program's own engine and for other simulators (docs/compliant.md shows
/// a loop written by hand): poses, velocities and contact states in; wrenches on both bodies, rates of the states and
/// the distance for locating events out. Nothing here allocates (but for the search over cells with
/// complements, closest_concave.h), nothing remembers: all memory is the caller's. The quantities are those of
/// gonthier-thesis-2007, Appendix A.1.1.

/// Where two bodies touch or are nearest.
struct ContactSite {
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();  ///< on the surfaces [m]
  Vec3 normal = Vec3::UnitZ();                          ///< from A to B
  double gap = 0;                                       ///< > 0 apart [m]
  Vec3 point = Vec3::Zero();                            ///< of action, in the average tangent plane [m]
  bool certified = true;                                ///< the gap, see ClosestPoints::certified
};
/// The plane of action goes through the surface of the bounded body where the other is unbounded (eq. 3.1), and halfway
/// between two bounded ones, unless a law has its own (CompliantLaw::plane).
Vec3 calc_action_point(const Shape& A, const Shape& B, const Vec3& point_a, const Vec3& point_b);
ContactSite find_contact_site(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                              ClosestCache* cache = nullptr);

/// How the two move there.
struct ContactMotion {
  Vec3 point = Vec3::Zero();    ///< of action [m]
  Vec3 normal = Vec3::UnitZ();  ///< from A to B
  double depth = 0;             ///< -gap [m]
  double approach = 0;          ///< d depth / dt [m/s]
  Vec3 slip = Vec3::Zero();     ///< tangential velocity of B's surface against A's [m/s]
  double spin = 0;              ///< angular velocity of B against A about the normal [rad/s]
  Vec3 turn = Vec3::Zero();     ///< angular velocity of the contact frame, see calc_frame_turn [rad/s]
  Vec3 along = Vec3::Zero();    ///< direction of the law's friction ellipse; zero where it has none
  bool certified = true;        ///< the depth, see ContactSite
};
/// All but `turn` and `along`.
ContactMotion calc_contact_motion(const ContactSite& site, const ContactBody& a, const ContactBody& b);
/// The contact frame turns with the normal, and about it as the mean of both bodies does:
///     turn = n x dn/dt + n (n . (w_a + w_b)) / 2                                                             (1)
/// dn/dt from the kinematics of the closest points (contact-kinematics-2003, eq. 8).
Vec3 calc_frame_turn(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                     const ContactSite& site);

/// Force and power of a contact. Power taken from the bodies and from the drives of moving surfaces = d(stored)/dt +
/// normal_dissipated + friction_dissipated - relaxed.
struct ContactResponse {
  double normal_force = 0;         ///< [N]
  Vec3 force = Vec3::Zero();       ///< on B, at the point of action [N]
  Vec3 moment = Vec3::Zero();      ///< on B, about the point of action [N m]
  double stored = 0;               ///< in springs and bristles [J]
  double normal_dissipated = 0;    ///< [W]
  double friction_dissipated = 0;  ///< [W]
  double relaxed = 0;              ///< fed in by a late start that relaxes, or by a patch that owes [W]
  bool sticks = false;
};

/// What the force does to each body, at the origins of their X_WS: [torque; force].
struct ContactWrenches {
  Vec6 F_A = Vec6::Zero(), F_B = Vec6::Zero();
};
ContactWrenches calc_contact_wrenches(const ContactResponse& response, const ContactMotion& motion,
                                      const ContactBody& a, const ContactBody& b);

/// Motion, with its turn where the law keeps a deflection, and response of a contact that touches; rates of what its
/// laws remember are written to `rate`. The deflection is taken tangential, but for that of spin in a friction ellipse;
/// in space it turns along with the contact frame.
struct ContactEvaluation {
  ContactMotion motion;
  ContactResponse response;
};
void evaluate_contact_at(const ContactSite& site, const ContactSides& sides, const CompliantLaw& law,
                         const ContactStateView& state, const ContactRateView& rate, ContactEvaluation& to);
/// The same where the two touch or are nearest, which is sought first.
void evaluate_touching(const ContactSides& sides, const CompliantLaw& law, const ContactStateView& state,
                       const ContactRateView& rate, ContactEvaluation& to);

/// Relative principal curvatures of the two surfaces at a site [1/m].
struct RelativeCurvature {
  double small = 0, large = 0;
};
RelativeCurvature calc_relative_curvature(const Shape& A, const ContactBody& a, const Shape& B, const ContactBody& b,
                                          const ContactSite& site);
/// Does the law ask for curvatures when bodies touch?
bool needs_curvature(const CompliantLaw& law);
/// Does its friction remember a deflection?
bool keeps_deflection(const CompliantLaw& law);
/// Does its force start from zero at the depth at which a fixed step has found the contact?
bool relaxes(const CompliantLaw& law);
/// Does it call functions that may keep scratch memory?
bool is_from_outside(const CompliantLaw& law);
/// How many numbers its parts remember.
ContactStateLayout calc_state_layout(const CompliantLaw& law);

/// The bodies have come to touch. Returns the energy that was left in the friction state, to be booked as dissipated
/// [J].
double begin_contact(const CompliantLaw& law, const Touch& touch, ContactState& state);
/// They have parted: all memory is cleared. Returns what was left, as above [J].
double end_contact(const CompliantLaw& law, ContactState& state);
/// The normal part of begin_contact alone.
void begin_normal(const CompliantLaw& law, const Touch& touch, ContactState& state);
/// For bodies that touch at the start, pressed into each other on purpose: no offset, and the initial dwell.
void set_rested(const CompliantLaw& law, ContactState& state);

/// What records show of the memory of friction; 0 where a law has none.
struct FrictionSeen {
  double dwell = 0;       ///< [-]
  double deflection = 0;  ///< its size [m]
};
FrictionSeen observe_friction(const CompliantLaw& law, const ContactStateView& state);

// The same for a pair of shapes at once.

struct ContactPair {
  Shape a, b;
  CompliantLaw law;
};
struct ContactOutput : ContactEvaluation {
  double gap = 0;         ///< for locating events [m]
  ContactStateRate rate;  ///< of the state
  ContactWrenches wrenches;
};
ContactOutput evaluate_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b,
                               const ContactState& state);
/// After every accepted step, or at a located event: touching begins and ends. True if it did.
bool update_contact(const ContactPair& pair, const ContactBody& a, const ContactBody& b, ContactState& state);

}  // namespace stiction
