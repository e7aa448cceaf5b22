// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/register_port.hpp"

#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {
namespace {
namespace regs = fabric::registers;
constexpr std::uint32_t kPermits = 0x00A, kSpill = 0x00C, kDrops = 0x010, kTicks = 0x011,
                        kRefusals = 0x012, kOverflows = 0x013, kPatience = 0x014, kGivenUp = 0x015,
                        kAgentDrops = 0x020, kGroupPermits = 0x040, kGroupPermitsEnd = 0x080,
                        kRegisters = 0x100, kRegistersEnd = 0x200;
constexpr std::uint32_t kMaskShift = 16;
constexpr std::uint32_t kMaxPatience = 0xf, kSpillPatienceShift = 4;

/// Of a barrier register's words.
bool written_by_packets(std::uint32_t address, std::uint32_t ports) {
  const std::uint32_t word = address % kRegisterWords;
  return word == kControlWord || is_half(word, kChildrenWord, ports);
}
}  // namespace

std::optional<std::uint32_t> WriteGuard::register_at(std::uint32_t address) const {
  if (address < kRegisters || address >= kRegisters + kRegisterWords * config_.regs)
    return std::nullopt;
  return (address - kRegisters) / kRegisterWords;
}

std::optional<regs::Refusal> WriteGuard::harm(const BarrierUnit& unit, std::uint32_t address,
                                              std::uint32_t value) const {
  if (address == kSpill && btin::variant(config_).spill) {
    if (std::popcount(value & all_ports(config_.ports)) > 1) return regs::Refusal::kSpillPorts;
    return std::nullopt;
  }
  const auto r = register_at(address);
  if (!r || !written_by_packets(address, config_.ports)) return std::nullopt;
  Written next = unit.written(*r);
  if (address % kRegisterWords == kControlWord)
    next.control = Control::of(value, config_.gid_w, config_.ports);
  else
    next.children = written_mask(next.children, address & 1, value, config_.ports);
  if (!next.control.valid) return std::nullopt;
  for (std::uint32_t other = 0; other < config_.regs; ++other) {
    const Control at = unit.written(other).control;
    if (other != *r && at.valid && at.gid == next.control.gid) return regs::Refusal::kGroupInUse;
  }
  if (!next.control.reflect && has(next.children, next.control.parent))
    return regs::Refusal::kParentIsChild;
  return std::nullopt;
}

bool WriteGuard::foreign(const BarrierUnit& unit, std::uint32_t address, std::uint32_t value,
                         std::uint32_t port) const {
  const auto r = register_at(address);
  if (!r) return false;
  const auto of_port = [&](std::uint32_t gid) {
    return (gid & groups_[port].mask) == groups_[port].value;
  };
  const Control at = unit.written(*r).control;
  if ((at.valid || at.claimed) && !of_port(at.gid)) return true;
  const Control next = Control::of(value, config_.gid_w, config_.ports);
  return address % kRegisterWords == kControlWord && (next.valid || next.claimed) &&
         !of_port(next.gid);
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
  if (address == kRefusals) refusals_.clear();
  if (address == kOverflows) losses_.clear();
  if (address == kGivenUp) given_up_.clear();
  if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return;
  const auto bits = static_cast<std::uint32_t>(bit(config_.gid_w)) - 1;
  groups_[address - kGroupPermits] = {value >> kMaskShift & bits, value & bits};
}

std::uint32_t WriteGuard::read(std::uint32_t address) const {
  if (address == kRefusals) return refusals_.word();
  if (address == kOverflows) return losses_.word();
  if (address == kGivenUp) return given_up_.word();
  if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return 0;
  const Groups& at = groups_[address - kGroupPermits];
  return at.mask << kMaskShift | at.value;
}

/// The register port of the barrier switch: the map of docs/reference/registers.md.
void BarrierSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  if (guard_) {
    if (const auto harm = guard_->harm(barriers_, address, value))
      return guard_->refused_host(address, *harm);
    guard_->write(address, value);
    if (address == kPatience) {
      agent_.set_patience(value & kMaxPatience);
      spill_.set_patience(value >> kSpillPatienceShift & kMaxPatience);
    }
  }
  registers_.write(address, value);
  if (counters_) counters_->write(address, value);
  if (is_barrier_word(address))
    barriers_.write(address - kRegisters, value);
  else if (address == kDrops)
    barriers_.drops().clear();
  else if (address == kTicks)
    barriers_.write_ticks(value);
  else if (address == kAgentDrops)
    agent_.drops().clear();
  else if (address == kPermits || address == kPermits + 1)
    permits_ = registers_.ports(value, address - kPermits, permits_);
  else if (address == kSpill)
    spill_.set_port(registers_.ports(value));
}

bool BarrierSwitch::is_barrier_word(std::uint32_t address) const {
  return address >= kRegisters && address - kRegisters < barriers_.words();
}

bool BarrierSwitch::writable_by_packets(std::uint32_t address) const {
  if (barriers_.many() != nullptr) return false;  // the selection of a group is the host's
  return is_barrier_word(address) && written_by_packets(address, config_.ports);
}

bool BarrierSwitch::write_depends_on(std::uint32_t address) const {
  if (is_half(address, kPermits, config_.ports) ||
      (address >= kRegisters && address < kRegistersEnd))
    return true;
  return guard_ != nullptr && address >= kGroupPermits && address < kGroupPermitsEnd;
}

bool BarrierSwitch::writes_group(std::uint32_t address) const {
  return barriers_.many() != nullptr && address >= kRegisters &&
         ManyUnit::writes(address - kRegisters, config_.ports);
}

std::uint32_t BarrierSwitch::read_register(std::uint32_t address) const {
  if (const auto word = registers_.read(address, data_.unroutable(), data_.headless()))
    return *word;
  if (is_barrier_word(address)) return barriers_.read(address - kRegisters);
  switch (address) {
    case kPermits:
    case kPermits + 1:
      return word_of(permits_, address - kPermits);
    case kSpill:
      return static_cast<std::uint32_t>(spill_.port());
    case kDrops:
      return barriers_.drops().word();
    case kTicks:
      return barriers_.read_ticks();
    case kAgentDrops:
      return agent_.drops().word();
    case kPatience:
      return spill_.patience() << kSpillPatienceShift | agent_.patience();
    default:
      return (guard_ ? guard_->read(address) : 0) | (counters_ ? counters_->read(address) : 0);
  }
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
