// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::core {

/// Number of jobs that are finished. Called after each of them, on any thread, one call at a time.
using JobsDone = std::function<void(std::uint32_t done)>;
/// Asked before each job, on any thread; true: no further job is started.
using StopJobs = std::function<bool()>;

/// Threads that run_jobs and run_parallel use: `threads`, at least 1, at most one a job.
unsigned worker_count(std::uint32_t jobs, unsigned threads);

/// Calls job(index, worker) for each index below `jobs`, in ascending order of the calls; `worker`,
/// below worker_count(), numbers the thread, so that a job can use a network of that thread. If
/// jobs throw, no further job is started, and the exception of the lowest index is thrown again
/// when all threads have stopped: the same one for any number of threads. Returns how many jobs
/// were run, those of the lowest indices: all, or fewer if `stop` said so.
std::uint32_t run_jobs(std::uint32_t jobs, unsigned threads,
                       const std::function<void(std::uint32_t index, unsigned worker)>& job,
                       const JobsDone& done = {}, const StopJobs& stop = {});

/// Independent simulations on threads, as run_jobs(): what job(index, worker) returns, by index, of
/// the jobs that were run.
/// The result does not depend on the number of threads if a job does not depend on the worker.
template <class Job>
auto run_parallel(std::uint32_t jobs, unsigned threads, Job&& job, const JobsDone& done = {},
                  const StopJobs& stop = {}) {
  using Result = std::invoke_result_t<Job&, std::uint32_t, unsigned>;
  static_assert(!std::is_same_v<Result, bool>, "threads must not share the words of a vector");
  std::vector<Result> results(jobs);
  results.resize(run_jobs(
      jobs, threads, [&](std::uint32_t i, unsigned worker) { results[i] = job(i, worker); }, done,
      stop));
  return results;
}

}  // namespace muster::core
