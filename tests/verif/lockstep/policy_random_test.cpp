// SPDX-License-Identifier: Apache-2.0
#include "models/model_library.hpp"
#include "muster/verif.hpp"
#include "support/test.hpp"
#include "systems/esc/box_factory.hpp"

using namespace muster;
using esc::InputPolicy;

namespace {

/// Of the boxes.
std::uint32_t size_of(const fabric::BlockEntry& entry) { return entry.block.param("Size"); }

/// Policies of 16 PEs with any packets, many of them for the hot spot, and flags that come and go,
/// set and clear in one cycle included; now and then with other sections. Returns how many packets
/// went aside from link 0.
std::uint64_t run_random(const esc::PolicyConfig& config, std::uint64_t seed,
                         std::uint64_t cycles) {
  constexpr std::uint32_t kPes = 16;
  Random rng(seed);
  const auto engine = verif::make_lockstep_engine();
  const auto bank = esc::boxes_of(*engine)->make_policies(config, kPes);
  std::vector<std::uint16_t> seeds;
  for (std::uint32_t pe = 0; pe < kPes; ++pe)
    seeds.push_back(static_cast<std::uint16_t>(pe == 1 ? 0 : rng.below(65536)));
  const std::uint64_t addresses = std::uint64_t{1} << config.address_bits;
  for (std::uint32_t& hot : bank->hot) hot = rng.below(addresses);
  bank->reset(seeds);

  std::uint64_t aside = 0;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    const bool idle = cycle % 64 < 8;
    for (std::uint32_t pe = 0; pe < kPes; ++pe) {
      const bool flag = bank->flag[pe] != 0;
      bank->set[pe] = !idle && rng.below(100) < 3;
      bank->clear[pe] = !idle && rng.below(100) < 3;
      if (!flag && rng.below(50) == 0) bank->hot[pe] = rng.below(addresses);
      if (rng.below(500) == 0) bank->sections[pe] = rng.below(addresses);
      const auto to = rng.below(3) == 0 ? bank->hot[pe] : rng.below(addresses);
      bank->offer[pe] = idle || rng.below(4) == 0
                            ? 0
                            : esc::make_packet(static_cast<esc::BoxKind>(1 + rng.below(3)), cycle,
                                               pe, static_cast<std::uint32_t>(to));
    }
    bank->settle();
    for (std::uint32_t pe = 0; pe < kPes; pe += config.size)
      aside += bank->offer[pe] != 0 && bank->digit[pe] != 0;
    bank->clock(cycle);
  }
  CHECK(bank->comparisons() > cycles * kPes);
  return aside;
}

TEST_CASE("every built input policy agrees with golden", "[lockstep][esc]") {
  const std::uint64_t seed = muster_seed();
  const auto sizes = verif::listed("policy", size_of);
  REQUIRE_FALSE(sizes.empty());
  for (const std::uint32_t size : sizes) {
    for (const std::uint32_t bits : {6u, 12u, 16u})
      for (const auto policy : {InputPolicy::kStraight, InputPolicy::kIsolatedBackground,
                                InputPolicy::kIsolatedHotSpot, InputPolicy::kHotSection})
        for (const unsigned sections : {0u, 2u, 5u}) {
          CAPTURE(size, bits, static_cast<int>(policy), sections, seed);
          const std::uint32_t all = (1u << bits) - 1;
          const std::uint64_t aside =
              run_random({size, bits, policy, all & ~(all >> sections)}, seed + sections, 1500);
          CHECK((aside != 0) == (policy != InputPolicy::kStraight));
        }
  }
}

using esc::InjectionScheme;

/// What the schemes have done, over all PEs and cycles.
struct Seen {
  std::uint64_t held_back = 0;  ///< heads that were not offered
  std::uint64_t from_hold = 0;  ///< offers that were not the head
  std::uint64_t off_link = 0;   ///< digits other than the PE's link
  std::uint64_t section_changes = 0;
};

/// Injection blocks of some PEs with any packets, wires that come and go, any fill counts, and
/// offers that are taken or not, for some time always or never. A head that stays is offered again.
Seen run_random(const esc::InjectionConfig& config, std::uint64_t seed, std::uint64_t cycles) {
  const std::uint32_t pes = 1u << config.address_bits;
  Random rng(seed);
  const auto engine = verif::make_lockstep_engine();
  const auto bank = esc::boxes_of(*engine)->make_injections(config, pes);
  bank->reset(std::vector<std::uint16_t>(pes));
  std::vector<std::uint32_t> sections(pes);
  Seen seen;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    const std::uint64_t mood = cycle / 64 % 4;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      if (bank->head[pe] == 0 && rng.below(4) != 0)
        bank->head[pe] = esc::make_packet(static_cast<esc::BoxKind>(1 + rng.below(3)), cycle, pe,
                                          rng.below(pes));
      bank->busy[pe] = mood < 2 ? rng.below(2) : mood == 2;
      bank->fill[pe] = static_cast<std::uint8_t>(rng.below(mood == 0 ? 65 : 3));
    }
    bank->settle();
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      const esc::BoxPacket offer = bank->offer[pe];
      seen.held_back += bank->head[pe] != 0 && offer == 0;
      seen.from_hold += offer != 0 && offer != bank->head[pe];
      seen.off_link += offer != 0 && bank->digit[pe] != pe % config.size;
      bank->flag[pe] = rng.below(8) != 0;
      bank->asked[pe] = static_cast<std::uint8_t>(mood == 1   ? 0
                                                  : mood == 2 ? config.size - 1
                                                              : rng.below(config.size));
      bank->taken[pe] = offer != 0 && rng.below(mood == 0 ? 2 : 8) == 0;
    }
    bank->clock(cycle);
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      if (bank->leaves[pe] != 0) bank->head[pe] = 0;
      seen.section_changes += bank->sections[pe] != sections[pe];
      sections[pe] = bank->sections[pe];
    }
  }
  CHECK(bank->comparisons() > 3 * cycles * pes - 1);
  return seen;
}

TEST_CASE("every built injection block agrees with golden", "[lockstep][esc]") {
  const std::uint64_t seed = muster_seed();
  const auto sizes = verif::listed("injection", size_of);
  REQUIRE_FALSE(sizes.empty());
  for (const std::uint32_t size : sizes)
    for (const std::uint32_t bits : {3u, 6u}) {
      CAPTURE(size, bits, seed);
      const Seen throttle = run_random({size, bits, InjectionScheme::kThrottle}, seed + bits, 1500);
      CHECK(throttle.held_back > 0);
      CHECK(throttle.from_hold > 0);
      CHECK(throttle.section_changes == 0);
      const Seen adaptive = run_random({size, bits, InjectionScheme::kAdaptive}, seed + bits, 1500);
      CHECK(adaptive.held_back == 0);
      CHECK(adaptive.off_link > 0);
      const Seen chosen = run_random({size, bits, InjectionScheme::kSections}, seed + bits, 1500);
      CHECK(chosen.held_back + chosen.from_hold == 0);
      CHECK(chosen.section_changes > 0);
    }
}

}  // namespace
