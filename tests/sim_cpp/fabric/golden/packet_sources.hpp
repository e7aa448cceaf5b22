// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "fabric/golden/lanes.hpp"

namespace muster::golden {

/// Sources that always have a packet: each fills its queue with packets of two flits for port 0 and
/// keeps to its credits. The tail's payload names the source.
template <class Bench>
class PacketSources {
 public:
  PacketSources(Bench& bench, std::uint32_t depth) : bench_(bench), depth_(depth) {}
  void add(std::uint32_t port, std::uint8_t vc) { lanes_[lane_of(port, vc)] = {depth_, false}; }

  void step() {
    for (auto& [lane, source] : lanes_) {
      if (has(bench_.credits(), lane)) ++source.credits;
    }
    std::uint32_t sent = 0;  // a port carries one flit a cycle
    for (auto& [lane, source] : lanes_) {
      if (source.credits == 0 || has(sent, port_of(lane))) continue;
      sent |= 1u << port_of(lane);
      const auto vc = static_cast<std::uint8_t>(vc_of(lane));
      bench_.send(port_of(lane), source.open ? Bench::tail(lane) : Bench::head(1), vc);
      source.open = !source.open;
      --source.credits;
    }
    bench_.step();
  }

 private:
  struct Source {
    std::uint32_t credits;
    bool open;  ///< the head has been sent
  };
  Bench& bench_;
  std::uint32_t depth_;
  std::map<std::uint32_t, Source> lanes_;
};

}  // namespace muster::golden
