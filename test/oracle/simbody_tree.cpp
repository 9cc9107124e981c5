#include "test/oracle/simbody_tree.h"

#include <Simbody.h>

namespace stiction {

namespace {

SimTK::Vec3 to_simbody(const Vec3& a) {
  return {a.x(), a.y(), a.z()};
}

SimTK::SpatialVec to_simbody(const Vec6& V) {
  return {to_simbody(Vec3(V.head<3>())), to_simbody(Vec3(V.tail<3>()))};
}

SimTK::Transform to_simbody(const Transform& X) {
  const Mat3& R = X.R;
  const SimTK::Mat33 M(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2));
  return {SimTK::Rotation(M, true), to_simbody(X.p)};
}

SimTK::MassProperties to_simbody(const MassProperties& mass) {
  const Vec3& c = mass.com;
  const Mat3 J = mass.inertia + mass.mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose());
  return {mass.mass, to_simbody(c), SimTK::Inertia(J(0, 0), J(1, 1), J(2, 2), J(0, 1), J(0, 2), J(1, 2))};
}

Vec6 from_simbody(const SimTK::SpatialVec& V) {
  Vec6 result;
  for (int i = 0; i < 3; ++i) result[i] = V[0][i], result[3 + i] = V[1][i];
  return result;
}

/// Simbody slides along x, and its universal joint turns about x, then y: frames whose x, y, z are our z, x, y.
Transform calc_convention(const JointKind& kind) {
  Transform X;
  if (type_of(kind) == JointType::prismatic || type_of(kind) == JointType::universal) X.R << 0, 1, 0, 0, 0, 1, 1, 0, 0;
  return X;
}

SimTK::MobilizedBody add_mobilizer(const SimbodyBody& from, SimTK::MobilizedBody& parent) {
  const Joint& joint = from.joint;
  const Transform turn = calc_convention(joint.kind);
  const SimTK::Transform X_PF = to_simbody(joint.X_PF * turn), X_BM = to_simbody(joint.X_MB.inverse() * turn);
  const SimTK::Body::Rigid body(to_simbody(from.mass));
  switch (type_of(joint.kind)) {
    case JointType::weld:
      return SimTK::MobilizedBody::Weld(parent, X_PF, body, X_BM);
    case JointType::revolute:
      return SimTK::MobilizedBody::Pin(parent, X_PF, body, X_BM);
    case JointType::prismatic:
      return SimTK::MobilizedBody::Slider(parent, X_PF, body, X_BM);
    case JointType::screw:
      return SimTK::MobilizedBody::Screw(parent, X_PF, body, X_BM, std::get<JointScrew>(joint.kind).pitch);
    case JointType::cylindrical:
      return SimTK::MobilizedBody::Cylinder(parent, X_PF, body, X_BM);
    case JointType::universal:
      return SimTK::MobilizedBody::Universal(parent, X_PF, body, X_BM);
    case JointType::spherical:
      return SimTK::MobilizedBody::Ball(parent, X_PF, body, X_BM);
    case JointType::planar:
      return SimTK::MobilizedBody::Planar(parent, X_PF, body, X_BM);
    case JointType::free:
      return SimTK::MobilizedBody::Free(parent, X_PF, body, X_BM);
    case JointType::translation:
      return SimTK::MobilizedBody::Translation(parent, X_PF, body, X_BM);
  }
  return {};
}

}  // namespace

std::vector<SimbodyMotion> calc_simbody_motion(const std::vector<SimbodyBody>& bodies, const Vec3& gravity) {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter(system);
  SimTK::GeneralForceSubsystem forces(system);
  SimTK::Force::UniformGravity weight(forces, matter, to_simbody(gravity));
  SimTK::Force::DiscreteForces applied(forces, matter);
  std::vector<SimTK::MobilizedBody> mobilized{matter.updGround()};
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    mobilized.push_back(add_mobilizer(bodies[b], mobilized[static_cast<std::size_t>(bodies[b].joint.parent)]));
  }
  SimTK::State state = system.realizeTopology();

  // Poses, then velocities, through Simbody's own inverse maps; forces as given.
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Transform turn = calc_convention(bodies[b].joint.kind);
    mobilized[b].setQToFitTransform(state, to_simbody(turn.inverse() * bodies[b].X_FM * turn));
  }
  system.realize(state, SimTK::Stage::Position);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Mat3 R = calc_convention(bodies[b].joint.kind).R.transpose();
    Vec6 V_FM;
    V_FM << R * bodies[b].V_FM.head<3>(), R * bodies[b].V_FM.tail<3>();
    mobilized[b].setUToFitVelocity(state, to_simbody(V_FM));
    applied.setOneBodyForce(state, mobilized[b], to_simbody(bodies[b].F));
  }
  system.realize(state, SimTK::Stage::Acceleration);

  std::vector<SimbodyMotion> motion;
  for (const SimTK::MobilizedBody& body : mobilized) {
    const SimTK::Vec3 p = body.getBodyOriginLocation(state);
    motion.push_back({Vec3(p[0], p[1], p[2]), from_simbody(body.getBodyVelocity(state)),
                      from_simbody(body.getBodyAcceleration(state))});
  }
  return motion;
}

}  // namespace stiction
