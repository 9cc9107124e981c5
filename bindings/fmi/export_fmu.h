#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "stiction/results/run_store.h"

namespace stiction::fmi {

struct FmuRequest {
  SceneText scene;
  std::string name;                          ///< of the model
  int version = 2;                           ///< of the standard: 2 or 3
  std::vector<std::string> inputs, outputs;  ///< names or globs ("motor.*", "ball.position.*")
  std::filesystem::path library;             ///< libstiction_fmu.so
};

/// Write an FMU for Linux on x86-64: co-simulation for every formulation, model exchange too for those that are
/// ordinary differential equations ("smooth", "compliant"), if no output is a sum over steps. Returns why there is no
/// model exchange; empty: there is. InputError for a faulty scene or a glob that matches nothing.
std::string export_fmu(const FmuRequest& request, const std::filesystem::path& file);

}  // namespace stiction::fmi
