#pragma once

namespace stiction_test {

/// A mass on a spring, along a rail: x(t) = 0.2 cos(10 t), total energy 200 * 0.2^2 / 2 = 4 J (no gravity).
inline constexpr const char* spring_scene = R"(title = "Spring <test> & more"

[time]
duration = 1
step = "1 ms"
output = "10 ms"

[body.mass]
mass = 2
inertia = 0.1

[joint.rail]
type = "prismatic"
child = "mass"
axis = [1, 0, 0]
position = 0.2

[spring.coil]
type = "linear"
a = "world"
at_a = [-1, 0, 0]
b = "mass"
stiffness = 200
rest_length = 1
)";

}  // namespace stiction_test
