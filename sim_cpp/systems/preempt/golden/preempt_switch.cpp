// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::golden {

namespace regs = preempt::registers;

// The register port of the preempting switches: the map of docs/systems/preempting-switches.md.

/// The entry of the status table that has the word, if one has.
std::optional<std::uint32_t> PreemptSwitch::entry_at(std::uint32_t address) const {
  const std::uint32_t entry = (address - regs::kEntriesControl) / regs::kEntriesWords;
  return address >= regs::kEntriesControl && entry < config_.regs ? std::optional(entry)
                                                                  : std::nullopt;
}

void PreemptSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  registers_.write(address, value);
  if (counters_) counters_->write(address, value);
  if (const auto entry = entry_at(address)) {
    write_entry(*entry, address - regs::kEntriesWords * *entry, value);
  } else if (address == regs::kAddress) {
    buffers_.table().set_address(value & names());
  } else if (address == regs::kPolicy) {
    draws_ = regs::kPolicyRandom.of(value) != 0;
    unpadded_ = regs::kPolicyUnpadded.of(value) != 0;
  } else if (address == regs::kTimes) {
    times_ = {regs::kTimesIdle.of(value), regs::kTimesLongest.of(value), regs::kTimesGap.of(value)};
  } else if (address == regs::kLfsr) {
    random_ = BlockRandom(static_cast<std::uint16_t>(value));
  } else if (address == regs::kClosed) {
    buffers_.set_closed(registers_.ports(value));
  }
}

std::uint32_t PreemptSwitch::names() const {
  return std::bit_ceil(std::max(config_.dests, 2048u)) - 1;
}

void PreemptSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  if (word != regs::kEntriesControl && word != regs::kEntriesLocals) return;
  const BsrEntry& before = buffers_.table().at(e);
  BsrEntry entry{.valid = before.valid,
                 .center = before.center,
                 .gid = before.gid,
                 .count = before.count,
                 .locals = before.locals};
  if (word == regs::kEntriesControl) {
    entry.valid = regs::kEntriesControlValid.of(value) != 0;
    entry.center = regs::kEntriesControlCenter.of(value) != 0;
    entry.count = static_cast<std::uint16_t>(value >> regs::kEntriesControlCount.low & names());
    entry.gid = static_cast<std::uint8_t>(value);
  } else {
    entry.locals = registers_.ports(value);
  }
  buffers_.table().write(e, entry);
}

std::uint32_t PreemptSwitch::read_register(std::uint32_t address) const {
  if (const auto word = registers_.read(address, counted_.unroutable, counted_.headless))
    return *word;
  if (const auto entry = entry_at(address))
    return read_entry(buffers_.table().at(*entry), address - regs::kEntriesWords * *entry);
  if (address >= regs::kAddressesChild) {
    const std::uint32_t entry = (address - regs::kAddressesChild) / regs::kAddressesWords,
                        port = address % regs::kAddressesWords;
    return entry < config_.regs && port < config_.ports ? buffers_.table().at(entry).child[port]
                                                        : 0;
  }
  if (address >= regs::kPortDrops && address - regs::kPortDrops < config_.ports) {
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < 4; ++i)
      word |= std::min(counted_.of_port[address - regs::kPortDrops][i], 15u) << 8 * i;
    return word;
  }
  switch (address) {
    case regs::kAddress:
      return buffers_.table().address();
    case regs::kPolicy:
      return regs::kPolicyRandom.put(draws_) | regs::kPolicyUnpadded.put(unpadded_);
    case regs::kTimes:
      return regs::times(times_.idle, times_.gap, times_.longest);
    case regs::kLfsr:
      return random_.value();
    case regs::kLongestWait: {
      std::uint32_t longest = 0;
      for (const PreemptOutput& output : outputs_)
        longest = std::max(longest, output.longest_wait());
      return std::min(longest, 0xffffu);
    }
    case regs::kClosed:
      return buffers_.closed();
    default:
      return counters_ ? counters_->read(address) : 0;
  }
}

std::uint32_t PreemptSwitch::read_entry(const BsrEntry& entry, std::uint32_t word) const {
  switch (word) {
    case regs::kEntriesControl:
      return regs::kEntriesControlValid.put(entry.valid) |
             regs::kEntriesControlCenter.put(entry.center) |
             regs::kEntriesControlTree.put(entry.tree) |
             regs::kEntriesControlBranch.put(entry.branch) |
             regs::kEntriesControlSent.put(entry.sent) | regs::kEntriesControlTidy.put(entry.tidy) |
             regs::kEntriesControlRefused.put(entry.refused) |
             std::uint32_t{entry.count} << regs::kEntriesControlCount.low | entry.gid;
    case regs::kEntriesWays:
      return regs::kEntriesWaysCenter.put(entry.center_address) | entry.parent;
    case regs::kEntriesChildren:
      return entry.children;
    case regs::kEntriesArrived:
      return entry.arrived;
    case regs::kEntriesServe:
      return entry.serve;
    case regs::kEntriesLocals:
      return entry.locals;
    default:
      return 0;
  }
}

}  // namespace muster::golden

namespace muster::preempt {
namespace {

std::uint32_t message_flits(const core::Flit& first, const fabric::Formats& formats) {
  return begins_bsr_message(first) ? bsr_length(bsr_type(first), BsrFormat(formats)) : 0;
}

constexpr fabric::VariantParameter kVariants[] = {
    fabric::kCountersAlone[0],
    {.param = "Spares", .name = "spares", .most = kMostSpares, .buffers = true}};
static_assert(kVariants[kSparesVariant].buffers);

constexpr fabric::SwitchKind kind(std::string_view name, std::uint32_t architecture,
                                  fabric::SyncCredits credits, std::uint8_t cuttable,
                                  std::uint32_t min_depth) {
  constexpr std::uint32_t kFirstNumber = 3;
  return {.name = name,
          .module = "muster_bsr_switch",
          .architecture = architecture,
          .number = kFirstNumber + architecture - 1,
          .max_vcs = 3,
          .usual_vcs = 2,  // with one channel I and II are the same machine
          .max_gid_w = 8,
          .variants = kVariants,
          .sync_credits = credits,
          .message_flits = message_flits,
          .min_depth = min_depth,
          .max_ports = golden::kMaxPorts,
          .cuttable = cuttable,
          .pads = true,
          .golden = golden::make_switch_bank<golden::PreemptSwitch>,
          .sync_text = bsr_text};
}

using enum fabric::SyncCredits;

}  // namespace

constinit const fabric::SwitchKind kBsr1 = kind("bsr-1", 1, kBuffer, 7, 1);
constinit const fabric::SwitchKind kBsr2 = kind("bsr-2", 2, kBuffer, 1, 1);
// A message has room in one queue.
constinit const fabric::SwitchKind kBsr3 = kind("bsr-3", 3, kBoth, 7, 3);

}  // namespace muster::preempt
