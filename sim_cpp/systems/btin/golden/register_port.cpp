// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/register_port.hpp"

#include <bit>

#include "systems/btin/golden/barrier_switch.hpp"

namespace muster::golden {
namespace {
namespace regs = fabric::registers;
constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002, kUnroutable = 0x004,
                        kPermits = 0x005, kSpill = 0x006, kHold = 0x007, kDrops = 0x010,
                        kTicks = 0x011, kPatience = 0x014, kAgentDrops = 0x020,
                        kGroupPermits = 0x030, kRegisters = 0x040, kRegistersEnd = 0x080,
                        kRoutes = 0x800;
constexpr std::uint32_t kIdentityValue = 0x4D530105;  // kind 1, map version 5
constexpr std::uint32_t kWordsPerRegister = 4, kMaskShift = 16;
constexpr std::uint32_t kMaxPatience = 0xf, kSpillPatienceShift = 4, kHeadlessShift = 16;
enum Word : std::uint32_t { kControl, kChildren, kProgress, kSent };
constexpr std::uint32_t kSelfBit = 16;

/// Index of `address` in an array of `count` words at `base`; `count` if it is outside.
std::uint32_t index_in(std::uint32_t address, std::uint32_t base, std::uint32_t count) {
  return address >= base && address - base < count ? address - base : count;
}
}  // namespace

std::optional<std::uint32_t> WriteGuard::register_at(std::uint32_t address) const {
  if (address < kRegisters || address >= kRegisters + kWordsPerRegister * config_.regs)
    return std::nullopt;
  return (address - kRegisters) / kWordsPerRegister;
}

std::optional<regs::Refusal> WriteGuard::harm(const BarrierUnit& unit, std::uint32_t address,
                                              std::uint32_t value) const {
  if (address == kSpill && config_.spill) {
    const auto ports = std::popcount(value & (static_cast<std::uint32_t>(bit(config_.ports)) - 1));
    if (ports > 1) return regs::Refusal::kSpillPorts;
    return std::nullopt;
  }
  const auto r = register_at(address);
  if (!r || address % kWordsPerRegister > 1) return std::nullopt;
  Written next = unit.written(*r);
  if (address % kWordsPerRegister == kControl)
    next.control = Control::of(value, config_.gid_w);
  else
    next.children = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
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
  const Control next = Control::of(value, config_.gid_w);
  return address % kWordsPerRegister == kControl && (next.valid || next.claimed) &&
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
  if (address == regs::kRefusals) refusals_.clear();
  if (address == regs::kOverflows) losses_.clear();
  if (address == regs::kGivenUp) given_up_.clear();
  if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return;
  const auto bits = static_cast<std::uint32_t>(bit(config_.gid_w)) - 1;
  groups_[address - kGroupPermits] = {value >> kMaskShift & bits, value & bits};
}

std::uint32_t WriteGuard::read(std::uint32_t address) const {
  if (address == regs::kRefusals) return refusals_.word();
  if (address == regs::kOverflows) return losses_.word();
  if (address == regs::kGivenUp) return given_up_.word();
  if (address < kGroupPermits || address >= kGroupPermits + config_.ports) return 0;
  const Groups& at = groups_[address - kGroupPermits];
  return at.mask << kMaskShift | at.value;
}

/// The register port of the barrier switch: the map of docs/reference/registers.md.
void BarrierSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  stalled_ = false;
  write_word(address, value);
  look();
}

