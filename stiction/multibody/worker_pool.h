#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace stiction {

/// Threads that stay: for pieces of work of some ten microseconds, for which threads started anew are too slow. A
/// worker that has nothing to do looks for work for `look_out` rounds, some 10 us, then sleeps until it is woken. At
/// most 2^20 pieces at a time.
class WorkerPool {
 public:
  /// With the caller's as many as `threads`.
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// work(i) for i = 0 ... count - 1, each once, on any thread, the caller's among them; returns when all are done. The
  /// first exception is thrown again here. One call at a time.
  template <class Work>
  void run(int count, const Work& work) {
    start([](const void* data, int i) { (*static_cast<const Work*>(data))(i); }, &work, count);
  }

 private:
  using Piece = void (*)(const void*, int);
  static constexpr int look_out = 2000;

  void start(Piece piece, const void* data, int count);
  /// Does pieces until none is left.
  void help();
  void wait_for_work();

  std::vector<std::thread> workers_;
  /// Number of the job, of its pieces (20 bits), of the next piece (20 bits): in one, so that a piece is taken of the
  /// job that was looked at, or not at all.
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<int> done_ = 0;
  std::atomic<Piece> piece_ = nullptr;
  std::atomic<const void*> data_ = nullptr;
  std::atomic<bool> ends_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace stiction
