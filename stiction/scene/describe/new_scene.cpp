#include "stiction/scene/describe/new_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/base/text.h"
#include "stiction/scene/describe/describe.h"

namespace stiction {
namespace {

struct KeyLine {
  const char* key;
  const char* value;
};

std::string first_sentence(const std::string& text) {
  std::size_t end = text.size();
  for (const char* stop : {". ", ": ", "; ", ", or "}) end = std::min(end, text.find(stop));
  std::string sentence = text.substr(0, end);
  while (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// The unit in brackets at the end of "vector: length [m]".
std::string unit_in(const std::string& meaning) {
  const std::size_t open = meaning.rfind('[');
  if (meaning.starts_with("table")) return {};
  return open == std::string::npos ? "" : " " + meaning.substr(open, meaning.find(']', open) + 1 - open);
}

std::string comment_on(const TableInfo& table, std::string_view key) {
  for (const FieldInfo& field : table.fields)
    if (field.name == key) return first_sentence(field.sentence) + unit_in(field.meaning);
  STICTION_CHECK(false);
}

class NewScene {
 public:
  explicit NewScene(const std::string& title) : text_(fmt::format("title = {}\n", quote(title))) {}

  void remark(const char* text) { text_ += fmt::format("\n# {}\n", text); }

  void table(const std::string& heading, const TableInfo& info, std::initializer_list<KeyLine> lines) {
    text_ += heading + "\n";
    std::size_t width = 0;
    for (const KeyLine& line : lines)
      width = std::max(width, std::string_view(line.key).size() + 3 + std::string_view(line.value).size());
    for (const KeyLine& line : lines) {
      const std::string pair = fmt::format("{} = {}", line.key, line.value);
      text_ += fmt::format("{:<{}}  # {}\n", pair, width, comment_on(info, line.key));
    }
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

std::string make_new_scene(const std::string& title) {
  NewScene scene(title);
  scene.remark("Lengths in m, masses in kg, times in s; or with a unit: \"15 mm\". `stiction explain KEY` tells more.");
  scene.table("[time]", describe_time().info(), {{"duration", "2"}, {"step", "\"1 ms\""}});
  scene.remark("Gravity points down, along -z.");
  scene.table("[world]", describe_world().info(), {{"gravity", "[0, 0, -9.81]"}});
  scene.remark("Rigid contact with dry friction.");
  scene.table("[method]", describe_method().info(), {{"type", "\"cone\""}});
  scene.remark("The floor is fixed: everything below z = 0.");
  scene.table("[body.floor]", describe_body().info(), {{"fixed", "true"}, {"shape", "{ type = \"halfspace\" }"}});
  scene.remark("A box slides to rest: after v^2 / (2 mu g) = 0.255 m, in v / (mu g) = 0.510 s.");
  scene.table("[body.box]", describe_body().info(),
              {{"mass", "1.0"},
               {"position", "[0, 0, 0.05]"},
               {"velocity", "[1.0, 0, 0]"},
               {"shape", "{ type = \"box\", size = [0.2, 0.1, 0.1] }"}});
  scene.remark("A ball falls from 0.5 m and rises to e^2 of its height.");
  scene.table("[body.ball]", describe_body().info(),
              {{"mass", "0.2"}, {"position", "[0, 0.3, 0.55]"}, {"shape", "{ type = \"sphere\", radius = 0.05 }"}});
  scene.remark("What happens where bodies touch. The default is for all pairs that have no table of their own.");
  scene.table("[contact.default]", describe_contact().info(), {{"friction", "0.2"}, {"restitution", "0"}});
  scene.remark("The ball bounces.");
  scene.table("[contact.\"ball/floor\"]", describe_contact().info(), {{"friction", "0.2"}, {"restitution", "0.7"}});
  return scene.take();
}

}  // namespace stiction
