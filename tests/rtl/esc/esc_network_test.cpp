// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <vector>

#include "Vcube_16_4.h"
#include "Vcube_8_2.h"
#include "muster/run/golden_engine.hpp"
#include "rtl/clocked.hpp"
#include "support/seed.hpp"
#include "systems/esc/blocks/box_factory.hpp"
#include "systems/esc/scheme/network.hpp"

using namespace muster;
using namespace muster::test;
using esc::BoxPacket;

namespace {

template <class M, unsigned N, unsigned Size, unsigned Depth>
struct CubeOf {
  using Model = M;
  static constexpr unsigned kPes = N, kSize = Size, kDepth = Depth;
};

/// Any tag, any kind, and of a release packet any set of stages in which it is broadcast.
BoxPacket random_packet(Rng& rng) {
  const auto kind = static_cast<esc::BoxKind>(1 + rng.below(3));
  const auto tag = static_cast<std::uint32_t>(rng.below(1u << esc::kBoxTagBits));
  const auto source = static_cast<std::uint32_t>(rng.below(65536));
  if (kind == esc::BoxKind::kRelease)
    return esc::make_release(static_cast<std::uint32_t>(rng.below(32) & rng.below(32)), source,
                             tag);
  return esc::make_packet(kind, rng.below(1u << esc::kBoxBirthBits), source, tag);
}

/// The RTL network against the wiring in C++ over golden boxes, packet for packet and cycle for
/// cycle. Returns how many packets have arrived.
template <class T>
std::uint64_t compare(const esc::OuterStages& stages, std::uint64_t seed) {
  constexpr unsigned n = T::kPes;
  Rng rng(seed);
  const auto golden = run::make_golden_engine();
  esc::Network network(esc::Cube(n, T::kSize), stages, {T::kSize, T::kDepth},
                       *esc::boxes_of(*golden));
  Clocked<typename T::Model> dut(seed);
  const auto network_seed = static_cast<std::uint16_t>(rng.below(65536));
  dut->seed_i = network_seed;
  dut->input_enable_i = stages.input;
  dut->output_enable_i = stages.output;
  dut->valid_i = 0;
  put(dut->ready_i, (1u << n) - 1);
  dut.reset();
  network.reset(network_seed);

  std::vector<BoxPacket> offers(n);
  std::uint64_t arrived = 0;
  for (std::uint64_t cycle = 0; cycle < 3000; ++cycle) {
    const unsigned percent = cycle < 1000 ? 30 : cycle < 2000 ? 100 : cycle < 2900 ? 5 : 0;
    unsigned valid = 0;
    for (unsigned pe = 0; pe < n; ++pe) {
      if (offers[pe] == 0 && rng.below(100) < percent) offers[pe] = random_packet(rng);
      valid |= unsigned{offers[pe] != 0} << pe;
    }
    put(dut->valid_i, valid);
    std::memcpy(&dut->packet_i, offers.data(), sizeof dut->packet_i);
    dut.settle();
    const auto arrivals = network.arrivals();
    network.settle(cycle, offers);
    CAPTURE(cycle);
    for (unsigned pe = 0; pe < n; ++pe) {
      CAPTURE(pe);
      const bool here = ((dut->valid_o >> pe) & 1) != 0;
      const BoxPacket packet = dut->packet_o[2 * pe] | BoxPacket{dut->packet_o[2 * pe + 1]} << 32;
      REQUIRE((here ? packet : 0) == arrivals[pe]);
      REQUIRE(((dut->ready_o >> pe) & 1) == network.taken()[pe]);
      arrived += here;
      if (network.taken()[pe] != 0) offers[pe] = 0;
    }
    REQUIRE(dut->quiescent_o == network.empty());
    dut.edge();
    network.clock(cycle);
  }
  REQUIRE(network.empty());
  return arrived;
}

}  // namespace

TEMPLATE_TEST_CASE("the network in RTL is wired as the one in C++", "[rtl][esc]",
                   (CubeOf<Vcube_8_2, 8, 2, 3>), (CubeOf<Vcube_16_4, 16, 4, 2>)) {
  const std::uint64_t seed = muster_seed();
  for (const bool input : {false, true})
    for (const bool output : {false, true}) {
      CAPTURE(input, output, seed);
      CHECK(compare<TestType>({.input = input, .output = output}, seed) > 3000);
    }
}
