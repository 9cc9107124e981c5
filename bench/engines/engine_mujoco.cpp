// MuJoCo 2.2: soft constraints (its default softness), elliptic cones, Newton's method; conjugate gradients in piles.
#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstring>
#include <iterator>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

constexpr double pi = 3.14159265358979323846;

std::string format_quaternion(const Quaternion& q) {
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

// MuJoCo knows no restitution: an oscillator of 40 steps a period, damped so that it returns with e times the speed
// where its force, which cannot pull, ends (Schwager and Poeschel, Granular Matter 9, 2007):
//     e = exp(-zeta / c atan2(2 zeta c, 2 zeta^2 - 1)),   c = sqrt(1 - zeta^2)
double find_damping(double e) {
  double low = 0, high = 0.999;
  for (int i = 0; i < 60; ++i) {
    const double zeta = 0.5 * (low + high), c = std::sqrt(1 - zeta * zeta);
    (std::exp(-zeta / c * std::atan2(2 * zeta * c, 2 * zeta * zeta - 1)) > e ? low : high) = zeta;
  }
  return low;
}
std::string format_spring(double e, double h) {
  const double omega = 2 * pi / (40 * h);
  return fmt::format("solref=\"{:.17g} {:.17g}\" solimp=\"0.999 0.999 0.001\"", -omega * omega,
                     -2 * find_damping(e) * omega);
}

std::string format_body(const Scene& scene, const Body& body) {
  std::string geom;
  if (body.shape == Shape::sphere) geom = fmt::format("type=\"sphere\" size=\"{:.17g}\"", body.radius);
  if (body.shape == Shape::capsule)
    geom = fmt::format("type=\"capsule\" size=\"{:.17g} {:.17g}\" zaxis=\"1 0 0\"", body.radius, 0.5 * body.length);
  if (body.shape == Shape::box)
    geom = fmt::format("type=\"box\" size=\"{:.17g} {:.17g} {:.17g}\"", 0.5 * body.size.x(), 0.5 * body.size.y(),
                       0.5 * body.size.z());
  const char* joint = body.planar ? "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
                                    "<joint type=\"hinge\" axis=\"0 0 1\"/>"
                                  : "<freejoint/>";
  // The body's coefficients count, not the ground's.
  return fmt::format(
      "<body>{}<inertial pos=\"0 0 0\" mass=\"{:.17g}\" diaginertia=\"{:.17g} {:.17g} {:.17g}\"/>"
      "<geom {} condim=\"3\" priority=\"1\" friction=\"{:.17g} 0 0\" {}/></body>\n",
      joint, body.mass, body.inertia.x(), body.inertia.y(), body.inertia.z(), geom, scene.friction,
      body.restitution > 0 ? format_spring(body.restitution, scene.h) : "");
}

std::string format_scene(const Scene& scene) {
  const bool pile = scene.kind == Kind::pile;
  const int contacts = pile ? 5 * static_cast<int>(scene.bodies.size()) : 200;
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "<mujoco><compiler angle=\"radian\"/><option timestep=\"{:.17g}\" gravity=\"{:.17g} {:.17g} {:.17g}\" "
                 "cone=\"elliptic\" solver=\"{}\" jacobian=\"{}\"/><size nconmax=\"{}\" njmax=\"{}\" nstack=\"{}\"/>"
                 "<worldbody>\n",
                 scene.h, scene.gravity.x(), scene.gravity.y(), scene.gravity.z(), pile ? "CG" : "Newton",
                 pile ? "sparse" : "auto", contacts, 3 * contacts, pile ? 100000000 : 1000000);
  for (const HalfSpace& side : scene.half_spaces) {
    const Vec3 p = side.offset * side.normal;
    fmt::format_to(out, "<geom type=\"plane\" size=\"0 0 1\" pos=\"{:.17g} {:.17g} {:.17g}\" quat=\"{}\"/>\n", p.x(),
                   p.y(), p.z(), format_quaternion(Quaternion::FromTwoVectors(Vec3::UnitZ(), side.normal)));
  }
  for (const Body& body : scene.bodies) text += format_body(scene, body);
  return text + "</worldbody></mujoco>\n";
}

mjModel* load(const std::string& text) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(text.size()));
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), "scene.xml")], text.data(), text.size());
  char error[1000] = "";
  mjModel* model = mj_loadXML("scene.xml", files.get(), error, sizeof error);
  mj_deleteFileVFS(files.get(), "scene.xml");
  if (!model) throw std::runtime_error(error);
  return model;
}

class EngineMujoco final : public Engine {
 public:
  explicit EngineMujoco(const Scene& scene) : scene_(scene), model_(load(format_scene(scene))) {
    data_ = mj_makeData(model_);
    mjtNum *q = data_->qpos, *v = data_->qvel;
    for (const Body& body : scene.bodies) {
      const Vec3& p = body.pose.position;
      const Quaternion& turn = body.pose.orientation;
      if (body.planar) {
        for (const double x : {p.x(), p.y(), Eigen::AngleAxisd(turn).angle()}) *q++ = x;
        for (const double x : {body.velocity.x(), body.velocity.y(), body.angular_velocity.z()}) *v++ = x;
        continue;
      }
      for (const double x : {p.x(), p.y(), p.z(), turn.w(), turn.x(), turn.y(), turn.z()}) *q++ = x;
      const Vec3 local = turn.conjugate() * body.angular_velocity;  // MuJoCo's are in the body's axes
      for (const double x : {body.velocity.x(), body.velocity.y(), body.velocity.z()}) *v++ = x;
      for (const double x : {local.x(), local.y(), local.z()}) *v++ = x;
    }
  }
  ~EngineMujoco() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void step() override { mj_step(model_, data_); }

  // From the coordinates: the poses of bodies that MuJoCo keeps are those before its last step.
  void read(std::vector<Pose>& poses) const override {
    poses.resize(scene_.bodies.size());
    const mjtNum* q = data_->qpos;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const bool planar = scene_.bodies[i].planar;
      poses[i] = planar ? Pose{Vec3(q[0], q[1], 0), Quaternion(Eigen::AngleAxisd(q[2], Vec3::UnitZ()))}
                        : Pose{Vec3(q[0], q[1], q[2]), Quaternion(q[3], q[4], q[5], q[6])};
      q += planar ? 3 : 7;
    }
  }

  std::string remark() const override {
    if (scene_.kind == Kind::bounce) return "no restitution: springs and dampers that give e";
    if (scene_.bodies[0].planar) return "soft contact; planar by two slides and a hinge";
    return scene_.kind == Kind::pile ? "soft contact; conjugate gradients" : "soft contact";
  }

 private:
  const Scene& scene_;
  mjModel* model_;
  mjData* data_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string&) {
  if (scene.bodies.size() > 100) throw Unsupported("its dense constraint matrices exceed the 2 GB it can address");
  return std::make_unique<EngineMujoco>(scene);
}

}  // namespace stiction::engines
