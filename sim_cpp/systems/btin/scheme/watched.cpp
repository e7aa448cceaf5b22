// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/watched.hpp"

#include "fabric/register_map.hpp"
#include "muster/fabric/switch_kind.hpp"

namespace muster::btin {

namespace {

namespace regs = fabric::registers;
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
  if (config.groups != 0) return;  // a window on one of them, which reading would have to move
  for (std::uint32_t r = 0; r < config.regs; ++r) {
    const std::uint32_t control = switches.read_register(sw, regs::control(r));
    const bool valid = (control >> 31) != 0, claimed = (control & regs::kClaimed) != 0;
    if (!valid && !claimed) continue;
    const std::uint32_t progress = switches.read_register(sw, regs::progress(r));
    const std::uint32_t state = switches.read_register(sw, regs::state(r));
    std::uint32_t flags = valid ? Entry::kValid : 0;
    if (claimed) flags |= Entry::kClaimed;
    if ((control >> 30 & 1) != 0) flags |= Entry::kRoot;
    if ((state & 1) != 0) flags |= Entry::kSent;
    if (config.retry && (state & regs::kFailed) != 0) flags |= Entry::kFailed;
    if (config.retry && (state & regs::kSuspect) != 0) flags |= Entry::kSuspect;
    out.push_back({.place = r,
                   .gid = control & 0xfff,
                   .flags = static_cast<std::uint16_t>(flags),
                   .parent = control >> 16 & 0xf,
                   .children = switches.read_register(sw, regs::children(r)) & 0xffff,
                   .arrived = regs::arrived(progress),
                   .serve = regs::to_serve(progress)});
  }
}

}  // namespace muster::btin
