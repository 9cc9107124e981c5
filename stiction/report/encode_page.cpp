#include "stiction/report/encode_page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "stiction/report/column_writer.h"

namespace stiction {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

Json to_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}
Json to_json(const Quaternion& q) {
  return {q.w, q.x, q.y, q.z};
}
Json to_json(const Column& column) {
  Json json = {{"k", name_of(column.kind)}, {"o", column.offset}, {"n", column.count}};
  if (column.base != 0) json["b"] = column.base;
  if (column.scale != 1) json["s"] = column.scale;
  return json;
}
Json to_json(const Transform& X) {
  return {{"p", to_json(X.p)}, {"q", to_json(calc_quaternion(X.R))}};
}

class PageEncoder {
 public:
  explicit PageEncoder(const PageData& page) : page_(page) {}

  std::string encode() {
    add_facts();
    json_["times"] = to_json(columns_.add_f8(page_.times));
    add_bodies();
    add_shapes();
    add_contacts();
    add_events();
    add_checks();
    json_["signals"] = encode_signals(page_.signals);
    // Names may hold any bytes: what is no UTF-8 is replaced.
    std::string text = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto length = std::bit_cast<std::array<char, 4>>(static_cast<std::uint32_t>(text.size()));
    return std::string(length.data(), 4) + text + columns_.bytes();
  }

 private:
  // One column of a number of each of many things.
  template <class Things, class Get>
  Json column_f4(const Things& things, Get get) {
    std::vector<double> values;
    values.reserve(things.size());
    for (const auto& thing : things) values.push_back(get(thing));
    return to_json(columns_.add_f4(values));
  }
  template <class Things, class Get>
  Json column_of(Kind kind, const Things& things, Get get) {
    std::vector<std::uint32_t> values;
    values.reserve(things.size());
    for (const auto& thing : things) values.push_back(static_cast<std::uint32_t>(get(thing)));
    return to_json(columns_.add_integers(values, kind));
  }
  template <class Things, class Get>
  Json columns_xyz(const Things& things, Get get) {
    Json json = Json::array();
    for (int k = 0; k < 3; ++k) json.push_back(column_f4(things, [&](const auto& thing) { return get(thing)[k]; }));
    return json;
  }

  void add_facts() {
    json_["format"] = 1;
    json_["name"] = page_.name;
    json_["title"] = page_.title;
    json_["paper"] = page_.paper;
    json_["version"] = page_.version;
    json_["status"] = page_.status;
    const RunSummary& summary = page_.summary;
    json_["summary"] = {{"message", summary.message},
                        {"time", summary.time},
                        {"steps", summary.steps},
                        {"hash", summary.hash},
                        {"wall", summary.wall_seconds}};
    json_["samples"] = page_.samples;
    Json files = Json::array();
    for (const auto& file : page_.scene.files) files.push_back({{"name", file.name}, {"text", file.text}});
    json_["scene"] = {{"files", files}, {"overrides", page_.scene.overrides}};
    json_["parameters"] = page_.parameters;
    json_["notes"] = page_.notes;
    json_["up"] = to_json(page_.up);
    json_["planarAxis"] = page_.planar_axis;
    json_["step"] = page_.step;
    json_["size"] = page_.size;
    json_["center"] = to_json(page_.center);
  }

