// SPDX-License-Identifier: Apache-2.0
#include "figures/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace muster::figures {

void run_parallel(std::uint32_t count, unsigned threads,
                  const std::function<void(std::uint32_t)>& job) {
  std::atomic<std::uint32_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      for (std::uint32_t i = next++; i < count; i = next++) job(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      next = count;
      if (!error) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::clamp(threads, 1u, std::max(count, 1u)); ++t)
      others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace muster::figures
