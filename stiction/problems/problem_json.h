#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

#include "stiction/solvers/lcp/lcp.h"
#include "stiction/solvers/mlcp/mlcp.h"

namespace stiction {

using JsonProblem = std::variant<LcpProblem, MlcpProblem>;

/// LCP:   {"M": [[row], ...], "q": [...]}
/// Mixed: the same with "blocks": [{"from":, "to":, "complementarity": bool}, ...], which cover the rows once each
///        (rows of a block with complementarity false are free) and, redundantly, "n": and "m":, the numbers of free
///        and of complementarity rows; or with "lower": and "upper":, in which null is no bound.
/// Throws InputError with all faults, each naming its entry (M[2][3]), or the line and column where the text is not
/// JSON. `file` is the name to report.
JsonProblem parse_problem_json(std::string_view text, const std::string& file = {});

/// The same from a file; IoError if it cannot be read.
JsonProblem read_problem_json(const std::filesystem::path& path);

/// Text that parse_problem_json reads back to the same bits. Mixed problems are written with "blocks" where all rows
/// are free or complementarity rows, with "lower" and "upper" otherwise.
std::string write_problem_json(const LcpProblem& problem);
std::string write_problem_json(const MlcpProblem& problem);

}  // namespace stiction
