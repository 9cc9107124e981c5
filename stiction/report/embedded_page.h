#pragma once

#include <string_view>

namespace stiction {

/// The HTML page of viewer/ with script and style in it, built in; empty where npm was missing at build time.
std::string_view embedded_page();

}  // namespace stiction
