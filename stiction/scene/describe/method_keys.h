#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct Scene;

/// Who uses a key of [method], in words for the reference: "`cone`"; empty: every method.
std::string_view find_users_of_key(std::string_view key);

/// A key of [method] that a scene gives and its method does not use. One scene may serve several methods: no fault.
struct UnusedKey {
  std::string key;
  std::string reason;  ///< "it is used by `cone`", or the one of the table of features
};
/// Given is what its text gives, or, of a scene without a text, what differs from the default.
std::vector<UnusedKey> list_unused_keys(const Scene& scene);
/// "method.theta has no effect: it is used by `cone`", for `check` and `run`.
std::string format_unused_key(const UnusedKey& unused);

}  // namespace stiction
