// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace muster::core {

/// Threads that share the pieces of a cycle: some microseconds of work, again in a moment. So they
/// spin for a while before they sleep, and take pieces from one counter: a thread that starts later
/// takes fewer of them.
class ThreadPool {
 public:
  /// `threads` at least 1, that of the caller included.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  /// Calls piece(i) once for each i below `pieces`, on any of the threads, and meanwhile() on the
  /// caller's before it takes pieces itself. Returns when all are done. If pieces throw, it throws
  /// what that with the lowest number has thrown. REQUIRES: meanwhile() does not throw.
  void run(std::size_t pieces, const std::function<void(std::size_t)>& piece,
           const std::function<void()>& meanwhile);

 private:
  void work();
  void take_pieces();

  // Written by each thread that takes a piece, so on cache lines of their own.
  alignas(64) std::atomic<std::int64_t> left_ = 0;  ///< pieces not taken yet; the rest of
                                                    ///< a cycle may take it below 0
  alignas(64) std::atomic<std::size_t> done_ = 0;   ///< pieces of this cycle
  alignas(64) std::atomic<std::uint32_t> calls_ = 0;
  std::atomic<std::uint32_t> asleep_ = 0;
  std::atomic<bool> stop_ = false;

  // Of this cycle: written before `left_`, read by who has taken a piece.
  const std::function<void(std::size_t)>* piece_ = nullptr;
  std::size_t pieces_ = 0;
  std::mutex failure_lock_;
  std::exception_ptr failure_;
  std::size_t failed_piece_ = 0;

  std::vector<std::jthread> workers_;
};

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
