#pragma once

#include "stiction/multibody/equations.h"
#include "stiction/stepping/rigid/free_flight.h"
#include "stiction/stepping/rigid/rigid_solver.h"
#include "stiction/stepping/rigid/sleeping.h"
#include "stiction/stepping/stepper.h"

namespace stiction {

/// Rigid contact by complementarity: impulses and velocities are the unknowns of a step, so that impacts, sticking and
/// jamming need no case distinction. One step of length h from (q, v), with s the configuration at which contacts, M
/// and constraints are evaluated:
///     v+ = v + h M^-1 f + M^-1 (G' lambda + J' r),   q+ = q + h ((1 - theta) v + theta v+)                     (1)
///     0 <= r_n  orthogonal to  u_n+ + gap(s)/h - b >= 0,   friction by r_t and u_t+,   G v+ = -phi(s)/h + b_G  (2)
///
///   formulation      s                  theta   b        f at                friction
///   cone             q + (1-theta) h v  theta   0        s                   exact cone (Moreau 1988, Jean 1999)
///   stewart_trinkle  q + h v            1       u_n(v)   the start           pyramid (stewart-trinkle-2000, eqs 13-20)
///   anitescu_potra   q                  1       gap/h    the start           pyramid (section 3.3: velocity level)
///
/// Gaps that are overlaps from the start are divided by the length of a whole step.
/// HEAPS (more than 60 contacts bear) are jammed in places: gaps there can neither be opened nor closed to first order
/// against friction, and impulses would grow from sweep to sweep in the attempt. In (2) gaps up to `slack_speed` times
/// the step (5e-10 m at 5 ms; where more than 600 bear and the solver has sweeps alone, 5e-8 m) therefore count as 0
/// there, those of contacts that bear up to `bearing_speed` times the step (1e-6 m, 1e-5 m), and overlaps count as 0,
/// too: what overlaps by more is moved apart after the step, as anitescu_potra does, without friction; and with cone in
/// any scene what overlaps by more than 1e-6 m, where bodies turn fast. (2) with b = 0 closes a gap that is left over
/// within two steps, whatever theta is: at theta = 1/2 the gap at the next midpoint is exactly 0 in linear terms.
/// WEDGED bodies cannot close gaps, either. With cone, where there is no heap, gaps of up to 1e-6 of a body's size are
/// left at contacts that bear if the problem is not solved, or only by impulses beyond twice the last and ten times
/// what stops the bodies. What is squeezed stays: overlaps that cannot be moved apart are left, and the step counts as
/// unconverged.
/// stewart_trinkle linearises the gap at q + h v (eq. 15), at the faces that were nearest at q where a body would be
/// through another there. anitescu_potra keeps velocities from closing contacts that
/// touch (open ones may close: b = 0 there), and then moves positions that overlap apart, by the smallest motion in the
/// kinetic metric, velocities untouched; what that takes against gravity is in the ledger.
///
/// IMPACTS inside a step: contacts that are open at its start and would be closed at its end are located in time, the
/// impact law is applied there, and the step goes on: so the time of impact counts, and e comes out as put in. cone
/// does so for all contacts, the others for those with e > 0 only (their papers know no other impacts than those of
/// (2)).
///   The moment is predicted: the first zero of the cubics through gaps and their speeds at both ends. The smooth step
///   is taken again up to there, which is mostly enough; while the smallest gap is beyond 1e-9 of a body's size plus
///   1e-4 of its way in a step (h |u_n|), that step is one of the two ends. What is that near touches, too.
///   Bodies that come nearer by more than half of the smaller one's size in a step may be through one another at its
///   end: from when they would meet they are followed, as far at a time as their gap lasts.
///   Contacts that close at less than h |g| / 2 are not located: they touch as soon as the gap is no longer than their
///   way in a step, so that the impact law acts h^2 |g| / 2 early at most, of the order of the step; what it leaves of
///   the gap is closed by (2). Bodies that rattle to rest hit at such speeds a dozen times in a step.
/// More than `impacts` moments in a step, and heaps (more than 60 contacts bear in one group: every trial costs a
/// solution for all), are taken with theta = 1, s = q, every contact in (2), e acting by either hypothesis at the time
/// at which the gap closes in free motion, and not at all in a group that it would feed with energy: of first order.
/// What no impulse acts upon keeps its order there.
///   Newton:  u_n+ >= -e u_n-  orthogonal to r_n, at every contact that touches and closes; those at rest have
///            u_n- = 0 and stay closed. Several at once: all in one problem, with the velocities before.
///   Poisson: first e = 0; then each normal impulse once more, times e, with friction (on the exact cone) solved anew;
///            then, where contacts still close, e = 0 again.
///   With friction, Newton's law, and with several contacts Poisson's too, may create energy (Kane, Levinson 1985):
///   in each group of contacts that act on one another the restitution is then lowered to the largest part with which
///   none is created.
///   Joint limits that are reached take part with e = 0.
///   A rebound that gravity would end within one step (e |u_n-| < h |a_n| / 2) is none: e = 0. Contacts that bore an
///   impulse in the step before are no impacts: a body that rolls over a curved surface does not bounce.
///
/// A solve begins with the forces of the step before, in large heaps with what they are about to become
/// (contact_memory.h); the second and those after it in one (sub)step, for a trial that ends elsewhere, a contact more
/// or other forces, with those of the solve before.
///
/// Active set (stewart-trinkle-2000, section 4): contacts that bore an impulse before, those violated by the free
/// motion, and, after a solve, those violated by its result, sought as far as bodies then move: it is solved again.
///
/// FORCES that depend on velocities: cone takes them at v + (1 - theta) (v_free - v) first and, where impulses act,
/// once more with the velocities that came out, and solves again: so it is of second order with contacts and joints,
/// too.
///
/// SLEEPING (sleeping.h), off unless asked for: a trial in which an impulse acts on a sleeper is given up, and taken
/// again with its group awake.
///
/// DEPARTURES: M, f and G at one configuration each as tabled; cone with theta = 1 takes f at the midpoint. Prescribed
/// joints have at the end of a step the velocity with which (1) gives their positions exactly: with theta = 1 gaps to
/// driven bodies are exact then, else to the third order in h. With theta other than 1/2 and restitution, and in heaps
/// of cone, what no impulse acts upon flies by the mean of its velocities: the papers' q + h v+ would take off h v for
/// every flight, and rebounds would not come out as put in.
class StepperRigid final : public Stepper {
 public:
  StepperRigid(const System& system, const MethodSettings& settings);
  StepReport step(State& state, double t_limit) override;
  bool interpolates() const override { return false; }
  const std::vector<ContactRecord>& contacts() const override { return records_; }
  /// Guesses of the next impulses and which contacts bore; who sleeps.
  std::vector<double> checkpoint(const State& state) override;
  bool can_checkpoint(const State&) override { return true; }
  void restore(const State& state, const std::vector<double>& memory) override;

