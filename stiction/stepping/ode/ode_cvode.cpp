#include "stiction/stepping/ode/ode_cvode.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// A finite time that is never reached, for CVODE, which cannot forget a stop time.
constexpr double no_stop = 1e300;

// The history may leave the manifold by so many tolerances (about the global error it has anyway), and is given so many
// steps in any case: a start at order 1 costs more than it mends.
constexpr double allowed_drift = 100;
constexpr int min_steps = 50;

// CVODE is not asked for less than the floor: rounding allows no more, and with constraints the projection's tolerance
// is felt as noise.
struct Floors {
  double relative, absolute;
};
constexpr Floors floors_by_rounding = {1e-13, 1e-13}, floors_by_projection = {1e-10, 1e-12};

double make_strict(double tolerance, double floor) {
  return std::max(cvode_strictness * tolerance, std::min(tolerance, floor));
}

using Values = Eigen::Map<VecX>;

Values map(N_Vector x) {
  return Values(N_VGetArrayPointer(x), N_VGetLength(x));
}

}  // namespace

int calc_longest_history(int n) {
  return std::clamp(300000 / std::max(n, 1), 100, 1000);
}

// CVODE's objects and the functions it calls back.
struct Cvode::Solver {
  Solver(Cvode& owner, CvodeMethod method);
  ~Solver();

  static int calc_rhs(realtype t, N_Vector y, N_Vector dy, void* user);
  static int calc_weights(N_Vector y, N_Vector weights, void* user);
  static int calc_projection(realtype t, N_Vector y, N_Vector correction, realtype, N_Vector, void* user);
  static void ignore_message(int, const char*, const char*, char*, void*) {}

  SUNContext context = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear_solver = nullptr;
  SUNNonlinearSolver nonlinear_solver = nullptr;
  void* memory = nullptr;
};

Cvode::Solver::Solver(Cvode& owner, CvodeMethod method) {
  const auto check = [](int flag) { STICTION_CHECK(flag == CV_SUCCESS); };
  const int n = owner.problem_.size();
  check(SUNContext_Create(nullptr, &context));
  y = N_VMake_Serial(n, owner.y_.data(), context);
  memory = CVodeCreate(method == CvodeMethod::bdf ? CV_BDF : CV_ADAMS, context);
  STICTION_CHECK(y && memory);
  check(CVodeSetErrHandlerFn(memory, ignore_message, nullptr));
  check(CVodeInit(memory, calc_rhs, 0, y));
  check(CVodeSetUserData(memory, &owner));
  check(CVodeWFtolerances(memory, calc_weights));
  check(CVodeSetMaxNumSteps(memory, -1));
  if (std::isfinite(owner.settings_.max_step)) check(CVodeSetMaxStep(memory, owner.settings_.max_step));
  if (method == CvodeMethod::bdf) {
    matrix = SUNDenseMatrix(n, n, context);
    linear_solver = SUNLinSol_Dense(y, matrix, context);
    check(CVodeSetLinearSolver(memory, linear_solver, matrix));
    if (owner.problem_.has_constraints()) {
      check(CVodeSetProjFn(memory, calc_projection));
      check(CVodeSetProjErrEst(memory, SUNFALSE));
    }
  } else {
    nonlinear_solver = SUNNonlinSol_FixedPoint(y, 0, context);
    check(CVodeSetNonlinearSolver(memory, nonlinear_solver));
  }
}

