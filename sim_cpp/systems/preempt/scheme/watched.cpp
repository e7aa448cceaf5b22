// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/scheme/watched.hpp"

#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/blocks/preempt_registers.hpp"

namespace muster::preempt {

std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits, const fabric::Formats&) {
  using Kind = run::SeenMessage::Kind;
  if (!begins_bsr_message(flits.front())) return std::nullopt;
  const BsrType type = bsr_type(flits.front());
  if (flits.size() < bsr_length(type)) return std::nullopt;
  const BsrMessage message = bsr_message(flits);
  const Kind kind = type == BsrType::kReduction      ? Kind::kUp
                    : type == BsrType::kDistribution ? Kind::kDown
                                                     : Kind::kBuild;
  return run::SeenMessage{kind, message.gid};
}

void add_entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
                 std::vector<run::SwitchEntry>& out) {
  using Entry = run::SwitchEntry;
  for (std::uint32_t e = 0; e < config.regs; ++e) {
    const std::uint32_t word = switches.read_register(sw, registers::entry(e));
    if (registers::kEntriesControlValid.of(word) == 0) continue;
    const std::uint32_t ports = switches.read_register(sw, registers::entry_locals(e));
    const std::uint32_t progress = switches.read_register(sw, registers::entry_progress(e));
    const std::uint32_t ways = switches.read_register(sw, registers::entry_ways(e));
    std::uint32_t flags = Entry::kValid | Entry::kByName;
    if (registers::kEntriesControlCenter.of(word) != 0) flags |= Entry::kRoot;
    if (registers::kEntriesControlSent.of(word) != 0) flags |= Entry::kSent;
    out.push_back({.place = e,
                   .gid = registers::kEntriesControlGid.of(word),
                   .flags = static_cast<std::uint16_t>(flags),
                   .parent = registers::kEntriesWaysParent.of(ways),
                   .children = registers::kEntriesLocalsChildren.of(ports) |
                               registers::kEntriesLocalsPorts.of(ports),
                   .arrived = registers::kEntriesProgressArrived.of(progress),
                   .serve = registers::kEntriesProgressServe.of(progress)});
  }
}

}  // namespace muster::preempt
