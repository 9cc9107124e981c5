#include "stiction/exports/export_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "stiction/base/fault.h"
#include "stiction/base/noise.h"
#include "stiction/results/file_replacement.h"
#include "stiction/results/select_signals.h"

namespace stiction {
namespace {

// RFC 4180: a field with a separator in it stands in quotes, quotes in it are doubled.
std::string quote_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::vector<std::string> list_columns(const RunReader& run, const std::vector<std::string>& globs) {
  std::vector<std::string> columns = {"time"};
  for (const std::size_t i : select_signals(run.signals(), globs)) columns.push_back(run.signals()[i].name);
  return columns;
}

void write_header(const std::vector<std::string>& columns, std::ostream& out) {
  std::string line;
  for (const std::string& name : columns) {
    if (!line.empty()) line += ',';
    line += quote_field(name);
  }
  out << line << '\n';
}

/// The shortest text that reads back as the same bits, but for times, which are freed from rounding. A NaN's sign says
/// nothing.
void append_number(double value, std::string& line) {
  fmt::format_to(std::back_inserter(line), "{}", std::isnan(value) ? std::abs(value) : value);
}

void write_part(const RunReader& run, const std::vector<std::string>& columns, int part, std::ostream& out) {
  std::vector<std::vector<double>> samples;
  for (const std::string& name : columns) samples.push_back(run.read_part(name, part));
  std::string line;
  for (std::size_t row = 0; row < samples.front().size(); ++row) {
    line.clear();
    for (std::size_t column = 0; column < samples.size(); ++column) {
      const double value = samples[column][row];
      if (column > 0) line += ',';
      append_number(column == 0 ? round_time(value) : value, line);
    }
    out << line << '\n';
  }
}

/// The same contact seen from its other side.
ContactRecord turn_round(ContactRecord contact) {
  std::swap(contact.shape_a, contact.shape_b);
  // 0 - x and not -x: without zeros of negative sign.
  for (Vec3* x : {&contact.normal, &contact.impulse, &contact.moment_impulse, &contact.slip}) *x = Vec3::Zero() - *x;
  return contact;
}

/// Writes beside the file and puts it in its place when all is written.
template <class Write>
void replace_file(const std::filesystem::path& file, const Write& write) {
  FileReplacement replacement(file);
  std::ofstream out(replacement.temporary());
  if (!out) throw IoError(fmt::format("{}: cannot be written", file.string()));
  try {
    write(out);
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: {}", file.string(), error.what()));
  }
  out.close();
  if (!out) throw IoError(fmt::format("{}: cannot be written", file.string()));
  replacement.commit();
}

}  // namespace

void export_csv(const RunReader& run, const std::vector<std::string>& globs, std::ostream& out) {
  const std::vector<std::string> columns = list_columns(run, globs);
  write_header(columns, out);
  for (int part = 0; part < run.part_count() && out; ++part) write_part(run, columns, part, out);
  out.flush();
  if (!out) throw IoError("the output cannot be written");
}

void export_csv(const RunReader& run, const std::vector<std::string>& globs, const std::filesystem::path& file) {
  replace_file(file, [&](std::ostream& out) { export_csv(run, globs, out); });
}

void export_contacts_csv(const RunReader& run, const PairNames& names, std::ostream& out) {
  const std::vector<std::string> shapes = run.contact_shapes();
  const std::vector<std::string>& columns = contact_columns();
  write_header(columns, out);
  std::vector<double> row;
  for (int part = 0; part < run.part_count() && out; ++part) {
    for (const ContactSample& sample : run.contacts(part)) {
      row.clear();
      const bool turned = names.is_reversed(sample.contact.shape_a, sample.contact.shape_b);
      append_contact_row(sample.t, turned ? turn_round(sample.contact) : sample.contact, row);
      std::string line;
      append_number(round_time(row[0]), line);
      for (std::size_t i = 1; i < row.size(); ++i) {
        const bool is_shape = i == 1 || i == 2, is_mode = columns[i] == "mode";
        line += ',';
        if (is_shape) {
          const auto index = static_cast<std::size_t>(row[i]);
          line += index < shapes.size() ? quote_field(shapes[index]) : std::to_string(index);
        } else if (is_mode) {
          line += name_of(sample.contact.mode);
        } else {
          append_number(row[i], line);
        }
      }
      out << line << '\n';
    }
  }
  out.flush();
  if (!out) throw IoError("the output cannot be written");
}

void export_contacts_csv(const RunReader& run, const PairNames& names, const std::filesystem::path& file) {
  replace_file(file, [&](std::ostream& out) { export_contacts_csv(run, names, out); });
}

}  // namespace stiction
