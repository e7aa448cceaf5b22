// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/register_port.hpp"

#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {
namespace {
constexpr std::uint32_t kPermits = 0x00A, kSpill = WriteGuard::kSpill, kDrops = 0x010,
                        kTicks = 0x011, kPatience = 0x014, kAgentDrops = 0x020,
                        kGroupPermits = WriteGuard::kGroupPermits, kGroupPermitsEnd = 0x080,
                        kRegisters = WriteGuard::kRegisters, kRegistersEnd = 0x200;
constexpr std::uint32_t kMaxPatience = 0xf, kSpillPatienceShift = 4;
}  // namespace

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
  return is_barrier_word(address) && WriteGuard::written_by_packets(address, config_.ports);
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
