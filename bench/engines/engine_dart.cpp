// DART 6.12 with ODE's collision detector. Dantzig's method, its default; in piles projected Gauss-Seidel, its other
// one.
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/constraint/BoxedLcpConstraintSolver.hpp>
#include <dart/constraint/PgsBoxedLcpSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PlaneShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

using namespace dart::dynamics;

class EngineDart final : public Engine {
 public:
  explicit EngineDart(const Scene& scene) : scene_(scene), world_(dart::simulation::World::create()) {
    if (is_large())
      world_->setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(
          std::make_shared<dart::constraint::PgsBoxedLcpSolver>()));
    world_->setTimeStep(scene.h);
    world_->setGravity(scene.gravity);
    auto* solver = world_->getConstraintSolver();
    solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    solver->getCollisionOption().maxNumContacts = 1000000;
    auto ground = Skeleton::create("ground");
    auto* base = ground->createJointAndBodyNodePair<WeldJoint>().second;
    for (const HalfSpace& side : scene.half_spaces)
      add_shape(base, std::make_shared<PlaneShape>(side.normal, side.offset), 1);
    ground->setMobile(false);
    world_->addSkeleton(ground);
    for (const Body& body : scene.bodies) add(body);
  }

  void step() override { world_->step(); }

  void read(std::vector<Pose>& poses) const override {
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Eigen::Isometry3d& X = bodies_[i]->getWorldTransform();
      poses[i] = {X.translation(), Quaternion(X.linear())};
    }
  }

  std::string remark() const override {
    if (scene_.bodies[0].planar) return "planar joint";
    return is_large() ? "Gauss-Seidel, 30 sweeps on a dense matrix" : "";
  }

 private:
  /// Its pivoting method is dense.
  bool is_large() const { return scene_.bodies.size() > 50; }

  // DART takes the smaller friction of two shapes and the product of their restitutions.
  ShapeNode* add_shape(BodyNode* body, const ShapePtr& shape, double restitution) {
    auto* node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape);
    node->getDynamicsAspect()->setFrictionCoeff(scene_.friction);
    node->getDynamicsAspect()->setRestitutionCoeff(restitution);
    return node;
  }

  void add(const Body& body) {
    auto skeleton = Skeleton::create("body" + std::to_string(bodies_.size()));
    BodyNode* node = nullptr;
    const Vec3 &p = body.pose.position, &v = body.velocity, &w = body.angular_velocity;
    if (body.planar) {
      auto [joint, link] = skeleton->createJointAndBodyNodePair<PlanarJoint>();
      const double angle = Eigen::AngleAxisd(body.pose.orientation).angle();
      joint->setPositions(Vec3(p.x(), p.y(), angle));
      joint->setVelocities(Vec3(v.x(), v.y(), w.z()));
      node = link;
    } else {
      auto [joint, link] = skeleton->createJointAndBodyNodePair<FreeJoint>();
      Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
      X.translation() = p;
      X.linear() = body.pose.orientation.toRotationMatrix();
      joint->setPositions(FreeJoint::convertToPositions(X));
      joint->setLinearVelocity(v, Frame::World(), Frame::World());
      joint->setAngularVelocity(w, Frame::World(), Frame::World());
      node = link;
    }
    const Eigen::Matrix3d inertia = body.inertia.asDiagonal();
    node->setInertia(Inertia(body.mass, Vec3::Zero(), inertia));
    if (body.shape == Shape::sphere)
      add_shape(node, std::make_shared<SphereShape>(body.radius), body.restitution);
    else if (body.shape == Shape::box)
      add_shape(node, std::make_shared<BoxShape>(body.size), body.restitution);
    else  // against a plane a capsule is its two ends
      for (const double s : {-0.5, 0.5})
        add_shape(node, std::make_shared<SphereShape>(body.radius), body.restitution)
            ->setRelativeTranslation(Vec3(s * body.length, 0, 0));
    world_->addSkeleton(skeleton);
    bodies_.push_back(node);
  }

  const Scene& scene_;
  std::shared_ptr<dart::simulation::World> world_;
  std::vector<BodyNode*> bodies_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&) {
  if (scene.bodies.size() > 100) throw Unsupported("dense contact matrix: cubic in the contacts");
  return std::make_unique<EngineDart>(scene);
}

}  // namespace stiction::engines
