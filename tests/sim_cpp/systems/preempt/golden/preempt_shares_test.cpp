// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim_cpp/systems/preempt/golden/preempt_bench.hpp"

/// docs/systems/preempting-switches.md, What is left to data.

using namespace muster;
using golden::is_data;
using golden::later;
using golden::PreemptBench;

namespace {

/// What passes an output in 4000 cycles in which two neighbours never stop sending it barrier
/// messages and a third has a packet for it, in each channel, that does not end; in flits, from
/// cycle 100 on.
struct Shares {
  std::uint64_t barriers = 0, data = 0, longest_pause = 0;  ///< of the data, cycles
  Shares(const fabric::SwitchKind& kind, std::uint32_t vcs, std::uint32_t gap,
         std::uint32_t longest) {
    constexpr std::uint64_t kCycles = 4000;
    PreemptBench b(kind, vcs, 8);
    b.times(16, gap, longest);
    for (std::uint8_t v = 0; v < vcs; ++v) b.packet(3, 1, 2 * kCycles, v, true);
    for (std::uint64_t i = 0; i < kCycles / 2; ++i)
      for (const std::uint32_t port : {0u, 2u}) b.send(port, later(31));
    b.run(kCycles);
    std::uint64_t last = 100;
    for (const auto& s : b.seen[1]) {
      if (s.cycle < 100) continue;
      ++(is_data(s.flit) ? data : barriers);
      if (!is_data(s.flit)) continue;
      longest_pause = std::max(longest_pause, s.cycle - last);
      last = s.cycle;
    }
    CAPTURE(gap, longest, vcs, barriers, data, longest_pause);
    CHECK(static_cast<double>(barriers) <= 5.0 / (6 + gap) * (kCycles - 100) + 5);
    CHECK(data > 0);
    CHECK(longest_pause <= longest + 16 + 12);
  }
};

/// A line of the table.
struct Row {
  std::uint32_t vcs, gap, longest;
  std::uint64_t barriers, data, pause;
};
constexpr Row kRows[] = {
    {1, 0, 16, 2600, 186, 21}, {1, 0, 64, 2600, 56, 69}, {1, 0, 256, 2600, 15, 261},
    {1, 2, 16, 1773, 354, 21}, {1, 2, 64, 1606, 57, 68}, {1, 2, 256, 1578, 30, 261},
    {1, 8, 16, 975, 812, 20},  {1, 8, 64, 802, 57, 68},  {1, 8, 256, 734, 105, 260},
};

}  // namespace

TEST_CASE("barrier messages that never end leave data their share", "[golden][preempt]") {
  for (const fabric::SwitchKind* kind : {&preempt::kBsr1, &preempt::kBsr2})
    for (const Row& row : kRows) {
      const Shares shares(*kind, row.vcs, row.gap, row.longest);
      CAPTURE(kind->name, row.gap, row.longest);
      CHECK(shares.barriers == row.barriers);
      CHECK(shares.data == row.data);
      CHECK(shares.longest_pause == row.pause);
    }
}

TEST_CASE("with another channel the link is shared, with one alone a cut takes all of it",
          "[golden][preempt]") {
  const Shares one(preempt::kBsr1, 1, 2, 256), two(preempt::kBsr1, 2, 2, 256);
  CHECK(two.barriers == 1324);
  CHECK(two.data == 2576);
  CHECK(two.longest_pause == 5);
  CHECK(two.data > 3 * one.data);
  CHECK(Shares(preempt::kBsr1, 1, 2, 16).data > 3 * one.data);
}
