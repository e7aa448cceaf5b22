// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace muster::app::sweep {

/// How far a sweep is, as a line: a bar, rows, failed ones, time left.
class Progress {
 public:
  /// `total` rows, of which `found` were there before it began.
  Progress(std::uint64_t total, std::uint64_t found) : total_(total), found_(found), done_(found) {}

  void add(bool failed) {
    ++done_;
    failed_ += failed;
  }
  /// After so many seconds of work.
  std::string line(double seconds) const;

 private:
  std::uint64_t total_, found_, done_, failed_ = 0;
};

/// "1 h 02 min", "3 min 20 s", "12 s".
std::string duration_text(double seconds);

}  // namespace muster::app::sweep
