#include "bench_cone_siconos.h"

#include <cstdlib>
#include <map>

#include "FrictionContactProblem.h"
#include "Friction_cst.h"
#include "NonSmoothDrivers.h"
#include "NumericsMatrix.h"
#include "NumericsVerbose.h"
#include "SolverOptions.h"
#include "SparseBlockMatrix.h"

namespace stiction {
namespace {

const std::map<std::string, int> methods_3d = {{"nsgs", SICONOS_FRICTION_3D_NSGS},
                                               {"nsn_ac", SICONOS_FRICTION_3D_NSN_AC},
                                               {"nsn_fb", SICONOS_FRICTION_3D_NSN_FB},
                                               {"admm", SICONOS_FRICTION_3D_ADMM}};
const std::map<std::string, int> methods_2d = {{"nsgs", SICONOS_FRICTION_2D_NSGS}};

template <typename Number>
Number* allocate(std::size_t count) {
  return static_cast<Number*>(std::calloc(count, sizeof(Number)));
}

NumericsMatrix* make_blocks(const ConeMatrix& W) {
  const int d = W.block_size(), nc = W.block_count(), stored = W.stored_blocks();
  SparseBlockStructuredMatrix* blocks = SBM_new();
  blocks->nbblocks = stored;
  blocks->blocknumber0 = blocks->blocknumber1 = nc;
  blocks->blocksize0 = allocate<unsigned>(nc);
  blocks->blocksize1 = allocate<unsigned>(nc);
  blocks->filled1 = nc + 1;
  blocks->filled2 = stored;
  blocks->index1_data = allocate<std::size_t>(nc + 1);
  blocks->index2_data = allocate<std::size_t>(stored);
  blocks->block = allocate<double*>(stored);
  for (int i = 0; i < nc; ++i) {
    blocks->blocksize0[i] = blocks->blocksize1[i] = d * (i + 1);
    blocks->index1_data[i] = W.row_begin(i);
  }
  blocks->index1_data[nc] = stored;
  for (int k = 0; k < stored; ++k) {
    blocks->index2_data[k] = W.column(k);
    blocks->block[k] = allocate<double>(d * d);
    std::copy(W.data(k), W.data(k) + d * d, blocks->block[k]);
  }
  return NM_new_SBM(W.rows(), W.rows(), blocks);
}

// Gauss-Seidel works on blocks, the others on compressed columns: what each is fastest on.
NumericsMatrix* make_matrix(const ConeMatrix& W, bool blocks) {
  if (blocks) return make_blocks(W);
  NumericsMatrix* matrix = NM_create(NM_SPARSE, W.rows(), W.rows());
  NM_triplet_alloc(matrix, W.stored_blocks() * W.block_size() * W.block_size());
  for (const ConeEntry& e : W.calc_entries()) NM_entry(matrix, e.row, e.column, e.value);
  return matrix;
}

}  // namespace

std::vector<std::string> name_siconos_methods(int d) {
  std::vector<std::string> names;
  for (const auto& [name, id] : d == 2 ? methods_2d : methods_3d) names.push_back(name);
  return names;
}

SiconosRun::SiconosRun(const ConeProblem& problem, const std::string& method, double tolerance) : problem_(problem) {
  numerics_set_verbose(0);
  solver_ = (problem.dimension() == 2 ? methods_2d : methods_3d).at(method);
  // Siconos divides by ||q||, residual (4) of cone.h by 1 + ||q||: the same absolute accuracy.
  const double norm = problem.q.norm();
  relative_tolerance_ = norm > 0 ? tolerance * (1 + norm) / norm : tolerance;
  converted_ = frictionContactProblem_new_with_data(problem.dimension(), problem.contacts(),
                                                    make_matrix(problem.W, method == "nsgs"), problem_.q.data(),
                                                    problem_.mu.data());
}

VecX SiconosRun::solve() {
  auto* converted = static_cast<FrictionContactProblem*>(converted_);
  VecX r = VecX::Zero(problem_.q.size()), u = r;
  SolverOptions* options = solver_options_create(solver_);
  options->dparam[SICONOS_DPARAM_TOL] = relative_tolerance_;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  if (problem_.dimension() == 2) {
    fc2d_driver(converted, r.data(), u.data(), options);
  } else {
    fc3d_driver(converted, r.data(), u.data(), options);
  }
  solver_options_delete(options);
  return r;
}

}  // namespace stiction
