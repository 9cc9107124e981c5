#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace stiction {

template <typename Work>
void for_each_island(int count, int threads, const Work& work) {
  std::atomic<int> next = 0;
  std::vector<std::exception_ptr> errors(std::max(1, std::min(threads, count)));
  const auto run = [&](std::size_t thread) {
    try {
      for (int island = next++; island < count; island = next++) work(island);
    } catch (...) {
      errors[thread] = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  for (std::size_t thread = 1; thread < errors.size(); ++thread) pool.emplace_back(run, thread);
  run(0);
  for (std::thread& thread : pool) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace stiction
