#include "test/unit/multibody/planar_linkages.h"

#include <cmath>

#include "stiction/multibody/constraint_joint.h"

namespace stiction {
namespace {

MassProperties make_mass(const Link& link) {
  return {link.mass, Vec3(0.5 * link.length, 0, 0), link.inertia * Mat3::Identity()};
}

Transform at(const Vec3& p) {
  return {Mat3::Identity(), p};
}

/// A pin about z as constraints between bodies at the given poses.
void add_pin(System& system, int a, const Vec3& p_aA, int b, const Vec3& p_bB) {
  NamedJoint joint;
  joint.name = "pin" + std::to_string(a) + std::to_string(b);
  joint.kind = JointRevolute{};
  joint.parent = a, joint.child = b;
  joint.X_PF = at(p_aA);
  joint.X_MB = at(-p_bB);
  add_constraint_joint(system, joint);
}

/// Only the rows that act in the plane; which ones does not depend on where in the plane the bodies stand.
void drop_rows(System& system) {
  for (Constraint& c : system.constraints) drop_planar_rows(c, {{}, c.frames.body_a != 0}, {{}, c.frames.body_b != 0});
}

int add_link(System& system, const Link& link, const Joint& joint) {
  return add_body(system, joint, make_mass(link));
}

Joint make_planar_joint(const JointKind& kind, int parent = 0, const Vec3& p_PF = Vec3::Zero()) {
  Joint joint;
  joint.kind = kind;
  joint.parent = parent;
  joint.X_PF = at(p_PF);
  return joint;
}

}  // namespace

Linkage make_closed_chain(const std::vector<Link>& links, LinkageForm form) {
  Linkage result{make_world(), {}};
  System& system = result.system;
  const bool tree = form == LinkageForm::tree || form == LinkageForm::planar_tree;
  const bool spatial = form == LinkageForm::free_bodies;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const int before = static_cast<int>(i);
    const Vec3 pin = i == 0 ? Vec3(0, 0, 0) : Vec3(links[i - 1].length, 0, 0);
    if (tree) {
      add_link(system, links[i], make_planar_joint(JointRevolute{}, before, pin));
    } else {
      const int body =
          add_link(system, links[i], make_planar_joint(spatial ? JointKind(JointFree{}) : JointKind(JointPlanar{})));
      add_pin(system, before, pin, body, Vec3::Zero());
    }
  }
  // Where the links stand and how they move, pin by pin.
  result.state = make_state(system, VecX::Zero(system.nq), VecX::Zero(system.nv));
  Vec3 p = Vec3::Zero(), velocity = Vec3::Zero();
  double angle_before = 0, rate_before = 0;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const int body = static_cast<int>(i) + 1;
    const Vec3 x(std::cos(link.angle), std::sin(link.angle), 0), w(0, 0, link.rate);
    if (tree) {
      result.state.q[i] = link.angle - angle_before;
      result.state.v[i] = link.rate - rate_before;
    } else if (spatial) {
      set_free_body(system, body, {make_rotation_z(link.angle), p}, make_spatial(w, velocity), result.state);
    } else {
      result.state.q.segment<3>(system.joints[body].q_start) = Vec3(p.x(), p.y(), link.angle);
      result.state.v.segment<3>(system.joints[body].v_start) = Vec3(velocity.x(), velocity.y(), link.rate);
    }
    p += link.length * x;
    velocity += w.cross(link.length * x);
    angle_before = link.angle, rate_before = link.rate;
  }
  add_pin(system, 0, p, static_cast<int>(links.size()), Vec3(links.back().length, 0, 0));
  result.state.z = VecX::Zero(system.nz);
  if (form == LinkageForm::planar_tree || form == LinkageForm::planar_bodies) drop_rows(system);
  return result;
}

std::vector<Link> make_four_bar(double crank_angle, double crank_rate) {
  std::vector<Link> links = {{0.6, 1, 0.05, crank_angle, crank_rate}, {1.7, 2, 0.4}, {1.4, 1.5, 0.2}};
  const Vec3 crank_end = 0.6 * Vec3(std::cos(crank_angle), std::sin(crank_angle), 0);
  const Vec3 diagonal = Vec3(2, 0, 0) - crank_end;
  const double d = diagonal.norm(), a = links[1].length, b = links[2].length;
  // Law of cosines at the crank's end and at the ground pin.
  const double base = std::atan2(diagonal.y(), diagonal.x());
  links[1].angle = base + std::acos((a * a + d * d - b * b) / (2 * a * d));
  links[2].angle = base - std::acos((b * b + d * d - a * a) / (2 * b * d));
  // The velocities of the three links add up to zero: two equations for the two unknown rates.
  const auto turned = [](const Link& link) {
    return Eigen::Vector2d(-link.length * std::sin(link.angle), link.length * std::cos(link.angle));
  };
  Eigen::Matrix2d A;
  A << turned(links[1]), turned(links[2]);
  const Eigen::Vector2d rates = A.inverse() * (-crank_rate * turned(links[0]));
  links[1].rate = rates[0], links[2].rate = rates[1];
  return links;
}

Linkage make_slider_crank(const SliderCrank& given, bool driven, bool planar_rows) {
  Linkage result{make_world(), {}};
  System& system = result.system;
  const double theta = given.crank.angle, omega = given.crank.rate, r = given.crank.length, l = given.rod.length;
  // l sin(phi) = r sin(theta), the rod's angle is -phi.
  const double phi = std::asin(r * std::sin(theta) / l), phi_rate = r * std::cos(theta) * omega / (l * std::cos(phi));
  Joint crank = make_planar_joint(JointRevolute{});
  if (driven) crank.motion = CoordinateMotion{{Polynomial{{theta, omega}}}};
  Joint piston = make_planar_joint(JointPrismatic{});
  piston.X_PF.R = make_frame_with_z(Vec3::UnitX(), Vec3::UnitZ());
  piston.X_MB.R = piston.X_PF.R.transpose();
  add_link(system, given.crank, crank);
  add_link(system, given.rod, make_planar_joint(JointRevolute{}, 1, Vec3(r, 0, 0)));
  add_body(system, piston, {given.piston_mass, Vec3::Zero(), Mat3::Identity()});
  add_pin(system, 2, Vec3(l, 0, 0), 3, Vec3::Zero());
  if (planar_rows) drop_rows(system);
  const double x = r * std::cos(theta) + l * std::cos(phi);
  const double x_rate = -r * std::sin(theta) * omega - l * std::sin(phi) * phi_rate;
  result.state = make_state(system, Vec3(theta, -phi - theta, x), Vec3(omega, -phi_rate - omega, x_rate));
  return result;
}

}  // namespace stiction
