// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/unit_switch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/fabric/formats.hpp"

namespace muster::golden {

using core::Flit;

namespace {
constexpr std::uint32_t kHold = 0x007, kAddress = 0x008, kPolicy = 0x009, kDrops = 0x010;
constexpr std::uint32_t kEntries = 0x400, kEntryWords = 32, kChildren = 16, kRoutes = 0x800;
constexpr std::uint32_t kSelf = 1u << 16;
constexpr std::uint32_t kAddressMask = 0xffff;
std::uint64_t all_lanes(std::uint32_t port) { return std::uint64_t{0xf} << lane_of(port, 0); }
}  // namespace

UnitSwitch::UnitSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
    : config_(config),
      routes_(routes),
      queues_(config, queues),
      data_(config, routes),
      credits_(config.depth),
      unit_(config.regs, fabric::Formats(config.flit_w, config.gid_w)) {}

UnitSwitch::Share UnitSwitch::share_outputs() const {
  Share share{.usable = credits_.at_least_one() & ~held_};
  if (!unit_.sending()) return share;
  const std::uint32_t lane = unit_.out(), port = port_of(lane);
  share.closed = bit(lane);
  if (data_.owner(lane) != DataPath::kFree || !has(share.usable, lane)) return share;
  if (has(data_.busy(), port))
    share.usable &= ~all_lanes(port);  // goes in the next cycle
  else
    share.goes = bit(lane);
  return share;
}

void UnitSwitch::clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
  const Heads heads = queues_.heads();
  const std::uint16_t traversing = data_.busy();
  const Share share = share_outputs();
  const bool due = unit_.has_due(), sending = unit_.sending();
  for_each_bit(traversing, [&](std::uint32_t p) { tx[p] = data_.crossbar()[p]; });
  for_each_bit(share.goes, [&](std::uint32_t lane) { tx[port_of(lane)] = unit_.flit(); });

  // From here on the state is that after the edge; `heads` remembers the queues as they were.
  for_each_bit(wires.rx_valid, [&](std::uint32_t port) {
    if (!rx[port].sync()) queues_.push(port, rx[port]);
  });
  if (share.goes != 0) unit_.gone();
  if (!sending && due && !unit_.load([&](std::uint32_t d) { return data_.route(d); }))
    no_way_ = std::min(no_way_ + 1, 0xffffu);
  const std::uint64_t here = heads.data & data_.local();
  const std::uint64_t stopped = unit_.waits && (due || sending) ? here : 0;
  for_each_bit(here & ~stopped, [&](std::uint32_t lane) { unit_.take(lane, queues_.head(lane)); });
  const DataPath::Moved moved =
      data_.clock({heads.data & ~stopped, 0}, queues_, share.usable, share.closed);
  credits_.update(share.goes, 0);
  credits_.update(moved.spent, wires.tx_back);
  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.tx_valid = traversing;
  for_each_bit(share.goes, [&](std::uint32_t lane) { wires.tx_valid |= 1u << port_of(lane); });
  wires.rx_back = moved.taken;
}

bool UnitSwitch::idle() const {
  return queues_.heads().all() == 0 && data_.busy() == 0 && !unit_.sending() && !unit_.has_due();
}

void UnitSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  UnitEntry& entry = unit_.entry(e);
  if (word == 0) {
    entry.reset();
    entry.valid = has(value, 31);
    entry.root = has(value, 30);
    entry.count = std::min(value >> 16 & 31, UnitEntry::kMaxChildren);
    entry.gid = value & 0xfff;
  } else if (word == 1) {
    entry.locals = static_cast<std::uint16_t>(value & (bit(config_.ports) - 1));
  } else if (word == 2) {
    entry.parent = value & kAddressMask;
  } else if (word >= kChildren) {
    entry.children[word - kChildren] = value & kAddressMask;
  }
}

void UnitSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  const auto ports = static_cast<std::uint16_t>(bit(config_.ports) - 1);
  if (address == kHold) {
    held_ = 0;
    for_each_bit(value & ports, [&](std::uint32_t p) { held_ |= all_lanes(p); });
  } else if (address == kAddress) {
    unit_.address = value & kAddressMask;
  } else if (address == kPolicy) {
    unit_.waits = (value & 1) != 0;
  } else if (address >= kRoutes && address - kRoutes < config_.dests) {
    routes_.write(address - kRoutes, static_cast<std::uint16_t>(value & ports),
                  (value & kSelf) != 0);
  } else if (address >= kEntries && address < kEntries + kEntryWords * unit_.entries()) {
    write_entry((address - kEntries) / kEntryWords, address % kEntryWords, value);
  }
}

std::uint32_t UnitSwitch::read_register(std::uint32_t address) const {
  if (address >= kDrops && address < kDrops + config_.ports) return unit_.drops(address - kDrops);
  if (address >= kEntries && address < kEntries + kEntryWords * unit_.entries()) {
    const UnitEntry& entry = unit_.entry((address - kEntries) / kEntryWords);
    const std::uint32_t word = address % kEntryWords;
    if (word >= kChildren) return entry.children[word - kChildren];
    return word == 0 ? std::uint32_t{entry.valid} << 31 | std::uint32_t{entry.root} << 30 |
                           entry.count << 16 | entry.gid
           : word == 1 ? entry.locals
           : word == 2 ? entry.parent
                       : 0;
  }
  switch (address) {
    case 0x000:
      return 0x4D530705;  // kind 7, map version 5
    case 0x001:
      return unit_.entries() << 24 | config_.depth << 16 | config_.vcs << 8 | config_.ports;
    case 0x002:
      return config_.dests << 16 | config_.gid_w << 8 | config_.flit_w;
    case 0x004:
      return data_.headless() << 16 | std::min(data_.unroutable() + no_way_, 0xffffu);
    case kHold: {
      std::uint32_t ports = 0;
      for_each_bit(held_, [&](std::uint32_t lane) { ports |= 1u << port_of(lane); });
      return ports;
    }
    case kAddress:
      return unit_.address;
    case kPolicy:
      return unit_.waits;
    default:
      return 0;
  }
}

std::string UnitSwitch::describe() const {
  return unit_.describe() +
         fmt::format("; crossbar {:#x}, queues {:#x}", data_.busy(), queues_.heads().all());
}

}  // namespace muster::golden
