#include "stiction/report/embedded_page.h"

#include <cstdint>

// The bytes of the file go into the program as they are: a string literal of that size would be beyond what compilers
// promise to take.
asm(".section .rodata\n"
    ".global stiction_page\n"
    ".global stiction_page_size\n"
    "stiction_page:\n"
    ".incbin \"" STICTION_PAGE_FILE
    "\"\n"
    "stiction_page_end:\n"
    ".balign 8\n"
    "stiction_page_size:\n"
    ".quad stiction_page_end - stiction_page\n"
    ".previous\n");

extern "C" const char stiction_page[];
extern "C" const std::uint64_t stiction_page_size;

namespace stiction {

std::string_view embedded_page() {
  return {stiction_page, stiction_page_size};
}

}  // namespace stiction
