// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "systems/preempt/golden/preempt_switch.hpp"

/// The register port of the preempting switches: the map of docs/systems/preempting-switches.md.
namespace muster::golden {

namespace {
constexpr std::uint32_t kIdentity = 0x000, kSizes = 0x001, kWidths = 0x002, kUnroutable = 0x004,
                        kHold = 0x007, kAddress = 0x008, kPolicy = 0x009, kTimes = 0x00A,
                        kLfsr = 0x00B, kLongestWait = 0x00C, kClosed = 0x00D, kDrops = 0x010,
                        kEntries = 0x400, kWordsPerEntry = 32, kRoutes = 0x800;
constexpr std::uint32_t kRandomBit = 0, kUnpaddedBit = 1;
enum Word : std::uint32_t { kControl, kMasks, kProgress, kAbove, kChild = 16 };
constexpr std::uint32_t kValidBit = 31, kCenterBit = 30, kTreeBit = 29, kBranchBit = 28,
                        kSentBit = 27, kTidyBit = 26, kRefusedBit = 25, kCountShift = 8;
constexpr std::uint32_t kMaxUnroutable = 0xffff;
}  // namespace

void PreemptSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  const auto ports = static_cast<std::uint16_t>(bit(config_.ports) - 1);
  if (address >= kRoutes) {
    if (address - kRoutes < config_.dests)
      routes_.write(address - kRoutes, static_cast<std::uint16_t>(value & ports), false);
  } else if (address >= kEntries) {
    const std::uint32_t e = (address - kEntries) / kWordsPerEntry;
    if (e < config_.regs) write_entry(e, address % kWordsPerEntry, value);
  } else if (address == kHold) {
    hold_ = static_cast<std::uint16_t>(value & ports);
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
    buffers_.set_closed(static_cast<std::uint16_t>(value & ports));
  }
}

std::uint32_t PreemptSwitch::names() const {
  return std::bit_ceil(std::max(config_.dests, 2048u)) - 1;
}

void PreemptSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  if (word != kControl && word != kMasks) return;
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
    entry.locals = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  }
  buffers_.table().write(e, entry);
}

std::uint32_t PreemptSwitch::read_register(std::uint32_t address) const {
  switch (address) {
    case kIdentity:
      return 0x4D530005 | config_.kind->number << 8;
    case kSizes:
      return config_.regs << 24 | config_.depth << 16 | config_.vcs << 8 | config_.ports;
    case kWidths:
      return config_.dests << 16 | config_.gid_w << 8 | config_.flit_w;
    case kUnroutable:
      return data_.headless() << 16 | std::min(data_.unroutable() + unroutable_, kMaxUnroutable);
    case kHold:
      return hold_;
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
      break;
  }
  if (address >= kDrops && address - kDrops < config_.ports) {
    const auto& d = drops_[address - kDrops];
    return static_cast<std::uint32_t>(d[3]) << 24 | d[2] << 16 | d[1] << 8 | d[0];
  }
  if (address >= kEntries && address < kRoutes) {
    const std::uint32_t e = (address - kEntries) / kWordsPerEntry;
    if (e < config_.regs) return read_entry(buffers_.table().at(e), address % kWordsPerEntry);
  }
  return 0;
}

std::uint32_t PreemptSwitch::read_entry(const BsrEntry& entry, std::uint32_t word) const {
  switch (word) {
    case kControl:
      return std::uint32_t{entry.valid} << kValidBit | std::uint32_t{entry.center} << kCenterBit |
             std::uint32_t{entry.tree} << kTreeBit | std::uint32_t{entry.branch} << kBranchBit |
             std::uint32_t{entry.sent} << kSentBit | std::uint32_t{entry.tidy} << kTidyBit |
             std::uint32_t{entry.refused} << kRefusedBit |
             std::uint32_t{entry.count} << kCountShift | entry.gid;
    case kMasks:
      return std::uint32_t{entry.children} << 16 | entry.locals;
    case kProgress:
      return std::uint32_t{entry.serve} << 16 | entry.arrived;
    case kAbove:
      return std::uint32_t{entry.center_address} << 16 | entry.parent;
    default:
      return word >= kChild && word - kChild < config_.ports ? entry.child[word - kChild] : 0;
  }
}

}  // namespace muster::golden
