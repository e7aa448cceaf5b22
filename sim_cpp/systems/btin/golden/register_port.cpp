// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/register_port.hpp"

#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The register port of the barrier switch: the map of docs/reference/registers.md.
void BarrierSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  if (guard_) {
    if (const auto harm = guard_->harm(barriers_, address, value))
      return guard_->refused_host(address, *harm);
    guard_->write(address, value);
    if (address == regs::kPatience) {
      agent_.set_patience(regs::kPatienceAgent.of(value));
      spill_.set_patience(regs::kPatienceSpill.of(value));
    }
  }
  registers_.write(address, value);
  if (counters_) counters_->write(address, value);
  if (is_barrier_word(address))
    barriers_.write(address - regs::kBarrierControl, value);
  else if (address == regs::kDrops)
    barriers_.drops().clear();
  else if (address == regs::kPeriods)
    barriers_.write_ticks(value);
  else if (address == regs::kAgentDrops)
    agent_.drops().clear();
  else if (address == regs::kPermits || address == regs::kPermits + 1)
    permits_ = registers_.ports(value, address - regs::kPermits, permits_);
  else if (address == regs::kSpill)
    spill_.set_port(registers_.ports(value));
}

bool BarrierSwitch::is_barrier_word(std::uint32_t address) const {
  return address >= regs::kBarrierControl && address - regs::kBarrierControl < barriers_.words();
}

bool BarrierSwitch::writable_by_packets(std::uint32_t address) const {
  if (barriers_.many() != nullptr) return false;  // the selection of a group is the host's
  return is_barrier_word(address) && WriteGuard::written_by_packets(address, config_.ports);
}

bool BarrierSwitch::write_depends_on(std::uint32_t address) const {
  constexpr std::uint32_t kGroupPermitsEnd = 0x080, kBarriersEnd = 0x200;
  if (is_half(address, regs::kPermits, config_.ports) ||
      (address >= regs::kBarrierControl && address < kBarriersEnd))
    return true;
  return guard_ != nullptr && address >= regs::kGroupPermits && address < kGroupPermitsEnd;
}

bool BarrierSwitch::writes_group(std::uint32_t address) const {
  return barriers_.many() != nullptr && address >= regs::kBarrierControl &&
         ManyUnit::writes(address - regs::kBarrierControl, config_.ports);
}

std::uint32_t BarrierSwitch::read_register(std::uint32_t address) const {
  if (const auto word = registers_.read(address, data_.unroutable(), data_.headless()))
    return *word;
  if (is_barrier_word(address)) return barriers_.read(address - regs::kBarrierControl);
  switch (address) {
    case regs::kPermits:
    case regs::kPermits + 1:
      return word_of(permits_, address - regs::kPermits);
    case regs::kSpill:
      return static_cast<std::uint32_t>(spill_.port());
    case regs::kDrops:
      return barriers_.drops().word();
    case regs::kPeriods:
      return barriers_.read_ticks();
    case regs::kAgentDrops:
      return agent_.drops().word();
    case regs::kPatience:
      return regs::kPatienceSpill.put(spill_.patience()) |
             regs::kPatienceAgent.put(agent_.patience());
    default:
      return (guard_ ? guard_->read(address) : 0) | (counters_ ? counters_->read(address) : 0);
  }
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
