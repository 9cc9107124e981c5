#include "stiction/contact/contact_finder.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

ContactShape make_shape(int body, Shape shape, bool moves) {
  ContactShape result;
  result.body = body;
  result.name = result.body_name = "body" + std::to_string(body);
  result.shape = std::move(shape);
  result.moves_freely = moves;
  return result;
}

ContactModel make_model(std::vector<ContactShape> shapes) {
  ContactModel model;
  model.shapes = std::move(shapes);
  model.rules = {{.name = "default", .a = "", .b = "", .touches = true, .law = {}}};
  return model;
}

Transform at(double x, double y, double z) {
  return {Mat3::Identity(), Vec3(x, y, z)};
}

TEST(ContactFinder, BoxOnPlaneTouchesInItsFourCorners) {
  const ContactModel model =
      make_model({make_shape(1, HalfSpace{Vec3::UnitZ(), 0}, false), make_shape(2, Box{Vec3(0.2, 0.4, 0.1)}, true)});
  ContactFinder finder(model);
  const auto& contacts = finder.update({Transform{}, Transform{}, at(0, 0, 0.05)}, {0, 1e-6}).contacts;
  ASSERT_EQ(contacts.size(), 4u);
  for (const Contact& contact : contacts) {
    // The normal points from A, the plane, to B; corners at (+-0.1, +-0.2, 0).
    EXPECT_EQ(contact.shape_a, 0);
    EXPECT_NEAR((contact.normal - Vec3::UnitZ()).norm(), 0, 1e-15);
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    EXPECT_NEAR(std::abs(contact.point_b.x()), 0.1, 1e-15);
    EXPECT_NEAR(std::abs(contact.point_b.y()), 0.2, 1e-15);
  }
  EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(),
                             [](const Contact& x, const Contact& y) { return x.comes_before(y); }));
}

TEST(ContactFinder, InThePlaneFrontAndBackAreOne) {
  ContactModel model =
      make_model({make_shape(1, HalfSpace{Vec3::UnitY(), 0}, false), make_shape(2, Box{Vec3(0.2, 0.1, 0.3)}, true)});
  model.shapes[1].planar = true;
  ContactFinder finder(model);
  const auto& contacts = finder.update({Transform{}, Transform{}, at(0, 0.05, 0)}, {0, 1e-6}).contacts;
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& contact : contacts) EXPECT_EQ(contact.point_b.z(), 0);
}

// Two dormant shapes are not looked at, though they overlap; one that is not finds both.
TEST(ContactFinder, DormantPairsAreNotLookedAt) {
  const ContactModel model = make_model(
      {make_shape(1, Sphere{0.5}, true), make_shape(2, Sphere{0.5}, true), make_shape(3, Sphere{0.5}, true)});
  ContactFinder finder(model);
  const std::vector<Transform> poses = {Transform{}, at(0, 0, 0), at(0.9, 0, 0), at(0.45, 0.9, 0)};
  constexpr double dormant = ContactFinder::dormant;
  EXPECT_EQ(finder.update(poses, {0, 0, 0.1}).contacts.size(), 3u);
  const auto& contacts = finder.update(poses, {dormant, dormant, 0.1}).contacts;
  ASSERT_EQ(contacts.size(), 2u);
  for (const Contact& contact : contacts) {
    EXPECT_EQ(contact.shape_b, 2);
    // The distance of the centres, sqrt(0.45^2 + 0.9^2), less two radii: within the reach of the third alone.
    EXPECT_NEAR(contact.gap, std::hypot(0.45, 0.9) - 1, 1e-15);
  }
  EXPECT_EQ(finder.update(poses, {dormant, dormant, 0.001}).contacts.size(), 0u);
}

TEST(ContactFinder, ReachDecidesWhatIsNear) {
  const ContactModel model = make_model({make_shape(1, Sphere{0.5}, true), make_shape(2, Sphere{0.5}, true)});
  ContactFinder finder(model);
  const std::vector<Transform> poses = {Transform{}, at(0, 0, 0), at(1.3, 0, 0)};
  EXPECT_EQ(finder.update(poses, {0.1, 0.1}).contacts.size(), 0u);
  const auto& contacts = finder.update(poses, {0.2, 0.1000001}).contacts;
  ASSERT_EQ(contacts.size(), 1u);
  EXPECT_NEAR(contacts[0].gap, 0.3, 1e-15);
}

TEST(ContactFinder, PairsWithoutARuleAreListed) {
  ContactModel model = make_model({make_shape(1, Sphere{0.5}, true), make_shape(2, Sphere{0.5}, true)});
  model.rules.clear();
  ContactFinder finder(model);
  EXPECT_EQ(finder.update({Transform{}, at(0, 0, 0), at(0.9, 0, 0)}, {0, 0}).contacts.size(), 0u);
  EXPECT_EQ(finder.pairs_without_rule(), (std::vector<std::pair<int, int>>{{0, 1}}));
}

}  // namespace
}  // namespace stiction
