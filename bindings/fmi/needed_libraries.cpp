#include "bindings/fmi/needed_libraries.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "stiction/base/fault.h"

namespace stiction::fmi {
namespace {

constexpr std::string_view of_the_system[] = {"libc.so.6",  "libm.so.6",     "libpthread.so.0",      "libdl.so.2",
                                              "librt.so.1", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libstdc++.so.6"};

bool is_of_the_system(const std::string& name) {
  return std::find(std::begin(of_the_system), std::end(of_the_system), name) != std::end(of_the_system);
}

/// The names that a loaded library asks for: DT_NEEDED of its dynamic section (System V ABI, chapter 5).
std::vector<std::string> list_needed(const link_map& loaded) {
  const char* strings = nullptr;
  for (const ElfW(Dyn)* entry = loaded.l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = reinterpret_cast<const char*>(entry->d_un.d_ptr);
  }
  std::vector<std::string> names;
  for (const ElfW(Dyn)* entry = loaded.l_ld; strings && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED) names.emplace_back(strings + entry->d_un.d_val);
  }
  return names;
}

/// Of all that is loaded, the library of that file name.
const link_map* find_loaded(const link_map* any, const std::string& name) {
  while (any->l_prev) any = any->l_prev;
  for (; any; any = any->l_next) {
    if (std::filesystem::path(any->l_name).filename() == name) return any;
  }
  return nullptr;
}

}  // namespace

std::vector<std::filesystem::path> find_needed_libraries(const std::filesystem::path& library) {
  struct Close {
    void operator()(void* handle) const { dlclose(handle); }
  };
  const std::unique_ptr<void, Close> handle(dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL));
  const link_map* loaded = nullptr;
  if (!handle || dlinfo(handle.get(), RTLD_DI_LINKMAP, &loaded) != 0)
    throw IoError("cannot load " + library.string() + ": " + dlerror());
  std::vector<std::filesystem::path> found;
  std::vector<std::string> wanted = list_needed(*loaded);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string name = wanted[i];
    if (is_of_the_system(name) || std::find(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(i), name) !=
                                      wanted.begin() + static_cast<std::ptrdiff_t>(i))
      continue;
    const link_map* needed = find_loaded(loaded, name);
    if (!needed) throw IoError("cannot find " + name + ", which " + library.string() + " needs");
    found.emplace_back(needed->l_name);
    for (std::string& further : list_needed(*needed)) wanted.push_back(std::move(further));
  }
  return found;
}

}  // namespace stiction::fmi
