// The step of geometric_implicit as one complementarity problem: F' against differences of F, and its solution.
#include "stiction/stepping/rigid/end_newton.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"

#include "test/unit/stepping/allocation_counter.h"
#include "test/unit/stepping/one_island.h"

namespace stiction {
namespace {

/// What RigidStep does for islands without constraints, with the parts of a step alone.
class End final : public EndOfStep {
 public:
  End(const std::string& text, double step)
      : island_(text, "geometric_implicit", step),
        h_(step),
        task_{island_.state, step, island_.model.formulation->scheme(true), true},
        problem_(island_.model, island_.work.rows, island_.work.search, island_.work.tracker),
        newton_(island_.model),
        place_{*this,
               problem_,
               island_.work.rows,
               island_.work.kinematics,
               v_kept_,
               displacement_,
               q_s_,
               island_.work.free.z(),
               step,
               step} {
    island_.work.free.update(task_);
    v_linear_ = island_.work.free.v_free();
  }
  void pose_at(const VecX& v) override {
    FreeStep& free = island_.work.free;
    v_linear_ = v;
    q_s_ = island_.state.q;
    displacement_ = h_ * v;
    free.add_turns(task_, v, displacement_);
    add_displacement(island_.work.kinematics.plan, displacement_, q_s_);
    free.update_at_end(task_, q_s_, v);
    v_kept_ = free.v_free();
    update_positions(island_.system, q_s_, island_.work.kinematics);
    island_.work.rows.A().update({island_.system, island_.work.kinematics, h_, q_s_, free.v_start(), free.z()});
    problem_.find(make_place());
    problem_.pose(make_place());
  }
  McpProblem& pose(VecX& z) {
    start();
    return newton_.pose_only(place_, v_start_, z);
  }
  double solve(VecX& v) {
    start();
    v = v_start_;
    return newton_.solve(place_, 1e-10, v);
  }
  /// By one more solution.
  long count_allocations() {
    island_.work.free.update(task_);
    v_linear_ = island_.work.free.v_free();
    start();
    VecX v = v_start_;
    const long before = test::count_allocations();
    const double residual = newton_.solve(place_, 1e-10, v);
    const long made = test::count_allocations() - before;
    EXPECT_LE(residual, 1e-11);
    return made;
  }

 private:
  /// One iteration of s from where the free motion leads: impulses from which Newton's method starts.
  void start() {
    pose_at(v_linear_);
    const RigidSolver::Result result =
        island_.work.solver.solve(island_.work.rows, problem_.q(), h_, problem_.fresh(), problem_.solved().r);
    EXPECT_TRUE(result.converged);
    v_start_ = v_kept_;
    island_.work.rows.add_impulses(problem_.solved().r, v_start_);
  }
  StepProblem::Place make_place() {
    return {task_,
            h_,
            q_s_,
            island_.work.kinematics,
            island_.work.free.v_start(),
            v_linear_,
            v_kept_,
            island_.work.free.z(),
            island_.work.jam};
  }
  test::OneIsland island_;
  double h_;
  StepTask task_;
  StepProblem problem_;
  EndNewton newton_;
  VecX q_s_, v_linear_, v_kept_, v_start_, displacement_;
  EndNewton::Place place_;
};

const std::string head = "world.gravity = [0, 0, -9.81]\ntime = { duration = 1, step = 1e-3 }\n";
const std::string ground = "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n";

/// An ellipsoid pressed into a layer, slipping and spinning: four rows a contact.
std::string make_spinning() {
  return head + ground +
         "[body.egg]\nmass = 1\nposition = [0, 0, 0.0499]\nvelocity = [0.4, 0.1, -0.2]\nangular_velocity = [2, 3, 5]\n"
         "orientation = { axis = [1, 2, 3], angle = 0.02 }\n"
         "shape = { type = \"ellipsoid\", semi_axes = [0.2, 0.1, 0.05] }\n[contact.default]\nfriction = 0.4\n"
         "ellipse = [1, 1, 0.04]\nlayer = { stiffness = [36000, 8000, 8000], damping = [40, 20, 20] }\n";
}

/// Two free bodies that meet, rigid, and slip on each other; curved in different ways.
std::string make_meeting() {
  return head +
         "[body.die]\nmass = 1\nposition = [0, 0, 0]\nangular_velocity = [1, -2, 3]\n"
         "orientation = { axis = [1, 0.3, 0.2], angle = 0.3 }\n"
         "shape = { type = \"superquadric\", semi_axes = [0.1, 0.12, 0.1], e1 = 0.8, e2 = 0.7 }\n"
         "[body.egg]\nmass = 2\nposition = [0.03, 0.02, 0.1645]\nvelocity = [0.5, 0.2, -2]\n"
         "angular_velocity = [-4, 1, 2]\nshape = { type = \"ellipsoid\", semi_axes = [0.1, 0.08, 0.06] }\n"
         "[contact.default]\nfriction = 0.2\n";
}

/// In the plane: a disc rolls and is pressed onto another.
std::string make_planar() {
  return "world.gravity = [0, -9.81, 0]\ntime = { duration = 1, step = 1e-3 }\n"
         "[body.lower]\nplanar = true\nmass = 2\ninertia = 0.01\nangular_velocity = [0, 0, 4]\n"
         "shape = { type = \"sphere\", radius = 0.1 }\n"
         "[body.upper]\nplanar = true\nmass = 1\ninertia = 0.004\nposition = [0.01, 0.1999, 0]\n"
         "velocity = [0.3, -0.5, 0]\nshape = { type = \"sphere\", radius = 0.1 }\n[contact.default]\nfriction = 0.3\n";
}

class EndProblem : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Scenes, EndProblem, testing::Values(make_spinning(), make_meeting(), make_planar()),
                         [](const auto& scene) { return std::to_string(scene.index); });

// Central differences over 1e-6 m/s: their error is 1e-12 of the third derivatives, and rounding of F, 1e-15 of its
// terms of up to 100 m/s, over 1e-6.
TEST_P(EndProblem, HasTheDerivativesOfItsFunction) {
  End end(GetParam(), 1e-3);
  VecX z;
  McpProblem& problem = end.pose(z);
  ASSERT_GT(z.size(), 0);
  // Beside the solution, where all derivatives count, and with a slip at the contact.
  Random random(3);
  for (Eigen::Index i = 0; i < z.size(); ++i) z[i] += 0.01 * random.uniform(0.5, 1) * (1 + std::abs(z[i]));
  McpProblem::Jacobian J;
  problem.calc_J(z, J);
  constexpr double width = 1e-6;
  VecX above(z.size()), below(z.size()), shifted;
  for (int j = 0; j < z.size(); ++j) {
    shifted = z;
    shifted[j] += width;
    problem.calc_F(shifted, above);
    shifted[j] -= 2 * width;
    problem.calc_F(shifted, below);
    const VecX difference = (above - below) / (2 * width);
    EXPECT_LE((MatX(J).col(j) - difference).cwiseAbs().maxCoeff(), 1e-6 * (1 + difference.cwiseAbs().maxCoeff())) << j;
  }
}

// The residual is that of (1) to (4) in the header, measured by the problem's own function.
TEST_P(EndProblem, IsSolvedByNewtonsMethod) {
  End end(GetParam(), 1e-3);
  VecX v;
  EXPECT_LE(end.solve(v), 1e-11);
}

TEST_P(EndProblem, AllocatesNothingOnceWarm) {
  End end(GetParam(), 1e-3);
  end.count_allocations();
  EXPECT_EQ(end.count_allocations(), 0);
}

}  // namespace
}  // namespace stiction
