#pragma once

#include <array>
#include <vector>

#include "stiction/solvers/anderson_acceleration.h"
#include "stiction/solvers/cone/cone.h"
#include "stiction/solvers/cone/cone_contact.h"

namespace stiction {

/// Problem (1)-(3) of cone.h in space (d = 3, E = 1) as contacts between bodies, W never formed:
///     W = H H',   u = H w + q,   w = H' r                                                                       (1)
/// H has a block of 3 x 6 for each of the two bodies of a contact: its Jacobian times the factor L of the body's
/// inverse mass L L'. L w is the change of the body's velocity.
struct BodyConeProblem {
  struct Contact {
    std::array<int, 2> body = {-1, -1};            ///< -1: none
    std::array<Eigen::Matrix<double, 6, 3>, 2> H;  ///< transposed; 0 where there is no body
    double mu = 0;
  };
  int bodies = 0;
  std::vector<Contact> contacts;
  VecX q;
};

/// Gauss-Seidel on the bodies' velocities (Jean and Moreau 1992), sweeps accelerated (anderson_acceleration.h). At each
/// contact, with x = r/T of the canonical form (cone_canonical.h), A = T W_ii T and b = T u - A x:
///     take-off  b_0 >= 0:  x = 0;     stick  x - A^-1 T u  where that is in the cone;     else slip            (2)
///     w += H_i' T (change of x)                                                                               (3)
/// Cost and memory of a sweep: two blocks of H a contact, however many contacts a body has. For heaps of hundreds of
/// contacts and more, where factorisations are too dear; it ends with the tolerance, after 300 sweeps, or, ten times
/// the tolerance away, when 20 of them gain less than 30 % and at that pace more than 60 were left. The residual is
/// measured with all digits, and the best point wins.
///
/// DEPARTURE: within sweeps H, A^-1 and the changes of w are of single precision, entries of T H and A^-1 below 1e-9
/// being 0: half the memory, which is what large heaps wait for. u is that of (1) in double precision when the residual
/// was measured last, plus H (change of w since): the smaller the changes, the more exact, so solutions are those of
/// (1).
class ConeBodySolver {
 public:
  /// options.aim, enough and threads have no meaning here. Nothing allocates once a problem as large has been solved.
  ConeStatus solve(const BodyConeProblem& problem, const ConeOptions& options, VecX& r);

  // Of the last solve:
  double residual() const { return residual_; }
  double residual_of_start() const { return residual_of_start_; }
  int sweeps() const { return sweeps_; }

 private:
  static constexpr int columns = 6;           ///< of the Anderson acceleration; 3 take twice as many sweeps in jams
  using Change = Eigen::Matrix<float, 8, 1>;  ///< of w; 2 unused, for the sake of alignment
  using Step = Eigen::Array4f;                ///< of x; 1 unused, likewise
  struct Block {
    std::array<Eigen::Matrix<float, 8, 3>, 2> TH;  ///< transposed
    std::array<float, 6> P;                        ///< 00 01 02 11 12 22
    std::array<int, 2> body;                       ///< the last one for none
  };
  struct Rest {  ///< what only contacts that slip, or that rest on nothing, need
    Mat3 A;
    ConeContact<3> contact;
  };
  /// Differences from sweep to sweep, and what they are taken to.
  struct Past {
    std::array<Step, columns> f, g;
    Step f_before;
  };
  struct BodyPast {
    Eigen::Matrix<float, 8, columns> differences;
    Change before;
  };
  /// The problem at r, w_ included.
  void pose(const BodyConeProblem& problem, const VecX& r);
  void sum_impulses(const BodyConeProblem& problem);
  /// Natural map of (1) at x_, whose w_ is known; changes count from there on.
  double measure(const BodyConeProblem& problem);
  double sweep();
  void accelerate(double length);

  std::vector<Block> blocks_;
  std::vector<Rest> rest_;
  std::vector<Vec3> T_, row_, x_, u_, best_;  ///< row_: A_0; u_: T u, as measured
  std::vector<Change> change_;                ///< since
  std::vector<Vec6> w_;
  AndersonWindow window_{columns, 1e-8};  ///< single precision leaves that much to chance
  std::vector<Past> past_;
  std::array<float, columns> gamma_ = {};                         ///< what the next sweep starts from
  std::array<double, columns> products_ = {}, projections_ = {};  ///< of the last sweep, for the window
  std::vector<BodyPast> body_past_;
  double residual_ = 0, residual_of_start_ = 0;
  int sweeps_ = 0;
};

}  // namespace stiction
