// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/lanes.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// Counts of a switch's ports and causes of its interrupt (docs/systems/barrier-switch.md,
/// Counters). Masks have a bit a port.
class PortCounters {
 public:
  explicit PortCounters(std::uint32_t ports) : ports_(ports) {}

  /// What has happened in the cycle before.
  struct Events {
    Ports dropped = 0;
    bool refused = false, overflow = false;
  };
  /// The clock edge of a cycle with flits on the wires of the outputs that leave() was told of, in
  /// which data wait at the outputs `stalled`; `lost` of it is counted at the next edge.
  void edge(Ports stalled, const Events& before, Ports lost) {
    const Ports dropped = before.dropped | lost_;
    count(sent_, 0);
    count(stalled, 1);
    count(dropped, 2);
    new_causes_ = std::uint32_t{dropped != 0} | std::uint32_t{before.refused} << 1 |
                  std::uint32_t{before.overflow} << 2;
    causes_ |= new_causes_;
    lost_ = lost;
  }
  /// After the writes of the same edge: a cause that it clears and sets is set.
  void keep_new_causes() { causes_ |= new_causes_; }
  /// The outputs with a flit on their wires in the next cycle.
  void leave(Ports outputs) { sent_ = outputs; }
  /// Something is still to be counted.
  bool pending() const { return lost_ != 0; }
  bool irq(bool suspect) const { return ((causes_ | std::uint32_t{suspect} << 3) & mask_) != 0; }

  /// The words of the register map that are kept here; others are 0 and stay so.
  void write(std::uint32_t address, std::uint32_t value) {
    if (address == kMask) mask_ = value & 0x1f;  // the highest for damage
    if (address == kCauses) causes_ &= ~value;
    if (is_count(address)) counts_[address - kCounts] = 0;
  }
  std::uint32_t read(std::uint32_t address) const {
    if (address == kMask) return mask_;
    if (address == kCauses) return causes_;
    return is_count(address) ? counts_[address - kCounts] : 0;
  }

 private:
  static constexpr std::uint32_t kMask = 0x00E, kCauses = 0x00F, kCounts = 0x200;

  bool is_count(std::uint32_t address) const {
    return address >= kCounts && address < kCounts + 4 * ports_;  // the fourth stays 0
  }
  void count(Ports ports, std::uint32_t word) {
    for_each_bit(ports, [&](std::uint32_t port) {
      std::uint32_t& count = counts_[4 * port + word];
      count += count != ~0u;
    });
  }

  std::uint32_t ports_, mask_ = 8, causes_ = 0, new_causes_ = 0;
  Ports sent_ = 0, lost_ = 0;
  std::array<std::uint32_t, 4 * kMaxPorts> counts_{};
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
