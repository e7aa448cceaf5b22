// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "muster/core/bits.hpp"

namespace muster::fabric {

/// Bits of a word of a register port.
struct RegisterField {
  std::uint32_t low, width;

  /// The field of these bits, which are beside each other.
  static constexpr RegisterField of_mask(std::uint32_t mask) {
    return {static_cast<std::uint32_t>(std::countr_zero(mask)),
            static_cast<std::uint32_t>(std::popcount(mask))};
  }

  /// Of the value in a word, when it is moved to bit 0.
  constexpr std::uint32_t ones() const {
    return width < 32 ? (std::uint32_t{1} << width) - 1 : ~std::uint32_t{0};
  }
  /// The bits of the field in a word.
  constexpr std::uint32_t mask() const { return ones() << low; }
  /// The value in a word.
  constexpr std::uint32_t of(std::uint32_t word) const { return word >> low & ones(); }
  /// A word with the value in it, which is cut to the field, and 0 elsewhere.
  constexpr std::uint32_t put(std::uint32_t value) const { return (value & ones()) << low; }
};

/// A word that the host writes into the register port of a switch (docs/reference/registers.md).
struct RegisterLoad {
  std::uint32_t sw = 0;       ///< SwitchId
  std::uint32_t address = 0;  ///< of the word
  std::uint32_t value = 0;    ///< written
  friend bool operator==(const RegisterLoad&, const RegisterLoad&) = default;
};

}  // namespace muster::fabric

namespace muster::fabric::registers {

/// Addresses and fields of a switch's register port, for the host's side; the prose is
/// docs/reference/registers.md. Fields are named for their registers.

#include "fabric/barrier_switch_registers.inc"

inline constexpr std::uint32_t kAddressWidth = 12, kDataWidth = 32;  ///< bits
inline constexpr std::uint32_t kWideAddressWidth = 17;  ///< with more than 2048 destinations

/// Of barrier register r.
constexpr std::uint32_t control(std::uint32_t r) { return kBarrierControl + kBarrierWords * r; }
constexpr std::uint32_t state(std::uint32_t r) { return kBarrierState + kBarrierWords * r; }
constexpr std::uint32_t children(std::uint32_t r) { return kBarrierChildren + kBarrierWords * r; }
constexpr std::uint32_t arrived(std::uint32_t r) { return kBarrierArrived + kBarrierWords * r; }
constexpr std::uint32_t serve(std::uint32_t r) { return kBarrierServe + kBarrierWords * r; }
constexpr std::uint32_t folding(std::uint32_t r) { return kBarrierFolding + kBarrierWords * r; }
/// Labels of ports 0 to 7, and of ports 8 to 15.
constexpr std::uint32_t labels(std::uint32_t r) { return kBarrierLabels + kBarrierWords * r; }
constexpr std::uint32_t upper_labels(std::uint32_t r) {
  return kBarrierUpperLabels + kBarrierWords * r;
}
constexpr std::uint32_t command(std::uint32_t r) { return kBarrierCommand + kBarrierWords * r; }

constexpr std::uint32_t periods_word(std::uint32_t repeat_period, std::uint32_t age_period) {
  return kPeriodsAge.put(age_period) | kPeriodsRepetition.put(repeat_period);
}
constexpr std::uint32_t control_word(std::uint32_t gid, std::uint32_t parent_port, bool reflect,
                                     std::uint32_t op = 0) {
  return kBarrierControlOp.put(op) | kBarrierControlValid.put(1) |
         kBarrierControlTurn.put(reflect) | kBarrierControlParent.put(parent_port) |
         kBarrierControlGid.put(gid);
}
/// Calls write(address, value) for the words of a mask of ports of a switch of so many.
template <class Write>
void write_mask(std::uint32_t address, core::PortMask mask, std::uint32_t ports, Write&& write) {
  write(address, static_cast<std::uint32_t>(mask));
  if (ports > 32) write(address + 1, static_cast<std::uint32_t>(mask >> 32));
}
/// The mask that read(address) has the words of.
template <class Read>
core::PortMask read_mask(std::uint32_t address, std::uint32_t ports, Read&& read) {
  const core::PortMask upper = ports > 32 ? read(address + 1) : 0;
  return read(address) | upper << 32;
}
/// As write_mask, for the entry of destination d in the routing table; `own`: packets for it are
/// for the switch.
template <class Write>
void write_route(std::uint32_t d, core::PortMask mask, std::uint32_t ports, Write&& write,
                 bool own = false) {
  constexpr std::uint32_t kPorts = kRoutesPorts.width;
  if (ports > kPorts) write(kUpperRoute, static_cast<std::uint32_t>(mask >> kPorts));
  if (ports > kPorts + 32) write(kUpperRoute + 1, static_cast<std::uint32_t>(mask >> kPorts >> 32));
  write(kRoutes + d, kRoutesPorts.put(static_cast<std::uint32_t>(mask)) | kRoutesOwn.put(own));
}
/// `kind`: SwitchKind::number, or the kKind of another block's map.
constexpr std::uint32_t identity_word(std::uint32_t kind,
                                      std::uint32_t version = kIdentityVersionValue) {
  return kIdentityMagic.put(kIdentityMagicValue) | kIdentityKind.put(kind) |
         kIdentityVersion.put(version);
}

}  // namespace muster::fabric::registers

namespace muster::fabric::window_registers {

/// What a barrier switch with groups in block RAM has in the place of barrier registers, for the
/// host's side; the prose is docs/systems/many-groups.md.

#include "fabric/group_window_registers.inc"

}  // namespace muster::fabric::window_registers
