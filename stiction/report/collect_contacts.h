#pragma once

#include <vector>

#include "stiction/report/page_data.h"

namespace stiction {

/// The recorded contacts at the times of the frames. Where there are more than the limit, every frame keeps its
/// largest ones by impulse, up to a number that is the same for all; so crowded frames get what sparse ones leave.
PageContacts collect_contacts(const RunReader& run, const std::vector<double>& frame_times, const PageLimits& limits);

/// The time of the recorded contact with the largest impulse; < 0 if there is none.
double find_peak_time(const RunReader& run);

}  // namespace stiction
