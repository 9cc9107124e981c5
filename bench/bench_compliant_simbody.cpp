#include "bench/bench_compliant_simbody.h"

#include <Simbody.h>

#include <cmath>

namespace stiction::bench {

using namespace SimTK;

struct SimbodyBall::Impl {
  Impl()
      : matter(system),
        forces(system),
        gravity(forces, matter, Vec3(0, 0, -9.81)),
        contacts(system),
        force(forces, contacts, contacts.createContactSet()) {
    const ContactSetIndex set(0);
    const Body::Rigid body(MassProperties(data.mass, Vec3(0), data.mass * UnitInertia::sphere(data.radius)));
    ball = MobilizedBody::Free(matter.updGround(), Transform(), body, Transform());
    // Simbody's half-space is x > 0: turned so that it lies below z = 0.
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
    contacts.addBody(set, ball, ContactGeometry::Sphere(data.radius), Transform());
    // f = 4/3 sqrt(R) k^1.5 x^1.5 (1 + 3/2 c x') with k = E^(2/3) / 2 for two equal materials; friction mu f_n above
    // the transition velocity if both coefficients are mu.
    const double k = std::pow(0.75 * data.stiffness / std::sqrt(data.radius), 2.0 / 3), E = std::pow(2 * k, 1.5);
    for (const int surface : {0, 1})
      force.setBodyParameters(ContactSurfaceIndex(surface), E, data.damping() / 1.5, data.friction, data.friction, 0);
    force.setTransitionVelocity(data.transition_velocity);
    start = system.realizeTopology();
    ball.setQToFitTransform(start, Transform(Vec3(0, 0, data.height)));
    ball.setUToFitLinearVelocity(start, Vec3(data.speed, 0, 0));
  }

  ThrownBall data;
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  Force::UniformGravity gravity;
  GeneralContactSubsystem contacts;
  HuntCrossleyForce force;
  MobilizedBody::Free ball;
  State start;
};

SimbodyBall::SimbodyBall() : impl_(new Impl) {}
SimbodyBall::~SimbodyBall() {
  delete impl_;
}

std::array<double, 3> SimbodyBall::simulate(double accuracy) {
  RungeKuttaMersonIntegrator integrator(impl_->system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(impl_->system, integrator);
  stepper.initialize(impl_->start);
  stepper.stepTo(impl_->data.duration);
  const Vec3 p = impl_->ball.getBodyOriginLocation(integrator.getState());
  return {p[0], p[1], p[2]};
}

struct SimbodyFoundation::Impl {
  explicit Impl(int resolution)
      : matter(system), forces(system), contacts(system), force(forces, contacts, contacts.createContactSet()) {
    const ContactSetIndex set(0);
    const Body::Rigid body(MassProperties(1, Vec3(0), UnitInertia::sphere(data.radius)));
    ball = MobilizedBody::Free(matter.updGround(), Transform(), body, Transform());
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
    const PolygonalMesh mesh = PolygonalMesh::createSphereMesh(data.radius, resolution);
    contacts.addBody(set, ball, ContactGeometry::TriangleMesh(mesh), Transform());
    force.setBodyParameters(ContactSurfaceIndex(1), data.stiffness, 0, 0, 0, 0);
    state = system.realizeTopology();
  }

  FoundationBall data;
  MultibodySystem system;
  SimbodyMatterSubsystem matter;
  GeneralForceSubsystem forces;
  GeneralContactSubsystem contacts;
  ElasticFoundationForce force;
  MobilizedBody::Free ball;
  State state;
};

SimbodyFoundation::SimbodyFoundation(int resolution) : impl_(new Impl(resolution)) {}
SimbodyFoundation::~SimbodyFoundation() {
  delete impl_;
}

double SimbodyFoundation::calc_force(double depth, double angle) {
  const Rotation turned = Rotation(angle, YAxis) * Rotation(0.3, XAxis);
  impl_->ball.setQToFitTransform(impl_->state, Transform(turned, Vec3(0, 0, impl_->data.radius - depth)));
  impl_->system.realize(impl_->state, Stage::Dynamics);
  return impl_->system.getRigidBodyForces(impl_->state, Stage::Dynamics)[impl_->ball.getMobilizedBodyIndex()][1][2];
}

}  // namespace stiction::bench
