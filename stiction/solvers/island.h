#pragma once

#include <vector>

#include "stiction/solvers/cone/cone.h"

namespace stiction {

/// Groups of contacts that do not act on one another: the connected parts of the graph in which i and j are joined when
/// block (i, j) or (j, i) of W has an entry other than 0. Contacts rise within an island, islands by their first
/// contact.
std::vector<std::vector<int>> find_islands(const ConeMatrix& W);

/// The part of a problem that concerns the named contacts (rising).
ConeProblem make_island(const ConeProblem& problem, const std::vector<int>& contacts);

/// The blocks of d numbers that belong to the named contacts, and back into the whole.
void gather(const VecX& whole, const std::vector<int>& contacts, int d, VecX& part);
void scatter(const VecX& part, const std::vector<int>& contacts, int d, VecX& whole);

/// Calls work(0), ..., work(count - 1) on up to `threads` threads, each exactly once, in no given order: work must
/// write to its own place only, and then the outcome does not depend on the number of threads.
template <typename Work>
void for_each_island(int count, int threads, const Work& work);

}  // namespace stiction

#include "stiction/solvers/island_parallel.h"
