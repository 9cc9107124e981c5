#include "stiction/report/embedded_page.h"

// The bytes of the file go into the program as they are: a string literal of that size would be beyond what compilers
// promise to take.
asm(".section .rodata\n"
    ".global stiction_page_begin\n"
    ".global stiction_page_end\n"
    "stiction_page_begin:\n"
    ".incbin \"" STICTION_PAGE_FILE
    "\"\n"
    "stiction_page_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char stiction_page_begin[], stiction_page_end[];

namespace stiction {

std::string_view embedded_page() {
  return {stiction_page_begin, static_cast<std::size_t>(stiction_page_end - stiction_page_begin)};
}

}  // namespace stiction
