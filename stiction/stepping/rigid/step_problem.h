#pragma once

#include "stiction/stepping/rigid/contact_tracking.h"
#include "stiction/stepping/rigid/step_rows.h"

namespace stiction {

/// Contacts with their impulses, as a (sub)step or an impact left them.
struct SolvedContacts {
  std::vector<Contact> contacts;      ///< RowBlock::index of StepRows counts these, ascending
  VecX r;                             ///< impulses of the rows [N s]
  VecX u_start, u_end;                ///< velocities along the rows before and after [m/s]
  VecX turned;                        ///< what u changes by from s to the end, as velocities turn: (3) [m/s]
  VecX restored;                      ///< what restitution adds to the bound of a row within a step [m/s]
  VecX impact_time;                   ///< and when, from its start [s]
  std::vector<ContactLayers> layers;  ///< of the rows; empty where no contact has any
};

/// How far an island is jammed: which gaps count as 0 in (2) of formulation.h.
struct Jam {
  double slack = 0;         ///< [m]
  double loaded_slack = 0;  ///< of contacts that were loaded in the step before [m]
  bool is_jammed() const { return slack > 0; }
};

/// The problem (2) of a (sub)step: which contacts, limits and joint frictions have rows, and what is asked of each.
/// Active set (stewart-trinkle-2000, section 4): contacts that were loaded before, those that the free motion violates,
/// and, after a solve, those that its result violates.
/// Where s lies between the start and the end (cone, s = q + g h v), bodies that turn or roll have other velocities
/// u = J v at the end than at s for the same v. With D(v) = J(s) v - J(q) v, its change from the start to s,
///     u_t(s; v+) + (1/g - 1) D_t(v+)            is the slip at the end, of which friction is asked;            (3)
///     u_n(s; v+) + (1/g - 1) D_n(v+) >= -(gap(s) - g h D_n(v) / 2) / h
/// asks for the normal velocity at the end, and for the gap without what the curvature of the path has left of it. Both
/// are of second order for a tip that sticks, a wheel that rolls, a rim that runs around. Of contacts that touch at
/// the start. DEPARTURE: D along v+ is 2 D(v*) - D(v), with v* by the warm start. The work of an impulse is that on
/// u(s; (v + v+)/2): a point that sticks at the start and at the end gives and takes none.
class StepProblem {
 public:
  StepProblem(const RigidModel& model, StepRows& rows, ContactSearch& search, ContactTracker& tracker);

  /// Where it is posed.
  struct Place {
    const StepTask& step;
    double t_s = 0;
    const VecX& q_s;
    Kinematics& kinematics;  ///< at q_s; velocities are set as they are needed
    const VecX& v_start;     ///< v with prescribed joints
    const VecX& v_linear;    ///< on the way to s
    const VecX& v_kept;      ///< v_free that keeps the constraints
    const VecX& z;
    const Jam& jam;
  };

  /// Contacts at s within reach of the step, and which of them have rows.
  void find(const Place& place);
  /// The same contacts with another v_free: those that it violates join.
  void include_again(const Place& place);
  /// The rows, (2) of them, and a warm start in solved().r.
  void pose(const Place& place);
  /// Contacts that v_end violates join, those of shapes that it makes fast too. Returns whether there are any.
  bool include_violated(const Place& place, const VecX& v_end);
  /// Deflections of the layers for the impulses in solved(). Returns whether any layer belongs on the other side of its
  /// core than it was posed.
  bool update_layers(double h);
  /// Groups of contacts whose restitution feeds energy do without: with e = 0 none is fed. Returns whether there are
  /// any.
  bool drop_restitution(double h);

  SolvedContacts& solved() { return solved_; }
  const SolvedContacts& solved() const { return solved_; }
  const VecX& q() const { return q_; }  ///< of u = W r + q, bounds taken off
  VecX& q() { return q_; }
  const VecX& u_free() const { return u_free_; }
  const std::vector<char>& fresh() const { return fresh_; }  ///< rows without a warm start
  /// Normal velocities of the contacts on the way to s, and after the last include_violated.
  const std::vector<double>& linear_speeds() const { return linear_speed_; }
  const std::vector<double>& end_speeds() const { return end_speed_; }
  double calc_bound(std::size_t contact, const Place& place) const;
  /// Normal velocities of the contacts for other velocities, which `kinematics` then has.
  void calc_speeds(const VecX& v, Kinematics& kinematics, std::vector<double>& speeds) const;

 private:
  bool is_included(std::size_t contact, const Place& place) const;
  void turn_passed(const Place& place);
  void extend(const Place& place, const VecX& v_end);
  void pose_contact(int i, const Place& place);
  void turn_contacts(const Place& place);
  Eigen::Vector4d calc_turn(int i, const Kinematics& kinematics) const;
  int find_smooth_start(const RowBlock& block, const Kinematics& kinematics) const;
  void pose_layers(int i, const Place& place);

  const RigidModel& model_;
  StepRows& rows_;
  ContactSearch& search_;
  ContactTracker& tracker_;
  SolvedContacts solved_;
  FoundContacts found_;
  std::vector<Contact> known_;
  std::vector<char> included_, known_included_, fresh_;
  std::vector<int> renumber_;
  std::vector<double> linear_speed_, speed_, end_speed_;  ///< normal, of the contacts
  VecX u_free_, u_linear_, q_, v_expected_;
};

/// Rows of the joint limits of the island that are no more than `widest` away.
void add_limits(const RigidModel& model, const VecX& q, const VecX& z, double widest, const Kinematics& kinematics,
                StepRows& rows);
/// Surface velocities of belts join the velocities along the rows.
void add_belts(const RigidModel& model, const StepRows& rows, const std::vector<Contact>& contacts,
               const Kinematics& kinematics, double t, VecX& u);
/// The coefficients of contacts with static friction for a step or an impact from t on (static_friction.h).
void set_static_friction(const RigidModel& model, const ContactTracker& tracker, const std::vector<Contact>& contacts,
                         const VecX& u_start, double t, StepRows& rows);
/// Does restitution act at a contact? Not where gravity would end the rebound within one step (e |u_n-| < h |a_n| / 2,
/// speed_free - speed_before = a_n h), nor where it was loaded before: a body that rolls over a curved surface does not
/// bounce.
bool is_restored(const RigidModel& model, const ContactTracker& tracker, const Contact& contact, double speed_before,
                 double speed_free);
/// The energy that the impulses of a group take, -r . (u before + u after) / 2, and 0 where that is rounding.
double calc_taken(const std::vector<int>& group, int dimension, const SolvedContacts& solved);

}  // namespace stiction
