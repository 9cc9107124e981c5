#pragma once

#include "stiction/scene/scene.h"

namespace stiction::ablation {

struct AblationScene {
  std::string name;
  Scene scene;
  int steps = 0;
};

/// Examples with rigid contact, some of them by several formulations, and scenes that are hard on purpose (random piles
/// in a bin: boxes, capsules, ellipsoids, mixed; a stack with masses from 1 to 10,000 kg; a bar in a narrow groove),
/// made from fixed seeds: the same at every call. `most`: steps of each.
std::vector<AblationScene> list_scenes(int most);

}  // namespace stiction::ablation
