#include "stiction/results/pair_names.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

ContactModel make_pair_model() {
  ContactModel model;
  const auto add_shape = [&](int body, const char* name, const char* body_name, const char* material) {
    ContactShape shape;
    shape.body = body;
    shape.name = name;
    shape.body_name = body_name;
    shape.material = material;
    shape.moves_freely = body > 0;
    model.shapes.push_back(shape);
  };
  add_shape(0, "floor", "floor", "stone");
  add_shape(1, "ball", "ball", "steel");
  add_shape(2, "hand.tip", "hand", "steel");
  add_shape(3, "crate", "crate", "");
  const auto add_rule = [&](const char* a, const char* b) {
    ContactRule rule;
    rule.a = a, rule.b = b;
    model.rules.push_back(rule);
  };
  add_rule("", "");
  add_rule("ball", "floor");
  add_rule("hand.tip", "ball");
  add_rule("steel", "stone");
  return model;
}

// As the table says it, by whatever it names the sides; else in the order of the shapes. Whatever the order given.
TEST(PairNames, FollowTheTables) {
  const ContactModel model = make_pair_model();
  const PairNames names(model);
  for (const char* name : {"floor/ball", "ball/floor"}) EXPECT_EQ(names.arrange(name), "ball/floor");
  for (const char* name : {"ball/hand.tip", "hand.tip/ball"}) EXPECT_EQ(names.arrange(name), "hand.tip/ball");
  for (const char* name : {"floor/hand.tip", "hand.tip/floor"}) EXPECT_EQ(names.arrange(name), "hand.tip/floor");
  for (const char* name : {"floor/crate", "crate/floor"}) EXPECT_EQ(names.arrange(name), "floor/crate");
  EXPECT_TRUE(names.is_reversed(0, 1));
  EXPECT_FALSE(names.is_reversed(1, 0));
  EXPECT_FALSE(names.is_reversed(0, 3));
  EXPECT_FALSE(names.is_reversed(-1, -1));
  EXPECT_FALSE(names.is_reversed(0, 99));
}

TEST(PairNames, LeaveOtherNamesAlone) {
  const ContactModel model = make_pair_model();
  const PairNames names(model);
  for (const char* name : {"rope", "floor/rope", "", "/"}) EXPECT_EQ(names.arrange(name), name);
}

}  // namespace
}  // namespace stiction
