// SPDX-License-Identifier: Apache-2.0
#include "Vcube_16_4.h"
#include "Vcube_8_2.h"
#include "rtl/clocked.hpp"
#include "sim_cpp/systems/esc/esc_fixture.hpp"

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
BoxPacket random_packet(Random& rng) {
  const auto kind = static_cast<esc::BoxKind>(1 + rng.below(3));
  const std::uint32_t tag = rng.below(1u << esc::kBoxTagBits);
  const std::uint32_t source = rng.below(65536);
  if (kind == esc::BoxKind::kRelease)
    return esc::make_release(rng.below(32) & rng.below(32), source, tag);
  return esc::make_packet(kind, rng.below(1u << esc::kBoxBirthBits), source, tag);
}

/// A reset network in RTL, with a dead part or none.
template <class T>
void start(Clocked<typename T::Model>& dut, const esc::OuterStages& stages,
           const std::vector<esc::Fault>& faults, std::uint16_t seed) {
  dut->seed_i = seed;
  dut->input_enable_i = stages.input;
  dut->output_enable_i = stages.output;
  dut->fault_kind_i = 0;
  for (const esc::Fault& fault : faults) {
    dut->fault_kind_i = 1 + static_cast<unsigned>(fault.kind);
    dut->fault_stage_i = fault.stage;
    dut->fault_at_i = fault.index;
  }
  dut->valid_i = 0;
  put(dut->ready_i, (1u << T::kPes) - 1);
  dut.reset();
}

/// What the network offers to a PE, 0 for nothing.
template <class Dut>
BoxPacket arrival(Dut& dut, unsigned pe) {
  if (((dut->valid_o >> pe) & 1) == 0) return 0;
  return dut->packet_o[2 * pe] | BoxPacket{dut->packet_o[2 * pe + 1]} << 32;
}

template <class Dut>
void offer(Dut& dut, const std::vector<BoxPacket>& offers) {
  unsigned valid = 0;
  for (unsigned pe = 0; pe < offers.size(); ++pe) valid |= unsigned{offers[pe] != 0} << pe;
  put(dut->valid_i, valid);
  std::memcpy(&dut->packet_i, offers.data(), sizeof dut->packet_i);
  dut.settle();
}

/// The RTL network against the wiring in C++ over golden boxes, packet for packet and cycle for
/// cycle, while much is offered, all that goes in, little and nothing. Returns how many packets
/// have arrived.
template <class T>
std::uint64_t compare(const esc::OuterStages& stages, const std::vector<esc::Fault>& faults,
                      std::uint64_t cycles, std::uint64_t seed) {
  constexpr unsigned n = T::kPes;
  Random rng(seed);
  const auto golden = run::make_golden_engine();
  const esc::Cube cube(n, T::kSize);
  esc::Network network(cube, stages, {T::kSize, T::kDepth}, *esc::boxes_of(*golden), faults);
  Clocked<typename T::Model> dut(seed);
  const auto network_seed = static_cast<std::uint16_t>(rng.below(65536));
  start<T>(dut, stages, faults, network_seed);
  network.reset(network_seed);

  std::vector<BoxPacket> offers(n);
  std::uint64_t arrived = 0;
  for (std::uint64_t cycle = 0; cycle < 3 * cycles; ++cycle) {
    const unsigned percent = cycle < cycles           ? 30
                             : cycle < 2 * cycles     ? 100
                             : 2 * cycle < 5 * cycles ? 5
                                                      : 0;
    for (unsigned pe = 0; pe < n; ++pe)
      if (offers[pe] == 0 && rng.below(100) < percent) offers[pe] = random_packet(rng);
    offer(dut, offers);
    const auto arrivals = network.arrivals();
    network.settle(cycle, offers);
    CAPTURE(cycle);
    for (unsigned pe = 0; pe < n; ++pe) {
      CAPTURE(pe);
      REQUIRE(arrival(dut, pe) == arrivals[pe]);
      REQUIRE(((dut->ready_o >> pe) & 1) == network.taken()[pe]);
      arrived += arrivals[pe] != 0;
      if (network.taken()[pe] != 0) offers[pe] = 0;
    }
    // What leaves a box for a dead link is seen by the box alone.
    REQUIRE((dut->quiescent_o == network.empty() || (!faults.empty() && network.empty())));
    dut.edge();
    network.clock(cycle);
  }
  REQUIRE(network.empty());
  return arrived;
}

}  // namespace

TEMPLATE_TEST_CASE("the network in RTL is wired as the one in C++, and dies like it at any part",
                   "[rtl][esc][faults]", (CubeOf<Vcube_8_2, 8, 2, 3>),
                   (CubeOf<Vcube_16_4, 16, 4, 2>)) {
  const std::uint64_t seed = muster_seed();
  const esc::Cube cube(TestType::kPes, TestType::kSize);
  Random rng(seed);
  const std::vector<esc::Fault> faults = some_faults(cube, 40, rng);
  for (const bool input : {false, true})
    for (const bool output : {false, true}) {
      const esc::OuterStages stages{.input = input, .output = output};
      CAPTURE(input, output, seed);
      CHECK(compare<TestType>(stages, {}, 1000, seed) > 3000);
      for (const esc::Fault& fault : faults) {
        CAPTURE(esc::fault_text(fault));
        CHECK(compare<TestType>(stages, {fault}, 100, seed) > 100);
      }
    }
}
