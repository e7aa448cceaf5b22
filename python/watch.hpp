// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "bindings.hpp"
#include "muster/run/spec.hpp"

namespace muster::python {

/// A request to end runs, from any thread.
class Stop {
 public:
  void set() { set_ = true; }
  bool is_set() const { return set_; }

 private:
  std::atomic<bool> set_{false};
};

/// Looks after one run while the interpreter's lock is released: signals, a Stop, progress. The
/// lock is taken several times a second and no more often.
class Watch {
 public:
  /// `progress`: None or called with cycle and barriers done. Both outlive the run.
  Watch(std::shared_ptr<Stop> stop, nb::object progress)
      : stop_(std::move(stop)), progress_(std::move(progress)) {}

  /// Puts itself into `spec`. REQUIRES: it outlives the run.
  void look_after(run::RunSpec& spec);
  /// What a signal handler raised, such as KeyboardInterrupt; None if nothing.
  nb::object raised() const;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kEvery{50};

  bool interrupted();
  void tell(std::uint64_t cycle, std::uint64_t done);

  std::shared_ptr<Stop> stop_;
  nb::object progress_;
  Clock::time_point looked_ = Clock::now(), told_ = Clock::now();
  std::optional<nb::python_error> raised_;
};

}  // namespace muster::python
