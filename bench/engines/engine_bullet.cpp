// Bullet 3.24 in double precision: sequential impulses, 10 iterations, split impulses (its defaults); no sleeping.
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

btVector3 convert(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

class EngineBullet final : public Engine {
 public:
  explicit EngineBullet(const Scene& scene)
      : scene_(scene), dispatcher_(&configuration_), world_(&dispatcher_, &broadphase_, &solver_, &configuration_) {
    if (scene.kind == Kind::pile) {  // the defaults, 50 and 20 mm, are for larger bodies: most pairs would be far apart
      gDbvtMargin = 5e-3;
      gContactBreakingThreshold = 2e-3;
    }
    world_.setGravity(convert(scene.gravity));
    for (const HalfSpace& side : scene.half_spaces) {
      shapes_.push_back(std::make_unique<btStaticPlaneShape>(convert(side.normal), side.offset));
      btRigidBody& plane = add(0, btVector3(0, 0, 0));
      plane.setRestitution(1);
    }
    for (const Body& body : scene.bodies) {
      shapes_.push_back(make_shape(body));
      btRigidBody& added = add(body.mass, convert(body.inertia));
      const Quaternion& q = body.pose.orientation;
      const btTransform pose(btQuaternion(q.x(), q.y(), q.z(), q.w()), convert(body.pose.position));
      added.setCenterOfMassTransform(pose);
      added.setLinearVelocity(convert(body.velocity));
      added.setAngularVelocity(convert(body.angular_velocity));
      added.setRestitution(body.restitution);
      added.setActivationState(DISABLE_DEACTIVATION);
      if (body.planar) added.setLinearFactor(btVector3(1, 1, 0)), added.setAngularFactor(btVector3(0, 0, 1));
    }
  }
  ~EngineBullet() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(scene_.h, 0); }

  void read(std::vector<Pose>& poses) const override {
    poses.resize(scene_.bodies.size());
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const btTransform& X = bodies_[scene_.half_spaces.size() + i]->getCenterOfMassTransform();
      const btQuaternion q = X.getRotation();
      const btVector3& p = X.getOrigin();
      poses[i] = {Vec3(p.x(), p.y(), p.z()), Quaternion(q.w(), q.x(), q.y(), q.z())};
    }
  }

  std::string remark() const override {
    if (scene_.kind == Kind::pile) return "margins of 5 and 2 mm";
    return scene_.bodies[0].planar ? "planar by linear and angular factors" : "";
  }

 private:
  static std::unique_ptr<btCollisionShape> make_shape(const Body& body) {
    if (body.shape == Shape::sphere) return std::make_unique<btSphereShape>(body.radius);
    if (body.shape == Shape::capsule) return std::make_unique<btCapsuleShapeX>(body.radius, body.length);
    return std::make_unique<btBoxShape>(convert(0.5 * body.size));
  }

  // Bullet multiplies the coefficients of two bodies: friction is the root of the scene's everywhere.
  btRigidBody& add(double mass, const btVector3& inertia) {
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
    info.m_friction = std::sqrt(scene_.friction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world_.addRigidBody(bodies_.back().get());
    return *bodies_.back();
  }

  const Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&) {
  return std::make_unique<EngineBullet>(scene);
}

}  // namespace stiction::engines
