#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/fault.h"
#include "stiction/problems/problem_json.h"

#include "fuzz_target.h"

// What is accepted is square, finite and can be written and read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  try {
    const JsonProblem problem = parse_problem_json({reinterpret_cast<const char*>(data), size});
    std::visit(
        [](const auto& p) {
          STICTION_CHECK(p.M.rows() == p.q.size() && p.M.cols() == p.q.size());
          STICTION_CHECK(p.M.allFinite() && p.q.allFinite());
          (void)parse_problem_json(write_problem_json(p));
        },
        problem);
  } catch (const InputError&) {
    return 0;
  }
  return 0;
}

stiction::fuzz::Seeds stiction::fuzz::make_seeds() {
  const MatX M = MatX::Identity(3, 3) * 1.5;
  MlcpProblem box = make_mlcp(M, VecX::Constant(3, -1), {true, false, false});
  const std::string blocks = write_problem_json(box);
  box.upper[1] = 2;
  return {{write_problem_json(LcpProblem{M, VecX::Constant(3, -1)}), blocks, write_problem_json(box)}, 30000};
}
