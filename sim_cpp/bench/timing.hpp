// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace muster::bench {

/// CPU time of this process so far, in seconds: what other programs take does not count.
double cpu_seconds();
/// Of the clock on the wall, in seconds since some time: for what several threads do.
double wall_seconds();

/// Seconds of several subjects that worked in turn.
class Timings {
 public:
  explicit Timings(std::size_t subjects) : seconds_(subjects) {}
  void add(std::size_t subject, double seconds) { seconds_[subject].push_back(seconds); }

  /// The least disturbed round, for absolute numbers.
  double best(std::size_t subject) const;
  /// Time of `subject` by that of `reference` in the same round, median over the rounds.
  double ratio(std::size_t subject, std::size_t reference) const;

 private:
  std::vector<std::vector<double>> seconds_;  // by subject and round
};

/// Lets every subject do its piece of work once a round, in turn and every other round in reverse,
/// so that a change of the machine's speed meets all of them alike.
Timings alternate(const std::vector<std::function<void()>>& subjects, unsigned rounds,
                  double (*clock)() = cpu_seconds);

}  // namespace muster::bench
