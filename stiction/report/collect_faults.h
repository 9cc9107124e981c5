#pragma once

#include "stiction/report/page_data.h"

namespace stiction {

inline constexpr const char* spoilt_file_remedy = "The file was changed or is damaged: run the scene again";

/// What is wrong with the numbers that a run holds, drawn or not: a signal, contact or event that is not finite, or
/// contacts that cannot be. Joins the verdict of the page as "record"; nothing where all is well.
void add_faults(const RunReader& run, const std::vector<double>& times, PageData& page);

}  // namespace stiction