Cvode::Solver::~Solver() {
  CVodeFree(&memory);
  if (nonlinear_solver) SUNNonlinSolFree(nonlinear_solver);
  if (linear_solver) SUNLinSolFree(linear_solver);
  if (matrix) SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

int Cvode::Solver::calc_rhs(realtype t, N_Vector y, N_Vector dy, void* user) {
  auto& owner = *static_cast<Cvode*>(user);
  owner.y_copy_ = map(y);
  owner.calc_derivative(t, owner.y_copy_, owner.dy_);
  map(dy) = owner.dy_;
  // 1: recoverable, CVODE tries a smaller step.
  if (is_finite(owner.dy_)) return 0;
  owner.t_not_finite_ = t;
  owner.not_finite_ = owner.dy_;
  return 1;
}

// Weights w_i of the root-mean-square norm: sqrt(sum (w_i x_i)^2 / n).
int Cvode::Solver::calc_weights(N_Vector y, N_Vector weights, void* user) {
  const auto& owner = *static_cast<Cvode*>(user);
  const VecX& factors = owner.problem_.tolerance_factors();
  const Floors& floors = owner.problem_.has_constraints() ? floors_by_projection : floors_by_rounding;
  const double absolute = make_strict(owner.settings_.absolute_tolerance, floors.absolute);
  const double relative = make_strict(owner.settings_.relative_tolerance, floors.relative);
  const Values y_map = map(y);
  Values w = map(weights);
  for (Eigen::Index i = 0; i < w.size(); ++i) {
    const double size = std::abs(y_map[i]);
    w[i] = 1 / (factors[i] * (absolute + relative * size));
  }
  return 0;
}

int Cvode::Solver::calc_projection(realtype t, N_Vector y, N_Vector correction, realtype, N_Vector, void* user) {
  auto& owner = *static_cast<Cvode*>(user);
  owner.y_copy_ = map(y);
  if (!owner.problem_.project(t, owner.y_copy_)) return 1;
  map(correction) = owner.y_copy_ - map(y);
  return 0;
}

Cvode::Cvode(OdeProblem& problem, const OdeSettings& settings, CvodeMethod method)
    : AdaptiveIntegrator(problem, settings),
      y_(VecX::Zero(problem.size())),
      y_copy_(problem.size()),
      dy_(problem.size()),
      longest_history_(calc_longest_history(problem.size())),
      solver_(std::make_unique<Solver>(*this, method)) {}

Cvode::~Cvode() = default;

void Cvode::restart() {
  y_ = y_end_;
  restart_due_ = false;
  steps_ = 0;
  STICTION_CHECK(CVodeReInit(solver_->memory, t_end_, solver_->y) == CV_SUCCESS);
}

long Cvode::count_failures() const {
  long error_failures = 0, solve_failures = 0;
  CVodeGetNumErrTestFails(solver_->memory, &error_failures);
  CVodeGetNumStepSolveFails(solver_->memory, &solve_failures);
  return error_failures + solve_failures;
}

OdeStatus Cvode::try_step(double t_stop) {
  const long failures_before = count_failures();
  double t = t_end_;
  const OdeStatus status = call(t_stop, t);
  report_.rejected += static_cast<int>(count_failures() - failures_before);
  if (status != OdeStatus::ok) return status;
  // What the caller sees lies on the manifold; the history only as far as the tolerance asks.
  y_trial_ = y_;
  if (!is_finite(y_trial_)) return OdeStatus::not_finite;
  if (!problem_.project(t, y_trial_)) return OdeStatus::projection_failed;
  y_copy_ = y_trial_ - y_;
  ++steps_;
  const bool has_drifted = steps_ >= min_steps && calc_norm(y_copy_, y_, y_) > allowed_drift;
  restart_due_ = has_drifted || steps_ >= longest_history_;
  t_begin_ = t_end_, t_end_ = t;
  y_end_ = y_trial_;
  return OdeStatus::ok;
}

// One step of CVODE, not beyond t_stop.
OdeStatus Cvode::call(double t_stop, double& t_reached) {
  const double t = t_end_;
  CVodeSetStopTime(solver_->memory, std::min(t_stop, no_stop));
  // The target only scales the first step.
  const double target = std::min(t_stop, t + std::min(settings_.max_step, 1.0));
  const int flag = CVode(solver_->memory, target, solver_->y, &t_reached, CV_ONE_STEP);
  if (flag >= 0 && t_reached > t) return OdeStatus::ok;
  if (flag == CV_PROJFUNC_FAIL || flag == CV_REPTD_PROJFUNC_ERR) return OdeStatus::projection_failed;
  // Before a place where f ends, CVODE may give up for the size of its step: f is to blame where it ends close by.
  const bool f_ends = not_finite_.size() > 0 && std::abs(t_not_finite_ - t) <= 1e-6 * std::max(1.0, std::abs(t));
  y_trial_ = f_ends ? not_finite_ : y_;
  return f_ends ? OdeStatus::not_finite : OdeStatus::step_too_small;
}

OdeStatus Cvode::cut_step(double t_event) {
  interpolate(t_event, y_trial_);
  if (!problem_.project(t_event, y_trial_)) return OdeStatus::projection_failed;
  t_end_ = t_event;
  y_end_ = y_trial_;
  return OdeStatus::ok;
}

void Cvode::interpolate(double t, VecX& y) {
  N_Vector target = solver_->y;
  double* const own = N_VGetArrayPointer(target);
  // CVODE writes into the caller's memory.
  N_VSetArrayPointer(y.data(), target);
  const int flag = CVodeGetDky(solver_->memory, t, 0, target);
  N_VSetArrayPointer(own, target);
  STICTION_CHECK(flag == CV_SUCCESS);
}

}  // namespace stiction
