// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/sweep/child.hpp"
#include "muster/core/ranks.hpp"

namespace muster::app::sweep {

/// Runs child processes, several at a time, and hands over the outcome of each when it ends. One
/// thread does all of it. With ranks each of them has so many at a time: rank 0 calls run(), the
/// others serve().
struct Farm {
  std::string program;           ///< its name in messages of the children
  std::filesystem::path folder;  ///< where they run
  unsigned jobs = 1;             ///< at a time
  core::Ranks* ranks = nullptr;  ///< none: this process alone

  using Words = std::function<std::vector<std::string>(std::uint64_t job)>;
  using Done = std::function<void(std::uint64_t job, ChildOutcome outcome)>;

  /// Starts job after job, in ascending order, with `words`; calls `done` as they end. Asks `stop`
  /// several times a second: true kills the jobs under way, nothing more is handed over. Returns
  /// whether all jobs have ended.
  bool run(std::uint64_t count, const Words& words, const Done& done,
           const std::function<bool()>& stop) const;

  /// Runs what rank 0 asks for, until it closes the farm. REQUIRES: ranks, and this is not rank 0.
  void serve() const;
  /// Ends serve() of all other ranks. REQUIRES: this is rank 0, or there are no ranks.
  void close() const;

 private:
  bool run_here(std::uint64_t count, const Words& words, const Done& done,
                const std::function<bool()>& stop) const;
  bool run_on_ranks(std::uint64_t count, const Words& words, const Done& done,
                    const std::function<bool()>& stop) const;
};

}  // namespace muster::app::sweep
