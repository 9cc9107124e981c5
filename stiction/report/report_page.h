#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/fault.h"

namespace stiction {

/// Was the program built with the page (npm was there)?
bool has_report_page();
/// What to say where it was not.
InputError make_no_page_error();

/// One HTML file that shows runs: the page of viewer/, and the data of the runs compressed in it. It asks nothing of
/// any network. The first run is shown, the others are compared with it. The same runs give the same bytes. IoError for
/// a run that cannot be read; InputError if the program was built without the page.
std::string make_report(const std::vector<std::filesystem::path>& runs);

/// The page of a run that is still going on: it asks /stream of its own address for the rest. `shapes`: names of the
/// shapes that contacts refer to.
std::string make_live_report(const std::string& encoded_run, const std::vector<std::string>& shapes);

/// The page around runs that are already encoded (encode_page.h); `title` of the window.
std::string make_report(const std::vector<std::string>& encoded_runs, std::string_view title);

}  // namespace stiction
