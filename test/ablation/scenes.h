#pragma once

#include "stiction/scene/scene.h"

namespace stiction::ablation {

struct AblationScene {
  std::string name;
  Scene scene;
  int steps = 0;
};

/// The examples with rigid contact, for up to `steps` steps each, and random piles in a bin (boxes, capsules,
/// ellipsoids, mixed; a stack with masses from 1 to 10,000; a wedge in a narrow groove), which are made from fixed
/// seeds: the same at every call.
std::vector<AblationScene> list_scenes(int steps);

}  // namespace stiction::ablation