 private:
  struct Scheme {
    double theta = 1;             ///< of the positions
    double geometry = 0;          ///< s = q + geometry h v
    bool midpoint_force = false;  ///< f at s, reached by an explicit step, not at the start
    bool predicted_gap = false;   ///< b = u_n(v)
    bool velocity_level = false;  ///< b = gap / h
    bool nonlinear = false;       ///< iterate s
    bool locates_all = false;     ///< impacts without restitution too
    bool keeps_open = false;      ///< contacts that are to be located are left out
    bool parabolas = false;       ///< what no impulse acts upon moves by the mean of its velocities
  };
  /// Slower contacts do not hit [m/s].
  static constexpr double smallest_impact = 1e-8;

  static constexpr int most_located_among = 60;
  /// As near as impacts are located, of the way of a contact in a step.
  static constexpr double located_part = 1e-4;
  /// Joint limits no farther than this take part in impacts [m, rad].
  static constexpr double closed_limit = 1e-7;
  /// Residual of a guess that fails by rounding alone.
  static constexpr double good_guess = 1e-10;
  /// What gaps within the slack of a heap would ask of velocities, and those of contacts that bear [m/s].
  static constexpr double slack_speed = 1e-7, large_slack_speed = 1e-5;
  static constexpr double bearing_speed = 2e-4, large_bearing_speed = 2e-3;

  static Scheme make_scheme(const MethodSettings& settings);
  void advance(State& state, double t_next, StepReport& report);
  int count_bearing();
  bool wake_pushed(double t, StepReport& report);

