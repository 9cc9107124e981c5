#include "stiction/solvers/solve.h"

#include "stiction/base/check.h"

namespace stiction {

std::string_view name_of(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::ray:
      return "ray";
    case SolveStatus::no_solution:
      return "no_solution";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
  }
  STICTION_CHECK(false);
}

}  // namespace stiction
