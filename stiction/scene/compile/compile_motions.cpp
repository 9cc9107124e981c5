#include <fmt/format.h>

#include "stiction/math/table_function.h"
#include "stiction/scene/compile/compile_draft.h"
#include "stiction/stepping/stepper.h"

// Prescribed positions must be continuous. Where their rate jumps, the masses that they move would take an impulse that
// no formulation computes: linear tables drive only bodies without mass, in formulations that step over impulses.

namespace stiction {
namespace {

bool is_free(const System& system, int body) {
  const Joint& joint = system.joints[static_cast<std::size_t>(body)];
  return joint.nv > 0 && !joint.prescribed();
}

/// Does the motion of the body's joint move a mass, or act on a free coordinate, inboard or outboard of it?
bool moves_masses(const System& system, int driven) {
  for (int body = 1; body < system.n_bodies(); ++body) {
    bool carried = false;
    for (int b = body; b != 0; b = system.joints[static_cast<std::size_t>(b)].parent) carried = carried || b == driven;
    if (carried && (is_free(system, body) || system.bodies[static_cast<std::size_t>(body)].mass.mass > 0)) return true;
  }
  for (int b = driven; b != 0; b = system.joints[static_cast<std::size_t>(b)].parent)
    if (is_free(system, b)) return true;
  return false;
}

class MotionJudge {
 public:
  MotionJudge(Draft& draft, const System& system) : draft_(draft), system_(system) {}

  /// `body`: the one that the function moves; `prescribed`: by coordinates of the tree, not by constraints.
  void judge(const TimeFunction& function, const std::string& path, int body, bool prescribed) {
    const Continuity continuity = find_continuity(function);
    if (continuity == Continuity::rate || draft_.is_faulty(path)) return;
    const std::string hint =
        "use interpolation = \"monotone\": it passes through the same points, at rest where the motion turns";
    if (continuity == Continuity::none) {
      draft_.fault(path, "a prescribed position cannot jump: interpolation = \"hold\" is for loads and targets", hint);
      return;
    }
    const std::string& method = draft_.scene.method.type;
    if (uses_integrator(method)) {
      draft_.fault(path,
                   fmt::format("the velocity of a linear table jumps at its points, which takes an infinite force in "
                               "method \"{}\"",
                               method),
                   hint);
    } else if (!prescribed || moves_masses(system_, body)) {
      draft_.fault(
          path,
          "the velocity of a linear table jumps at its points, which takes an infinite force on the masses that "
          "it moves",
          hint + "; or drive a body without mass, which needs none");
    }
  }

 private:
  Draft& draft_;
  const System& system_;
};

}  // namespace

void check_motions(Draft& draft, const System& system) {
  MotionJudge judge(draft, system);
  for (const JointDraft& joint : draft.joints) {
    const int body = draft.body(joint.child).index;
    const bool prescribed = !joint.closes_loop && system.joints[static_cast<std::size_t>(body)].prescribed();
    for (std::size_t k = 0; k < joint.drivers.size(); ++k) {
      if (joint.drivers[k])
        judge.judge(*joint.drivers[k], "driver." + joint.driver_names[k] + ".motion", body, prescribed);
    }
  }
  for (const BodyDraft& body : draft.bodies) {
    if (!body.spec || !body.spec->motion) continue;
    const std::string path = "body." + body.name + ".motion.";
    if (body.spec->motion->angle) judge.judge(*body.spec->motion->angle, path + "angle", body.index, true);
    if (!body.spec->motion->position) continue;
    for (const TimeFunction& function : body.spec->motion->position->components)
      judge.judge(function, path + "position", body.index, true);
  }
}

}  // namespace stiction
