// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>

#include "fabric/golden/lanes.hpp"
#include "fabric/golden/route_table.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden {

/// The words that the register ports of all kinds of switches have: what the switch is, what it has
/// dropped, held links and routes (docs/reference/registers.md).
class SwitchRegisters {
 public:
  /// `addressed`: packets can be for the switch. `config` and `routes` outlive it.
  SwitchRegisters(const fabric::SwitchConfig& config, RouteTable& routes, bool addressed)
      : addressed_(addressed), config_(config), routes_(routes) {}

  /// Outputs whose link is held, and all their lanes.
  std::uint16_t held_ports() const { return held_ports_; }
  std::uint64_t held() const { return held_; }
  /// The bits of a value that belong to ports.
  std::uint16_t ports(std::uint32_t value) const {
    return static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  }

  /// The words that others have are left to them.
  void write(std::uint32_t address, std::uint32_t value) {
    if (address == kHold) {
      held_ports_ = ports(value);
      held_ = 0;
      for_each_bit(held_ports_, [&](std::uint32_t p) { held_ |= lanes_of(p); });
    } else if (address >= kRoutes && address - kRoutes < config_.dests) {
      routes_.write(address - kRoutes, ports(value), addressed_ && has(value, kSelfBit));
    }
  }
  /// `unroutable` packets and `headless` flits have been dropped. Nothing if it is no word of
  /// these.
  std::optional<std::uint32_t> read(std::uint32_t address, std::uint32_t unroutable,
                                    std::uint32_t headless) const {
    switch (address) {
      case kIdentity:
        return kMagic << 16 | config_.kind->number << 8 | kMapVersion;
      case kSizes:
        return (fabric::group_memory(config_) != 0 ? 0 : config_.regs) << 24 | config_.depth << 16 |
               config_.vcs << 8 | config_.ports;
      case kWidths:
        return config_.dests << 16 | config_.gid_w << 10 | config_.flit_w;
      case kDropped:
        return std::min(headless, 0xffu) << 16 | std::min(unroutable, 0xffffu);
      case kHold:
        return held_ports_;
      default:
        return std::nullopt;
    }
  }

 private:
  static constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002,
                                 kDropped = 0x004, kHold = 0x006, kRoutes = 0x800;
  static constexpr std::uint32_t kMagic = 0x4D53, kMapVersion = 7, kSelfBit = 31;

  std::uint64_t held_ = 0;
  std::uint16_t held_ports_ = 0;
  bool addressed_;
  const fabric::SwitchConfig& config_;
  RouteTable& routes_;
};

}  // namespace muster::golden
