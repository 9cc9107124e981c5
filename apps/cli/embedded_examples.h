#pragma once

#include <string_view>
#include <vector>

namespace stiction::cli {

/// A scene of examples/, built into the program so that it has them wherever it is installed.
struct EmbeddedExample {
  std::string_view name;  ///< the file's stem
  std::string_view text;
};

/// In the order of their names. Written by cmake/embed_examples.cmake at build time.
const std::vector<EmbeddedExample>& embedded_examples();

}  // namespace stiction::cli
