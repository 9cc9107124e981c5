#pragma once

#include <string>
#include <vector>

#include "stiction/contact/contact_model.h"

#include "apps/cli/run_comparison.h"

namespace stiction::cli {

/// Fills the forces of a run: pair by pair from the signals contact.A/B.*, where these are recorded, else from the
/// recorded contacts; and the sums over all pairs from the contacts.
void read_forces(const ContactModel& model, ComparedRun& run);

/// Normal forces, then friction forces: for each pair the largest and that at the end. A pair is the same in either
/// order of its names.
std::string format_forces(const std::vector<ComparedRun>& runs);

}  // namespace stiction::cli
