// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace muster::core {

/// Threads that share the pieces of a cycle: some microseconds of work, again in a moment. So they
/// spin for a while before they sleep, and take pieces from one counter: who is late takes fewer.
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
  void sleep(std::uint32_t seen);
  void keep(std::size_t number);

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

}  // namespace muster::core
