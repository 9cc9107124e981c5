#include "test/unit/multibody/allocation_counter.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<std::int64_t> allocations{0};
}

std::int64_t stiction::count_allocations() {
  return allocations;
}

extern "C" {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

// The sanitizers own malloc and call this hook after each allocation.
void __sanitizer_malloc_hook(const volatile void*, std::size_t) {
  ++allocations;
}

#else

// The program's malloc stands before the C library's; operator new calls it too.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}

void* realloc(void* pointer, std::size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}

#endif
}
