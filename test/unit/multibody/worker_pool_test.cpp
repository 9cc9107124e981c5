#include "stiction/multibody/worker_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace stiction {
namespace {

TEST(WorkerPool, DoesEveryPieceOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    WorkerPool pool(threads);
    for (int job = 0; job < 2000; ++job) {
      const int count = job % 7;
      std::vector<std::atomic<int>> done(7);
      pool.run(count, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
      for (int i = 0; i < 7; ++i) ASSERT_EQ(done[static_cast<std::size_t>(i)], i < count ? 1 : 0) << threads << job;
    }
  }
}

// Workers that sleep wake up: here they have slept since the job before.
TEST(WorkerPool, WakesItsWorkers) {
  WorkerPool pool(2);
  for (int job = 0; job < 5; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    // Both pieces wait for each other: no thread can do both.
    std::atomic<int> here = 0;
    pool.run(2, [&](int) {
      ++here;
      while (here < 2) std::this_thread::yield();
    });
    EXPECT_EQ(here, 2);
  }
}

TEST(WorkerPool, PassesExceptionsOn) {
  WorkerPool pool(3);
  std::atomic<int> done = 0;
  const auto work = [&](int i) {
    ++done;
    if (i == 2) throw std::runtime_error("two");
  };
  EXPECT_THROW(pool.run(5, work), std::runtime_error);
  EXPECT_EQ(done, 5);
  pool.run(2, work);
  EXPECT_EQ(done, 7);
}

}  // namespace
}  // namespace stiction
