// A program that uses the contact core alone: the force of a sphere pressed into a plane.
#include <cmath>
#include <cstdio>

#include <stiction/contact/contact_core.h>

int main() {
  stiction::ContactPair pair;
  pair.a = stiction::HalfSpace{};
  pair.b = stiction::Sphere{.radius = 0.5};
  pair.law.normal = stiction::NormalLinear{.stiffness = 1000, .damping = 0};
  stiction::ContactBody plane, ball;
  ball.X_WS.p = {0, 0, 0.49};
  stiction::ContactState state;
  stiction::update_contact(pair, plane, ball, state);
  // f = k depth = 1000 N/m times 0.01 m
  const double force = stiction::evaluate_contact(pair, plane, ball, state).response.normal_force;
  std::printf("f = %.12f N\n", force);
  return std::abs(force - 10) < 1e-9 ? 0 : 1;
}
