// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_switch.hpp"

#include "fabric/register_map.hpp"
#include "run/configurations.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::verif {

namespace regs = fabric::registers;

namespace {

/// The kinds with BSR messages have their status table where others have nothing.
std::string switch_register(std::uint32_t a) {
  static constexpr const char* kFirst[] = {
      "identity", "sizes",   "widths", "reserved",         "no route", "permits",     "spill",
      "hold",     "address", "policy", "preemption times", "LFSR",     "longest wait"};
  static constexpr const char* kWords[] = {"control", "children", "progress", "folding"};
  static constexpr const char* kEntry[] = {"", " locals", " progress", " addresses"};
  const auto of = [](const std::string& text, std::uint32_t n) {
    return fmt::format("{} {}", text, n);
  };
  if (a < std::size(kFirst)) return kFirst[a];
  if (a >= regs::kRoutes) return of("route", a - regs::kRoutes);
  if (a >= preempt::registers::entry(0)) {
    const std::uint32_t e = (a - preempt::registers::entry(0)) / 32,
                        word = (a - preempt::registers::entry(0)) % 32;
    if (word >= 16) return fmt::format("entry {} child {}", e, word - 16);
    return of("entry", e) + (word < std::size(kEntry) ? kEntry[word] : "");
  }
  if (a >= regs::control(0)) return of(kWords[a % 4], (a - regs::control(0)) / 4);
  if (a == regs::kAgentDrops) return "agent drops";
  if (a == regs::kDrops) return "drops";
  if (a >= regs::kGroupPermits) return of("groups of port", a - regs::kGroupPermits);
  if (a > regs::kDrops && a < regs::kAgentDrops) return of("drops port", a - regs::kDrops);
  return "register";
}

/// Of the kind with this number in the identity word; null if no system has it.
FlitText::SyncText sync_text(std::uint32_t number) {
  for (const fabric::SwitchKind* kind : run::switch_kinds())
    if (kind->number == number) return kind->sync_text;
  return nullptr;
}

}  // namespace

std::string SwitchOutputs::register_name(std::uint32_t address) {
  return fmt::format("{} ({:#05x})", switch_register(address), address);
}

std::vector<std::string> SwitchOutputs::lines(std::uint32_t b, Side& side,
                                              const std::vector<Message>& messages) {
  const std::uint32_t kind = side.read_register(b, regs::kIdentity) >> 8 & 0xff;
  const std::uint32_t widths = side.read_register(b, regs::kWidths);
  FlitText text({widths & 0xff, widths >> 8 & 0xff}, sync_text(kind));
  std::vector<std::string> lines;
  lines.reserve(messages.size());
  for (const Message& message : messages) lines.push_back(text.line(message));
  return lines;
}

}  // namespace muster::verif