  // Contacts
  const std::vector<Contact>& find_contacts(const State& state);
  void find_contacts_at(const Kinematics& kinematics, double h, std::vector<Contact>& contacts);
  void find_step_contacts(double h);
  bool is_found(const VecX& q, const VecX& v) const;
  double calc_way(std::size_t shape, const Kinematics& kinematics, double h) const;
  const RigidLaw& get_law(const Contact& contact) const;
  template <class T, class GetPlace>
  const T* find_place(const std::vector<T>& list, const Contact& contact, const GetPlace& get_place,
                      std::size_t& next) const;
  const ContactMemory* find_memory(const Contact& contact) const;
  const ContactMemory* find_guess(const Contact& contact) const;
  const Contact* find_contact(const std::vector<Contact>& list, const Contact& contact, std::size_t& next) const;
  const Contact* find_start(const Contact& contact) const;
  double calc_closed_gap(const Contact& contact) const;
  double calc_normal_speed(const Contact& contact, const Kinematics& kinematics) const;
  void calc_normal_speeds(const VecX& v, std::vector<double>& speeds);
  bool is_located(const Contact& contact) const;
  bool is_to_be_located(const Contact& contact) const;
  void look_at_start(const State& state);

  // stepper_rigid_step.cpp: a step without impacts located; contacts that `scheme` keeps open are not looked at
  void take_step(const State& from, double h, const Scheme& scheme, State& to, StepReport& report);
  void calc_free_velocity(const State& from, double h, const Scheme& scheme);
  void evaluate_forces(const State& from, double ahead, const VecX& v);
  void set_given_velocities(double t, double h, const Scheme& scheme);
  bool correct_free_velocity(const State& from, double h, const Scheme& scheme);
  void fly_on_parabolas(double h, const Scheme& scheme);
  void rebound_in_time(double h);
  void solve_rows(const State& from, double h, const Scheme& scheme, StepReport& report);
  void place_s(const State& from, double h, const Scheme& scheme);
  void solve_again(const State& from, double h, const Scheme& scheme, StepReport& report);
  void solve_at(double t_s, const State& from, double h, const Scheme& scheme, StepReport& report);
  void turn_passed_contacts(double h);
  void keep_constraints(double t_s, const State& from, double h, const Scheme& scheme);
  bool has_wild_impulses(double h);
  void leave_gaps(double h, RigidSolver::Result& result);
  void solve_included(double t_s, const State& from, double h, const Scheme& scheme, StepReport& report);
  void calc_end_velocities();
  void drop_dust();
  void note_guesses();
  void iterate(const State& from, double h, const Scheme& scheme, StepReport& report);

  // stepper_rigid_rows.cpp
  double calc_closing_bound(double gap, double speed, double h, const Scheme& scheme) const;
  double calc_slack_bound(const Contact& contact, double gap, double h) const;
  double calc_bound(std::size_t i, double h, const Scheme& scheme) const;
  bool is_included(std::size_t i, double h, const Scheme& scheme) const;
  bool extend_reach(double h);
  bool include_violated(double h, const Scheme& scheme);
  void add_limits(const VecX& q, const VecX& z, double widest);
  void pose_rows(double t_s, const State& from, double h, const Scheme& scheme);
  void add_belts(double t, VecX& u);
  bool forget_restitution(double h);

  // stepper_rigid_impact.cpp
  bool restores(const Contact& contact, double speed_before, double speed_free) const;
  bool has_impact() const;  ///< at the state of the last find_contacts
  bool apply_impact(State& state, StepReport& report);
  void satisfy_constraints(State& state);
  void solve_impact(StepReport& report);
  double calc_taken(const std::vector<int>& island) const;
  void lower_restitution(StepReport& report);
  void restore_poisson(StepReport& report);
  void separate(State& state, int most_rounds, bool with_limits, StepReport& report);
  void loosen(State& state, StepReport& report);
  void pose_separation(const State& state);
  bool drop_wild_motions(double allowed);
  bool move_apart(State& state, double allowed, StepReport& report);

  // stepper_rigid_locate.cpp
  /// The contacts that are to be located, at one time of a (sub)step.
  struct OpenContacts {
    double time = 0;                ///< from its start [s]
    std::vector<Contact> contacts;  ///< ascending as Contact::comes_before
    std::vector<double> speeds;     ///< of their gaps [m/s]
  };
  enum class Closing { none, now, late };
  void list_open(const State& state, double time, OpenContacts& open);
  double calc_touching_gap(const Contact& contact, double speed) const;
  Closing judge(const OpenContacts& open) const;
  void predict_moments();
  double predict_moment(std::size_t i, std::size_t& next) const;
  bool closes(const State& from, double h);
  bool may_pass(double h) const;
  bool find_overlap(const State& from, double h);
  int count_moments() const;
  bool locate_impact(const State& from, StepReport& report);

