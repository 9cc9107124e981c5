#pragma once

namespace stiction {

/// All lengths, speeds and parts by which a rigid step decides, in one place. Each belongs to one island or one pair of
/// shapes: none is taken from the rest of a scene. "size" is half the diagonal of the smaller shape of a pair (of the
/// bounded one beside a half-space). Half, double, off: what changes in the 40 scenes of docs/ablation.md, where piles
/// are chaotic and end elsewhere after any change; no unsolved step, no deeper overlap unless it says so.
struct RigidTolerances {
  // Gaps
  /// Gaps below this part of the size count as closed. Origin: rounding of closest points, about 1e-12 of the size,
  /// times a safety of 1000. Half: 0.2 % more trial steps; double: 0.5 % fewer, impacts act that much earlier.
  double closed_gap_part = 1e-9;
  /// Gaps jump where points of a pair come and go: a bracket of so small a part of the step is not narrowed any more.
  /// Origin: positions off by 1e-8 h v. Half, double: 3 trial steps more, less, of 18,000; 3e-10 m. Off: 54 more.
  double bracket_part = 1e-8;
  /// Predicted times of impact within this part of the step of each other are counted as one.
  /// Origin: corners of a flat face within 1e-6 m at 1 m/s and 1 ms. Half, double, off: one or two piles end elsewhere.
  double same_impact_part = 1e-3;
  /// cone, unsolved steps: gaps of so many closed gaps are left as they are at contacts that were loaded.
  double tolerated_gap = 1000;
  /// Joint limits no farther than this take part in impacts [m, rad]. Origin: what the time of impact leaves at 1 m/s.
  double closed_limit = 1e-7;
  /// Bodies that overlap on the way of a step by this part of the size, more than at both ends, cut through each other
  /// (contact/passage.h). Origin: what the verdict does not trust of overlaps at the ends. Half, double: no bit
  /// changes; off: a ball at 60 m/s goes through a tray.
  double passing_part = 1e-2;
  /// A contact point whose id is new is the same place as one of the step before within this part of the size.
  /// Origin: less than contact points of a face are apart, more than they move in a step. Half, double: piles end
  /// elsewhere; off: 4 % more iterations, since warm starts are lost.
  double same_place_part = 0.05;
  /// A contact point farther away after a part of a step, of the size, did not run there smoothly. Origin: a rim point
  /// that jumps to the other side goes 1.4 sizes or more; one that runs around a rim goes 0.5 at 0.5 rad in half a
  /// step. Half, double: one pile, no scene; off: second order is lost, overlaps of three scenes double.
  double smooth_path_part = 0.5;
  /// A contact point is fixed to a body if it moves less in it, of the size. Origin: rounding of closest
  /// points. Half, double: one pile, by 1e-6 m; off: one scene leaks energy, one overlaps twice as deep.
  double fixed_point_part = 1e-6;

  // Speeds
  /// Slower contacts do not hit [m/s]. Origin: above what a solved problem leaves of velocities (1e-10), below h g of
  /// the shortest usual step (1e-6 s). Off: 60 % more iterations, two scenes leak energy.
  double smallest_impact = 1e-8;
  /// Slower is sticking [m/s]; at least ten times the solver's tolerance. It names modes: no bit of the motion
  /// changes.
  double slip_speed = 1e-7;
  /// Contacts without rows that close by less after a solve are left [m/s]: rounding of velocities of 1 m/s.
  /// Half, double: no bit changes; off: 0.3 % more iterations.
  double violation_speed = 1e-12;
  /// Impulses below `negligible_part` of the largest on contacts that open faster than this are removed [m/s].
  /// Origin: ten times the solver's tolerance; rounding of impulses. Half of the speed: 1e-14 m. Without removal piles
  /// need 7 % fewer iterations and end elsewhere, but contacts that are open would count as loaded.
  double opening_speed = 1e-9, negligible_part = 1e-12;

