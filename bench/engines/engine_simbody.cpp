// Simbody 3.7: compliant contact by Hunt and Crossley, Runge-Kutta-Merson with error control inside each step.
#include <Simbody.h>

#include <algorithm>
#include <cmath>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

using SimTK::MobilizedBody;

SimTK::Vec3 convert(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Vec3 convert(const SimTK::Vec3& v) {
  return {v[0], v[1], v[2]};
}

// Balls that stand for a shape against half-spaces: the ends of a capsule; balls of 5 mm in the corners of a box.
struct Ball {
  double radius;
  Vec3 place;
};
std::vector<Ball> list_balls(const Body& body) {
  if (body.shape == Shape::sphere) return {{body.radius, Vec3::Zero()}};
  const Vec3 x(0.5 * body.length, 0, 0);
  if (body.shape == Shape::capsule) return {{body.radius, -x}, {body.radius, x}};
  std::vector<Ball> balls;
  const double radius = 5e-3;
  const Vec3 reach = 0.5 * body.size - Vec3::Constant(radius);
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
    balls.push_back({radius, sign.cwiseProduct(reach)});
  }
  return balls;
}

class EngineSimbody final : public Engine {
 public:
  explicit EngineSimbody(const Scene& scene)
      : scene_(scene),
        matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, convert(scene.gravity)),
        contacts_(system_),
        contact_force_(forces_, contacts_, contacts_.createContactSet()),
        integrator_(system_) {
    for (const HalfSpace& side : scene.half_spaces) {
      // Simbody's half-space is x > 0.
      const SimTK::Transform pose(SimTK::Rotation(SimTK::UnitVec3(convert(Vec3(-side.normal))), SimTK::XAxis),
                                  convert(Vec3(side.offset * side.normal)));
      contacts_.addBody(set_, matter_.updGround(), SimTK::ContactGeometry::HalfSpace(), pose);
      set_material(0);
    }
    for (const Body& body : scene.bodies) add(body);
    contact_force_.setTransitionVelocity(slip_velocity);
    SimTK::State state = system_.realizeTopology();
    system_.realizeModel(state);
    for (std::size_t i = 0; i < bodies_.size(); ++i) place(scene.bodies[i], bodies_[i], state);
    integrator_.setAccuracy(1e-4);
    stepper_ = std::make_unique<SimTK::TimeStepper>(system_, integrator_);
    stepper_->initialize(state);
  }

  void step() override { stepper_->stepTo(++count_ * scene_.h); }

  void read(std::vector<Pose>& poses) const override {
    const SimTK::State& state = integrator_.getState();
    system_.realize(state, SimTK::Stage::Position);
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const SimTK::Transform& X = bodies_[i].getBodyTransform(state);
      const SimTK::Vec4 q = X.R().convertRotationToQuaternion().asVec4();
      poses[i] = {convert(X.p()), Quaternion(q[0], q[1], q[2], q[3])};
    }
  }

  std::string remark() const override {
    std::string text = "compliant, E = 10 MPa, e = 0.05 for 0, friction smoothed under 1 mm/s";
    if (scene_.kind == Kind::slope) text += "; balls in the corners";
    return text;
  }

 private:
  static constexpr double modulus = 1e7;         ///< plane strain modulus of both [Pa]
  static constexpr double slip_velocity = 1e-3;  ///< [m/s]

  // Force k x^1.5 (1 + 1.5 d x'). An impact at speed v returns with e v where, with s = 1.5 d v,
  //     (1 + e) s = ln((1 + s) / (1 - e s)),
  // from the integral of x' dx'/(1 + 1.5 d x') over the impact. v is that of a fall of 1 m. No d gives e = 0: 0.05
  // then.
  static double find_dissipation(double restitution) {
    const double e = std::max(restitution, 0.05), v = std::sqrt(2 * 9.81);
    if (e == 1) return 0;
    double low = 1e-9, high = 1 / e;
    for (int i = 0; i < 100; ++i) {
      const double s = 0.5 * (low + high);
      ((1 + e) * s > std::log((1 + s) / (1 - e * s)) ? low : high) = s;
    }
    return low / (1.5 * v);
  }

  // The mean of the dissipations of two surfaces of one stiffness counts: the ground has none, bodies have twice
  // theirs.
  void set_material(double dissipation) {
    contact_force_.setBodyParameters(SimTK::ContactSurfaceIndex(surfaces_++), modulus, 2 * dissipation, scene_.friction,
                                     scene_.friction, 0);
  }

  void add(const Body& body) {
    const SimTK::Body::Rigid rigid(
        SimTK::MassProperties(body.mass, SimTK::Vec3(0), SimTK::Inertia(convert(body.inertia))));
    if (body.planar)
      bodies_.push_back(MobilizedBody::Planar(matter_.updGround(), SimTK::Transform(), rigid, SimTK::Transform()));
    else
      bodies_.push_back(MobilizedBody::Free(matter_.updGround(), SimTK::Transform(), rigid, SimTK::Transform()));
    for (const Ball& ball : list_balls(body)) {
      contacts_.addBody(set_, bodies_.back(), SimTK::ContactGeometry::Sphere(ball.radius),
                        SimTK::Transform(convert(ball.place)));
      set_material(find_dissipation(body.restitution));
    }
  }

  static void place(const Body& body, MobilizedBody& mobilized, SimTK::State& state) {
    const Quaternion& q = body.pose.orientation;
    const SimTK::Rotation R(SimTK::Quaternion(q.w(), q.x(), q.y(), q.z()));
    mobilized.setQToFitTransform(state, SimTK::Transform(R, convert(body.pose.position)));
    mobilized.setUToFitVelocity(state, SimTK::SpatialVec(convert(body.angular_velocity), convert(body.velocity)));
  }

  const Scene& scene_;
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::UniformGravity gravity_;
  SimTK::GeneralContactSubsystem contacts_;
  SimTK::HuntCrossleyForce contact_force_;
  const SimTK::ContactSetIndex set_{0};
  SimTK::RungeKuttaMersonIntegrator integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
  std::vector<MobilizedBody> bodies_;
  int surfaces_ = 0, count_ = 0;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&) {
  const bool boxes = scene.bodies[0].shape == Shape::box && scene.kind != Kind::slope;
  if (boxes) throw Unsupported("boxes meet as meshes only");
  if (scene.kind == Kind::pile || scene.kind == Kind::motion)
    throw Unsupported("compliant and explicit: over a second a step for 100 spheres");
  return std::make_unique<EngineSimbody>(scene);
}

}  // namespace stiction::engines
