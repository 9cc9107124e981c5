// ODE 0.16. Variants: "quickstep" (projected Gauss-Seidel sweeps, 20 by default), "step" (dense pivoting method).
#include <ode/ode.h>

#include <algorithm>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

class EngineOde final : public Engine {
 public:
  EngineOde(const Scene& scene, bool quick) : scene_(scene), quick_(quick) {
    dInitODE();
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    dHashSpaceSetLevels(space_, -5, 1);  // cells of 1/32 m to 2 m: about the sizes of the bodies
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, scene.gravity.x(), scene.gravity.y(), scene.gravity.z());
    for (const HalfSpace& side : scene.half_spaces)
      dCreatePlane(space_, side.normal.x(), side.normal.y(), side.normal.z(), side.offset);
    for (const Body& body : scene.bodies) add(body);
  }
  ~EngineOde() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    dCloseODE();
  }

  void step() override {
    dSpaceCollide(space_, this, [](void* self, dGeomID a, dGeomID b) { static_cast<EngineOde*>(self)->meet(a, b); });
    quick_ ? dWorldQuickStep(world_, scene_.h) : dWorldStep(world_, scene_.h);
    dJointGroupEmpty(contacts_);
  }

  void read(std::vector<Pose>& poses) const override {
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const dReal *p = dBodyGetPosition(bodies_[i]), *q = dBodyGetQuaternion(bodies_[i]);
      poses[i] = {Vec3(p[0], p[1], p[2]), Quaternion(q[0], q[1], q[2], q[3])};
    }
  }

  std::string remark() const override { return scene_.bodies[0].planar ? "planar by a plane-2D joint" : ""; }

 private:
  void add(const Body& body) {
    const dBodyID id = dBodyCreate(world_);
    dMass mass;
    const Vec3& I = body.inertia;
    dMassSetParameters(&mass, body.mass, 0, 0, 0, I.x(), I.y(), I.z(), 0, 0, 0);
    dBodySetMass(id, &mass);
    dGeomID geom = nullptr;
    if (body.shape == Shape::sphere) geom = dCreateSphere(space_, body.radius);
    if (body.shape == Shape::capsule) geom = dCreateCapsule(space_, body.radius, body.length);
    if (body.shape == Shape::box) geom = dCreateBox(space_, body.size.x(), body.size.y(), body.size.z());
    dGeomSetBody(geom, id);
    dGeomSetData(geom, const_cast<Body*>(&body));
    if (body.shape == Shape::capsule) {  // ODE's capsules lie along z
      const Quaternion turn = Quaternion::FromTwoVectors(Vec3::UnitZ(), Vec3::UnitX());
      const dQuaternion q = {turn.w(), turn.x(), turn.y(), turn.z()};
      dGeomSetOffsetQuaternion(geom, q);
    }
    const Vec3 &p = body.pose.position, &v = body.velocity, &w = body.angular_velocity;
    const Quaternion& turn = body.pose.orientation;
    const dQuaternion q = {turn.w(), turn.x(), turn.y(), turn.z()};
    dBodySetPosition(id, p.x(), p.y(), p.z());
    dBodySetQuaternion(id, q);
    dBodySetLinearVel(id, v.x(), v.y(), v.z());
    dBodySetAngularVel(id, w.x(), w.y(), w.z());
    if (body.planar) dJointAttach(dJointCreatePlane2D(world_, nullptr), id, nullptr);
    bodies_.push_back(id);
  }

  void meet(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    dContact points[8];
    const int n = dCollide(a, b, 8, &points[0].geom, sizeof(dContact));
    const dGeomID moving = body_a ? a : b;
    const double e = body_a && body_b ? 0 : static_cast<const Body*>(dGeomGetData(moving))->restitution;
    for (int i = 0; i < n; ++i) {
      points[i].surface = {};
      points[i].surface.mode = dContactApprox1 | (e > 0 ? dContactBounce : 0);
      points[i].surface.mu = scene_.friction;
      points[i].surface.bounce = e;
      points[i].surface.bounce_vel = 1e-3;
      dJointAttach(dJointCreateContact(world_, contacts_, &points[i]), body_a, body_b);
    }
  }

  const Scene& scene_;
  bool quick_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& variant) {
  const bool quick = variant == "quickstep";
  if (!quick && scene.bodies.size() > 50)
    throw Unsupported("dense pivoting method: half a second a step for 100 spheres");
  return std::make_unique<EngineOde>(scene, quick);
}

}  // namespace stiction::engines
