// MuJoCo from PyPI, in a Python process of its own: engine_pypi.py, which says how the two talk. Variants: mujoco4 with
// all its defaults, mujoco4_stiff as hard and as precise as its documentation goes. STICTION_ENGINES_PYTHON in the
// environment names the Python that has it.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "bench/engines/engine.h"

namespace stiction::engines {
namespace {

using Json = nlohmann::json;

std::array<double, 3> list_of(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json describe(const Scene& scene) {
  Json half_spaces = Json::array(), bodies = Json::array();
  for (const HalfSpace& side : scene.half_spaces)
    half_spaces.push_back({{"normal", list_of(side.normal)}, {"offset", side.offset}});
  for (const Body& body : scene.bodies) {
    const Quaternion& turn = body.pose.orientation;
    const char* shape = body.shape == Shape::sphere ? "sphere" : body.shape == Shape::capsule ? "capsule" : "box";
    bodies.push_back({{"shape", shape},
                      {"radius", body.radius},
                      {"length", body.length},
                      {"size", list_of(body.size)},
                      {"mass", body.mass},
                      {"inertia", list_of(body.inertia)},
                      {"position", list_of(body.pose.position)},
                      {"orientation", {turn.w(), turn.x(), turn.y(), turn.z()}},
                      {"velocity", list_of(body.velocity)},
                      {"angular_velocity", list_of(body.angular_velocity)},
                      {"restitution", body.restitution},
                      {"planar", body.planar}});
  }
  return {{"h", scene.h},
          {"gravity", list_of(scene.gravity)},
          {"friction", scene.friction},
          {"half_spaces", half_spaces},
          {"bodies", bodies}};
}

class EnginePypi final : public Engine {
 public:
  EnginePypi(const Scene& scene, const std::string& variant) : numbers_(1 + 7 * scene.bodies.size()) {
    start(variant);
    const std::string text = describe(scene).dump() + "\n";
    std::fwrite(text.data(), 1, text.size(), requests_);
    std::fflush(requests_);
    std::string answer;
    for (int c; (c = std::fgetc(answers_)) != EOF && c != '\n';) answer.push_back(static_cast<char>(c));
    if (answer.rfind("ok ", 0) != 0) throw Unsupported(answer.size() > 3 ? answer.substr(3) : "its Python ended");
    remark_ = answer.substr(3);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const Pose& pose = scene.bodies[i].pose;
      double* at = numbers_.data() + 1 + 7 * i;
      for (const double x : {pose.position.x(), pose.position.y(), pose.position.z(), pose.orientation.w(),
                             pose.orientation.x(), pose.orientation.y(), pose.orientation.z()})
        *at++ = x;
    }
  }
  ~EnginePypi() override {
    std::fclose(requests_);
    std::fclose(answers_);
    waitpid(child_, nullptr, 0);
  }
  EnginePypi(const EnginePypi&) = delete;
  EnginePypi& operator=(const EnginePypi&) = delete;

  void step() override {
    std::fputc('s', requests_);
    std::fflush(requests_);
    if (std::fread(numbers_.data(), sizeof(double), numbers_.size(), answers_) != numbers_.size())
      throw std::runtime_error("its Python ended");
  }
  double own_seconds() const override { return numbers_[0]; }

  void read(std::vector<Pose>& poses) const override {
    poses.resize((numbers_.size() - 1) / 7);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const double* x = numbers_.data() + 1 + 7 * i;
      poses[i] = {Vec3(x[0], x[1], x[2]), Quaternion(x[3], x[4], x[5], x[6])};
    }
  }
  std::string remark() const override { return remark_; }

 private:
  void start(const std::string& variant) {
    int to[2], from[2];
    if (pipe(to) != 0 || pipe(from) != 0) throw std::runtime_error("no pipe");
    child_ = fork();
    if (child_ == 0) {
      dup2(to[0], STDIN_FILENO);
      dup2(from[1], STDOUT_FILENO);
      for (const int end : {to[0], to[1], from[0], from[1]}) close(end);
      const char* named = std::getenv("STICTION_ENGINES_PYTHON");
      const char* python = named ? named : "python3";
      execlp(python, python, STICTION_ENGINES_SCRIPT, variant.c_str(), nullptr);
      _exit(127);
    }
    close(to[0]);
    close(from[1]);
    requests_ = fdopen(to[1], "wb");
    answers_ = fdopen(from[0], "rb");
  }

  pid_t child_ = 0;
  std::FILE *requests_ = nullptr, *answers_ = nullptr;
  std::vector<double> numbers_;  ///< seconds of the last step, then 7 for each body
  std::string remark_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(const Scene& scene, const std::string& variant) {
  return std::make_unique<EnginePypi>(scene, variant);
}

}  // namespace stiction::engines
