#include "stiction/stepping/rigid/row_groups.h"

#include <fmt/format.h>

#include "test/unit/stepping/rows_scene.h"

namespace stiction {
namespace {

// Four balls on a floor, 0 beside 2 and 1 beside 3: a contact of 0 with 2 joins what acts on both, nothing else.
TEST(RowGroups, AreJoinedByBodiesThatMove) {
  std::string text =
      "[contact.default]\nfriction = 0.5\n[body.floor]\nfixed = true\nshape = { type = \"halfspace\", "
      "normal = [0, 0, 1] }\n";
  for (int i = 0; i < 4; ++i)
    text += fmt::format("[body.b{}]\nmass = 1\nposition = [{}, 0, 1]\nshape = {{ type = \"sphere\", radius = 1 }}\n", i,
                        2 * i);
  const System system = test::make_rows_system(text);
  Kinematics kinematics(system);
  update_positions(system, system.initial.q, kinematics);
  const RigidModel model(system, test::make_cone_settings());
  const Sleeping sleeping(model);
  IslandFinder finder(model);
  FoundContacts found;
  found.pairs = {{.a = 1, .b = 2}, {.a = 2, .b = 3}, {.a = 3, .b = 4}};
  finder.update(found, {}, sleeping);
  ASSERT_EQ(finder.size(), 1);
  ClusterLayout layout(model);
  layout.begin(finder.list().front());
  JacobianRows rows(model, layout);
  const auto add = [&](int a, int b) {
    Contact contact;
    contact.shape_a = a, contact.shape_b = b;
    contact.normal = Vec3::UnitZ();
    rows.add_contact(rows.size(), contact, kinematics);
  };
  using Groups = std::vector<std::vector<int>>;
  RowGroups groups(model.parts.size());
  for (const int ball : {1, 2, 3, 4}) add(0, ball);
  EXPECT_EQ(groups.find(rows, layout.island()), (Groups{{0}, {1}, {2}, {3}}));
  rows.clear();
  for (const int ball : {1, 2, 3, 4}) add(0, ball);
  add(1, 3);
  EXPECT_EQ(groups.find(rows, layout.island()), (Groups{{0, 2, 4}, {1}, {3}}));
}

}  // namespace
}  // namespace stiction
