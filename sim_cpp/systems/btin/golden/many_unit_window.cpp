// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "systems/btin/golden/many_unit.hpp"

/// The host's window on one group: the words 0x040 to 0x045 of docs/reference/registers.md in a
/// switch with groups in block RAM. And the state as text.
namespace muster::golden {

namespace {
enum WindowWord : std::uint32_t {
  kOfControl,
  kOfChildren,
  kOfProgress,
  kOfState,
  kOfSelection,
  kOfGroups
};
}

bool ManyUnit::writes(std::uint32_t word) {
  return word == kOfControl || word == kOfChildren || word == kOfSelection;
}

void ManyUnit::write(std::uint32_t word, std::uint32_t value) {
  if (!writes(word)) return;
  if (word == kOfSelection) selected_ = value & static_cast<std::uint32_t>(groups_.size() - 1);
  BarrierRegister& group = groups_[selected_];
  Waiting* const own = waiting(selected_);
  if (word != kOfSelection) {
    group.clear();
    if (own != nullptr) own->stale = true;
  }
  if (word == kOfControl) {
    group.valid = has(value, 31);
    group.reflect = has(value, 30);
    group.claimed = has(value, 29);
    group.data.op = static_cast<std::uint8_t>(value >> 26 & 7);
    group.parent = static_cast<std::uint8_t>(value >> 16 & 0xf);
  } else if (word == kOfChildren) {
    group.children = static_cast<std::uint16_t>(value & (bit(ports_) - 1));
  }
  for (std::uint32_t w = 0; w < seen_.size(); ++w) seen_[w] = this->word(selected_, w);
  written_ = true;
}

std::uint32_t ManyUnit::word(std::uint32_t gid, std::uint32_t word) const {
  if (gid >= groups_.size()) return 0;
  const BarrierRegister& group = groups_[gid];
  switch (word) {
    case kOfControl:
      return std::uint32_t{group.valid} << 31 | std::uint32_t{group.reflect} << 30 |
             std::uint32_t{group.claimed} << 29 | std::uint32_t{group.data.op} << 26 |
             std::uint32_t{group.parent} << 16 | gid;
    case kOfChildren:
      return group.children;
    case kOfProgress:
      return std::uint32_t{serve(gid)} << 16 | group.arrived;
    case kOfState:
      return std::uint32_t{waiting(gid) != nullptr} << 1 | group.sent;
    default:
      return 0;
  }
}

std::uint32_t ManyUnit::read(std::uint32_t word) const {
  if (word == kOfSelection) return selected_;
  if (word == kOfGroups) return static_cast<std::uint32_t>(groups_.size());
  return word < seen_.size() ? seen_[word] : 0;
}

std::string ManyUnit::describe() const {
  std::string all;
  const auto add = [&](const std::string& part) { all += (all.empty() ? "" : "; ") + part; };
  for (const BarrierRegister& group : groups_) {
    if (!group.valid || (group.arrived | serve(group.gid) | group.sent) == 0) continue;
    add(fmt::format("group {} children {:#x} arrived {:#x}{} serve {:#x}", group.gid,
                    group.children, group.arrived, group.sent ? " sent" : "", serve(group.gid)));
  }
  if (first_)
    add(fmt::format("message of group {} for ports {:#x}, {} behind", first_->message.gid,
                    first_->ports, behind_.size()));
  if (taken_) add(fmt::format("message of group {} taken", taken_->message.gid));
  return all;
}

}  // namespace muster::golden
