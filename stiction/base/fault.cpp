#include "stiction/base/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stiction {

namespace {

/// By file, in the order in which files first appear, then by line and column; faults without a place keep theirs.
std::vector<Fault> sort_by_place(std::vector<Fault> faults) {
  std::map<std::string, std::size_t> file_order;
  for (const Fault& fault : faults) file_order.emplace(fault.place.file, file_order.size());
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) {
    return std::tuple(file_order[a.place.file], a.place.line, a.place.column) <
           std::tuple(file_order[b.place.file], b.place.line, b.place.column);
  });
  return faults;
}

/// Blanks below the characters before the column: tabs are repeated, so that the mark stays below what it marks; the
/// later bytes of a character take no room.
std::string make_indent(const std::string& line, int column) {
  std::string indent;
  int characters = 0;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xC0u) == 0x80u) continue;
    if (++characters >= column) break;
    indent += c == '\t' ? '\t' : ' ';
  }
  return indent;
}

}  // namespace

InputError::InputError(std::vector<Fault> faults) : InputError(Sorted{sort_by_place(std::move(faults))}) {}

// By value: the faults are moved on from here.
InputError::InputError(Sorted sorted)  // cppcheck-suppress passedByValue
    : std::runtime_error(format_faults(sorted.faults)), faults_(std::move(sorted.faults)) {}

InputError::InputError(const std::string& message, const std::string& hint)
    : InputError(std::vector<Fault>{Fault{.place = {}, .path = {}, .message = message, .hint = hint}}) {}

std::string format_fault(const Fault& fault) {
  std::string text;
  const SourcePlace& place = fault.place;
  if (!place.file.empty()) {
    text += place.file;
    if (place.line > 0) text += fmt::format(":{}:{}", place.line, place.column);
    text += ": ";
  }
  text += "error: ";
  if (!fault.path.empty()) text += fault.path + ": ";
  text += fault.message + "\n";
  if (!place.line_text.empty() && place.column > 0) {
    const std::string margin = fmt::format("{:>6} | ", place.line);
    const std::string underline = make_indent(place.line_text, place.column) + '^' +
                                  std::string(static_cast<std::size_t>(std::max(place.length - 1, 0)), '~');
    text += margin + place.line_text + "\n       | " + underline + "\n";
  }
  if (!fault.hint.empty()) text += "  hint: " + fault.hint + "\n";
  return text;
}

std::string format_faults(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) text += format_fault(fault);
  if (faults.size() > 1) text += fmt::format("{} errors\n", faults.size());
  return text;
}

}  // namespace stiction
