#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace stiction::cli {

/// The records of a live run, written by the run and read by the threads of its streams.
class LiveRecords {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  void add(std::string record, bool kept);
  /// There will be no more.
  void close();

  /// Those after number `last`, which becomes the newest; waits for one if there is none yet. Empty: there are no more.
  std::vector<Bytes> take(std::uint64_t& last);

 private:
  struct Record {
    std::uint64_t number = 0;
    bool kept = false;
    Bytes bytes;
  };
  void thin();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Record> records_;
  std::uint64_t newest_ = 0;
  std::size_t size_ = 0;  ///< [bytes]
  bool closed_ = false;
};

}  // namespace stiction::cli
