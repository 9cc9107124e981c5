#pragma once

#include <string>
#include <vector>

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// Names of Siconos' methods for problems of d rows a contact.
std::vector<std::string> name_siconos_methods(int d);

/// One problem handed to Siconos, converted once; solve() may be called again.
class SiconosRun {
 public:
  SiconosRun(const ConeProblem& problem, const std::string& method, double tolerance);
  VecX solve();

 private:
  ConeProblem problem_;
  int solver_;
  double relative_tolerance_;
  void* converted_;  ///< Siconos' FrictionContactProblem; kept to the end of the process
};

}  // namespace stiction