  // stepper_rigid_audit.cpp
  void note_result(const RigidSolver::Result& result, StepReport& report) const;
  void note_first_order(StepReport& report) const;
  void book_impulses(State& state, bool impact, StepReport& report);
  void remember(double t, double h, bool impact, StepReport& report);
  void note_changes(double t, const ContactMemory* before, const ContactMemory& now, double speed, StepReport& report);
  void note_event(StepReport& report, double t, const char* kind, const Contact& contact) const;
  ContactRecord& find_record(int shape_a, int shape_b, int point);
  void add_record(int i, const RowBlock& block, bool impact, StepReport& report);
  static void merge_audit(const ContactAudit& part, ContactAudit& whole);
  void measure(const State& state, StepReport& report);
  void update_modes(State& state, StepReport& report);
  std::string describe_not_finite(const State& state) const;

  const System& system_;
  MethodSettings settings_;
  Scheme scheme_, rest_scheme_;
  FreeMotion free_;
  FreeFlight flight_;
  StepRows rows_;
  RigidSolver solver_;
  ContactFinder finder_;
  Sleeping sleeping_;
  Equations equations_;    ///< for drift and guards
  Kinematics kinematics_;  ///< at s
  Kinematics at_state_;    ///< where contacts are sought
  std::vector<double> reach_, sizes_;
  std::vector<double> arms_;        ///< of the shapes, from their bodies' origins to their farthest points, at most
  std::vector<char> moves_freely_;  ///< likewise
  double smallest_closed_gap_ = 0;
  double slip_speed_ = 1e-7;    ///< slower is sticking: above what a solved problem leaves, below all slip [m/s]
  double slack_ = 0;            ///< of a heap: gaps within it count as 0 [m]; else 0
  bool is_large_heap_ = false;  ///< the solver has sweeps alone
  bool guess_is_good_ = false;  ///< of the last impulses
  bool has_belts_ = false, has_forces_ = false, has_prescribed_ = false, has_restitution_ = false;
  bool has_velocity_forces_ = false;  ///< gyroscopic moments among them
  int free_velocities_ = 0;           ///< those that are not prescribed
  std::vector<int> group_, bearing_, renumber_;
  std::vector<double> moments_, cluster_impact_;
  std::vector<char> pushed_;             ///< clusters upon which impulses act
  std::vector<char> fresh_;              ///< blocks for which the step before gave no impulse
  std::vector<Contact> start_contacts_;  ///< at the start of the (sub)step
  std::vector<double> start_speed_;      ///< their normal velocities
  std::vector<char> touches_;            ///< and whether an impact would act on them
  OpenContacts low_, high_, middle_;     ///< before and after a moment of impact
  std::vector<Contact> contacts_;        ///< at s; those with included_ have rows
  std::vector<Contact> known_contacts_;  ///< before a reach was extended
  std::vector<char> included_, known_included_;
  std::vector<double> linear_speed_, speed_, end_speed_, mean_speed_;  ///< normal velocities of contacts_
  std::vector<ContactMemory> memory_, memory_next_, added_;            ///< ascending as Contact::comes_before
  std::vector<ContactMemory> guesses_;  ///< likewise, by the solve before in this (sub)step
  double solved_step_ = 0;              ///< h of a solve whose impulses are not among them yet
  std::vector<ContactRecord> records_;
  std::vector<double> resting_impulses_;  ///< of the records, normal, in the last part of the step
  std::vector<Contact> found_;            ///< at found_q_, found_v_, within found_reach_
  VecX found_q_, found_v_;
  std::vector<double> found_reach_;
  /// Where a search is begun; no result depends on it.
  mutable std::size_t next_memory_ = 0, next_guess_ = 0, next_start_ = 0;
  double step_start_ = 0;  ///< [s]
  State current_, trial_;
  VecX q_s_, prescribed_q_;
  VecX v_start_, v_free_, v_kept_, v_linear_, v_work_, v_mean_;  ///< v_work_: after the impulses
  VecX u_start_, u_free_, u_linear_, u_end_, problem_q_, r_, guessed_r_;
  VecX restored_;          ///< what restitution adds to the bound of a row in a step
  VecX impact_time_;       ///< and when, from its start [s]
  VecX restitution_part_;  ///< of the contacts of an impact, 1 unless energy would be fed
  VecX newton_, poisson_;  ///< restitution of the contacts of an impact, by the law that acts
  VecX displacement_, acceleration_, work_, constraint_offset_;
};

}  // namespace stiction
