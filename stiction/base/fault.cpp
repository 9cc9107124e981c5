#include "stiction/base/fault.h"

#include <fmt/format.h>

#include <algorithm>

namespace stiction {

InputError::InputError(std::vector<Fault> faults)
    : std::runtime_error(format_faults(faults)), faults_(std::move(faults)) {}

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
    // Tabs are repeated in the underline so that it stays below what it marks.
    std::string underline;
    const auto before = std::min<std::size_t>(place.column - 1, place.line_text.size());
    for (std::size_t i = 0; i < before; ++i) underline += place.line_text[i] == '\t' ? '\t' : ' ';
    underline += '^' + std::string(static_cast<std::size_t>(std::max(place.length - 1, 0)), '~');
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
