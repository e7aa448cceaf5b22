// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_map.hpp"
#include "muster/fabric/network.hpp"
#include "muster/topology/routes.hpp"
#include "run/links/switch_writes.hpp"

namespace muster::run {

/// Routes, and other words, that the host has still to write into switches while the network runs.
class TableRewrite {
 public:
  /// `routes` are those in force and are kept so. Both outlive this.
  TableRewrite(fabric::Network& network, topology::Routes& routes)
      : writes_(network), routes_(routes) {}
  void add(topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
    writes_.add(s, address, value);
  }
  /// Every entry of `next` that is not in force, of one switch. Returns how many.
  std::uint64_t add_difference(topology::SwitchId s, const topology::Routes& next) {
    const std::size_t before = writes_.waiting(s);
    for (std::uint32_t d = 0; d < next.destinations(); ++d)
      if (next.mask(s, d) != routes_.mask(s, d))
        add(s, fabric::registers::kRoutes + d, next.mask(s, d));
    return writes_.waiting(s) - before;
  }
  /// In the next cycle one word for each switch that lacks some; false if none does.
  bool write_some() {
    bool some = false;
    writes_.write_some([&](topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
      some = true;
      if (address < fabric::registers::kRoutes) return;
      routes_.set(s, address - fabric::registers::kRoutes, static_cast<std::uint16_t>(value));
    });
    return some;
  }

 private:
  SwitchWrites writes_;
  topology::Routes& routes_;
};

}  // namespace muster::run
