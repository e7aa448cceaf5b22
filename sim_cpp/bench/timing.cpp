// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>

namespace muster::bench {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double Timings::best(std::size_t subject) const {
  return *std::min_element(seconds_[subject].begin(), seconds_[subject].end());
}

double Timings::ratio(std::size_t subject, std::size_t reference) const {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < seconds_[subject].size(); ++round) {
    ratios.push_back(seconds_[subject][round] / seconds_[reference][round]);
  }
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

Timings alternate(const std::vector<std::function<void()>>& subjects, unsigned rounds,
                  double (*clock)()) {
  Timings timings(subjects.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::size_t subject = round % 2 == 0 ? i : subjects.size() - 1 - i;
      const double start = clock();
      subjects[subject]();
      timings.add(subject, clock() - start);
    }
  }
  return timings;
}

}  // namespace muster::bench
