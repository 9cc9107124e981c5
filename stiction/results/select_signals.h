#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/base/fault.h"
#include "stiction/results/run_store.h"

namespace stiction {

/// Indices of the signals that match any of the globs, which may name a pair of bodies in either order: those of the
/// first glob in the order of the signals, then what the next adds, and so on. InputError that lists every glob without
/// a match, each with the nearest name. No glob at all selects nothing.
std::vector<std::size_t> select_signals(const std::vector<SignalInfo>& signals, const std::vector<std::string>& globs);

/// The signal of that name; a pair of bodies may be named in either order.
std::optional<std::size_t> find_signal(const std::vector<SignalInfo>& signals, const std::string& name);

/// "there is no signal "bal.position.x"", with the nearest name as hint.
InputError make_unknown_signal_error(const std::string& name, const std::vector<SignalInfo>& signals);

}  // namespace stiction
