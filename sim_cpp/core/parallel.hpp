// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::core {

/// Threads that share the pieces of a cycle: some microseconds of work, again in a moment. So they
/// spin for a while before they sleep. Each takes the same pieces in every call, whose data its
/// processor has, and when these are done the last ones of others.
class ThreadPool {
 public:
  /// `threads` at least 1, that of the caller included.
  explicit ThreadPool(unsigned threads) : shares_(threads) {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  ~ThreadPool() {
    stop_ = true;
    ++calls_;
    calls_.notify_all();
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(shares_.size()); }

  /// Asked at the beginning of each cycle: run() is worth its while. It is not where clocking a
  /// block takes less time than its state takes from one processor to another, so both ways are
  /// timed again and again.
  bool worthwhile() {
    if (phase_ != 2) times_[kTried - left_] = Clock::now();
    if (left_-- == 0) try_next();
    return worthwhile_;
  }

  /// Calls piece(i) once for each i below `pieces`, on any of the threads, and meanwhile() on the
  /// caller's before it takes pieces itself. Returns when all are done. If pieces throw, it throws
  /// what that with the lowest number has thrown. REQUIRES: meanwhile() does not throw.
  void run(std::uint32_t pieces, const std::function<void(std::size_t)>& piece,
           const std::function<void()>& meanwhile) {
    piece_ = &piece;
    done_.store(0, std::memory_order_relaxed);
    for (std::uint64_t i = 0, first = 0; i < shares_.size(); ++i) {
      const std::uint64_t end = (i + 1) * pieces / shares_.size();
      shares_[i].rest.store(end << 32 | first, std::memory_order_release);
      first = end;
    }
    ++calls_;
    if (asleep_ != 0) calls_.notify_all();
    meanwhile();
    take_pieces(0);
    for (int spins = 0; done_.load(std::memory_order_acquire) != pieces; ++spins)
      spins < kSpins ? pause() : std::this_thread::yield();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  /// Pieces of a thread that are not taken yet: the first of them, and in the upper half the end.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> rest = 0;
  };

  /// About 50 us: longer than what lies between two calls while a network is busy.
  static constexpr int kSpins = 20000;
  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  using Clock = std::chrono::steady_clock;
  static constexpr std::uint32_t kTried = 64, kKept = 4096;  ///< cycles

  /// With threads, without, and with what took less time: by the median of cycles, as between two
  /// the caller may do anything.
  void try_next() {
    Clock::duration took{};
    if (phase_ != 2) {
      std::array<Clock::duration, kTried> cycles;
      for (std::uint32_t i = 0; i < kTried; ++i) cycles[i] = times_[i + 1] - times_[i];
      std::ranges::nth_element(cycles, cycles.begin() + kTried / 2);
      took = cycles[kTried / 2];
    }
    phase_ = (phase_ + 1) % 3;
    worthwhile_ = phase_ == 0 || (phase_ == 2 && with_ < took);
    if (phase_ == 1) with_ = took;
    left_ = phase_ == 2 ? kKept : kTried;
    times_[0] = Clock::now();
    --left_;
  }

  void work(unsigned thread) {
    for (;;) {
      const std::uint32_t seen = calls_;  // before stop_, whose call wakes who has not seen it
      if (stop_) return;
      take_pieces(thread);
      int spins = 0;
      while (calls_.load(std::memory_order_relaxed) == seen && ++spins < kSpins) pause();
      if (spins < kSpins) continue;
      ++asleep_;
      calls_.wait(seen);  // returns at once if a call has come between
      --asleep_;
    }
  }

  /// Who takes a piece takes it of the call that is under way, which is not over before it is done.
  /// A thread that comes after that finds none.
  void take_pieces(unsigned thread) {
    std::uint32_t taken = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      const bool own = i == 0;
      Share& share = shares_[(thread + i) % shares_.size()];
      std::uint64_t rest = share.rest.load(std::memory_order_relaxed);
      for (;;) {
        const std::uint32_t first = static_cast<std::uint32_t>(rest);
        const std::uint32_t end = static_cast<std::uint32_t>(rest >> 32);
        if (first == end) break;
        const std::uint64_t left = own ? rest + 1 : rest - (std::uint64_t{1} << 32);
        if (share.rest.compare_exchange_weak(rest, left, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
          do_piece(own ? first : end - 1);
          ++taken;
          rest = share.rest.load(std::memory_order_relaxed);
        }
      }
    }
    if (taken != 0) done_.fetch_add(taken, std::memory_order_release);
  }
  void do_piece(std::uint32_t number) {
    try {
      (*piece_)(number);
    } catch (...) {
      const std::lock_guard lock(failure_lock_);
      if (!failure_ || number < failed_piece_) {
        failure_ = std::current_exception();
        failed_piece_ = number;
      }
    }
  }

  // Written by each thread that takes a piece, so on cache lines of their own.
  std::vector<Share> shares_;                        ///< by thread, the caller's first
  alignas(64) std::atomic<std::uint32_t> done_ = 0;  ///< pieces of this cycle
  alignas(64) std::atomic<std::uint32_t> calls_ = 0;
  std::atomic<std::uint32_t> asleep_ = 0;
  std::atomic<bool> stop_ = false;

  // Of this cycle: written before the shares, read by who has taken a piece.
  const std::function<void(std::size_t)>* piece_ = nullptr;
  std::mutex failure_lock_;
  std::exception_ptr failure_;
  std::uint32_t failed_piece_ = 0;

  // Of worthwhile().
  std::array<Clock::time_point, kTried + 1> times_;  ///< of the cycles that are tried
  Clock::duration with_{};
  unsigned phase_ = 0;
  bool worthwhile_ = true;
  std::uint32_t left_ = kTried;

  std::vector<std::jthread> workers_;
};

/// Number of jobs that are finished. Called after each of them, on any thread, one call at a time.
using JobsDone = std::function<void(std::uint32_t done)>;
/// Asked before each job, on any thread; true: no further job is started.
using StopJobs = std::function<bool()>;

/// Threads that run_jobs and run_parallel use: `threads`, at least 1, at most one a job.
inline unsigned worker_count(std::uint32_t jobs, unsigned threads) {
  return std::clamp(threads, 1u, std::max(jobs, 1u));
}

/// Calls job(index, worker) for each index below `jobs`, in ascending order of the calls; `worker`,
/// below worker_count(), numbers the thread, so that a job can use a network of that thread. If
/// jobs throw, no further job is started, and the exception of the lowest index is thrown again
/// when all threads have stopped: the same one for any number of threads. Returns how many jobs
/// were run, those of the lowest indices: all, or fewer if `stop` said so.
inline std::uint32_t run_jobs(std::uint32_t jobs, unsigned threads,
                              const std::function<void(std::uint32_t index, unsigned worker)>& job,
                              const JobsDone& done = {}, const StopJobs& stop = {}) {
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

/// Threads for many short jobs: all cores, unless they are few.
inline unsigned threads_for(std::uint32_t jobs) {
  return jobs < 1000 ? 1 : std::max(std::thread::hardware_concurrency(), 1u);
}

/// Calls job(index, worker) for each index below `jobs` on threads_for(jobs) threads, a worker's
/// in ascending order, and now and then done() with the number of jobs that are finished.
template <class Job>
void run_short_jobs(std::uint32_t jobs, Job&& job, const JobsDone& done) {
  const std::uint32_t parts = std::min(jobs, 256u);
  const auto first = [&](std::uint64_t part) {
    return static_cast<std::uint32_t>(part * jobs / parts);
  };
  run_jobs(
      parts, threads_for(jobs),
      [&](std::uint32_t part, unsigned worker) {
        for (std::uint32_t i = first(part); i < first(part + 1); ++i) job(i, worker);
      },
      [&](std::uint32_t part) { done(first(part)); });
}

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
