#pragma once

#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/rigid/island_stepper.h"

namespace stiction::test {

/// A scene whose moving bodies are one island, at the start of a step: what the parts of a rigid step work on.
struct OneIsland {
  OneIsland(const std::string& text, const std::string& type, double step)
      : system(compile(
            read_scene(SceneText{{{"island.toml", text}}, {"method.type=\"" + type + "\"", "method.settle=true"}}))),
        model(system, make_settings(type, step)),
        sleeping(model),
        finder(system.contact),
        islands(model),
        kinematics(system),
        work(model) {
    update_positions(system, system.initial.q, kinematics);
    update_velocities(system, system.initial.v, kinematics);
    for (int i = 0; i < static_cast<int>(model.shapes.size()); ++i)
      reach.push_back(model.calc_reach(i, kinematics, step));
    islands.update(finder.update(kinematics.X_WB, reach), {}, sleeping);
    gather(island(), model.plan, system.initial, state);
    work.begin(island(), state, system.initial, kinematics, reach, sleeping);
    work.tracker.look_at_start(state);
  }
  const Island& island() const { return islands.list().front(); }
  /// Position of the origin of a body that is free in space.
  Vec3 position_of(int body, const IslandState& at) const {
    for (const BodyPlace& place : island().bodies)
      if (place.body == body) return at.q.segment<3>(place.q_start + 4);
    return Vec3::Zero();
  }
  static MethodSettings make_settings(const std::string& type, double step) {
    MethodSettings settings;
    settings.type = type;
    settings.step = step;
    return settings;
  }

  System system;
  RigidModel model;
  Sleeping sleeping;
  ContactFinder finder;
  IslandFinder islands;
  Kinematics kinematics;
  std::vector<double> reach;
  IslandWork work;
  IslandState state;
};

}  // namespace stiction::test
