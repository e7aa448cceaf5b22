// SPDX-License-Identifier: Apache-2.0
#include "core/parallel.hpp"

#include <algorithm>
#include <utility>

namespace muster::core {
namespace {

/// About 50 us: longer than what lies between two calls while a network is busy.
constexpr int kSpins = 20000;

inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

ThreadPool::ThreadPool(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  ++calls_;
  calls_.notify_all();
}

void ThreadPool::run(std::size_t pieces, const std::function<void(std::size_t)>& piece,
                     const std::function<void()>& meanwhile) {
  piece_ = &piece;
  pieces_ = pieces;
  done_.store(0, std::memory_order_relaxed);
  left_ = static_cast<std::int64_t>(pieces);
  ++calls_;
  if (asleep_ != 0) calls_.notify_all();
  meanwhile();
  take_pieces();
  for (int spins = 0; done_.load(std::memory_order_acquire) != pieces; ++spins)
    spins < kSpins ? pause() : std::this_thread::yield();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Who takes a positive number has a piece of the call under way, and the call is not over before
/// that piece is done. A thread that comes after that takes 0 or less, and then does nothing.
void ThreadPool::take_pieces() {
  while (left_.load(std::memory_order_relaxed) > 0) {
    const std::int64_t left = left_.fetch_sub(1, std::memory_order_acquire);
    if (left <= 0) return;
    const std::size_t number = pieces_ - static_cast<std::size_t>(left);
    try {
      (*piece_)(number);
    } catch (...) {
      const std::lock_guard lock(failure_lock_);
      if (!failure_ || number < failed_piece_) {
        failure_ = std::current_exception();
        failed_piece_ = number;
      }
    }
    done_.fetch_add(1, std::memory_order_release);
  }
}

void ThreadPool::work() {
  while (!stop_) {
    const std::uint32_t seen = calls_;
    take_pieces();
    int spins = 0;
    while (calls_.load(std::memory_order_relaxed) == seen && ++spins < kSpins) pause();
    if (spins < kSpins) continue;
    ++asleep_;
    calls_.wait(seen);  // returns at once if a call has come between
    --asleep_;
  }
}

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
