#pragma once

namespace stiction {

/// How a joint is modelled: as coordinates of a tree, or as constraints between free bodies.
enum class JointForm { tree, constraint };

}  // namespace stiction
