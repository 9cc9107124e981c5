#include "stiction/multibody/worker_pool.h"

#include <utility>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr int piece_bits = 20;
constexpr std::uint64_t piece_mask = (std::uint64_t{1} << piece_bits) - 1;

bool has_pieces(std::uint64_t next) {
  return (next & piece_mask) < (next >> piece_bits & piece_mask);
}

}  // namespace

WorkerPool::WorkerPool(int threads) {
  for (int i = 1; i < threads; ++i) {
    workers_.emplace_back([this] {
      while (!ends_) {
        help();
        wait_for_work();
      }
    });
  }
}

WorkerPool::~WorkerPool() {
  ends_ = true;
  // Another job, of no pieces, wakes those that sleep.
  start(nullptr, nullptr, 0);
  for (std::thread& worker : workers_) worker.join();
}

void WorkerPool::start(Piece piece, const void* data, int count) {
  STICTION_CHECK(count <= static_cast<int>(piece_mask));
  done_ = 0;
  piece_ = piece, data_ = data;
  const std::uint64_t job = (next_ >> 2 * piece_bits) + 1;
  next_ = (job << piece_bits | static_cast<std::uint64_t>(count)) << piece_bits;
  next_.notify_all();
  help();
  for (int round = 0; done_ < count; ++round)
    if (round > look_out) std::this_thread::yield();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void WorkerPool::help() {
  std::uint64_t next = next_;
  while (has_pieces(next)) {
    if (!next_.compare_exchange_weak(next, next + 1)) continue;
    // The job cannot end before this piece is done.
    try {
      piece_.load()(data_, static_cast<int>(next & piece_mask));
    } catch (...) {
      const std::lock_guard lock(error_mutex_);
      if (!error_) error_ = std::current_exception();
    }
    ++done_;
    next = next_;
  }
}

void WorkerPool::wait_for_work() {
  const std::uint64_t seen = next_;
  if (has_pieces(seen)) return;
  for (int round = 0; round < look_out; ++round)
    if (ends_ || next_ != seen) return;
  next_.wait(seen);
}

}  // namespace stiction
