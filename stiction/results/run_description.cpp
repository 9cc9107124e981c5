#include <fmt/format.h>

#include <charconv>

#include "stiction/results/run_format.h"

// The tables `setting`, `parameter`, `warning` and `measure`: what a run says of itself beside its samples.

namespace stiction {
namespace {

struct TextSetting {
  const char* key;
  std::string RunDescription::*member;
};
constexpr TextSetting text_settings[] = {{"title", &RunDescription::title},
                                         {"paper", &RunDescription::paper},
                                         {"method.type", &RunDescription::method},
                                         {"method.integrator", &RunDescription::integrator},
                                         {"smallest_shape", &RunDescription::smallest_shape},
                                         {"thinnest_shape", &RunDescription::thinnest_shape},
                                         {"unmodelled", &RunDescription::unmodelled},
                                         {"expect.verdict", &RunDescription::expected},
                                         {"expect.because", &RunDescription::because}};
struct NumberSetting {
  const char* key;
  double RunDescription::*member;
};
constexpr NumberSetting number_settings[] = {{"time.step", &RunDescription::step},
                                             {"time.duration", &RunDescription::duration},
                                             {"smallest_size", &RunDescription::smallest_size},
                                             {"thickness", &RunDescription::thickness},
                                             {"weight_energy", &RunDescription::weight_energy}};
struct FlagSetting {
  const char* key;
  bool RunDescription::*member;
};
constexpr FlagSetting flag_settings[] = {{"has.rigid_contact", &RunDescription::rigid_contact},
                                         {"has.compliant_contact", &RunDescription::compliant_contact},
                                         {"has.constraints", &RunDescription::constraints},
                                         {"has.limits", &RunDescription::limits}};

struct ExchangedRow {
  const char* name;
  double Exchanged::*member;
};
constexpr ExchangedRow exchanged_rows[] = {{"exchanged.energy", &Exchanged::energy},
                                           {"exchanged.total", &Exchanged::total},
                                           {"exchanged.impulse", &Exchanged::impulse},
                                           {"exchanged.steps", &Exchanged::steps}};

/// 0 where it is no number.
double read_number(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void write_description(Database& database, const RunDescription& description) {
  Statement insert(database, "INSERT INTO setting(key, value) VALUES (?, ?)");
  const auto put = [&insert](const char* key, std::string_view value) {
    insert.bind(1, std::string_view(key)).bind(2, value).run();
  };
  for (const TextSetting& setting : text_settings) put(setting.key, description.*setting.member);
  for (const NumberSetting& setting : number_settings) {
    const std::string number = fmt::format("{}", description.*setting.member);  // reads back as the same bits
    put(setting.key, number);
  }
  for (const FlagSetting& setting : flag_settings) put(setting.key, description.*setting.member ? "true" : "false");
  Statement parameter(database, "INSERT INTO parameter(key, value) VALUES (?, ?)");
  for (const auto& [key, value] : description.parameters) parameter.bind(1, key).bind(2, value).run();
  Statement warning(database, "INSERT INTO warning(position, text) VALUES (?, ?)");
  for (std::size_t i = 0; i < description.warnings.size(); ++i)
    warning.bind(1, static_cast<std::int64_t>(i)).bind(2, description.warnings[i]).run();
}

RunDescription read_description(Database& database) {
  RunDescription description;
  Statement rows(database, "SELECT key, value FROM setting");
  while (rows.step()) {
    const std::string key = rows.text(0);
    for (const TextSetting& setting : text_settings)
      if (key == setting.key) description.*setting.member = rows.text(1);
    for (const NumberSetting& setting : number_settings)
      if (key == setting.key) description.*setting.member = read_number(rows.text(1));
    for (const FlagSetting& setting : flag_settings)
      if (key == setting.key) description.*setting.member = rows.text(1) == "true";
  }
  Statement parameters(database, "SELECT key, value FROM parameter");
  while (parameters.step()) description.parameters[parameters.text(0)] = parameters.text(1);
  Statement warnings(database, "SELECT text FROM warning ORDER BY position");
  while (warnings.step()) description.warnings.push_back(warnings.text(0));
  return description;
}

void write_measures(Database& database, const RunMeasures& measures) {
  database.execute("DELETE FROM measure");
  Statement insert(database, "INSERT INTO measure(name, value, time, place, scale, unit) VALUES (?, ?, ?, ?, ?, ?)");
  for (const auto& [name, worst] : measures.worst) {
    insert.bind(1, name).bind(2, worst.value).bind(3, worst.time).bind(4, worst.place);
    insert.bind(5, worst.scale).bind(6, worst.unit).run();
  }
  for (const ExchangedRow& row : exchanged_rows) {
    insert.bind(1, std::string_view(row.name)).bind(2, measures.exchanged.*row.member).bind(3, -1.0);
    insert.bind(4, std::string_view()).bind(5, 0.0).bind(6, std::string_view()).run();
  }
}

RunMeasures read_measures(Database& database) {
  RunMeasures measures;
  Statement rows(database, "SELECT name, value, time, place, scale, unit FROM measure");
  while (rows.step()) {
    const std::string name = rows.text(0);
    bool is_exchanged = false;
    for (const ExchangedRow& row : exchanged_rows) {
      if (name != row.name) continue;
      measures.exchanged.*row.member = rows.real(1);
      is_exchanged = true;
    }
    if (is_exchanged) continue;
    measures.worst[name] = {rows.real(1), rows.real(2), rows.text(3), rows.real(4), rows.text(5)};
  }
  return measures;
}

}  // namespace stiction
