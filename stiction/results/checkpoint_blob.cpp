#include "stiction/results/checkpoint_blob.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "stiction/base/fault.h"
#include "stiction/base/hash.h"

namespace stiction {
namespace {

static_assert(std::endian::native == std::endian::little, "the run format is written as the machine holds it");

class Encoder {
 public:
  template <class Number>
  void add(Number number) {
    static_assert(sizeof number == 8);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(const double* data, std::int64_t count) {
    add(count);
    bytes.append(reinterpret_cast<const char*>(data), sizeof(double) * static_cast<std::size_t>(count));
  }
  std::string bytes;
};

class Decoder {
 public:
  Decoder(const std::string& bytes, const std::string& place) : bytes_(bytes), place_(place) {}

  template <class Number>
  Number take() {
    Number number;
    static_assert(sizeof number == 8);
    copy(&number, sizeof number);
    return number;
  }
  std::size_t take_count() {
    const auto count = take<std::int64_t>();
    if (count < 0 || static_cast<std::size_t>(count) > (bytes_.size() - at_) / 8) fail();
    return static_cast<std::size_t>(count);
  }
  template <class Vector>
  Vector take_vector() {
    Vector x(take_count());
    copy(x.data(), sizeof(double) * static_cast<std::size_t>(x.size()));
    return x;
  }
  void expect_end() const {
    if (at_ != bytes_.size()) fail();
  }

 private:
  void copy(void* target, std::size_t size) {
    if (size > bytes_.size() - at_) fail();
    if (size > 0) std::memcpy(target, bytes_.data() + at_, size);
    at_ += size;
  }
  [[noreturn]] void fail() const { throw IoError(fmt::format("{}: the checkpoint is damaged", place_)); }

  const std::string& bytes_;
  const std::string& place_;
  std::size_t at_ = 0;
};

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  Encoder encoder;
  encoder.add(state.t);
  encoder.add(state.step);
  for (const VecX* x : {&state.q, &state.v, &state.z}) encoder.add(x->data(), x->size());
  encoder.add(static_cast<std::int64_t>(state.modes.size()));
  for (const int mode : state.modes) encoder.add(static_cast<std::int64_t>(mode));
  for (const auto* memory : {&state.memory, &checkpoint.stepper_memory, &checkpoint.recorder_memory}) {
    encoder.add(memory->data(), static_cast<std::int64_t>(memory->size()));
  }
  return std::move(encoder.bytes);
}

Checkpoint decode_checkpoint(const std::string& bytes, const std::string& place) {
  Decoder decoder(bytes, place);
  Checkpoint checkpoint;
  State& state = checkpoint.state;
  state.t = decoder.take<double>();
  state.step = decoder.take<std::int64_t>();
  for (VecX* x : {&state.q, &state.v, &state.z}) *x = decoder.take_vector<VecX>();
  state.modes.resize(decoder.take_count());
  for (int& mode : state.modes) mode = static_cast<int>(decoder.take<std::int64_t>());
  state.memory = decoder.take_vector<std::vector<double>>();
  checkpoint.stepper_memory = decoder.take_vector<std::vector<double>>();
  checkpoint.recorder_memory = decoder.take_vector<std::vector<double>>();
  decoder.expect_end();
  return checkpoint;
}

std::string calc_checksum(const std::string& bytes) {
  Hash64 hash;
  hash.add_bytes(bytes.data(), bytes.size());
  return hash.text();
}

}  // namespace stiction
