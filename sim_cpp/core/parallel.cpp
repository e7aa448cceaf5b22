// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace muster::core {

unsigned worker_count(std::uint32_t jobs, unsigned threads) {
  return std::clamp(threads, 1u, std::max(jobs, 1u));
}

std::uint32_t run_jobs(std::uint32_t jobs, unsigned threads,
                       const std::function<void(std::uint32_t index, unsigned worker)>& job,
                       const JobsDone& done, const StopJobs& stop) {
  std::atomic<std::uint32_t> next{0};
  std::mutex mutex;  // of what follows
  std::uint32_t finished = 0, failed = jobs;
  std::exception_ptr error;
  const auto work = [&](unsigned worker) {
    // A job that fails was started after all of lower index, and these run to their end.
    while (!stop || !stop()) {
      const std::uint32_t i = next++;
      if (i >= jobs) return;
      try {
        job(i, worker);
        const std::lock_guard lock(mutex);
        ++finished;
        if (done) done(finished);
      } catch (...) {
        const std::lock_guard lock(mutex);
        next = jobs;
        if (i >= failed) return;
        failed = i;
        error = std::current_exception();
        return;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned w = 1; w < worker_count(jobs, threads); ++w) others.emplace_back(work, w);
    work(0);
  }
  if (error) std::rethrow_exception(error);
  return finished;
}

}  // namespace muster::core
