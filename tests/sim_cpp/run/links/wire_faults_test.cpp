// SPDX-License-Identifier: Apache-2.0
#include "run/links/wire_faults.hpp"

#include <bit>
#include <catch2/catch.hpp>

#include "support/seed.hpp"

namespace muster::run {
namespace {

const fabric::LinkConfig kLink;

/// Bits in which two frames differ.
unsigned distance(const core::Flit& a, const core::Flit& b) {
  const fabric::LinkFormat format(kLink);
  unsigned bits = 0;
  for (unsigned at = 0; at < format.width(); ++at) bits += format.bit(a, at) != format.bit(b, at);
  return bits;
}

core::Flit frame_with_flit(std::uint32_t seq) {
  return fabric::LinkFormat(kLink).pack({.flit = true, .seq = seq, .payload = 0x1234});
}

TEST_CASE("wires without faults pass every frame as it is", "[workload][link]") {
  WireFaults wires({.retry = true}, kLink, 2, 1);
  for (std::uint64_t cycle = 0; cycle < 100; ++cycle) {
    const core::Flit frame = frame_with_flit(cycle % 32);
    const core::Arriving arriving = wires.pass(cycle % 2, cycle, frame);
    CHECK(arriving.count == 1);
    CHECK(arriving.flits[0] == frame);
  }
  CHECK(wires.counts().frames == 100);
}

TEST_CASE("shares of frames are lost, corrupted and duplicated, and counted", "[workload][link]") {
  const std::uint64_t seed = muster_seed();
  const LinkSpec spec{.retry = true, .drop = 0.1, .corrupt = 0.2, .duplicate = 0.3};
  WireFaults wires(spec, kLink, 4, seed), again(spec, kLink, 4, seed);
  constexpr std::uint64_t kFrames = 20000;
  const core::Flit frame = frame_with_flit(3);
  std::uint64_t lost = 0, corrupted = 0, duplicated = 0;
  for (std::uint64_t i = 0; i < kFrames; ++i) {
    const core::Arriving arriving = wires.pass(i % 4, i / 4, frame);
    const core::Arriving same = again.pass(i % 4, i / 4, frame);
    REQUIRE(arriving.count == same.count);
    REQUIRE(arriving.flits == same.flits);
    lost += arriving.count == 0;
    duplicated += arriving.count == 2;
    if (arriving.count == 0 || arriving.flits[0] == frame) continue;
    ++corrupted;
    CHECK(distance(arriving.flits[0], frame) <= 3);
  }
  CHECK(wires.counts().dropped == lost);
  CHECK(wires.counts().corrupted == corrupted);
  CHECK(wires.counts().duplicated == duplicated);
  // Six standard deviations.
  CHECK(lost == Approx(0.1 * kFrames).margin(260));
  CHECK(corrupted == Approx(0.9 * 0.2 * kFrames).margin(330));
  CHECK(duplicated == Approx(0.9 * 0.3 * kFrames).margin(380));
}

TEST_CASE("in a flap both wires of the link are dead, and no others", "[workload][link]") {
  WireFaults wires({.retry = true, .flaps = {{.channel = 3, .first = 10, .cycles = 5}}}, kLink, 6,
                   1);
  for (std::uint64_t cycle = 0; cycle < 20; ++cycle)
    for (std::uint32_t wire = 0; wire < 6; ++wire) {
      CAPTURE(cycle, wire);
      const bool dead = wire / 2 == 1 && cycle >= 10 && cycle < 15;
      CHECK(wires.pass(wire, cycle, frame_with_flit(0)).count == (dead ? 0u : 1u));
    }
  CHECK(wires.counts().flapped == 10);
}

TEST_CASE("flits that were sent before are counted, until a session begins", "[workload][link]") {
  WireFaults wires({.retry = true}, kLink, 1, 1);
  for (const std::uint32_t seq : {0, 1, 2, 1, 2, 3}) wires.pass(0, 0, frame_with_flit(seq));
  CHECK(wires.counts().replayed == 2);
  wires.pass(0, 0, fabric::LinkFormat(kLink).pack({.init = true}));
  wires.pass(0, 0, frame_with_flit(0));
  CHECK(wires.counts().replayed == 2);
}

}  // namespace
}  // namespace muster::run
