// Siconos 4.4: Moreau-Jean time stepping, contacts by its Bullet interface, nonsmooth Gauss-Seidel on the friction
// cones.
#include <RigidBodyDS.hpp>
#include <SiconosBodies.hpp>
#include <SiconosBulletCollisionManager.hpp>
#include <SiconosContactor.hpp>
#include <SiconosKernel.hpp>
#include <SiconosShape.hpp>
#include <SolverOptions.h>

#include <algorithm>
#include <map>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

SP::SiconosVector make_pose(const Vec3& p, const Quaternion& q) {
  auto pose = std::make_shared<SiconosVector>(7);
  const double numbers[] = {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
  for (int i = 0; i < 7; ++i) pose->setValue(i, numbers[i]);
  return pose;
}

SP::SiconosContactor make_contactor(const SP::SiconosShape& shape, const Vec3& place, int group) {
  return std::make_shared<SiconosContactor>(shape, make_pose(place, Quaternion::Identity()), group);
}

class EngineSiconos final : public Engine {
 public:
  explicit EngineSiconos(const Scene& scene) : scene_(scene) {
    const double long_enough = 1000;
    auto model = std::make_shared<NonSmoothDynamicalSystem>(0, long_enough);
    manager_ = std::make_shared<SiconosBulletCollisionManager>(SiconosBulletOptions());
    for (const HalfSpace& side : scene.half_spaces) add_side(side);
    for (const Body& body : scene.bodies) model->insertDynamicalSystem(make_body(body));
    for (const auto& [e, group] : groups_) {
      auto law = std::make_shared<NewtonImpactFrictionNSL>(e, 0, scene.friction, 3);
      manager_->insertNonSmoothLaw(law, 0, group);
      if (group == 1) manager_->insertNonSmoothLaw(law, 1, 1);
    }
    problem_ = std::make_shared<FrictionContact>(3, SICONOS_FRICTION_3D_NSGS);
    problem_->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = tolerance;
    problem_->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
    problem_->setMaxSize(100000);
    problem_->setMStorageType(NM_SPARSE_BLOCK);
    problem_->setKeepLambdaAndYState(true);
    auto times = std::make_shared<TimeDiscretisation>(0, scene.h);
    simulation_ = std::make_shared<TimeStepping>(model, times);
    simulation_->insertIntegrator(std::make_shared<MoreauJeanOSI>(0.5));
    simulation_->insertNonSmoothProblem(problem_);
    simulation_->insertInteractionManager(manager_);
    simulation_->setNewtonOptions(SICONOS_TS_LINEAR);
    simulation_->setWarnOnNonConvergence(false);
  }

  void step() override {
    simulation_->computeOneStep();
    simulation_->nextStep();
    // Without contacts the solver is not called, and its residual not set.
    if (problem_->getSizeOutput() > 0)
      residual_ = std::max(residual_, problem_->numericsSolverOptions()->dparam[SICONOS_DPARAM_RESIDU]);
  }

  void read(std::vector<Pose>& poses) const override {
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const SiconosVector& q = *bodies_[i]->q();
      poses[i] = {Vec3(q(0), q(1), q(2)), Quaternion(q(3), q(4), q(5), q(6))};
    }
  }

  double take_residual() override { return std::exchange(residual_, 0); }
  std::string remark() const override {
    std::string text = "tolerance 1e-6, at most 1000 sweeps; boxes for half-spaces, gaps in float";
    if (scene_.bodies[0].planar) text += "; spatial";
    return text;
  }

 private:
  static constexpr double tolerance = 1e-6;
  static constexpr int sweeps = 1000;

  // Bodies of one restitution form a group; group 0 is the ground.
  int find_group(double restitution) {
    return groups_.emplace(restitution, static_cast<int>(groups_.size()) + 1).first->second;
  }

  // Boxes stand for half-spaces: contacts are found in single precision, so that they should not be wider than needed.
  void add_side(const HalfSpace& side) {
    const double wide = 8, thick = 1;
    auto set = std::make_shared<SiconosContactorSet>();
    set->push_back(make_contactor(std::make_shared<SiconosBox>(wide, wide, thick), Vec3::Zero(), 0));
    manager_->insertStaticContactorSet(set, make_pose((side.offset - 0.5 * thick) * side.normal,
                                                      Quaternion::FromTwoVectors(Vec3::UnitZ(), side.normal)));
  }

  std::shared_ptr<RigidBodyDS> make_body(const Body& body) {
    auto velocity = std::make_shared<SiconosVector>(6);
    const Vec3 local = body.pose.orientation.conjugate() * body.angular_velocity;
    for (int i = 0; i < 3; ++i) velocity->setValue(i, body.velocity[i]), velocity->setValue(3 + i, local[i]);
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    for (int i = 0; i < 3; ++i) inertia->setValue(i, i, body.inertia[i]);
    auto made = std::make_shared<RigidBodyDS>(make_pose(body.pose.position, body.pose.orientation), velocity, body.mass,
                                              inertia);
    auto set = std::make_shared<SiconosContactorSet>();
    const int group = find_group(body.restitution);
    if (body.shape == Shape::sphere)
      set->push_back(make_contactor(std::make_shared<SiconosSphere>(body.radius), Vec3::Zero(), group));
    else  // against a plane a capsule is its two ends
      for (const double s : {-0.5, 0.5})
        set->push_back(
            make_contactor(std::make_shared<SiconosSphere>(body.radius), Vec3(s * body.length, 0, 0), group));
    made->setContactors(set);
    auto weight = std::make_shared<SiconosVector>(3);
    for (int i = 0; i < 3; ++i) weight->setValue(i, body.mass * scene_.gravity[i]);
    made->setFExtPtr(weight);
    bodies_.push_back(made);
    return made;
  }

  const Scene& scene_;
  std::shared_ptr<SiconosBulletCollisionManager> manager_;
  std::shared_ptr<FrictionContact> problem_;
  std::shared_ptr<TimeStepping> simulation_;
  std::vector<std::shared_ptr<RigidBodyDS>> bodies_;
  std::map<double, int> groups_;  ///< restitution to group
  double residual_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&) {
  if (scene.bodies[0].shape == Shape::box)
    throw Unsupported(
        "boxes slid and fell with the settings of its Bullet interface that ended; it may be our use of it");
  if (scene.bodies.size() > 100) throw Unsupported("a third of a second a step for 100 spheres already");
  return std::make_unique<EngineSiconos>(scene);
}

}  // namespace stiction::engines
