// The contact core asks for no heap memory and gives finite numbers: counted over pairs of all kinds of shape, with a
// law that uses everything (curvatures at touch-down, a deflection that turns with the contact frame).
#include <gtest/gtest.h>

#include <cmath>

#include "stiction/contact/contact_core.h"
#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"
#include "test/unit/multibody/allocation_counter.h"

namespace stiction {
namespace {

struct PressedPair {
  ContactPair pair;
  ContactBody a, b;
};

/// B comes along z until it is about 1 % of its size deep; inside hollow shapes upwards, on others downwards.
PressedPair press_together(const Shape& A, const Shape& B, const Mat3& R_B) {
  NormalPower normal;
  normal.effective_modulus = 1e9;
  normal.restitution = 0.5;
  PressedPair pressed{{A, B, {normal, FrictionBristle{0.45, 0.4, 5e3, 50, 0, 0.1, 0.1, 1e-3}}}, {}, {}};
  pressed.b.X_WS.R = R_B;
  const bool hollow = !is_bounded(A) && !std::holds_alternative<HalfSpace>(A);
  double deep = hollow ? 10 : -1, apart = hollow ? 0 : 10;
  for (int i = 0; i < 12; ++i) {
    const double z = 0.5 * (deep + apart);
    pressed.b.X_WS.p = Vec3(0.02, -0.01, z);
    (calc_closest(A, {}, B, pressed.b.X_WS).gap < -0.01 * calc_size(B) ? deep : apart) = z;
  }
  pressed.b.X_WS.p.z() = deep;
  pressed.b.w = Vec3(0.3, -0.2, 0.5);
  pressed.b.v = Vec3(0.1, 0.2, -0.3);
  pressed.a.w = Vec3(-0.1, 0.4, 0.2);
  return pressed;
}

void expect_no_allocation(const NamedShape& A, const NamedShape& B, const Mat3& R_B) {
  SCOPED_TRACE(A.name + "/" + B.name);
  const PressedPair pressed = press_together(A.shape, B.shape, R_B);
  ContactState state;
  const std::int64_t before = count_allocations();
  const bool touched = update_contact(pressed.pair, pressed.a, pressed.b, state);
  state.set<FrictionBristle>({.deflection = Vec3(1e-6, 2e-6, 0)});
  const ContactOutput out = evaluate_contact(pressed.pair, pressed.a, pressed.b, state);
  EXPECT_EQ(count_allocations(), before);
  EXPECT_TRUE(touched);
  const double stiffness = state.get<NormalPower>().stiffness;
  EXPECT_TRUE(std::isfinite(stiffness) && stiffness > 0);
  EXPECT_TRUE(out.wrenches.F_A.allFinite() && out.wrenches.F_B.allFinite());
  EXPECT_TRUE(load_memory<FrictionBristle::Memory>(out.rate.friction.data()).deflection.allFinite());
}

// Cells with complements are left out: their closest points are searched for in lists.
TEST(ContactCore, NoPairOfShapesAllocates) {
  std::vector<NamedShape> shapes = list_bounded_shapes();
  std::erase_if(shapes, [](const NamedShape& s) { return s.name == "groove"; });
  std::vector<NamedShape> bases = shapes;
  bases.push_back({"halfspace", HalfSpace{}});
  bases.push_back({"hollow_sphere", HollowSphere{5}});
  bases.push_back({"hollow_cylinder", HollowCylinder{5, Vec3::UnitY()}});
  const Mat3 level = Mat3::Identity(), slanted = calc_matrix(make_axis_angle(Vec3(1, 2, 3).normalized(), 0.7));
  for (const NamedShape& A : bases) {
    for (const NamedShape& B : shapes) {
      expect_no_allocation(A, B, level);
      expect_no_allocation(A, B, slanted);
    }
  }
}

}  // namespace
}  // namespace stiction