  Json encode_track(const PageTrack& track, double radius) {
    if (track.positions.size() == 1) {
      return {{"p", to_json(track.positions.front())}, {"q", to_json(track.orientations.front())}};
    }
    // The eye sees no less than a fifty-thousandth of a body.
    const double resolution = 2e-5 * (radius > 0 ? radius : page_.size);
    Json json = {{"p", Json::array()}, {"q", Json::array()}};
    std::vector<double> values(track.positions.size());
    for (int k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = track.positions[i][k];
      json["p"].push_back(to_json(columns_.add_rounded(values, resolution)));
    }
    for (const auto member : {&Quaternion::w, &Quaternion::x, &Quaternion::y, &Quaternion::z}) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = track.orientations[i].*member;
      json["q"].push_back(to_json(columns_.add_rounded(values, 1.0 / 32767)));
    }
    return json;
  }

  void add_bodies() {
    Json& bodies = json_["bodies"] = Json::array();
    for (const PageBody& body : page_.bodies) {
      bodies.push_back({{"name", body.name},
                        {"fixed", body.fixed},
                        {"radius", body.radius},
                        {"track", encode_track(body.track, body.radius)}});
    }
  }

  void add_shapes() {
    Json& meshes = json_["meshes"] = Json::array();
    for (const Tessellation& mesh : page_.meshes) {
      std::vector<std::uint32_t> corners;
      for (const auto& triangle : mesh.triangles) {
        for (const int corner : triangle) corners.push_back(static_cast<std::uint32_t>(corner));
      }
      meshes.push_back({{"v", columns_xyz(mesh.vertices, std::identity{})},
                        {"n", columns_xyz(mesh.normals, std::identity{})},
                        {"t", to_json(columns_.add_integers(corners, Kind::u4))}});
    }
    Json& instances = json_["instances"] = Json::array();
    constexpr std::array kinds = {"solid", "hollow", "plane"};
    for (const PageInstance& instance : page_.instances) {
      instances.push_back({{"kind", kinds[static_cast<std::size_t>(instance.kind)]},
                           {"body", instance.body},
                           {"part", instance.part},
                           {"mesh", instance.mesh},
                           {"X", to_json(instance.X_BS)},
                           {"scale", to_json(instance.scale)}});
    }
    Json& joints = json_["joints"] = Json::array();
    for (const PageJoint& joint : page_.joints) {
      joints.push_back({{"name", joint.name},
                        {"kind", joint.kind},
                        {"parent", joint.parent},
                        {"child", joint.child},
                        {"X", to_json(joint.X_PF)}});
    }
    Json& springs = json_["springs"] = Json::array();
    for (const PageSpring& spring : page_.springs) {
      springs.push_back({{"name", spring.name},
                         {"a", spring.a},
                         {"b", spring.b},
                         {"atA", to_json(spring.at_a)},
                         {"atB", to_json(spring.at_b)}});
    }
  }

  void add_contacts() {
    const PageContacts& contacts = page_.contacts;
    if (contacts.frames.empty()) return;
    Json pairs = Json::array();
    for (const PagePair& pair : contacts.pairs) {
      pairs.push_back({{"a", pair.a},
                       {"b", pair.b},
                       {"bodyA", pair.body_a},
                       {"bodyB", pair.body_b},
                       {"mu", pair.friction < 0 ? Json() : Json(pair.friction)}});
    }
    std::vector<std::uint32_t> starts = {0};
    std::vector<PageContact> rows;
    for (const auto& frame : contacts.frames) {
      rows.insert(rows.end(), frame.begin(), frame.end());
      starts.push_back(static_cast<std::uint32_t>(rows.size()));
    }
    Json& json = json_["contacts"];
    json["pairs"] = pairs;
    json["recorded"] = contacts.recorded;
    json["peakImpulse"] = contacts.peak_impulse;
    json["starts"] = to_json(columns_.add_integers(starts, Kind::u4));
    json["pair"] = column_of(Kind::u4, rows, [](const PageContact& c) { return c.pair; });
    json["point"] = column_of(Kind::u2, rows, [](const PageContact& c) { return c.record.point & 0xFFFF; });
    json["mode"] = column_of(Kind::u1, rows, [](const PageContact& c) { return static_cast<int>(c.record.mode); });
    json["position"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.position; });
    json["normal"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.normal; });
    json["impulse"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.impulse; });
    json["slip"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.slip; });
    json["gap"] = column_f4(rows, [](const PageContact& c) { return c.record.gap; });
    if (!contacts.sums.signals.empty()) json["sums"] = encode_signals(contacts.sums);
    json["moment"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.moment_impulse; });
    json["volume"] = column_f4(rows, [](const PageContact& c) { return c.record.volume; });
    json["area"] = column_f4(rows, [](const PageContact& c) { return c.record.area; });
    json["extent"] = columns_xyz(rows, [](const PageContact& c) -> const Vec3& { return c.record.extent; });
  }

  void add_events() {
    // Kinds and names come again and again: they are told once.
    std::vector<std::string> words;
    std::map<std::string, std::uint32_t> ids;
    const auto id_of = [&](const std::string& word) {
      const auto [found, is_new] = ids.try_emplace(word, static_cast<std::uint32_t>(words.size()));
      if (is_new) words.push_back(word);
      return found->second;
    };
    std::vector<double> times;
    std::vector<std::uint32_t> kinds, names;
    for (const StepEvent& event : page_.events) {
      times.push_back(event.t);
      kinds.push_back(id_of(event.kind));
      names.push_back(id_of(event.name));
    }
    json_["events"] = {{"count", page_.event_count},
                       {"words", words},
                       {"t", to_json(columns_.add_f8(times))},
                       {"kind", to_json(columns_.add_integers(kinds, Kind::u4))},
                       {"name", to_json(columns_.add_integers(names, Kind::u4))}};
  }

  static Json encode(const Judgement& judgement) {
    const bool measured = is_measured(judgement), noise = measured && is_noise(judgement);
    return {{"name", judgement.measure},
            {"level", word_of(judgement.trust)},
            {"value", measured ? format_judged_value(judgement) : ""},
            {"text", judgement.text},
            {"remedy", judgement.remedy},
            {"time", noise ? -1 : judgement.time},
            {"place", noise ? "" : judgement.place}};
  }

  void add_checks() {
    json_["verdict"] = {{"level", word_of(page_.verdict.trust)},
                        {"expected", page_.expected},
                        {"because", page_.because},
                        {"reasons", Json::array()}};
    for (const Judgement& reason : page_.verdict.reasons()) json_["verdict"]["reasons"].push_back(encode(reason));
    Json& checks = json_["checks"] = Json::array();
    for (const Judgement& judgement : page_.verdict.judgements) checks.push_back(encode(judgement));
  }

  Json encode_signals(const PageSignals& signals) {
    Json json;
    json["times"] = to_json(columns_.add_f8(signals.times));
    json["thinned"] = signals.thinned;
    Json names = Json::array(), units = Json::array(), data = Json::array();
    for (const PageSignal& signal : signals.signals) {
      names.push_back(signal.info.name);
      units.push_back(signal.info.unit);
      if (signal.values.size() == 1) {
        data.push_back(signal.values.front());
        continue;
      }
      data.push_back(to_json(columns_.add_f4(signal.values, choose_base(signal.values))));
    }
    json["names"] = std::move(names);
    json["units"] = std::move(units);
    json["data"] = std::move(data);
    return json;
  }

  // A signal that hardly leaves a large value is told by its difference from there.
  static double choose_base(const std::vector<double>& values) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values) {
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
    }
    return low <= high && high - low < 1e-2 * std::max(std::abs(low), std::abs(high)) ? low : 0;
  }

  const PageData& page_;
  ColumnWriter columns_;
  Json json_;
};

}  // namespace

std::string encode_page(const PageData& page) {
  return PageEncoder(page).encode();
}

}  // namespace stiction
