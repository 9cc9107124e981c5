#include "stiction/results/signal_match.h"

#include "stiction/base/text.h"

namespace stiction {
namespace {

constexpr std::string_view contact_prefix = "contact.";

}  // namespace

std::string swap_pair(std::string_view signal) {
  const std::size_t slash = signal.find('/'), end = signal.rfind('.');
  if (!signal.starts_with(contact_prefix) || slash == std::string_view::npos || end < slash) return std::string(signal);
  const std::string_view quantity = signal.substr(end);
  if (quantity == ".x" || quantity == ".y" || quantity == ".z") return std::string(signal);
  const std::string a(signal.substr(contact_prefix.size(), slash - contact_prefix.size()));
  const std::string b(signal.substr(slash + 1, end - slash - 1));
  return std::string(contact_prefix) + b + "/" + a + std::string(quantity);
}

bool matches_signal(const std::string& signal, const std::string& glob) {
  if (matches_glob(signal, glob)) return true;
  return glob.starts_with(contact_prefix) && glob.find('/') != std::string::npos &&
         matches_glob(swap_pair(signal), glob);
}

}  // namespace stiction
