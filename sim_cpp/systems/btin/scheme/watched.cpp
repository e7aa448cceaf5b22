// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/watched.hpp"

#include "fabric/register_map.hpp"
#include "fabric/register_window.hpp"
#include "muster/fabric/shows_memory.hpp"
#include "muster/fabric/switch_kind.hpp"

namespace muster::btin {

namespace {

namespace regs = fabric::registers;
namespace window = fabric::window_registers;
using Seen = run::SeenMessage::Kind;

/// Of membership and registers; the third flit of one about a group says which.
std::optional<run::SeenMessage> seen_packet(std::span<const core::Flit> flits) {
  const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
  if (opcode == fabric::kOpcodeGroup && flits.size() > 2)
    return run::SeenMessage{Seen::kSetUp, static_cast<std::uint32_t>(flits[2].lo & 0xfff)};
  if (opcode == fabric::kOpcodeRequest || opcode == fabric::kOpcodeAnswer)
    return run::SeenMessage{Seen::kSetUp, run::SeenMessage::kNoGroup};
  return std::nullopt;
}

/// Groups in block RAM; none where the bank does not show them.
void add_memory(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
                std::vector<run::SwitchEntry>& out) {
  using Entry = run::SwitchEntry;
  const auto* const memory = dynamic_cast<const fabric::ShowsMemory*>(&switches);
  if (memory == nullptr) return;
  for (std::uint32_t g = 0; g < config.groups; ++g) {
    const auto word = [&](std::uint32_t address) {
      return memory->memory_word(sw, g, address - window::kControl);
    };
    const std::uint32_t control = word(window::kControl);
    const bool valid = window::kControlValid.of(control) != 0;
    const bool claimed = window::kControlClaimed.of(control) != 0;
    if (!valid && !claimed) continue;
    std::uint32_t flags = Entry::kMemory | (valid ? Entry::kValid : 0);
    if (claimed) flags |= Entry::kClaimed;
    if (window::kControlTurn.of(control) != 0) flags |= Entry::kRoot;
    if (window::kStateSent.of(word(window::kState)) != 0) flags |= Entry::kSent;
    const std::uint32_t progress = word(window::kProgress);
    out.push_back({.place = g,
                   .gid = g,
                   .flags = static_cast<std::uint16_t>(flags),
                   .parent = window::kControlParent.of(control),
                   .children = window::kChildrenPorts.of(word(window::kChildren)),
                   .arrived = window::kProgressArrived.of(progress),
                   .serve = window::kProgressServe.of(progress)});
  }
}

}  // namespace

std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                     const fabric::Formats& formats) {
  if (!flits.front().sync()) return seen_packet(flits);
  const fabric::BarrierMessage message = formats.barrier_message(flits.front());
  switch (message.type) {
    case fabric::MessageType::kReduction:
      return run::SeenMessage{Seen::kUp, message.gid};
    case fabric::MessageType::kDistribution:
      return run::SeenMessage{Seen::kDown, message.gid};
    case fabric::MessageType::kSpillPlace:
    case fabric::MessageType::kSpillData:
      return run::SeenMessage{Seen::kSpill, message.gid};
  }
  return std::nullopt;
}

void add_entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
                 std::vector<run::SwitchEntry>& out) {
  using Entry = run::SwitchEntry;
  if (config.groups != 0) return add_memory(switches, sw, config, out);
  for (std::uint32_t r = 0; r < config.regs; ++r) {
    const std::uint32_t control = switches.read_register(sw, regs::control(r));
    const bool valid = regs::kBarrierControlValid.of(control) != 0;
    const bool claimed = regs::kBarrierControlClaimed.of(control) != 0;
    if (!valid && !claimed) continue;
    const std::uint32_t progress = switches.read_register(sw, regs::progress(r));
    const std::uint32_t state = switches.read_register(sw, regs::state(r));
    std::uint32_t flags = valid ? Entry::kValid : 0;
    if (claimed) flags |= Entry::kClaimed;
    if (regs::kBarrierControlTurn.of(control) != 0) flags |= Entry::kRoot;
    if (regs::kBarrierStateSent.of(state) != 0) flags |= Entry::kSent;
    if (config.retry && regs::kBarrierStateFailed.of(state) != 0) flags |= Entry::kFailed;
    if (config.retry && regs::kBarrierStateSuspect.of(state) != 0) flags |= Entry::kSuspect;
    const std::uint32_t children = switches.read_register(sw, regs::children(r));
    out.push_back({.place = r,
                   .gid = regs::kBarrierControlGid.of(control),
                   .flags = static_cast<std::uint16_t>(flags),
                   .parent = regs::kBarrierControlParent.of(control),
                   .children = regs::kBarrierChildrenPorts.of(children),
                   .arrived = regs::kBarrierProgressArrived.of(progress),
                   .serve = regs::kBarrierProgressServe.of(progress)});
  }
}

}  // namespace muster::btin
