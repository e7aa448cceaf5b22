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
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace muster::core {

/// What threads are to do in a call of ThreadPool::run(). Nothing of it throws.
class alignas(64) ThreadWork {
 public:
  virtual ~ThreadWork() = default;
  /// Before any piece of this thread's.
  virtual void open(std::size_t /*thread*/) {}
  /// One of a thread's pieces, 0 and on, on any thread.
  virtual void piece(std::size_t /*thread*/, std::uint32_t /*number*/) {}
  /// On the caller's thread, when open() has returned for each thread.
  virtual void meanwhile() {}
};

/// Threads that share the pieces of a cycle: some microseconds of work, again in a moment. So they
/// spin for a while before they sleep. Each takes its own pieces, whose data its processor has, and
/// when these are done, and have been for a moment, the last ones of others.
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

  /// All of it, once each, with so many pieces for each thread; returns when it is done.
  void run(std::span<const std::uint32_t> pieces, ThreadWork& work) {
    auto all = static_cast<std::uint32_t>(shares_.size());
    for (const std::uint32_t count : pieces) all += count;
    done_.store(0, std::memory_order_relaxed);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      shares_[i].pieces = pieces[i];
      shares_[i].work = &work;
      shares_[i].rest.store(kClosed, std::memory_order_release);
    }
    ++calls_;
    if (asleep_ != 0) calls_.notify_all();
    std::uint32_t taken = open(0);
    for (const Share& share : shares_)
      wait_until([&] {
        while (share.unopened() && take_piece(0, true)) ++taken;
        return !share.unopened();
      });
    work.meanwhile();
    take_pieces(0, true, taken);
    wait_until([&] { return done_.load(std::memory_order_acquire) == all; });
  }

 private:
  /// Pieces of a thread that are not taken yet: the first of them, and in the upper half the end.
  /// What the thread has to know lies beside them, as a cache line that comes from another
  /// processor takes longer than many a piece.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> rest = 0;
    std::uint32_t pieces = 0;
    ThreadWork* work = nullptr;
    bool unopened() const { return rest.load(std::memory_order_acquire) >= kOpening; }
  };
  static constexpr std::uint64_t kClosed = ~std::uint64_t{0};  ///< open() is not called yet
  static constexpr std::uint64_t kOpening = kClosed - 1;       ///< it has not returned yet

  /// About 50 us: longer than what lies between two calls while a network is busy.
  static constexpr int kSpins = 20000;
  /// About 2 us: who takes the piece of a thread that is only a little late waits longer for the
  /// state of its blocks, and so does that thread in the next cycle.
  static constexpr int kPatience = 100;
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

  /// Its own pieces, then what others have not begun, of call after call. Who takes a piece takes
  /// it of the call that is under way, which is not over before it is done. A thread that comes
  /// after that finds none.
  void work(unsigned thread) {
    const std::atomic<std::uint64_t>& rest = shares_[thread].rest;
    for (;;) {
      const std::uint32_t seen = calls_;  // before stop_, whose call wakes who has not seen it
      if (stop_) return;
      take_pieces(thread, true);
      int spins = 0;
      while (rest.load(std::memory_order_relaxed) != kClosed && ++spins < kSpins) {
        if (spins == kPatience) take_from_others(thread);
        pause();
      }
      if (spins < kSpins) continue;
      ++asleep_;
      calls_.wait(seen);  // returns at once if a call has come between
      --asleep_;
    }
  }

  /// The caller's thread: until it holds, with what others have not begun.
  template <class Holds>
  void wait_until(Holds&& holds) {
    for (int spins = 0; !holds(); ++spins) {
      if (spins == kPatience) take_from_others(0);
      spins < kSpins ? pause() : std::this_thread::yield();
    }
  }
  void take_from_others(std::size_t thread) {
    for (std::size_t i = 1; i < shares_.size(); ++i)
      take_pieces((thread + i) % shares_.size(), false);
  }
  /// 1: it was not open.
  std::uint32_t open(std::size_t thread) {
    Share& share = shares_[thread];
    std::uint64_t left = share.rest.load(std::memory_order_acquire);
    if (left != kClosed ||
        !share.rest.compare_exchange_strong(left, kOpening, std::memory_order_acquire))
      return 0;
    share.work->open(thread);
    share.rest.store(std::uint64_t{share.pieces} << 32, std::memory_order_release);
    return 1;
  }
  /// One that is left; false if there is none.
  bool take_piece(std::size_t thread, bool own) {
    Share& share = shares_[thread];
    std::uint64_t left = share.rest.load(std::memory_order_acquire);
    while (left < kOpening) {
      const auto first = static_cast<std::uint32_t>(left);
      const auto end = static_cast<std::uint32_t>(left >> 32);
      if (first == end) break;
      if (!share.rest.compare_exchange_weak(left, own ? left + 1 : left - (std::uint64_t{1} << 32),
                                            std::memory_order_acquire))
        continue;
      share.work->piece(thread, own ? first : end - 1);
      return true;
    }
    return false;
  }
  /// `taken`: opened or done by the caller, and not yet added to done_.
  void take_pieces(std::size_t thread, bool own, std::uint32_t taken = 0) {
    taken += open(thread);
    while (own && shares_[thread].unopened()) pause();  // another thread has begun to
    while (take_piece(thread, own)) ++taken;
    if (taken != 0) done_.fetch_add(taken, std::memory_order_release);
  }

  // Written by each thread that takes a piece, so on cache lines of their own.
  std::vector<Share> shares_;                        ///< by thread, the caller's first
  alignas(64) std::atomic<std::uint32_t> done_ = 0;  ///< pieces and shares opened, of this call
  alignas(64) std::atomic<std::uint32_t> calls_ = 0;
  std::atomic<std::uint32_t> asleep_ = 0;
  std::atomic<bool> stop_ = false;

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
