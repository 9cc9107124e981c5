#include "stiction/results/run_model.h"

#include <gtest/gtest.h>

#include "stiction/base/fault.h"
#include "stiction/geometry/shape/cell.h"
#include "stiction/geometry/shape/tessellation.h"
#include "stiction/results/pair_names.h"
#include "stiction/results/shape_text.h"
#include "stiction/results/sqlite.h"

#include "support/shapes.h"
#include "test_run.h"

namespace stiction {
namespace {

bool same_mesh(const Tessellation& a, const Tessellation& b) {
  return a.vertices == b.vertices && a.normals == b.normals && a.triangles == b.triangles;
}

// Every kind of shape of the tests comes back as what it was: its text is the same again, and so is its mesh.
TEST(shape_text, reads_back) {
  std::vector<NamedShape> shapes = list_bounded_shapes();
  shapes.push_back({"half-space", HalfSpace{Vec3(0.36, 0.48, 0.8), 0.1}});
  shapes.push_back({"hollow sphere", HollowSphere{0.7}});
  shapes.push_back({"hollow cylinder", HollowCylinder{0.7, Vec3(0.36, 0.48, 0.8)}});
  for (const NamedShape& named : shapes) {
    const std::string text = encode_shape(named.shape);
    const Shape back = decode_shape(text);
    EXPECT_EQ(encode_shape(back), text) << named.name;
    if (std::holds_alternative<Parametric>(named.shape)) continue;  // drawn only
    EXPECT_EQ(back.index(), named.shape.index()) << named.name;
    EXPECT_TRUE(same_mesh(calc_tessellation(back, 16, 2), calc_tessellation(named.shape, 16, 2))) << named.name;
    if (is_bounded(back)) {
      EXPECT_EQ(calc_volume(back), calc_volume(named.shape)) << named.name;
    }
  }
}

TEST(shape_text, what_is_no_shape_is_damage) {
  for (const char* text : {"", "[]", "{}", "{\"type\":\"sphere\"}", "{\"type\":\"blob\",\"radius\":1}",
                           "{\"type\":\"box\",\"size\":[1,2]}", "{\"type\":\"polytope\",\"vertices\":[[0,0,0]]}",
                           "{\"type\":\"parametric\"}", "{\"type\":\"sphere\",\"radius\":\"1\"}"})
    EXPECT_THROW((void)decode_shape(text), IoError) << text;
}

RunModel make_model() {
  RunModel model;
  model.up = Vec3(0.6, 0, 0.8);
  const Transform X = {calc_matrix(make_axis_angle(Vec3(1, 2, 2) / 3, 0.7)), Vec3(0.1, -0.2, 1.0 / 3)};
  model.bodies = {{"world", true, {}, {}},
                  {"plane", true, {}, {{"", HalfSpace{}, {}}}},
                  {"ball", false, X, {{"core", Sphere{0.25}, X}, {"rod", Capsule{0.1, 1.0 / 7, Vec3::UnitX()}, {}}}}};
  model.joints = {{"hinge", "revolute", 0, 2, X}};
  model.springs = {{"cord", 1, 2, Vec3(1, 2, 3), Vec3(4, 5, 6)}};
  ContactModel& contact = model.contact;
  contact.shapes.resize(3);
  contact.shapes[0].name = contact.shapes[0].body_name = "plane", contact.shapes[0].body = 1;
  for (const int i : {1, 2}) {
    ContactShape& shape = contact.shapes[static_cast<std::size_t>(i)];
    shape.name = i == 1 ? "ball.core" : "ball.rod", shape.body_name = "ball", shape.body = 2;
    shape.material = "steel", shape.moves_freely = true;
  }
  contact.rules.resize(2);
  contact.rules[1].name = "steel/plane", contact.rules[1].a = "steel", contact.rules[1].b = "plane";
  contact.rules[1].law.friction = 0.3, contact.rules[1].law.restitution = 0.5;
  contact.joined = {{0, 2}};
  return model;
}

bool same_pose(const Transform& a, const Transform& b) {
  // Quaternion and back: a few units in the last place.
  return a.p == b.p && (a.R - b.R).norm() < 1e-15;
}

TEST(run_model, reads_back) {
  const TestFolder folder;
  const RunModel model = make_model();
  RunWriter::create(folder / "run", {}, {}, {}, model).reset();
  const auto reader = RunReader::open(folder / "run");
  const RunModel back = reader->model();
  EXPECT_EQ(back.up, model.up);
  ASSERT_EQ(back.bodies.size(), 3u);
  EXPECT_TRUE(back.bodies[1].fixed);
  EXPECT_FALSE(back.bodies[2].fixed);
  EXPECT_TRUE(same_pose(back.bodies[2].X_WB, model.bodies[2].X_WB));
  ASSERT_EQ(back.bodies[2].shapes.size(), 2u);
  EXPECT_EQ(back.bodies[2].shapes[0].name, "core");
  EXPECT_TRUE(same_pose(back.bodies[2].shapes[0].X_BS, model.bodies[2].shapes[0].X_BS));
  EXPECT_EQ(std::get<Capsule>(back.bodies[2].shapes[1].shape).length, 1.0 / 7);
  ASSERT_EQ(back.joints.size(), 1u);
  EXPECT_EQ(back.joints[0].kind, "revolute");
  EXPECT_EQ(back.joints[0].child, 2);
  ASSERT_EQ(back.springs.size(), 1u);
  EXPECT_EQ(back.springs[0].at_b, Vec3(4, 5, 6));
  EXPECT_EQ(reader->contact_shapes(), (std::vector<std::string>{"plane", "ball.core", "ball.rod"}));
  EXPECT_EQ(back.contact.find_rule(0, 2), 1);
  EXPECT_EQ(back.contact.rules[1].law.friction, 0.3);
  EXPECT_EQ(back.contact.joined, model.contact.joined);
  // As its table names it.
  EXPECT_EQ(PairNames(back.contact).arrange("plane/ball.core"), "ball.core/plane");
}

// What refers to a body that is not there, or holds no shape, is told and not followed.
TEST(run_model, damage_is_told) {
  const TestFolder folder;
  for (const char* sql : {"UPDATE joint SET child = 3", "UPDATE shape SET body = -1", "UPDATE spring SET a = 99",
                          "UPDATE contact_shape SET body = 3", "UPDATE shape SET geometry = 'x'"}) {
    std::filesystem::remove_all(folder / "run");
    RunWriter::create(folder / "run", {}, {}, {}, make_model()).reset();
    Database(folder / "run/run.sqlite", DatabaseAccess::write).execute(sql);
    EXPECT_THROW((void)RunReader::open(folder / "run")->model(), IoError) << sql;
  }
}

}  // namespace
}  // namespace stiction
