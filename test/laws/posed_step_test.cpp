// What is told of a problem that a step posed (stepping/problem_watch.h): the parts belong together, and the last
// problem is the one by which the step went, in every formulation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "stiction/scene/compile/compile.h"
#include "stiction/stepping/rigid/stepper_rigid.h"

#include "support/examples.h"

namespace stiction {
namespace {

struct Told {
  SolvedProblem solved;
  PosedStep posed;
};

/// The problems of the step that begins after `steps` others, and the velocities at its end.
std::vector<Told> tell_step(const System& system, MethodSettings settings, int steps, VecX& v_end) {
  StepperRigid stepper(system, settings);
  std::vector<Told> told;
  State state = system.initial;
  for (int i = 0; i < steps; ++i) EXPECT_EQ(stepper.step(state, 100).status, StepStatus::ok);
  stepper.watch_problems([&](const SolvedProblem& solved) { told.push_back({solved, solved.take_apart()}); });
  EXPECT_EQ(stepper.step(state, 100).status, StepStatus::ok);
  v_end = state.v;
  return told;
}

/// (2) of problem_watch.h, by dense algebra of the test's own.
MatX calc_W(const PosedStep& posed) {
  const MatX MiJt = posed.M.llt().solve(MatX(posed.J.transpose()));
  if (posed.G.rows() == 0) return posed.J * MiJt;
  const MatX MiGt = posed.M.llt().solve(MatX(posed.G.transpose()));
  const MatX K = posed.G * MiGt;
  return posed.J * (MiJt - MiGt * K.completeOrthogonalDecomposition().solve(MatX(posed.G * MiJt)));
}

class PosedSteps : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Methods, PosedSteps,
                         testing::Values("cone", "stewart_trinkle", "berard", "anitescu_potra", "geometric_implicit"),
                         [](const auto& method) { return method.param; });

// A pendulum of joints in constraint form on a block that slides (section 4.3 of cooking-complementarity-2006), a rod
// on its tip, bodies on a joint with limits and friction: what is left of (1) is rounding, W and u belong to M, G and
// J.
TEST_P(PosedSteps, ThePartsBelongTogether) {
  for (const auto& [name, steps] :
       {std::pair<std::string, int>("recipe_4_3", 40), {"falling_rod", 400}, {"cart", 20}}) {
    Scene scene = test::load_example(name, {"method.type=" + GetParam()});
    const System system = compile(scene);
    MethodSettings settings = scene.method;
    settings.step = 1e-3;
    VecX v_end;
    const std::vector<Told> told = tell_step(system, settings, steps, v_end);
    ASSERT_FALSE(told.empty()) << name;
    bool any = false;
    for (const auto& [solved, posed] : told) {
      const double size = 1 + posed.M.cwiseAbs().maxCoeff() * (1 + posed.v_end.cwiseAbs().maxCoeff());
      EXPECT_LT(posed.misfit, 1e-13 * size) << name;
      if (posed.G.rows() > 0) {
        EXPECT_LT((posed.G * (posed.v_end - posed.v_kept)).cwiseAbs().maxCoeff(), 1e-12 * size) << name;
      }
      if (posed.rows.empty()) continue;
      any = true;
      const MatX W = calc_W(posed);
      EXPECT_LT((W - posed.W).cwiseAbs().maxCoeff(), 1e-11 * W.cwiseAbs().maxCoeff()) << name;
      if (const auto* pyramids = std::get_if<MlcpProblem>(&solved.problem)) {
        // E' W E, and the ones and mu of the multipliers beside it, which are in no row of E.
        const MatX EWE = posed.E.transpose() * W * posed.E;
        for (Eigen::Index i = 0; i < EWE.rows(); ++i) {
          for (Eigen::Index j = 0; j < EWE.cols(); ++j) {
            if (posed.E.col(i).isZero(0) || posed.E.col(j).isZero(0)) continue;
            EXPECT_NEAR(pyramids->M(i, j), EWE(i, j), 1e-11 * W.cwiseAbs().maxCoeff()) << name;
          }
        }
        EXPECT_EQ(posed.unknowns.size(), static_cast<std::size_t>(solved.solution.size()));
        EXPECT_LT((posed.E * solved.solution - posed.r).cwiseAbs().maxCoeff(), 1e-15 * size);
      } else {
        // u = J v+ and what does not depend on r.
        const VecX apart = posed.W * posed.r + posed.q - posed.J * posed.v_end,
                   without = posed.q - posed.J * posed.v_kept;
        EXPECT_LT((apart - without).cwiseAbs().maxCoeff(), 1e-11 * size) << name;
      }
    }
    EXPECT_TRUE(any || name == "cart") << name;
  }
}

// The last problem of a step moves it: v+ of the island's bodies, which are all that moves here. A rod at 0.4 s touches
// with one tip.
TEST_P(PosedSteps, TheLastOneIsTheStep) {
  const Scene scene = test::load_example("falling_rod", {"method.type=" + GetParam()});
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = 1e-3;
  VecX v_end;
  const std::vector<Told> told = tell_step(system, settings, 400, v_end);
  ASSERT_FALSE(told.empty());
  const auto step = std::find_if(told.rbegin(), told.rend(), [](const Told& t) { return !t.posed.moves_positions; });
  ASSERT_NE(step, told.rend());
  EXPECT_LT((step->posed.v_end - v_end).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(step->posed.h, 1e-3);
}

// Watching and taking apart change no bit of the motion.
TEST_P(PosedSteps, WatchingChangesNothing) {
  const Scene scene = test::load_example("falling_rod", {"method.type=" + GetParam()});
  const System system = compile(scene);
  MethodSettings settings = scene.method;
  settings.step = 1e-3;
  StepperRigid watched(system, settings), alone(system, settings);
  watched.watch_problems([](const SolvedProblem& solved) { (void)solved.take_apart(); });
  State a = system.initial, b = system.initial;
  for (int i = 0; i < 600; ++i) {
    ASSERT_EQ(watched.step(a, 100).status, StepStatus::ok);
    ASSERT_EQ(alone.step(b, 100).status, StepStatus::ok);
  }
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
}

}  // namespace
}  // namespace stiction
