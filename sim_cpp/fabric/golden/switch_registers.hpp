// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/route_table.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The words that the register ports of all kinds of switches have: what the switch is, what it has
/// dropped, held links and routes (docs/reference/registers.md).
class SwitchRegisters {
 public:
  /// `addressed`: packets can be for the switch. `config` and `routes` outlive it.
  SwitchRegisters(const fabric::SwitchConfig& config, RouteTable& routes, bool addressed)
      : addressed_(addressed), config_(config), routes_(routes) {}

  /// Outputs whose link is held, and all their lanes.
  Ports held_ports() const { return held_ports_; }
  Lanes held() const { return held_; }
  /// A mask of ports after a write of its word for ports 32 * half and on; others are kept.
  Ports ports(std::uint32_t value, std::uint32_t half = 0, Ports before = 0) const {
    return written_mask(before, half, value, config_.ports);
  }

  /// The words that others have are left to them.
  void write(std::uint32_t address, std::uint32_t value) {
    if (address == kHold || address == kHold + 1) {
      held_ports_ = ports(value, address - kHold, held_ports_);
      held_ = 0;
      for_each_bit(held_ports_, [&](std::uint32_t p) { held_ |= lanes_of(p); });
    } else if (address == kUpperRoute || address == kUpperRoute + 1) {
      const std::uint32_t lsb = kSelfBit + 32 * (address - kUpperRoute);
      const std::uint64_t all = config_.ports > lsb ? bit(config_.ports - lsb) - 1 : 0;
      upper_route_[address - kUpperRoute] = static_cast<std::uint32_t>(value & all);
    } else if (address >= kRoutes && address - kRoutes < config_.dests) {
      const std::uint64_t upper = upper_route_[0] | std::uint64_t{upper_route_[1]} << 32;
      const std::uint64_t mask = (value & (bit(kSelfBit) - 1)) | upper << kSelfBit;
      routes_.write(address - kRoutes, static_cast<Ports>(mask & all_ports(config_.ports)),
                    addressed_ && has(value, kSelfBit));
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
      case kHold + 1:
        return word_of(held_ports_, address - kHold);
      case kUpperRoute:
      case kUpperRoute + 1:
        return upper_route_[address - kUpperRoute];
      default:
        return std::nullopt;
    }
  }

 private:
  static constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002,
                                 kDropped = 0x004, kHold = 0x006, kUpperRoute = 0x008,
                                 kRoutes = 0x800;
  static constexpr std::uint32_t kMagic = 0x4D53, kMapVersion = 7, kSelfBit = 31;

  Lanes held_ = 0;
  std::array<std::uint32_t, 2> upper_route_{};  // ports 31 and on of the entry written next
  Ports held_ports_ = 0;
  bool addressed_;
  const fabric::SwitchConfig& config_;
  RouteTable& routes_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
