#pragma once

#include <nlohmann/json.hpp>

#include <string>

#include "stiction/results/verdict.h"

#include "apps/cli/console.h"

namespace stiction::cli {

Color color_of(Trust trust);

/// The verdict of a stored run.
Verdict judge(const RunReader& run);

/// The verdict in its colour, what the scene expects where that is not trust, and every reason with its remedy.
std::string format_verdict(const Verdict& verdict, const RunDescription& description);
/// A line for each measure of the run: its worst value with its unit, when and where that was, the judgement.
std::string format_measures(const Verdict& verdict);
/// Every audit signal's worst value with its unit (`info --audit`).
std::string format_audit(const RunSummary& summary);

/// "verdict" (its word), "reasons" (what is not trustworthy, with remedies), "measures" (all that were judged), and
/// "expected" where the scene expects something.
void add_verdict(const Verdict& verdict, const RunDescription& description, nlohmann::ordered_json& report);

}  // namespace stiction::cli
