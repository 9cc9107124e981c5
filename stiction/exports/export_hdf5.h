#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/results/run_store.h"

namespace stiction {

/// One data set of float64 a signal that matches the globs, grouped by the parts of its name, with its unit as
/// attribute:
///     ball.position.x -> /ball/position/x,  unit = "m";   the times -> /time,  unit = "s"
/// Where one name continues another (a joint `arm` with arm.position beside a body `arm` with arm.position.x), the
/// shorter one becomes /arm/position/value. Attributes of the root: program_version, scene_names, scene_texts,
/// scene_overrides. The file appears whole or not at all. InputError for a glob that matches nothing, IoError for the
/// disk.
void export_hdf5(const RunReader& run, const std::vector<std::string>& globs, const std::filesystem::path& file);

}  // namespace stiction
