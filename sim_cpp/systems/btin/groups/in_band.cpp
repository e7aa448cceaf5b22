// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/in_band.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

namespace regs = fabric::registers;

namespace {
ManagerOptions manager_options(const run::RunSpec& spec, SpillNodes* spill) {
  const Spec choice = spec.parts.get<Spec>();
  return {spill, choice.evict_after, choice.setup_drop, spec.seed};
}
}  // namespace

InBandSetup::InBandSetup(const run::RunSpec& spec, fabric::Network& network, run::Members& members,
                         SpillNodes* spill)
    : spec_(spec),
      network_(network),
      members_(members),
      spill_(spill),
      manager_(*spec.graph, *spec.routes, network.endpoints(), manager_options(spec, spill)),
      times_(spec.groups.size()) {}

void InBandSetup::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  members_.receive_sync(cycle, node, flit);
}

void InBandSetup::receive_packet(std::uint64_t cycle, std::uint32_t node,
                                 std::span<const core::Flit> flits) {
  const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
  if (opcode == fabric::kOpcodeAnswer || opcode == fabric::kOpcodeGroup) {
    manager_.receive_packet(cycle, node, flits);
  } else {
    members_.receive_packet(cycle, node, flits);
  }
}

void InBandSetup::clock(std::uint64_t cycle) {
  if (!settled() || manager_.changing() || manager_.keepers_wanted()) manager_.clock(cycle);
  if (members_go_) members_.clock(cycle);
}

void InBandSetup::create_groups(std::uint64_t cycle) {
  const Spec choice = spec_.parts.get<Spec>();
  for (std::uint32_t g = 0; g < spec_.groups.size(); ++g) {
    std::vector<topology::NodeId> members = spec_.groups[g].members;
    std::sort(members.begin(), members.end());
    manager_.create(cycle, g, std::move(members), {choice.reflect, choice.op, choice.spill});
  }
}

void InBandSetup::release_groups(std::uint64_t cycle) {
  for (std::uint32_t g = 0; g < times_.size(); ++g) {
    times_[g].creation_cycles = manager_.group(g).answered - manager_.group(g).asked;
    manager_.release(cycle, g);
  }
}

GroupTimes InBandSetup::times(std::uint32_t group) const {
  GroupTimes times = times_[group];
  const GroupRecord& record = manager_.group(group);
  if (record.settled() && record.verdict.kind == Verdict::Kind::kGone) {
    times.release_cycles = record.answered - record.asked;
  }
  return times;
}

std::string InBandSetup::unsettled() const {
  std::string text;
  for (std::uint32_t g = 0; g < times_.size(); ++g) {
    const GroupRecord& record = manager_.group(g);
    if (record.settled()) continue;
    text +=
        fmt::format("{}group '{}': {} of {} members have been notified", text.empty() ? "" : "; ",
                    spec_.groups[g].name, record.told, record.members.size());
  }
  return text;
}

std::string InBandSetup::refusals() const {
  std::string text;
  for (std::uint32_t g = 0; g < times_.size(); ++g) {
    const GroupRecord& record = manager_.group(g);
    if (record.alive()) continue;
    text += fmt::format("{}group '{}' has been refused: {}", text.empty() ? "" : "; ",
                        spec_.groups[g].name, btin::describe(record.verdict));
  }
  return text;
}

std::string InBandSetup::residue() const {
  if (spill_ != nullptr && spill_->held() != 0)
    return fmt::format("{} groups are left in spill nodes after the release of all groups",
                       spill_->held());
  core::Bank& switches = network_.switches();
  for (topology::SwitchId s = 0; s < spec_.graph->switches(); ++s) {
    const std::uint32_t registers = regs::kSizesRegs.of(switches.read_register(s, regs::kSizes));
    for (std::uint32_t r = 0; r < registers; ++r) {
      for (std::uint32_t word = 0; word < regs::kBarrierWords; ++word) {
        const std::uint32_t value = switches.read_register(s, regs::control(r) + word);
        if (value != 0) {
          return fmt::format("switch {}: register {:#05x} is {:#x} after the release of all groups",
                             s, regs::control(r) + word, value);
        }
      }
    }
  }
  return {};
}

}  // namespace muster::btin
