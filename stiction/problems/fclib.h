#pragma once

#include <string>
#include <variant>

#include "stiction/solvers/cone/cone_global.h"

namespace stiction {

/// Files of FCLIB, the collection of friction-contact problems (Acary, Bremond, Huber 2014), HDF5:
///   fclib_local/   spacedim; W; vectors/{q, mu}
///   fclib_global/  spacedim; M; H; vectors/{f, w, mu}
///   solution/      r, u (and v): kept when written, never trusted
/// A matrix is a group {m, n, nzmax, nz, p, i, x}: nz = -1 compressed columns, -2 compressed rows, >= 0 triplets with p
/// the column and i the row. Problems with equality constraints (local V, R; global G) are refused.
/// Ours besides: vectors/ellipsoid (nc x d-1, row by row) and vectors/compliance, and spacedim 4 for spin moments.
enum class FclibStorage { compressed_columns, compressed_rows, triplets };

struct FclibFile {
  std::variant<ConeProblem, GlobalConeProblem> problem;
  VecX r;  ///< solution/r, empty if there is none
};

/// Throws InputError for content that is no such problem, naming the entry, and IoError if the file cannot be opened.
/// What is returned has passed validate().
FclibFile read_fclib(const std::string& path);
/// The problem of a file in local form.
ConeProblem read_local_problem(const std::string& path);

/// Throws IoError if the file cannot be written. `r` may be empty.
void write_fclib(const std::string& path, const FclibFile& file,
                 FclibStorage storage = FclibStorage::compressed_columns);

}  // namespace stiction
