// Stiction through its library: the scene as text, as a user would write it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "stiction/multibody/kinematics.h"
#include "stiction/scene/compile/compile.h"
#include "stiction/scene/read/read_scene.h"
#include "stiction/stepping/stepper.h"

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

std::string format_vector(const Vec3& v) {
  return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v.x(), v.y(), v.z());
}

std::string format_shape(const Body& body) {
  switch (body.shape) {
    case Shape::sphere:
      return fmt::format("{{ type = \"sphere\", radius = {:.17g} }}", body.radius);
    case Shape::capsule:
      return fmt::format("{{ type = \"capsule\", axis = [1, 0, 0], length = {:.17g}, radius = {:.17g} }}", body.length,
                         body.radius);
    case Shape::box:
      break;
  }
  return fmt::format("{{ type = \"box\", size = {} }}", format_vector(body.size));
}

std::string format_scene(const Scene& scene, const std::string& formulation) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "title = \"{}\"\n[world]\ngravity = {}\n", scene.name, format_vector(scene.gravity));
  fmt::format_to(out, "[time]\nduration = 1000\nstep = {:.17g}\n[method]\ntype = \"{}\"\n", scene.h, formulation);
  if (scene.kind == Kind::pile) text += "impacts = 0\nsolver_tolerance = 1e-6\n";
  text += "[body.ground]\nfixed = true\n";
  for (std::size_t i = 0; i < scene.half_spaces.size(); ++i)
    fmt::format_to(out, "[body.ground.shape.side{}]\ntype = \"halfspace\"\nnormal = {}\noffset = {:.17g}\n", i,
                   format_vector(scene.half_spaces[i].normal), scene.half_spaces[i].offset);
  fmt::format_to(out, "[contact.default]\nfriction = {:.17g}\nrestitution = 0\n", scene.friction);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const Quaternion& turn = body.pose.orientation;
    fmt::format_to(out, "[body.body{}]\nmass = {:.17g}\nposition = {}\nshape = {}\n", i, body.mass,
                   format_vector(body.pose.position), format_shape(body));
    if (turn.vec().norm() > 0)
      fmt::format_to(out, "orientation = {{ quaternion = [{:.17g}, {:.17g}, {:.17g}, {:.17g}] }}\n", turn.w(), turn.x(),
                     turn.y(), turn.z());
    if (body.planar)
      fmt::format_to(out, "planar = true\ninertia = {:.17g}\n", body.inertia.z());
    else
      fmt::format_to(out, "inertia = {}\n", format_vector(body.inertia));
    fmt::format_to(out, "velocity = {}\nangular_velocity = {}\n", format_vector(body.velocity),
                   format_vector(body.angular_velocity));
    if (body.restitution > 0)
      fmt::format_to(out, "[contact.\"body{}/ground\"]\nfriction = {:.17g}\nrestitution = {:.17g}\n", i, scene.friction,
                     body.restitution);
  }
  return text;
}

MethodSettings make_settings(const stiction::Scene& described) {
  MethodSettings settings = described.method;
  settings.step = described.time.step;
  return settings;
}

class EngineStiction final : public Engine {
 public:
  EngineStiction(const Scene& scene, const std::string& formulation)
      : EngineStiction(read_scene(SceneText{{{"benchmark.toml", format_scene(scene, formulation)}}, {}})) {
    pile_ = scene.kind == Kind::pile;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      bodies_.push_back(find_body(system_, fmt::format("body{}", i)));
  }

  void step() override {
    const StepReport report = stepper_->step(state_, 1e9);
    if (report.status != StepStatus::ok) throw std::runtime_error(report.message);
    residual_ = std::max(residual_, report.contact.residual);
    if (report.contact.unconverged > 0) ++unsolved_;
  }

  void read(std::vector<Pose>& poses) const override {
    update_positions(system_, state_.q, kinematics_);
    poses.resize(bodies_.size());
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Transform& X_WB = kinematics_.X_WB[bodies_[i]];
      poses[i] = {X_WB.p, Quaternion(X_WB.R)};
    }
  }

  double take_residual() override { return std::exchange(residual_, 0); }
  int take_unsolved() override { return std::exchange(unsolved_, 0); }
  std::string remark() const override { return pile_ ? "impacts = 0, solver_tolerance = 1e-6" : ""; }

 private:
  explicit EngineStiction(const stiction::Scene& described)
      : system_(compile(described)),
        stepper_(make_stepper(system_, make_settings(described))),
        state_(system_.initial),
        kinematics_(system_) {}

  System system_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  mutable Kinematics kinematics_;
  std::vector<int> bodies_;
  double residual_ = 0;
  int unsolved_ = 0;
  bool pile_ = false;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& variant) {
  return std::make_unique<EngineStiction>(scene, variant);
}

}  // namespace stiction::engines
