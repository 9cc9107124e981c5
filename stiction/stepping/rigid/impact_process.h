#pragma once

#include <vector>

#include "stiction/contact/contact_law.h"
#include "stiction/solvers/cone/cone.h"
#include "stiction/stepping/rigid/impact_friction.h"
#include "stiction/stepping/rigid/solved_measure.h"

namespace stiction {

/// One contact of an impact.
struct ImpactContact {
  double mu = 0;
  Vec3 ellipsoid = Vec3::Ones();  ///< half-axes of the friction ellipsoid
  double restitution = 0;         ///< e [-]
  RestitutionHypothesis hypothesis = RestitutionHypothesis::newton;
};

/// Contacts that act on one another: u = W r + u before, in blocks of 2 to 4, normal first.
struct ImpactProblem {
  ConeMatrix W;  ///< [1/kg]
  VecX u;        ///< before [m/s]
  std::vector<ImpactContact> contacts;
};

/// An impact as a process in which the impulses r grow at an instant (Routh 1860; gonthier-thesis-2007, section 2.1.2):
///     du = W dr,   slipping: dr_t = -mu E^2 u_t / |E u_t| dr_n,   sticking: du_t = 0 where |E^-1 dr_t| <= mu dr_n  (1)
/// so that friction follows the slip as it slows, stops, turns and starts again. Two phases:
///   compression  until no contact closes, u_n >= 0. The normal impulses grow in proportion to target - u_n: to the
///                solution of 0 <= r_n orthogonal to u_n >= 0 with friction by (1), solved anew where (1) changes.
///   restitution  normal impulses grow in proportion to e p_c, p_c those of compression, until
///                  Poisson:  p_r = e p_c
///                  Stronge:  W_r = e^2 W_c, W the work of the normal impulse, int u_n dr_n (Stronge 1990)
///                where bodies still close after that, they are stopped (e = 0).
/// Newton's law is one phase that ends at u_n = -e u_n-.
/// In the plane u changes linearly until a slip stops: the result is exact. In space the direction of slip is taken
/// from the middle of increments of impulse in which it turns by no more than 1/50 rad: relative errors of 1e-4.
/// One contact alone also goes through a jam (W_nn < mu W_nt: friction drives it deeper until the slip stops).
/// With Stronge's law no impact creates energy at one contact: friction only takes, and e <= 1.
/// DEPARTURE: how several contacts share an impulse is no law of nature without their compliance; in proportion to
/// target - u_n is what the rigid problem without friction and with one e for all has as its answer. A contact at rest
/// that an impact loads does no work in compression, so that Stronge's law restores nothing there.
class ImpactProcess {
 public:
  struct [[nodiscard]] Result {
    bool converged = true;
    double residual = 0;  ///< largest of the problems solved, measured
    int iterations = 0;
  };
  explicit ImpactProcess(const SolvedMeasure& solved) : solved_(solved), tolerance_(solved.exact) {}

  Result solve(const ImpactProblem& problem, VecX& r);

 private:
  void compress();
  void restore();
  bool finish_closing();
  void calc_closing_rate(bool follows_slip);
  void calc_given_rate();
  void calc_rate_of_one();
  void solve_posed(VecX& r);
  void guess_compliant(VecX& r);
  double find_restitution_end(int contact) const;
  void advance(double part);
  double sum_normal() const;
  int size() const { return static_cast<int>(problem_->contacts.size()); }
  double calc_deficit(int i) const;  ///< target - u_n
  int most_increments() const;

  SolvedMeasure solved_;
  double tolerance_;
  int increments_ = 0;
  const ImpactProblem* problem_ = nullptr;
  int d_ = 3;
  Result result_;
  VecX u_, r_;
  VecX rate_, change_;       ///< of r and u over a part of 1
  VecX guess_;               ///< of the impulses that end the closing; increments go on with the sharing of the first
  VecX target_;              ///< normal velocity at which closing ends
  VecX compression_, work_;  ///< normal impulses of compression; int u_n dr_n of the phase
  VecX given_, restored_work_;  ///< restitution: rate of the normal impulses, and W_r where it ends
  double progress_ = 0;         ///< of restitution, in parts of `given_`
  ImpactFriction friction_;
  VecX known_, pushed_;
  ConeProblem posed_;
  ConeOptions options_;
};

}  // namespace stiction
