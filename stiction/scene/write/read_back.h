#pragma once

#include "stiction/scene/scene.h"

namespace stiction {

/// A scene that a program has made or changed, judged as text is: each value is written and read back by the
/// description of its field (describe/field.h), so that ranges, words and what fields must satisfy together are the
/// same for both. What comes back has what reading makes: hulls of polytopes, boxes of cells, directions of length 1,
/// the sides of a contact table from its name. Of a scene that was read no bit changes. InputError with all faults.
///
/// Functions of a program have no text: laws are sampled by compile(), surfaces are taken as they are.
Scene read_back(const Scene& scene);

}  // namespace stiction
