// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::fabric {

/// Bits of a word of a register port.
struct RegisterField {
  std::uint32_t low, width;

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

// registers, written by scripts/registers from rdl/barrier_switch.rdl
enum class Refusal : std::uint32_t {
  kGroupInUse = 0,
  kParentIsChild = 1,
  kSpillPorts = 2,
  kForeignGroup = 3,
};
inline constexpr std::uint32_t kIdentity = 0x000;
inline constexpr std::uint32_t kIdentityMagicValue = 0x4d53;
inline constexpr fabric::RegisterField kIdentityMagic{16, 16};
inline constexpr fabric::RegisterField kIdentityKind{8, 8};
inline constexpr std::uint32_t kIdentityVersionValue = 0x5;
inline constexpr fabric::RegisterField kIdentityVersion{0, 8};
inline constexpr std::uint32_t kSizes = 0x001;
inline constexpr fabric::RegisterField kSizesRegs{24, 8};
inline constexpr fabric::RegisterField kSizesDepth{16, 8};
inline constexpr fabric::RegisterField kSizesVcs{8, 8};
inline constexpr fabric::RegisterField kSizesPorts{0, 8};
inline constexpr std::uint32_t kWidths = 0x002;
inline constexpr fabric::RegisterField kWidthsDests{16, 16};
inline constexpr fabric::RegisterField kWidthsGidW{8, 8};
inline constexpr fabric::RegisterField kWidthsFlitW{0, 8};
inline constexpr std::uint32_t kNoRouteDrops = 0x004;
inline constexpr fabric::RegisterField kNoRouteDropsSweeping{31, 1};
inline constexpr fabric::RegisterField kNoRouteDropsHeadless{16, 8};
inline constexpr fabric::RegisterField kNoRouteDropsCount{0, 16};
inline constexpr std::uint32_t kPermits = 0x005;
inline constexpr fabric::RegisterField kPermitsPorts{0, 16};
inline constexpr std::uint32_t kSpill = 0x006;
inline constexpr fabric::RegisterField kSpillPort{0, 16};
inline constexpr std::uint32_t kHold = 0x007;
inline constexpr fabric::RegisterField kHoldOutputs{0, 16};
inline constexpr std::uint32_t kDrops = 0x010;
inline constexpr fabric::RegisterField kDropsCount{24, 8};
inline constexpr fabric::RegisterField kDropsKnown{22, 1};
inline constexpr fabric::RegisterField kDropsWhat{20, 2};
inline constexpr fabric::RegisterField kDropsPort{16, 4};
inline constexpr fabric::RegisterField kDropsGid{0, 12};
inline constexpr std::uint32_t kPeriods = 0x011;
inline constexpr fabric::RegisterField kPeriodsAge{16, 8};
inline constexpr fabric::RegisterField kPeriodsRepetition{0, 16};
inline constexpr std::uint32_t kRefusals = 0x012;
inline constexpr fabric::RegisterField kRefusalsCount{24, 8};
inline constexpr fabric::RegisterField kRefusalsHost{22, 1};
inline constexpr fabric::RegisterField kRefusalsReason{20, 2};
inline constexpr fabric::RegisterField kRefusalsPort{16, 4};
inline constexpr fabric::RegisterField kRefusalsSlot{0, 4};
inline constexpr std::uint32_t kOverflows = 0x013;
inline constexpr fabric::RegisterField kOverflowsCount{24, 8};
inline constexpr fabric::RegisterField kOverflowsSync{22, 1};
inline constexpr fabric::RegisterField kOverflowsVc{20, 2};
inline constexpr fabric::RegisterField kOverflowsPort{16, 4};
inline constexpr std::uint32_t kPatience = 0x014;
inline constexpr fabric::RegisterField kPatienceSpill{4, 4};
inline constexpr fabric::RegisterField kPatienceAgent{0, 4};
inline constexpr std::uint32_t kGivenUp = 0x015;
inline constexpr fabric::RegisterField kGivenUpCount{24, 8};
inline constexpr fabric::RegisterField kGivenUpAnswer{22, 1};
inline constexpr fabric::RegisterField kGivenUpWhat{20, 1};
inline constexpr fabric::RegisterField kGivenUpPort{16, 4};
inline constexpr fabric::RegisterField kGivenUpGid{0, 12};
inline constexpr std::uint32_t kAgentDrops = 0x020;
inline constexpr fabric::RegisterField kAgentDropsCount{24, 8};
inline constexpr fabric::RegisterField kAgentDropsWhat{20, 2};
inline constexpr fabric::RegisterField kAgentDropsPort{16, 4};
inline constexpr std::uint32_t kGroupPermits = 0x030;
inline constexpr fabric::RegisterField kGroupPermitsMask{16, 12};
inline constexpr fabric::RegisterField kGroupPermitsValue{0, 12};
inline constexpr std::uint32_t kBarrierControl = 0x040;
inline constexpr std::uint32_t kBarrierWords = 4;
inline constexpr fabric::RegisterField kBarrierControlValid{31, 1};
inline constexpr fabric::RegisterField kBarrierControlTurn{30, 1};
inline constexpr fabric::RegisterField kBarrierControlClaimed{29, 1};
inline constexpr fabric::RegisterField kBarrierControlOp{26, 3};
inline constexpr fabric::RegisterField kBarrierControlEpoch{24, 2};
inline constexpr fabric::RegisterField kBarrierControlParent{16, 4};
inline constexpr fabric::RegisterField kBarrierControlGid{0, 12};
inline constexpr std::uint32_t kBarrierChildren = 0x041;
inline constexpr fabric::RegisterField kBarrierChildrenPorts{0, 16};
inline constexpr std::uint32_t kBarrierProgress = 0x042;
inline constexpr fabric::RegisterField kBarrierProgressServe{16, 16};
inline constexpr fabric::RegisterField kBarrierProgressArrived{0, 16};
inline constexpr std::uint32_t kBarrierState = 0x043;
inline constexpr fabric::RegisterField kBarrierStateFolding{16, 16};
inline constexpr fabric::RegisterField kBarrierStateAge{4, 4};
inline constexpr fabric::RegisterField kBarrierStateSuspect{3, 1};
inline constexpr fabric::RegisterField kBarrierStateFailed{2, 1};
inline constexpr fabric::RegisterField kBarrierStatePhase{1, 1};
inline constexpr fabric::RegisterField kBarrierStateSent{0, 1};
inline constexpr std::uint32_t kBarrierCommand = 0x043;
inline constexpr fabric::RegisterField kBarrierCommandAborts{2, 1};
inline constexpr std::uint32_t kRoutes = 0x800;
inline constexpr fabric::RegisterField kRoutesOwn{16, 1};
inline constexpr fabric::RegisterField kRoutesPorts{0, 16};
// end of registers

inline constexpr std::uint32_t kAddressWidth = 12, kDataWidth = 32;  ///< bits
inline constexpr std::uint32_t kWideAddressWidth = 17;  ///< with more than 2048 destinations

/// Of barrier register r.
constexpr std::uint32_t control(std::uint32_t r) { return kBarrierControl + kBarrierWords * r; }
constexpr std::uint32_t children(std::uint32_t r) { return kBarrierChildren + kBarrierWords * r; }
constexpr std::uint32_t progress(std::uint32_t r) { return kBarrierProgress + kBarrierWords * r; }
constexpr std::uint32_t state(std::uint32_t r) { return kBarrierState + kBarrierWords * r; }
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

// registers, written by scripts/registers from rdl/group_window.rdl
inline constexpr std::uint32_t kControl = 0x040;
inline constexpr fabric::RegisterField kControlValid{31, 1};
inline constexpr fabric::RegisterField kControlTurn{30, 1};
inline constexpr fabric::RegisterField kControlClaimed{29, 1};
inline constexpr fabric::RegisterField kControlOp{26, 3};
inline constexpr fabric::RegisterField kControlParent{16, 4};
inline constexpr fabric::RegisterField kControlGid{0, 12};
inline constexpr std::uint32_t kChildren = 0x041;
inline constexpr fabric::RegisterField kChildrenPorts{0, 16};
inline constexpr std::uint32_t kProgress = 0x042;
inline constexpr fabric::RegisterField kProgressServe{16, 16};
inline constexpr fabric::RegisterField kProgressArrived{0, 16};
inline constexpr std::uint32_t kState = 0x043;
inline constexpr fabric::RegisterField kStateWaits{1, 1};
inline constexpr fabric::RegisterField kStateSent{0, 1};
inline constexpr std::uint32_t kSelect = 0x044;
inline constexpr fabric::RegisterField kSelectClearing{31, 1};
inline constexpr fabric::RegisterField kSelectGid{0, 12};
inline constexpr std::uint32_t kGroups = 0x045;
inline constexpr fabric::RegisterField kGroupsCount{0, 32};
// end of registers

}  // namespace muster::fabric::window_registers
