#pragma once

#include "stiction/scene/scene.h"

namespace stiction {

/// Every body with `copies` becomes that many bodies NAME1, NAME2, ... in its place; each keeps NAME as its `copy_of`.
void expand_copies(Scene& scene);

}  // namespace stiction
