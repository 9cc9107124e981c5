#pragma once

namespace stiction::test {

/// Calls of malloc by this program so far: operator new and Eigen both end there.
long count_allocations();

}  // namespace stiction::test