  // Large islands: gaps that a jammed pile can neither open nor close count as 0 (see Formulation). [m/s]: times the
  // step these are 5e-10 m and 1e-6 m at 5 ms. Origin: what solvers resolve of a jam. Half: more iterations; double:
  // gaps twice as wide. Without them a wall that is hit takes twice as long, and is ten times deeper.
  double slack_speed = 1e-7, loaded_slack_speed = 2e-4;

  /// geometric_implicit: what rounding of contact points on nearly flat surfaces may leave of velocities, where it
  /// leaves that much (EndNewton::rounding) [m/s, rad/s]. Origin: dice of 1 cm that lie on a face at h = 10 ms: a turn
  /// by 1e-15 moves the contact point by 1e-9 m. Of 200 such steps (soft_dice, 2 s), half: 214 instead of 198 are
  /// halved; double: no bit changes; off: 128 problems are unsolved.
  double rounding_speed = 1e-5;

  // Forces
  /// Change of velocities, as a part of 1 m/s and the fastest, below which forces that depend on them are found.
  /// Origin: a hundred times what the solver's tolerance leaves. Half, double: 1e-12 m;
  /// off: 1,800 steps are not found, three scenes leak energy, two overlap twice as deep.
  double force_change = 1e-11;
  /// The same beyond which a step whose forces are not found within the budget counts as unconverged.
  /// Origin: forces off by 1e-6 of themselves. Half, off: no bit changes, every iteration here ends.
  double lost_force_change = 1e-6;

  /// Bodies on joints turn by no more in a (sub)step [rad]: the midpoint rule loses (w h)^2 of the energy that Coriolis
  /// forces exchange. Origin: 1 % of the energy of the fastest chains among random scenes. Of 16 chains that are wrong
  /// without it (geometric_implicit; `cone` is alike) 2 are wrong with it, with half 2, with double 5.
  double most_turn = 0.05;
  /// Bodies with contacts turn by no more in a (sub)step, twice as much where an impulse makes them turn [rad]. Origin:
  /// what passes on a way is sought on the shortest rotation (contact/passage.h), which is another beyond pi.
  double passing_turn = 1;
  /// The same with cone, which linearises gaps at the midpoint and leaves up to 1/8 of the square of the turn, of the
  /// size. Origin: of 150 random scenes (fuzz_physics, furnished) one gains a third of its energy with 1, 31 are told;
  /// with 0.25 none gains, 26 are told. Half: no scene leaks, 4 end elsewhere; double, off: one scene leaks energy.
  double linear_turn = 0.25;

  // Position correction
  /// Overlaps that anitescu_potra and `settle` leave: rounding of positions of the order of 1 m [m].
  /// Half, double, off: no bit changes.
  double rounding_overlap = 1e-12;
  /// Overlaps from which on cone corrects positions, where its linearised gaps did not, as part of the size: bodies
  /// that turn fast. Origin: a tenth of what the verdict accepts (1e-3). A body on a curved surface leaves (h v)^2 / 8
  /// R in every step, which must not be corrected: below half, order is lost on curved surfaces at larger steps.
  /// Half, double: piles overlap half and twice as deep; off: 2 % of the size.
  double deep_overlap_part = 1e-4;
  /// The same in jammed islands, where sweeps correct them, and of joint limits [m, rad].
  /// Half, double: piles end elsewhere.
  double deep_overlap = 1e-6;
  /// A correction that moves a body farther than this many times all overlaps of its group is refused.
  /// Half, double, off: no bit changes; made for squeezed bodies (test/laws/squeezed_bodies_test.cpp).
  double longest_correction = 10;

  // Warm start
  /// Residual of a warm start that fails by rounding alone.
  double good_start = 1e-10;
  /// What the next warm start takes over of a correction to a good one: such a correction undoes what rounding of gaps
  /// has left in the velocities; taken over whole, it would act again in the next step, and have to be undone again.
  /// Half, double: 1 % of the iterations, positions by 1e-14 m; whole: 5 % more iterations.
  double correction_part = 0.1;
};

}  // namespace stiction
