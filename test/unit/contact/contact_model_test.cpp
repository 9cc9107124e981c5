#include "stiction/contact/contact_model.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

ContactShape make_shape(int body, const std::string& body_name, const std::string& part, const std::string& material,
                        bool moves = true) {
  ContactShape shape;
  shape.body = body;
  shape.body_name = body_name;
  shape.name = part.empty() ? body_name : body_name + "." + part;
  shape.material = material;
  shape.shape = Sphere{0.1};
  shape.moves_freely = moves;
  return shape;
}

ContactModel make_model() {
  ContactModel model;
  model.shapes = {make_shape(1, "floor", "", "steel", false), make_shape(2, "hand", "thumb", "rubber"),
                  make_shape(2, "hand", "palm", "rubber"), make_shape(3, "cup", "", ""),
                  make_shape(4, "wall", "", "steel", false)};
  return model;
}

// The rule of docs/scene-format.md: shapes before bodies before materials before the default.
TEST(ContactModel, TheMostSpecificRuleDecides) {
  ContactModel model = make_model();
  model.rules = {{.name = "hand.thumb/cup", .a = "hand.thumb", .b = "cup", .touches = true, .law = {}},
                 {.name = "hand/cup", .a = "hand", .b = "cup", .touches = true, .law = {}},
                 {.name = "rubber/steel", .a = "rubber", .b = "steel", .touches = true, .law = {}},
                 {.name = "default", .a = "", .b = "", .touches = true, .law = {}}};
  EXPECT_EQ(model.find_rule(1, 3), 0);  // thumb and cup
  EXPECT_EQ(model.find_rule(3, 1), 0);  // whichever comes first
  EXPECT_EQ(model.find_rule(2, 3), 1);  // palm and cup
  EXPECT_EQ(model.find_rule(0, 1), 2);  // floor of steel, thumb of rubber
  EXPECT_EQ(model.find_rule(0, 3), 3);  // the cup has no material
}

TEST(ContactModel, OfEqualsTheLaterOneDecides) {
  ContactModel model = make_model();
  model.rules = {{.name = "hand/cup", .a = "hand", .b = "cup", .touches = true, .law = {}},
                 {.name = "cup/hand", .a = "cup", .b = "hand", .touches = false, .law = {}}};
  EXPECT_EQ(model.find_rule(1, 3), never_touch);
}

TEST(ContactModel, NothingIsAssumed) {
  ContactModel model = make_model();
  EXPECT_EQ(model.find_rule(0, 3), no_rule);
  EXPECT_EQ(model.find_rule(1, 2), never_touch);  // two parts of one body
  EXPECT_EQ(model.find_rule(0, 4), never_touch);  // neither moves
}

TEST(ContactModel, JoinedBodiesTouchOnlyByName) {
  ContactModel model = make_model();
  model.joined = {{2, 3}};
  model.rules = {{.name = "default", .a = "", .b = "", .touches = true, .law = {}}};
  EXPECT_EQ(model.find_rule(1, 3), never_touch);
  EXPECT_EQ(model.find_rule(0, 3), 0);
  model.rules.push_back({.name = "hand/cup", .a = "hand", .b = "cup", .touches = true, .law = {}});
  EXPECT_EQ(model.find_rule(1, 3), 1);
}

}  // namespace
}  // namespace stiction
