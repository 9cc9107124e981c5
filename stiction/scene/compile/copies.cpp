#include "stiction/scene/compile/copies.h"

#include <fmt/format.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

void add_copies(const std::string& name, const BodySpec& original, NamedList<BodySpec>& bodies) {
  const CopiesSpec& copies = *original.copies;
  Random random(1);
  const auto off = [&] { return random.uniform(-copies.jitter, copies.jitter); };
  int number = 0;
  for (int k = 0; k < copies.count[2]; ++k) {
    for (int j = 0; j < copies.count[1]; ++j) {
      for (int i = 0; i < copies.count[0]; ++i) {
        BodySpec copy = original;
        copy.copies.reset();
        copy.copy_of = name;
        const double x = off(), y = off(), z = off();
        copy.position =
            original.position.value_or(Vec3::Zero()) + copies.spacing.cwiseProduct(Vec3(i, j, k)) + Vec3(x, y, z);
        bodies.push_back({fmt::format("{}{}", name, ++number), std::move(copy)});
      }
    }
  }
}

}  // namespace

void expand_copies(Scene& scene) {
  NamedList<BodySpec> bodies;
  for (auto& [name, body] : scene.bodies) {
    if (body.copies && body.copies->count.size() == 3) {
      add_copies(name, body, bodies);
    } else {
      bodies.push_back({name, std::move(body)});
    }
  }
  scene.bodies = std::move(bodies);
}

}  // namespace stiction
