// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/write_guard.hpp"

#include <bit>

namespace muster::golden {

namespace {
namespace regs = fabric::registers;
constexpr std::uint32_t kFirstRegister = 0x040, kWordsOfRegister = 4, kSpillMask = 0x006;
constexpr std::uint32_t kFirstPermit = 0x030, kMaskShift = 16;
constexpr std::uint32_t kValid = 1u << 31, kTurn = 1u << 30, kClaimed = 1u << 29;

std::uint32_t parent_of(std::uint32_t control) { return control >> 16 & 0xf; }
}  // namespace

std::optional<std::uint32_t> WriteGuard::register_at(std::uint32_t address) const {
  if (address < kFirstRegister || address >= kFirstRegister + kWordsOfRegister * config_.regs)
    return std::nullopt;
  return (address - kFirstRegister) / kWordsOfRegister;
}

std::optional<regs::Refusal> WriteGuard::harm(const BarrierUnit& unit, std::uint32_t address,
                                              std::uint32_t value) const {
  if (address == kSpillMask && config_.spill) {
    const auto ports = std::popcount(value & (static_cast<std::uint32_t>(bit(config_.ports)) - 1));
    if (ports > 1) return regs::Refusal::kSpillPorts;
    return std::nullopt;
  }
  const auto r = register_at(address);
  if (!r || address % kWordsOfRegister > 1) return std::nullopt;
  BarrierRegister next = unit.written(*r);
  if (address % kWordsOfRegister == 0) {
    next.valid = (value & kValid) != 0;
    next.reflect = (value & kTurn) != 0;
    next.parent = static_cast<std::uint8_t>(parent_of(value));
    next.gid = static_cast<std::uint16_t>(value & (bit(config_.gid_w) - 1));
  } else {
    next.children = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  }
  if (!next.valid) return std::nullopt;
  for (std::uint32_t other = 0; other < config_.regs; ++other) {
    const BarrierRegister at = unit.written(other);
    if (other != *r && at.valid && at.gid == next.gid) return regs::Refusal::kGroupInUse;
  }
  if (!next.reflect && has(next.children, next.parent)) return regs::Refusal::kParentIsChild;
  return std::nullopt;
}

bool WriteGuard::foreign(const BarrierUnit& unit, std::uint32_t address, std::uint32_t value,
                         std::uint32_t port) const {
  const auto r = register_at(address);
  if (!r) return false;
  const auto of_port = [&](std::uint32_t gid) {
    return (gid & groups_[port].mask) == groups_[port].value;
  };
  const BarrierRegister at = unit.written(*r);
  if ((at.valid || at.claimed) && !of_port(at.gid)) return true;
  const bool names = address % kWordsOfRegister == 0 && (value & (kValid | kClaimed)) != 0;
  return names && !of_port(value & (static_cast<std::uint32_t>(bit(config_.gid_w)) - 1));
}

void WriteGuard::given_up(const BarrierSpill::GivenUp& messages) {
  const auto note = [&](const BarrierSpill::Latch& latch, std::uint32_t which) {
    const auto type = static_cast<std::uint32_t>(latch.message.type);
    given_up_.note(latch.port, which | type << kTypeShift | latch.message.gid);
  };
  if (messages.hand_over) note(*messages.hand_over, 0);
  if (messages.answer) note(*messages.answer, kAnswer);
}

void WriteGuard::write(std::uint32_t address, std::uint32_t value) {
  if (address == regs::kRefusals) refusals_.clear();
  if (address == regs::kOverflows) losses_.clear();
  if (address == regs::kGivenUp) given_up_.clear();
  if (address < kFirstPermit || address >= kFirstPermit + config_.ports) return;
  const auto bits = static_cast<std::uint32_t>(bit(config_.gid_w)) - 1;
  groups_[address - kFirstPermit] = {value >> kMaskShift & bits, value & bits};
}

std::uint32_t WriteGuard::read(std::uint32_t address) const {
  if (address == regs::kRefusals) return refusals_.word();
  if (address == regs::kOverflows) return losses_.word();
  if (address == regs::kGivenUp) return given_up_.word();
  if (address < kFirstPermit || address >= kFirstPermit + config_.ports) return 0;
  const Groups& at = groups_[address - kFirstPermit];
  return at.mask << kMaskShift | at.value;
}

}  // namespace muster::golden
