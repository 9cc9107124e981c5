#include "bindings/fmi/zip_writer.h"

#include <zlib.h>

#include <fstream>

#include "stiction/base/fault.h"

namespace stiction::fmi {
namespace {

void put(std::string& to, std::uint32_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) to += static_cast<char>((value >> (8 * k)) & 0xffu);
}

constexpr std::uint32_t dos_date = (1u << 5) | 1u;  // 1980-01-01

/// What the header of a file and its entry in the directory share: version, flags, method, time, date, crc, sizes,
/// name.
void put_common(std::string& to, std::uint32_t crc, std::uint32_t size, const std::string& name) {
  put(to, 20, 2), put(to, 0, 2), put(to, 0, 2), put(to, 0, 2), put(to, dos_date, 2);
  put(to, crc, 4), put(to, size, 4), put(to, size, 4);
  put(to, static_cast<std::uint32_t>(name.size()), 2), put(to, 0, 2);
}

}  // namespace

void ZipWriter::add(const std::string& name, const std::string& bytes) {
  Entry entry{.name = name};
  entry.crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
  entry.size = static_cast<std::uint32_t>(bytes.size());
  entry.offset = static_cast<std::uint32_t>(content_.size());
  put(content_, 0x04034b50, 4);
  put_common(content_, entry.crc, entry.size, name);
  content_ += name + bytes;
  entries_.push_back(entry);
}

void ZipWriter::write(const std::filesystem::path& file) const {
  std::string directory;
  for (const Entry& entry : entries_) {
    put(directory, 0x02014b50, 4), put(directory, 20, 2);
    put_common(directory, entry.crc, entry.size, entry.name);
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4);
    put(directory, entry.offset, 4);
    directory += entry.name;
  }
  std::string end;
  const auto count = static_cast<std::uint32_t>(entries_.size());
  put(end, 0x06054b50, 4), put(end, 0, 2), put(end, 0, 2), put(end, count, 2), put(end, count, 2);
  put(end, static_cast<std::uint32_t>(directory.size()), 4), put(end, static_cast<std::uint32_t>(content_.size()), 4);
  put(end, 0, 2);
  std::ofstream to(file, std::ios::binary | std::ios::trunc);
  to << content_ << directory << end;
  to.close();
  if (!to) throw IoError("cannot write " + file.string());
}

}  // namespace stiction::fmi
