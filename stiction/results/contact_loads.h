#pragma once

#include <span>
#include <vector>

#include "stiction/results/contact_groups.h"
#include "stiction/stepping/contact_record.h"

namespace stiction {

/// What groups of contacts bear, step by step: at the last step, and since the last sample. With f_n the sum of the
/// normal forces of a group's contacts and f that of their forces, as vectors,
///     impulse = integral of f_n dt,   vector impulse = integral of f dt,   peak = largest f_n               (1)
/// Rigid formulations give impulses over a step, those of impacts included: (1) is their sum, exactly the momentum that
/// went through; f is the mean over the step, so that an impact shows as its impulse over the length of its step.
/// Compliant ones give forces at the end of each step: (1) by the trapezoidal rule.
/// Memory: nothing allocates once every pair has touched.
class ContactLoads {
 public:
  struct Load {
    // At the last step:
    double normal = 0;               ///< f_n [N]
    Vec3 force = Vec3::Zero();       ///< f [N]
    Vec3 tangential = Vec3::Zero();  ///< the part of f along the surfaces [N]
    double depth = 0;                ///< deepest penetration [m]
    double deflection = 0;           ///< largest of layers along the normal, or of compliant friction [m]
    double shear = 0;                ///< largest of layers along the surface [m]
    double core = 0;                 ///< the part of f_n that their cores bear [N]
    int contacts = 0, sticking = 0;
    double dwell = 0;                  ///< largest of static friction [-]
    double volume = 0;                 ///< of patches with volume [m^3]
    Vec3 normal_force = Vec3::Zero();  ///< the part of f along the normals [N]
    Vec3 moment = Vec3::Zero();        ///< sum of the moments about the points of action [N m]
    // Since the last sample, (1):
    double peak = 0;              ///< [N]
    double normal_impulse = 0;    ///< [N s]
    Vec3 impulse = Vec3::Zero();  ///< [N s]
  };

  /// `compliant_step`: what impulses of compliant contact are divided by to give forces [s]; 0: the contacts are rigid.
  ContactLoads(ContactGroups groups, double compliant_step);
  const ContactGroups& groups() const { return groups_; }
  const Load& of(int group) const { return loads_[static_cast<std::size_t>(group)]; }

  /// A step of length dt with these contacts.
  void add_step(double dt, const std::vector<ContactRecord>& contacts);
  /// The steps so far belong to a sample.
  void close_sample();

  /// As numbers, `memory_size()` of them, appended; and back.
  std::size_t memory_size() const { return loads_.size() * numbers_per_load; }
  void save(std::vector<double>& memory) const;
  void restore(std::span<const double> memory);

 private:
  static constexpr std::size_t numbers_per_load = 9;
  ContactGroups groups_;
  double compliant_step_;
  std::vector<Load> loads_;
};

}  // namespace stiction
