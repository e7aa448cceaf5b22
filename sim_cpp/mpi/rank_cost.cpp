// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "muster/core/ranks.hpp"

extern "C" muster::core::Ranks* muster_mpi_ranks();

/// What an exchange costs: `mpirun -n R rank_cost`. Rank 0 prints bytes of a message and
/// microseconds of an exchange, the median of several rounds, a line each; for scripts/ranks.
int main() {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 15, kExchanges = 200;
  const std::unique_ptr<muster::core::Ranks> ranks(muster_mpi_ranks());
  for (std::size_t bytes = 16; bytes <= std::size_t{1} << 20; bytes *= 8) {
    const std::vector<std::byte> message(bytes);
    std::vector<double> rounds;
    for (int round = 0; round < kRounds; ++round) {
      const auto start = Clock::now();
      for (int i = 0; i < kExchanges; ++i) ranks->exchange(message);
      const std::chrono::duration<double, std::micro> time = Clock::now() - start;
      rounds.push_back(time.count() / kExchanges);
    }
    std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
    if (ranks->rank() == 0) fmt::print("{} {:.2f}\n", bytes, rounds[kRounds / 2]);
  }
}
