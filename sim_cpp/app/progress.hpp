// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace muster::app {

/// How far long work is, as a line: a bar, parts that are done, failed ones, time left.
class Progress {
 public:
  /// `total` parts called `parts`, of which `found` were there before it began.
  Progress(std::uint64_t total, std::uint64_t found, std::string parts)
      : total_(total), found_(found), done_(found), parts_(std::move(parts)) {}

  void add(bool failed) {
    ++done_;
    failed_ += failed;
  }
  void reach(std::uint64_t done) { done_ = done; }
  /// After so many seconds of work.
  std::string line(double seconds) const;

 private:
  std::uint64_t total_, found_, done_, failed_ = 0;
  std::string parts_;
};

/// Shows on a terminal how far work of several steps is, each with its time left; nothing of steps
/// that are short.
class StepProgress {
 public:
  /// Told often, as topology::Steps.
  void operator()(const char* step, const char* parts, std::uint32_t done, std::uint32_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string step_;
  Clock::time_point begin_, shown_;
};

/// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);

}  // namespace muster::app
