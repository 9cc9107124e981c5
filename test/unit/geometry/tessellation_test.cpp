// Display meshes: on the surface, turned outward, closed in volume as the mesh gets finer.
#include "stiction/geometry/shape/tessellation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/geometry/shape/surface.h"

#include "test/support/shapes.h"

namespace stiction {
namespace {

class EveryMesh : public testing::TestWithParam<int> {};

// The volume by the divergence theorem comes within 2 % of the shape's at 96 segments (an inscribed polygon of n
// corners lacks 2 pi^2/(3 n^2) of its disc, 0.07 %; the cells' cut edges lack more).
TEST_P(EveryMesh, encloses_the_volume_of_the_shape_with_vertices_on_its_surface) {
  const NamedShape named = list_bounded_shapes()[static_cast<std::size_t>(GetParam())];
  const Tessellation mesh = calc_tessellation(named.shape, 96);
  double volume = 0;
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[static_cast<std::size_t>(t[0])], &b = mesh.vertices[static_cast<std::size_t>(t[1])],
               &c = mesh.vertices[static_cast<std::size_t>(t[2])];
    volume += a.dot(b.cross(c)) / 6;
    EXPECT_GE((b - a).cross(c - a).dot(mesh.normals[static_cast<std::size_t>(t[0])]), -1e-12) << named.name;
  }
  EXPECT_NEAR(volume, calc_volume(named.shape), 0.02 * calc_volume(named.shape));
  for (const Vec3& v : mesh.vertices)
    ASSERT_NEAR(calc_implicit(named.shape, v), 0, 1e-5 * calc_size(named.shape)) << named.name;
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryMesh, testing::Range(0, static_cast<int>(list_bounded_shapes().size())),
                         [](const auto& entry) {
                           return list_bounded_shapes()[static_cast<std::size_t>(entry.param)].name;
                         });

TEST(Tessellation, of_unbounded_shapes_faces_the_free_side) {
  const Tessellation plane = calc_tessellation(HalfSpace{Vec3::UnitZ(), 0.5}, 8, 3);
  for (const Vec3& v : plane.vertices) EXPECT_EQ(v.z(), 0.5);
  EXPECT_EQ(plane.normals[0], Vec3::UnitZ());
  const Tessellation pipe = calc_tessellation(HollowCylinder{2, Vec3::UnitX()}, 16, 3);
  for (std::size_t i = 0; i < pipe.vertices.size(); ++i) EXPECT_LT(pipe.normals[i].dot(pipe.vertices[i]), 0);
}

}  // namespace
}  // namespace stiction
