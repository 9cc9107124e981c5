#pragma once

#include <string>

namespace stiction {

/// A small scene with contact, to begin with: a box slides on a floor and comes to rest, a ball falls and bounces. Each
/// key has a comment, taken from its description.
std::string make_new_scene(const std::string& title);

}  // namespace stiction
