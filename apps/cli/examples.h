#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/scene/scene.h"

#include "apps/cli/embedded_examples.h"

namespace stiction::cli {

/// InputError that names the nearest one if there is none.
const EmbeddedExample& find_example(const std::string& name);
/// InputError for faulty overrides.
Scene read_example(const EmbeddedExample& example, const std::vector<std::string>& overrides);

struct GalleryOptions {
  std::filesystem::path out;
  std::vector<std::string> names;  ///< empty: all
  std::string progress = "auto";   ///< as for runs
};
/// Runs examples and writes DIR/index.html with a picture, a sentence, the paper and a link to the report of each. The
/// page is written anew after each example: where this is interrupted, it shows those that are done. Pictures are drawn
/// by chromium; where it is missing they are plots.
int make_gallery(const GalleryOptions& options);

}  // namespace stiction::cli
