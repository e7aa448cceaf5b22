// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_switch.hpp"

#include <map>

#include "fabric/register_map.hpp"
#include "run/configurations.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::verif {

namespace regs = fabric::registers;

namespace {

/// Of the kind with this number in the identity word; null if no system has it.
FlitText::SyncText sync_text(std::uint32_t number) {
  for (const fabric::SwitchKind* kind : run::switch_kinds())
    if (kind->number == number) return kind->sync_text;
  return nullptr;
}

}  // namespace

/// Where kinds have different registers, those of the barrier switch; entries of the status table
/// of others are called registers.
std::string SwitchOutputs::register_name(std::uint32_t a) {
  static const std::map<std::uint32_t, const char*> kNames = {{regs::kIdentity, "identity"},
                                                              {regs::kSizes, "sizes"},
                                                              {regs::kWidths, "widths"},
                                                              {regs::kNoRouteDrops, "no route"},
                                                              {regs::kHold, "hold"},
                                                              {regs::kUpperRoute, "upper route"},
                                                              {regs::kPermits, "permits"},
                                                              {regs::kSpill, "spill"},
                                                              {regs::kDrops, "drops"},
                                                              {regs::kPeriods, "periods"},
                                                              {regs::kAgentDrops, "agent drops"},
                                                              {regs::kBarrierControl, "control"},
                                                              {regs::kBarrierState, "state"},
                                                              {regs::kBarrierChildren, "children"},
                                                              {regs::kBarrierArrived, "arrived"},
                                                              {regs::kBarrierServe, "serve"},
                                                              {regs::kBarrierFolding, "folding"}};
  const auto name = [&](std::uint32_t at) {
    const auto found = kNames.find(at);
    return found == kNames.end() ? "register" : found->second;
  };
  constexpr std::uint32_t kChildren = preempt::registers::kAddressesChild;
  if (a >= regs::kRoutes) return fmt::format("route {}", a - regs::kRoutes);
  if (a >= kChildren)
    return fmt::format("entry {} child {}", (a - kChildren) / preempt::registers::kAddressesWords,
                       (a - kChildren) % preempt::registers::kAddressesWords);
  if (a < regs::control(0)) return name(a);
  const std::uint32_t r = (a - regs::control(0)) / regs::kBarrierWords;
  return fmt::format("{} {}", name(a - regs::kBarrierWords * r), r);
}

SwitchOutputs::Teller SwitchOutputs::teller(std::uint32_t b, Side& side) {
  const std::uint32_t kind = side.read_register(b, regs::kIdentity) >> 8 & 0xff;
  const std::uint32_t widths = side.read_register(b, regs::kWidths);
  FlitText text({widths & 0xff, widths >> 8 & 0xff}, sync_text(kind));
  return [text](const Message& m) mutable { return text.line(m); };
}

}  // namespace muster::verif
