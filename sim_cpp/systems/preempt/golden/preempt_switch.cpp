// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include "fabric/golden/switch_bank.hpp"

namespace muster::golden {

/// The register port of the preempting switches: the map of docs/systems/preempting-switches.md.
namespace {
constexpr std::uint32_t kAddress = 0x005, kPolicy = 0x010, kTimes = 0x011, kLfsr = 0x012,
                        kLongestWait = 0x013, kClosed = 0x014, kDrops = 0x040, kEntries = 0x100,
                        kWordsPerEntry = 16, kChildren = 0x400, kChildrenPerEntry = 64;
constexpr std::uint32_t kRandomBit = 0, kUnpaddedBit = 1;
enum Word : std::uint32_t {
  kControl = 0,
  kAbove = 1,
  kChildMask = 2,
  kArrived = 4,
  kServe = 6,
  kLocals = 8
};
constexpr std::uint32_t kValidBit = 31, kCenterBit = 30, kTreeBit = 29, kBranchBit = 28,
                        kSentBit = 27, kTidyBit = 26, kRefusedBit = 25, kCountShift = 8;
}  // namespace

/// The entry of the status table that has the word, if one has.
std::optional<std::uint32_t> PreemptSwitch::entry_at(std::uint32_t address) const {
  const std::uint32_t entry = (address - kEntries) / kWordsPerEntry;
  return address >= kEntries && entry < config_.regs ? std::optional(entry) : std::nullopt;
}

void PreemptSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  registers_.write(address, value);
  if (counters_) counters_->write(address, value);
  if (const auto entry = entry_at(address)) {
    write_entry(*entry, address % kWordsPerEntry, value);
  } else if (address == kAddress) {
    buffers_.table().set_address(value & names());
  } else if (address == kPolicy) {
    draws_ = has(value, kRandomBit);
    unpadded_ = has(value, kUnpaddedBit);
  } else if (address == kTimes) {
    times_ = {value & 0xff, value >> 16, value >> 8 & 0xff};
  } else if (address == kLfsr) {
    random_ = BlockRandom(static_cast<std::uint16_t>(value));
  } else if (address == kClosed) {
    buffers_.set_closed(registers_.ports(value));
  }
}

std::uint32_t PreemptSwitch::names() const {
  return std::bit_ceil(std::max(config_.dests, 2048u)) - 1;
}

void PreemptSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  if (word != kControl && word != kLocals) return;
  const BsrEntry& before = buffers_.table().at(e);
  BsrEntry entry;
  entry.valid = before.valid;
  entry.center = before.center;
  entry.count = before.count;
  entry.gid = before.gid;
  entry.locals = before.locals;
  if (word == kControl) {
    entry.valid = has(value, kValidBit);
    entry.center = has(value, kCenterBit);
    entry.count = static_cast<std::uint16_t>(value >> kCountShift & names());
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
    return read_entry(buffers_.table().at(*entry), address % kWordsPerEntry);
  if (address >= kChildren) {
    const std::uint32_t entry = (address - kChildren) / kChildrenPerEntry,
                        port = address % kChildrenPerEntry;
    return entry < config_.regs && port < config_.ports ? buffers_.table().at(entry).child[port]
                                                        : 0;
  }
  if (address >= kDrops && address - kDrops < config_.ports) {
    constexpr std::uint32_t kMost = 15;
    const auto& d = counted_.of_port[address - kDrops];
    return std::min(d[3], kMost) << 24 | std::min(d[2], kMost) << 16 | std::min(d[1], kMost) << 8 |
           std::min(d[0], kMost);
  }
  switch (address) {
    case kAddress:
      return buffers_.table().address();
    case kPolicy:
      return std::uint32_t{draws_} << kRandomBit | std::uint32_t{unpadded_} << kUnpaddedBit;
    case kTimes:
      return times_.longest << 16 | times_.gap << 8 | times_.idle;
    case kLfsr:
      return random_.value();
    case kLongestWait: {
      std::uint32_t longest = 0;
      for (const PreemptOutput& output : outputs_)
        longest = std::max(longest, output.longest_wait());
      return std::min(longest, 0xffffu);
    }
    case kClosed:
      return buffers_.closed();
    default:
      return counters_ ? counters_->read(address) : 0;
  }
}

std::uint32_t PreemptSwitch::read_entry(const BsrEntry& entry, std::uint32_t word) const {
  switch (word) {
    case kControl:
      return std::uint32_t{entry.valid} << kValidBit | std::uint32_t{entry.center} << kCenterBit |
             std::uint32_t{entry.tree} << kTreeBit | std::uint32_t{entry.branch} << kBranchBit |
             std::uint32_t{entry.sent} << kSentBit | std::uint32_t{entry.tidy} << kTidyBit |
             std::uint32_t{entry.refused} << kRefusedBit |
             std::uint32_t{entry.count} << kCountShift | entry.gid;
    case kAbove:
      return std::uint32_t{entry.center_address} << 16 | entry.parent;
    case kChildMask:
      return entry.children;
    case kArrived:
      return entry.arrived;
    case kServe:
      return entry.serve;
    case kLocals:
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
