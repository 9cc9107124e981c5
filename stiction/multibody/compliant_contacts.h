#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "stiction/contact/pair_bound.h"
#include "stiction/contact/point_follower.h"
#include "stiction/contact/volume_contact.h"
#include "stiction/multibody/force_sum.h"
#include "stiction/multibody/worker_pool.h"

namespace stiction {

/// All compliant contacts of a system: the contact core (contact/contact_core.h) on every slot of ContactModel::slots.
/// What their laws remember stands in State::z (contact_state.h), six numbers more where points are followed; which
/// of them touch, in State::modes.
///
/// An integrator that locates events is given the smooth branch its modes say: a slot that does not touch bears nothing
/// even where the bodies overlap inside a step that runs over the event. With fixed steps the force acts as soon as
/// there is depth, inside the step too (with the damping of the speed at hand), which keeps the order of the force law;
/// but with NormalPower::relaxation it starts, from zero, at the end of the step that found the contact. Cost: every
/// slot in every evaluation; pairs whose bounds are apart (pair_bound.h) cost a few ns. LIMIT: no broadphase. Patches
/// with volume begin where closest points meet; of pegs in bores where their reach does (slot_site.h).
///
/// Several threads evaluate patches that are integrated numerically, from two on: each by itself, and what they give is
/// added in the order of the slots, so that no result depends on their number. Others are cheaper than the threads.
class CompliantContacts {
 public:
  explicit CompliantContacts(const System& system);
  CompliantContacts(const CompliantContacts&) = delete;  // slots refer to bodies of its own
  CompliantContacts& operator=(const CompliantContacts&) = delete;
  bool empty() const { return slots_.empty(); }
  int size() const { return static_cast<int>(slots_.size()); }
  /// Does the integrator locate events?
  void set_located(bool located);
  void set_threads(int threads);
  /// "A/B" of a slot's shapes.
  std::string name_of(int slot) const;

  /// Forces, powers and rates of z. Velocities must be up to date.
  void add_forces(const Instant& instant, const std::vector<int>& modes, ForceSum& sum, VecX& dz);
  /// Depth of each slot, at its touch mode in `guards`: touching where > 0. Needs positions only.
  void calc_guards(const Instant& instant, VecX& guards);
  /// Bodies have come to touch or have parted, in a state whose kinematics are up to date. What friction had stored is
  /// booked as dissipated; what bristles owe, having given back more than they took (friction_bristle.h), as
  /// stabilisation, and so is a spring that is not at zero when it starts (fixed steps). `impact_speed`: of the
  /// touch-down where a fixed step has run over it.
  void switch_touching(int slot, bool touching, const Instant& instant, VecX& z,
                       std::optional<double> impact_speed = std::nullopt);
  /// d depth / dt of a slot.
  double calc_approach(int slot, const Instant& instant);
  /// What the elastic force of a slot with volume has taken where its bodies stand [J].
  double calc_start_energy(int slot) const;
  /// What contacts that ended had fed since the last call [J].
  double take_fed_energy() { return std::exchange(fed_energy_, 0.0); }
  /// Slots that since the last call were taken to be open although their gap is not certified and no planes hold the
  /// bodies apart.
  std::vector<int> take_doubtful() { return std::exchange(doubtful_, {}); }
  /// Corrects followed points; nothing for others.
  void correct(const Instant& instant, VecX& z);
  bool has_followed() const { return has_followed_; }

  /// A contact that touches, for records and audits.
  struct Observed {
    int slot = 0;
    ContactEvaluation contact;
  };
  /// All that touched when forces were last added.
  std::span<const Observed> observed() const { return {observed_.data(), n_observed_}; }
  /// Its patch there, of slots with volume.
  const VolumePatch& patch_of(int slot) const { return patches_[static_cast<std::size_t>(slot)]; }
  /// The gap of a slot there; minus the mean depth where a patch has volume [m].
  double calc_gap(int slot);

 private:
  /// A slot with all that its evaluation looks up.
  struct Use {
    const CompliantSlot* slot;
    const CompliantLaw* law;
    ContactSides sides;
    int body_a, body_b;
    bool plain;             ///< closest points, neither followed nor of a ball, no volume
    bool gated;             ///< bears only where its mode says that it touches
    bool shareable;         ///< another thread may evaluate it: nothing from outside is called
    VolumeSettings volume;  ///< of slots with volume, for the bodies in this order
  };
  const CompliantLaw& find_law(const CompliantSlot& slot);
  void update_shapes(const Instant& instant, bool velocities);
  /// Only the gap, or less, where bounding balls are apart and `touching` is false.
  ContactSite find_site(const Use& use, const VecX& z, bool touching) const;
  double calc_gap_below(const Use& use) const;
  static VolumePatch find_patch(const Use& use);
  Touch calc_touch(const Use& use, const ContactSite& site, const ContactMotion& motion) const;
  bool is_gated(const CompliantLaw& law) const;
  FollowedPoints read_points(const CompliantSlot& slot, const VecX& z) const;
  void evaluate_overlap(const Use& use, const ContactSite& site, const VecX& z, const ContactRateView& rate,
                        ContactEvaluation& to) const;
  /// A slot that is not plain, at gaps_[i]; false: it bears nothing.
  bool evaluate_point(std::size_t i, const Instant& instant, bool touching, VecX& dz, ContactEvaluation& to);
  bool evaluate_volume(std::size_t i, const Instant& instant, bool touching, VecX& dz, ContactEvaluation& to);
  /// Slots whose patches were integrated last time, on all threads, into early_.
  void evaluate_early(const Instant& instant, const std::vector<int>& modes, VecX& dz);
  void note_if_doubtful(int slot, const ContactSite& site);
  void note_doubtful(int slot);
  void book_left_energy(double left, int entry, VecX& z);
  void add_response(const Use& use, const ContactEvaluation& contact, const Instant& instant, ForceSum& sum) const;

  const System& system_;
  const std::vector<CompliantSlot>& slots_;
  bool located_ = true, has_followed_ = false, has_belts_ = false;
  std::vector<ContactBody> bodies_;    ///< one a shape
  std::vector<ShapeBound> bounds_;     ///< one a shape
  std::vector<Use> uses_;              ///< one a slot
  std::deque<CompliantLaw> own_laws_;  ///< of slots whose law differs from that of their rule
  std::vector<int> moving_shapes_;     ///< whose bodies can move, or whose surface does
  std::vector<char> plain_;            ///< shape frame = body frame
  double fed_energy_ = 0;
  std::vector<int> doubtful_;
  std::vector<double> gaps_;
  std::vector<char> gap_due_;         ///< the gap was not needed yet: bodies without a common volume
  std::vector<VolumePatch> patches_;  ///< one a slot, where any has volume
  std::vector<Observed> observed_;  ///< the first n_observed_ count; one more than slots: room for what does not touch
  std::size_t n_observed_ = 0;

  /// A slot that another thread may have evaluated already.
  struct Early {
    bool done = false, bears = false;
    ContactEvaluation contact;
  };
  std::unique_ptr<WorkerPool> pool_;
  std::vector<Early> early_;         ///< one a slot, where there are threads
  std::vector<std::size_t> shared_;  ///< slots evaluated early
};

}  // namespace stiction
