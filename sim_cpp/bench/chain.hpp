// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/endpoint_clients.hpp"
#include "muster/topology/graph.hpp"

namespace muster::bench {

/// Switches in a row, joined by links of the given latency: port 0 of each leads to the next, port
/// 1 to the one before. Node 0 is on switch 0, node 1 on the last one, one cycle away.
inline topology::Graph chain(std::uint32_t switches, std::uint32_t latency) {
  topology::Graph graph;
  graph.name = "chain";
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_switch(3);
  for (std::uint32_t s = 0; s + 1 < switches; ++s) graph.add_link({s, 0}, {s + 1, 1}, latency);
  graph.add_node({0, 2});
  graph.add_node({switches - 1, 2});
  return graph;
}

/// Node 1 sends packets to node 0, one after the other from cycle 0 on.
class OneStream : public fabric::PacketClient {
 public:
  OneStream(std::uint64_t packets, std::uint32_t length) : left_(packets), length_(length) {}
  std::uint64_t ready(std::uint32_t node) override {
    return node == 1 && left_ != 0 ? 0 : fabric::kNever;
  }
  fabric::Packet take(std::uint64_t /*cycle*/, std::uint32_t node, std::uint8_t vc) override {
    --left_;
    return {.source = node, .destination = 0, .length = length_, .sequence = sequence_++, .vc = vc};
  }
  void deliver(std::uint64_t, std::uint32_t, const fabric::Packet&) override {}

 private:
  std::uint64_t left_;
  std::uint32_t length_;
  std::uint16_t sequence_ = 0;
};

}  // namespace muster::bench
