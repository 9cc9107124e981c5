#pragma once

#include <vector>

#include "stiction/report/page_data.h"

namespace stiction {

/// Where not every recorded contact is drawn: what they come to at every sample, all of them counted, for all contacts
/// and for as many pairs as there is room for, those with the largest impulses first. At a sample, over its contacts:
///     normal force      sum of n'gamma / h
///     friction force    sum of |gamma - n n'gamma| / h
///     gap               the least; slip speed: the greatest; not a number where nothing touches
/// h = `step` [s]; where it is 0 these are impulses, in N s. Of long runs every interval keeps its least and greatest
/// value, in their order. Names are those of viewer/src/data/series.ts: "contact:A / B:gap".
PageSignals collect_contact_sums(const RunReader& run, const std::vector<double>& times, const PageContacts& contacts,
                                 double step, const PageLimits& limits);

}  // namespace stiction
