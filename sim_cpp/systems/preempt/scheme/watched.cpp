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
    if (word >> 31 == 0) continue;
    const std::uint32_t ports = switches.read_register(sw, registers::entry_locals(e));
    const std::uint32_t progress = switches.read_register(sw, registers::entry_progress(e));
    const std::uint32_t names = switches.read_register(sw, registers::entry_ways(e));
    std::uint32_t flags = Entry::kValid | Entry::kByName;
    if ((word >> 30 & 1) != 0) flags |= Entry::kRoot;
    if ((word >> 27 & 1) != 0) flags |= Entry::kSent;
    out.push_back({.place = e,
                   .gid = word & 0xff,
                   .flags = static_cast<std::uint16_t>(flags),
                   .parent = names & 0xffff,
                   .children = (ports >> 16) | (ports & 0xffff),
                   .arrived = progress & 0xffff,
                   .serve = progress >> 16});
  }
}

}  // namespace muster::preempt
