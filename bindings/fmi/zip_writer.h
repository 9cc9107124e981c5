#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace stiction::fmi {

/// A ZIP file of whole files, not compressed (PKWARE APPNOTE 6.3, method 0), without times: the same content gives the
/// same bytes. Up to 4 GB and 65535 files.
class ZipWriter {
 public:
  void add(const std::string& name, const std::string& bytes);
  /// IoError if it cannot be written.
  void write(const std::filesystem::path& file) const;

 private:
  struct Entry {
    std::string name;
    std::uint32_t crc = 0, size = 0, offset = 0;
  };
  std::string content_;
  std::vector<Entry> entries_;
};

}  // namespace stiction::fmi
