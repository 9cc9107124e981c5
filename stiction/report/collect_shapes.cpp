#include "stiction/report/collect_shapes.h"

#include <algorithm>
#include <map>

#include "stiction/base/hash.h"

namespace stiction {
namespace {

// A shape as a simpler one that many shapes share, turned and scaled.
struct SharedShape {
  Shape shape;
  Mat3 R_SM = Mat3::Identity();  // the mesh's frame in the shape's
  Vec3 scale = Vec3::Ones();
};

struct FindShared {
  SharedShape operator()(const Sphere& s) const { return {Sphere{1}, Mat3::Identity(), Vec3::Constant(s.radius)}; }
  SharedShape operator()(const Box& s) const { return {Box{Vec3::Ones()}, Mat3::Identity(), s.size}; }
  SharedShape operator()(const Ellipsoid& s) const { return {Sphere{1}, Mat3::Identity(), s.semi_axes}; }
  SharedShape operator()(const Cylinder& s) const {
    return {Cylinder{1, 1, Vec3::UnitZ()}, make_frame_with_z(s.axis, Vec3::UnitX()), {s.radius, s.radius, s.length}};
  }
  template <class Other>
  SharedShape operator()(const Other& s) const {
    return {s};
  }
};

// Meshes that are equal, bit for bit, are stored once.
class MeshStore {
 public:
  MeshStore(std::vector<Tessellation>& meshes, int detail, double reach)
      : meshes_(meshes), detail_(detail), reach_(reach) {}

  int add(const Shape& shape) {
    // Those that FindShared makes are all alike.
    const bool shared = std::holds_alternative<Sphere>(shape) || std::holds_alternative<Box>(shape) ||
                        std::holds_alternative<Cylinder>(shape);
    if (!shared) return add_mesh(shape);
    const auto found = shared_.find(shape.index());
    return found != shared_.end() ? found->second : shared_[shape.index()] = add_mesh(shape);
  }

 private:
  int add_mesh(const Shape& shape) {
    Tessellation mesh = calc_tessellation(shape, detail_, reach_);
    Hash64 hash;
    hash.add_bytes(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3));
    hash.add_bytes(mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
    const auto [found, is_new] = ids_.try_emplace(hash.value(), static_cast<int>(meshes_.size()));
    if (is_new) meshes_.push_back(std::move(mesh));
    return found->second;
  }

  std::vector<Tessellation>& meshes_;
  int detail_;
  double reach_;
  std::map<std::uint64_t, int> ids_;   // by hash of the mesh
  std::map<std::size_t, int> shared_;  // by kind of shape
};

PageInstance make_instance(const Shape& shape, const Transform& X_BS, MeshStore& meshes) {
  PageInstance instance;
  if (const auto* plane = std::get_if<HalfSpace>(&shape)) {
    instance.kind = PageInstance::Kind::plane;
    instance.X_BS =
        X_BS * Transform{make_frame_with_z(plane->normal, Vec3::UnitX()), Vec3(plane->normal * plane->offset)};
    return instance;
  }
  const bool hollow = std::holds_alternative<HollowSphere>(shape) || std::holds_alternative<HollowCylinder>(shape);
  instance.kind = hollow ? PageInstance::Kind::hollow : PageInstance::Kind::solid;
  const SharedShape shared = std::visit(FindShared{}, shape);
  instance.mesh = meshes.add(shared.shape);
  instance.X_BS = X_BS * Transform{shared.R_SM, Vec3::Zero()};
  instance.scale = shared.scale;
  return instance;
}

bool is_shown_as_joint(const std::string& kind) {
  return kind != "free" && kind != "weld" && kind != "planar";
}

void add_joints(const RunModel& model, PageData& page) {
  for (const RunModel::JointModel& joint : model.joints) {
    if (!is_shown_as_joint(joint.kind)) continue;
    page.joints.push_back({joint.name, joint.kind, joint.parent, joint.child, joint.X_PF});
  }
}

void add_springs(const RunModel& model, PageData& page) {
  for (const RunModel::SpringModel& spring : model.springs)
    page.springs.push_back({spring.name, spring.a, spring.b, spring.at_a, spring.at_b});
}

// With many shapes each is small in the picture and gets fewer triangles: round ones are shaded smoothly all the same.
int choose_detail(const RunModel& model) {
  std::size_t shapes = 0;
  for (const RunModel::BodyModel& body : model.bodies) shapes += body.shapes.size();
  return shapes > 400 ? 16 : shapes > 100 ? 32 : shapes > 30 ? 48 : 80;
}

}  // namespace

double calc_radius(const Shape& shape) {
  if (!is_bounded(shape)) return 0;
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<Box>(&shape)) return 0.5 * box->size.norm();
  double radius = 0;
  for (const Vec3& vertex : calc_tessellation(shape, 12, 1).vertices) radius = std::max(radius, vertex.norm());
  return radius;
}

std::vector<PageBody> list_bodies(const RunModel& model) {
  std::vector<PageBody> bodies;
  for (const RunModel::BodyModel& body : model.bodies) {
    bodies.push_back({.name = body.name, .fixed = body.fixed});
    for (const PlacedShape& part : body.shapes) {
      if (!is_bounded(part.shape)) continue;
      bodies.back().radius = std::max(bodies.back().radius, part.X_BS.p.norm() + calc_radius(part.shape));
    }
  }
  return bodies;
}

void add_shapes(const RunModel& model, double reach, PageData& page) {
  MeshStore meshes(page.meshes, choose_detail(model), reach);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const RunModel::BodyModel& body = model.bodies[b];
    for (const PlacedShape& part : body.shapes) {
      PageInstance instance = make_instance(part.shape, part.X_BS, meshes);
      instance.body = static_cast<int>(b);
      instance.part = part.name.empty() ? body.name : body.name + "." + part.name;
      page.instances.push_back(std::move(instance));
    }
  }
  add_joints(model, page);
  add_springs(model, page);
}

}  // namespace stiction
