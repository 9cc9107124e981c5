#include "allocation_counter.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> allocations{0};
}

namespace stiction::test {
long count_allocations() {
  return allocations;
}
}  // namespace stiction::test

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// A sanitizer has its own malloc and offers a hook (its header does not come with g++).
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
namespace {
[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
}
#else
// Take the place of malloc and pass on to the C library's.
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif
