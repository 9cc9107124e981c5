#include "bench/engines/measure.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace stiction::engines {
namespace {

// Points of a body that come deepest into a half-space, with the radius about them.
std::vector<Vec3> list_points(const Body& body, const Pose& pose) {
  if (body.shape == Shape::sphere) return {pose.position};
  std::vector<Vec3> points;
  if (body.shape == Shape::capsule)
    for (const double s : {-0.5, 0.5}) points.push_back(pose.position + pose.orientation * Vec3(s * body.length, 0, 0));
  else
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 sign(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
      points.push_back(pose.position + pose.orientation * Vec3(sign.cwiseProduct(body.size)));
    }
  return points;
}

double calc_gap(const Body& body, const Pose& pose, const HalfSpace& space) {
  double gap = 1e300;
  for (const Vec3& point : list_points(body, pose))
    gap = std::min(gap, space.normal.dot(point) - space.offset - body.radius);
  return gap;
}

// Deepest corner of box a inside box b.
double calc_corner_depth(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  double depth = 0;
  for (const Vec3& corner : list_points(a, pose_a)) {
    const Vec3 local = pose_b.orientation.conjugate() * (corner - pose_b.position);
    depth = std::max(depth, (0.5 * b.size - local.cwiseAbs()).minCoeff());
  }
  return depth;
}

// A ball inside or near a box.
double calc_ball_depth(const Vec3& centre, double radius, const Body& box, const Pose& pose) {
  const Vec3 local = pose.orientation.conjugate() * (centre - pose.position),
             beyond = local.cwiseAbs() - 0.5 * box.size;
  const double outside = beyond.cwiseMax(0).norm();
  return radius - (outside > 0 ? outside : beyond.maxCoeff());
}

// Two segments p + s d, q + t e, s and t from 0 to 1: an end against the other segment, or where they cross.
double calc_segment_distance(const Vec3& p, const Vec3& d, const Vec3& q, const Vec3& e) {
  const auto find_foot = [](const Vec3& x, const Vec3& from, const Vec3& way) {
    const double length2 = way.squaredNorm();
    return length2 > 0 ? Vec3(from + std::clamp((x - from).dot(way) / length2, 0.0, 1.0) * way) : from;
  };
  double best = 1e300;
  for (const Vec3& x : {p, Vec3(p + d)}) best = std::min(best, (find_foot(x, q, e) - x).norm());
  for (const Vec3& y : {q, Vec3(q + e)}) best = std::min(best, (find_foot(y, p, d) - y).norm());
  const Vec3 across = d.cross(e);
  const double det = across.squaredNorm();
  if (det > 0) {
    const double s = (q - p).cross(e).dot(across) / det, t = (q - p).cross(d).dot(across) / det;
    if (s > 0 && s < 1 && t > 0 && t < 1) best = std::min(best, (q + t * e - p - s * d).norm());
  }
  return best;
}

double calc_pair_depth(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b) {
  if (a.shape == Shape::box && b.shape == Shape::box)
    return std::max(calc_corner_depth(a, pose_a, b, pose_b), calc_corner_depth(b, pose_b, a, pose_a));
  if (a.shape == Shape::box && b.shape == Shape::sphere) return calc_ball_depth(pose_b.position, b.radius, a, pose_a);
  if (a.shape == Shape::sphere && b.shape == Shape::box) return calc_ball_depth(pose_a.position, a.radius, b, pose_b);
  if (a.shape == Shape::box || b.shape == Shape::box) return 0;
  const std::vector<Vec3> ends_a = list_points(a, pose_a), ends_b = list_points(b, pose_b);
  return a.radius + b.radius -
         calc_segment_distance(ends_a.front(), ends_a.back() - ends_a.front(), ends_b.front(),
                               ends_b.back() - ends_b.front());
}

double calc_bounding_radius(const Body& body) {
  return body.shape == Shape::box ? 0.5 * body.size.norm() : body.radius + 0.5 * body.length;
}

// Cells as wide as the largest sphere: what overlaps stands in the same cell or a neighbour.
double calc_sphere_depth(const Scene& scene, const std::vector<Pose>& poses) {
  double widest = 0, depth = 0;
  for (const Body& body : scene.bodies) widest = std::max(widest, 2 * body.radius);
  const auto cell_of = [&](const Vec3& p) -> Eigen::Vector3i { return (p / widest).array().floor().cast<int>(); };
  const auto key_of = [](const Eigen::Vector3i& c) {
    return (std::int64_t(c.x() + 100000) << 40) | (std::int64_t(c.y() + 100000) << 20) | (c.z() + 100000);
  };
  std::unordered_map<std::int64_t, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Eigen::Vector3i cell = cell_of(poses[i].position);
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
      const Eigen::Vector3i offset(neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1);
      const auto found = cells.find(key_of(cell + offset));
      if (found == cells.end()) continue;
      for (const std::size_t j : found->second)
        depth = std::max(
            depth, scene.bodies[i].radius + scene.bodies[j].radius - (poses[i].position - poses[j].position).norm());
    }
    cells[key_of(cell)].push_back(i);
  }
  return depth;
}

}  // namespace

