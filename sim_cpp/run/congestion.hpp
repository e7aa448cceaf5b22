// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "muster/fabric/network.hpp"
#include "muster/run/members.hpp"
#include "muster/run/spec.hpp"

namespace muster::run {

/// Links held on purpose (docs/reference/registers.md, register 0x007): in each barrier of each
/// group some members' switches have their links to other switches held for a time, through the
/// register ports, while everything goes on.
class Congestion {
 public:
  /// REQUIRES: spec.congestion. Throws InputError if a group has fewer members than are to be
  /// congested. The references outlive it.
  Congestion(const RunSpec& spec, fabric::Network& network, const Members& members);
  /// Before each cycle.
  void step(std::uint64_t cycle);

 private:
  struct End {
    std::uint64_t cycle;
    topology::SwitchId sw;
    friend auto operator<=>(const End&, const End&) = default;
  };
  void begin(std::uint64_t cycle, std::uint32_t group, std::uint32_t barrier);

  const RunSpec& spec_;
  fabric::Network& network_;
  const Members& members_;
  std::vector<std::uint32_t> links_;   ///< by switch: ports to other switches
  std::vector<std::uint32_t> next_;    ///< by group: the barrier that has not begun
  std::vector<std::uint32_t> held_;    ///< by switch: how many hold it
  std::vector<std::uint8_t> written_;  ///< by switch: its register says so
  std::vector<topology::SwitchId> changed_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace muster::run