void BarrierSwitch::write_word(std::uint32_t address, std::uint32_t value) {
  if (guard_) {
    if (const auto harm = guard_->harm(barriers_, address, value))
      return guard_->refused_host(address, *harm);
    guard_->write(address, value);
    if (address == kPatience) {
      agent_.set_patience(value & kMaxPatience);
      spill_.set_patience(value >> kSpillPatienceShift & kMaxPatience);
    }
  }
  const std::uint32_t register_words = kWordsPerRegister * slots();
  if (const auto d = index_in(address, kRoutes, config_.dests); d < config_.dests) {
    routes_.write(d, static_cast<std::uint16_t>(value & (bit(config_.ports) - 1)),
                  has(value, kSelfBit));
  } else if (const auto w = index_in(address, kRegisters, register_words); w < register_words) {
    if (barriers_.many() != nullptr) return barriers_.many()->write(w, value);
    if (barriers_.retry() != nullptr) return barriers_.retry()->write(w, value);
    write_barrier_register(w / kWordsPerRegister, w % kWordsPerRegister, value);
  } else if (address == kDrops) {
    barriers_.drops().clear();
  } else if (address == kTicks && barriers_.retry() != nullptr) {
    barriers_.retry()->write_ticks(value);
  } else if (address == kAgentDrops) {
    agent_.drops().clear();
  } else if (address == kPermits) {
    permits_ = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  } else if (address == kSpill) {
    spill_.set_port(static_cast<std::uint16_t>(value & (bit(config_.ports) - 1)));
  } else if (address == kHold) {
    held_ = 0;
    for_each_bit(value & (bit(config_.ports) - 1),
                 [&](std::uint32_t p) { held_ |= std::uint64_t{0xf} << lane_of(p, 0); });
  }
}

bool BarrierSwitch::writable_by_packets(std::uint32_t address) const {
  if (barriers_.many() != nullptr) return false;  // the selection of a group is the host's
  const std::uint32_t words = kWordsPerRegister * slots();
  const std::uint32_t word = index_in(address, kRegisters, words);
  return word < words && word % kWordsPerRegister <= kChildren;
}

bool BarrierSwitch::write_depends_on(std::uint32_t address) const {
  if (address == agent_.address() || address == kPermits) return true;
  return guard_ != nullptr && address >= kGroupPermits && address < kRegistersEnd;
}

bool BarrierSwitch::writes_group(std::uint32_t address) const {
  return barriers_.many() != nullptr && address >= kRegisters &&
         ManyUnit::writes(address - kRegisters);
}

void BarrierSwitch::write_barrier_register(std::uint32_t r, std::uint32_t word,
                                           std::uint32_t value) {
  BarrierRegister next = barriers_.at(r);
  if (word == kControl || word == kChildren) next.clear();
  if (word == kControl) {
    next.write(Control::of(value, config_.gid_w));
  } else if (word == kChildren) {
    next.children = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  }
  barriers_.write(r, next);
}

std::uint32_t BarrierSwitch::read_register(std::uint32_t address) const {
  switch (address) {
    case kIdentity:
      return kIdentityValue;
    case kSizes:
      return (config_.groups != 0 ? 0 : config_.regs) << 24 | config_.depth << 16 |
             config_.vcs << 8 | config_.ports;
    case kWidths:
      return config_.dests << 16 | config_.gid_w << 8 | config_.flit_w;
    case kUnroutable:
      return data_.headless() << kHeadlessShift | data_.unroutable();
    case kPermits:
      return permits_;
    case kSpill:
      return spill_.port();
    case kHold: {
      std::uint32_t ports = 0;
      for_each_bit(held_, [&](std::uint32_t lane) { ports |= 1u << port_of(lane); });
      return ports;
    }
    case kDrops:
      return barriers_.drops().word();
    case kTicks:
      return barriers_.retry() != nullptr ? barriers_.retry()->read_ticks() : 0;
    case kAgentDrops:
      return agent_.drops().word();
    default:
      break;
  }
  if (guard_ && address == kPatience)
    return spill_.patience() << kSpillPatienceShift | agent_.patience();
  const std::uint32_t register_words = kWordsPerRegister * slots();
  if (const auto w = index_in(address, kRegisters, register_words); w < register_words) {
    if (barriers_.many() != nullptr) return barriers_.many()->read(w);
    if (barriers_.retry() != nullptr) return barriers_.retry()->read(w);
    return read_barrier_register(w / kWordsPerRegister, w % kWordsPerRegister);
  }
  return guard_ ? guard_->read(address) : 0;
}

std::uint32_t BarrierSwitch::read_barrier_register(std::uint32_t r, std::uint32_t word) const {
  const BarrierRegister& at = barriers_.at(r);
  switch (word) {
    case kControl:
      return at.word();
    case kChildren:
      return at.children;
    case kProgress:
      return std::uint32_t{at.serve} << 16 | at.arrived;
    default:
      return std::uint32_t{at.data.folding} << 16 | at.sent;
  }
}

}  // namespace muster::golden
