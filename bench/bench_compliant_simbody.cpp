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
    const double radius = 0.1;
    const Body::Rigid body(MassProperties(2, Vec3(0), 2 * UnitInertia::sphere(radius)));
    ball = MobilizedBody::Free(matter.updGround(), Transform(), body, Transform());
    // Simbody's half-space is x > 0: turned so that it lies below z = 0.
    contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                     Transform(Rotation(Pi / 2, YAxis), Vec3(0)));
    contacts.addBody(set, ball, ContactGeometry::Sphere(radius), Transform());
    // f = 4/3 sqrt(R) k^1.5 x^1.5 with k = E^(2/3) / 2 for two equal materials.
    const double k = std::pow(0.75e6 / std::sqrt(radius), 2.0 / 3), E = std::pow(2 * k, 1.5);
    for (const int surface : {0, 1}) force.setBodyParameters(ContactSurfaceIndex(surface), E, 0, 0, 0, 0);
    start = system.realizeTopology();
    ball.setQToFitTransform(start, Transform(Vec3(0, 0, 0.6)));
  }

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

double SimbodyBall::simulate(double accuracy) {
  RungeKuttaMersonIntegrator integrator(impl_->system);
  integrator.setAccuracy(accuracy);
  TimeStepper stepper(impl_->system, integrator);
  stepper.initialize(impl_->start);
  stepper.stepTo(0.9);
  return impl_->ball.getBodyOriginLocation(integrator.getState())[2];
}

}  // namespace stiction::bench