double calc_penetration(const Scene& scene, const std::vector<Pose>& poses) {
  double depth = 0;
  for (std::size_t i = 0; i < poses.size(); ++i)
    for (const HalfSpace& space : scene.half_spaces)
      depth = std::max(depth, -calc_gap(scene.bodies[i], poses[i], space));
  const bool spheres = std::all_of(scene.bodies.begin(), scene.bodies.end(),
                                   [](const Body& body) { return body.shape == Shape::sphere; });
  if (spheres) return std::max(depth, calc_sphere_depth(scene, poses));
  for (std::size_t i = 0; i < poses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Body &a = scene.bodies[i], &b = scene.bodies[j];
      const double reach = calc_bounding_radius(a) + calc_bounding_radius(b);
      if ((poses[i].position - poses[j].position).squaredNorm() < reach * reach)
        depth = std::max(depth, calc_pair_depth(a, poses[i], b, poses[j]));
    }
  return depth;
}

void Observer::start(const std::vector<Pose>& poses) {
  first_ = last_ = poses;
  rising_.assign(poses.size(), 0);
  apex_.assign(poses.size(), 0);
}

void Observer::observe(double t, const std::vector<Pose>& poses, bool deep) {
  if (deep) penetration_ = std::max(penetration_, calc_penetration(scene_, poses));
  if (scene_.kind == Kind::bounce) follow_bounce(poses);
  if (scene_.kind == Kind::rod && slap_time_ < 0) {
    double highest = 0;
    for (const Vec3& end : list_points(scene_.bodies[0], poses[0]))
      highest = std::max(highest, end.y() - scene_.bodies[0].radius);
    if (highest < 1e-3) slap_time_ = t;
  }
  last_ = poses;
  t_ = t;
}

void Observer::follow_bounce(const std::vector<Pose>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (poses[i].position.z() > last_[i].position.z()) rising_[i] = 1;
    if (rising_[i]) apex_[i] = std::max(apex_[i], poses[i].position.z() - scene_.bodies[i].radius);
  }
}

std::map<std::string, double> Observer::calc_values() const {
  std::map<std::string, double> values;
  switch (scene_.kind) {
    case Kind::rod:
      values["final_x"] = last_[0].position.x();
      values["slap_time"] = slap_time_;
      break;
    case Kind::balls:
      values["ball1_x"] = last_[0].position.x();
      values["ball4_x"] = last_[3].position.x();
      break;
    case Kind::slope: {
      const Vec3 way = last_[0].position - first_[0].position;
      const Vec3& normal = scene_.half_spaces[0].normal;
      values["creep"] = (way - normal * normal.dot(way)).norm();
      break;
    }
    case Kind::tower: {
      double creep = 0;
      for (std::size_t i = 0; i < last_.size(); ++i)
        creep = std::max(creep, (last_[i].position - first_[i].position).head<2>().norm());
      values["creep"] = creep;
      values["sink"] = first_.back().position.z() - last_.back().position.z();
      break;
    }
    case Kind::bounce:
      for (std::size_t i = 0; i < last_.size(); ++i)
        values["height_" + std::to_string(i)] = apex_[i] / (first_[i].position.z() - scene_.bodies[i].radius);
      break;
    case Kind::motion: {
      double height = 0, weight = 0;
      for (std::size_t i = 0; i < last_.size(); ++i) {
        height += scene_.bodies[i].mass * last_[i].position.z();
        weight += scene_.bodies[i].mass;
      }
      values["height"] = height / weight;
      const auto is_over = [&](std::size_t i) {
        const Quaternion turn = last_[i].orientation * first_[i].orientation.conjugate();
        return (turn * Vec3::UnitZ()).z() < std::sqrt(0.5);
      };
      int over = 0;
      for (std::size_t i = 0; i < last_.size(); ++i) over += is_over(i) ? 1 : 0;
      values["overturned"] = over;
      break;
    }
    case Kind::pile: {
      double sum = 0;
      for (std::size_t i = 0; i < last_.size(); ++i) sum += (last_[i].position - first_[i].position).squaredNorm();
      values["creep"] = t_ > 0 ? std::sqrt(sum / last_.size()) / t_ : 0;
      break;
    }
  }
  return values;
}

}  // namespace stiction::engines
