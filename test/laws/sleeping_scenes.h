#pragma once

#include <cmath>
#include <map>
#include <string>

#include "support/examples.h"

namespace stiction::test {

/// Scenes for the tests of sleeping: gravity [m/s^2] and step [s] of all of them.
inline constexpr double sleeping_gravity = 9.81, sleeping_step = 0.002;

/// A floor, and what else `bodies` says; sleeping after 0.1 s.
inline std::string make_sleeping_scene(const std::string& bodies, const std::string& type = "cone",
                                       const std::string& sleep = "sleep = 0.1") {
  return "[world]\ngravity = [0, 0, -9.81]\n[time]\nduration = 0.5\nstep = 0.002\noutput = 0.002\n[method]\ntype = \"" +
         type + "\"\n" + sleep +
         "\n[contact.default]\nfriction = 0.5\nrestitution = 0\n"
         "[body.floor]\nfixed = true\nshape = { type = \"halfspace\", normal = [0, 0, 1] }\n" +
         bodies;
}
inline std::string make_sleeping_box(const std::string& name, const std::string& position,
                                     const std::string& more = "mass = 1\n") {
  return "[body." + name + "]\nposition = " + position + "\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n" +
         more;
}
inline std::string make_sleeping_ball(const std::string& position, const std::string& more = "mass = 0.5\n") {
  return "[body.ball]\nposition = " + position + "\nshape = { type = \"sphere\", radius = 0.05 }\n" + more;
}
inline const std::string sleeping_stack = make_sleeping_box("low", "[0, 0, 0.05]", "mass = 3\n") +
                                          make_sleeping_box("middle", "[0, 0, 0.15]", "mass = 2\n") +
                                          make_sleeping_box("top", "[0, 0, 0.25]");

/// Times of the events of that kind, by body; the last where there are several.
inline std::map<std::string, double> list_moments(const RunResult& run, const std::string& kind) {
  std::map<std::string, double> moments;
  for (const StepEvent& event : run.events) {
    if (event.kind == kind) moments[event.name] = event.t;
  }
  return moments;
}

/// The force on a body by its contacts at a sample, world axes.
inline Vec3 calc_contact_force(const RunResult& run, const std::string& body, double t) {
  Vec3 force = Vec3::Zero();
  for (const ContactSample& sample : run.contacts) {
    if (sample.t != t) continue;
    const auto is_body = [&](int shape) { return run.contact_shapes[static_cast<std::size_t>(shape)] == body; };
    if (is_body(sample.contact.shape_b)) force += sample.contact.impulse / sleeping_step;
    if (is_body(sample.contact.shape_a)) force -= sample.contact.impulse / sleeping_step;
  }
  return force;
}

}  // namespace stiction::test
