// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <span>
#include <vector>

#include "systems/esc/scheme/fault_routing.hpp"
#include "systems/esc/scheme/faulty_boxes.hpp"
#include "systems/esc/scheme/network.hpp"

namespace muster::test {

/// Copies that PE d got from PE s, at [s * N + d], when every PE sends its queue, a packet a cycle,
/// into boxes of which the faulty ones swallow what comes. Fails if a packet to one PE is at
/// another, or the network does not drain.
inline std::vector<unsigned> send_all(const esc::BoxFactory& engine, const esc::BoxConfig& box,
                                      const esc::Cube& cube, const esc::OuterStages& stages,
                                      const std::vector<esc::Fault>& faults,
                                      const std::vector<std::vector<esc::BoxPacket>>& queues) {
  const std::uint32_t pes = cube.pes();
  esc::Network net(cube, stages, box, esc::FaultyBoxes(engine, cube, stages, faults));
  net.reset(0x5EED);
  std::vector<unsigned> copies(std::size_t{pes} * pes);
  std::vector<std::size_t> sent(pes);
  std::vector<esc::BoxPacket> offers(pes);
  bool waiting = true;
  for (std::uint64_t cycle = 0; waiting || !net.empty(); ++cycle) {
    if (cycle > 100u * pes + 1000) FAIL("the network does not drain");
    waiting = false;
    for (std::uint32_t pe = 0; pe < pes; ++pe) {
      const esc::BoxPacket packet = net.arrivals()[pe];
      offers[pe] = sent[pe] < queues[pe].size() ? queues[pe][sent[pe]] : 0;
      waiting |= offers[pe] != 0;
      if (packet == 0) continue;
      if (esc::kind_of(packet) != esc::BoxKind::kRelease && (esc::tag_of(packet) & (pes - 1)) != pe)
        FAIL("a packet to PE " << (esc::tag_of(packet) & (pes - 1)) << " is at PE " << pe);
      ++copies[std::size_t{esc::source_of(packet)} * pes + pe];
    }
    net.settle(cycle, offers);
    for (std::uint32_t pe = 0; pe < pes; ++pe) sent[pe] += net.taken()[pe];
    net.clock(cycle);
  }
  return copies;
}

/// Every PE sends one packet to every PE, by the tags of `routing`; destinations in the order of
/// their distance, so that in no cycle two PEs begin with the same one.
inline std::vector<std::vector<esc::BoxPacket>> to_each(const esc::Cube& cube,
                                                        const esc::FaultRouting& routing) {
  std::vector<std::vector<esc::BoxPacket>> queues(cube.pes());
  for (std::uint32_t s = 0; s < cube.pes(); ++s) {
    for (std::uint32_t k = 0; k < cube.pes(); ++k) {
      const auto tag = routing.tag(s, (s + k) % cube.pes());
      if (tag) queues[s].push_back(esc::make_packet(esc::BoxKind::kBackground, k, s, *tag));
    }
  }
  return queues;
}

/// Every PE sends one broadcast to all.
inline std::vector<std::vector<esc::BoxPacket>> to_all(const esc::Cube& cube,
                                                       const esc::FaultRouting& routing) {
  std::vector<std::vector<esc::BoxPacket>> queues(cube.pes());
  for (std::uint32_t s = 0; s < cube.pes(); ++s)
    for (const esc::Broadcast& b : routing.broadcast(s))
      queues[s].push_back(esc::make_release(b.mask, s, b.tag));
  return queues;
}

/// With each of the faults alone, one packet of every PE to every PE arrives, and one broadcast of
/// every PE at every PE, on the boxes of any engine.
inline void sweep_faults(const esc::BoxFactory& engine, const esc::BoxConfig& box,
                         std::uint32_t pes, std::span<const esc::Fault> faults) {
  const esc::Cube cube(pes, box.size);
  const std::vector<unsigned> one_each(std::size_t{pes} * pes, 1);
  for (const esc::Fault& fault : faults) {
    const std::vector<esc::Fault> alone = {fault};
    const esc::OuterStages stages = esc::choose_stages(cube, alone);
    const esc::FaultRouting routing(cube, stages, alone);
    INFO(pes << " PEs, boxes of " << box.size << ", fault " << esc::fault_text(fault));
    const bool each =
        send_all(engine, box, cube, stages, alone, to_each(cube, routing)) == one_each;
    const bool all = send_all(engine, box, cube, stages, alone, to_all(cube, routing)) == one_each;
    REQUIRE(each);
    REQUIRE(all);
  }
}

}  // namespace muster::test
