// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "muster/core/ranks.hpp"

extern "C" muster::core::Ranks* muster_mpi_ranks();

/// What messages of a cycle cost home that waits for them: `mpirun -n R rank_cost`. Rank 0 sends
/// one to each other and hears one of each; it prints bytes of a message and microseconds, the
/// median of several rounds, a line each; for scripts/measure.
int main() {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 15, kCycles = 200;
  const std::unique_ptr<muster::core::Ranks> ranks(muster_mpi_ranks());
  const bool home = ranks->rank() == 0;
  for (std::size_t bytes = 16; bytes <= std::size_t{1} << 20; bytes *= 8) {
    const std::vector<std::byte> message(bytes);
    std::vector<double> rounds;
    for (int round = 0; round < kRounds; ++round) {
      const auto start = Clock::now();
      for (int i = 0; i < kCycles; ++i) {
        for (std::uint32_t r = 1; home && r < ranks->count(); ++r) ranks->send(r, message);
        for (std::uint32_t r = 1; home && r < ranks->count(); ++r) ranks->receive(r);
        if (home) continue;
        ranks->receive(0);
        ranks->send(0, message);
      }
      const std::chrono::duration<double, std::micro> time = Clock::now() - start;
      rounds.push_back(time.count() / kCycles);
    }
    std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
    if (home) fmt::print("{} {:.2f}\n", bytes, rounds[kRounds / 2]);
  }
}
