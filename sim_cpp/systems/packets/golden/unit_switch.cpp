// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/golden/unit_switch.hpp"

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "systems/packets/golden/multicast_switch.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

using fabric::BarrierPacket;

void UnitEntry::reset() {
  phase_ = Phase::kGather;
  number_ = told_ = 0;
  arrived_ = reports_ = acks_ = serve_ = 0;
}

bool UnitEntry::child(std::uint32_t address, Ports& place) const {
  const auto found = std::find(children.begin(), children.begin() + count, address);
  place = static_cast<Ports>(std::uint64_t{1} << (found - children.begin()));
  return found != children.begin() + count;
}

std::optional<UnitDrop> UnitEntry::take(const BarrierPacket& packet, std::uint32_t port,
                                        std::uint32_t modulus) {
  const auto is = [&](std::uint32_t number) { return number % modulus == packet.number; };
  const bool up = packet.opcode == fabric::kOpcodeUnitArrival;
  const bool local = has(locals, port);
  Ports who = local ? static_cast<Ports>(bit(port)) : Ports{0};
  if (local                                         ? !up
      : packet.opcode == fabric::kOpcodeUnitRelease ? root || packet.source != parent
                                                    : !child(packet.source, who))
    return UnitDrop::kWrongSource;
  if (up) {
    Ports& set = local ? arrived_ : reports_;
    if (!is(gathers()) || (set & who) != 0 || phase_ == Phase::kAwait) return UnitDrop::kOutOfPhase;
    // Released from the barrier before, or it could not arrive at this one.
    const bool early = phase_ == Phase::kTell && (local ? serve_ & who : ~acks_ & who);
    if (early) return UnitDrop::kOutOfPhase;
    set |= who;
    if (local) nodes_[port] = packet.source;
  } else if (packet.opcode == fabric::kOpcodeUnitRelease) {
    if (phase_ != Phase::kAwait || !is(number_)) return UnitDrop::kOutOfPhase;
    begin_telling();
  } else {
    const bool asked = phase_ == Phase::kTell && told_ != 0 && (who & ~all_ports(told_)) == 0;
    if (!asked || !is(number_) || (acks_ & who) != 0) return UnitDrop::kOutOfPhase;
    acks_ |= who;
  }
  if (root && phase_ == Phase::kTell && told() && acks_ == all()) begin_next();
  if (root && phase_ == Phase::kGather && complete()) begin_telling();
  return std::nullopt;
}

bool UnitEntry::early(const BarrierPacket& packet, std::uint32_t port,
                      std::uint32_t modulus) const {
  if (packet.opcode == fabric::kOpcodeUnitRelease || UnitEntry(*this).take(packet, port, modulus))
    return false;
  if (has(locals, port)) return lowest(locals & ~arrived_) != port;
  const bool up = packet.opcode == fabric::kOpcodeUnitArrival;
  Ports who = 0;
  child(packet.source, who);
  const auto left = static_cast<Ports>(all() & ~(up ? reports_ : acks_) & ~who);
  return (up && arrived_ != locals) || left > who;
}

void UnitEntry::begin_telling() {
  phase_ = Phase::kTell;
  arrived_ = reports_ = acks_ = 0;
  serve_ = locals;
  told_ = 0;
}

void UnitEntry::begin_next() {
  phase_ = Phase::kGather;
  ++number_;
}

std::optional<UnitEntry::Message> UnitEntry::due() const {
  if (phase_ == Phase::kGather && !root && complete())
    return Message{fabric::kOpcodeUnitArrival, parent, number_, {}};
  if (phase_ != Phase::kTell) return std::nullopt;
  if (told_ < count) return Message{fabric::kOpcodeUnitRelease, children[told_], number_, {}};
  if (serve_ != 0)
    return Message{fabric::kOpcodeUnitRelease, nodes_[lowest(serve_)], number_, lowest(serve_)};
  if (acks_ != all() || root) return std::nullopt;
  return Message{fabric::kOpcodeUnitAck, parent, number_, {}};
}

void UnitEntry::sent() {
  if (phase_ == Phase::kGather) {
    phase_ = Phase::kAwait;
  } else if (told_ < count) {
    ++told_;
  } else if (serve_ != 0) {
    serve_ &= static_cast<Ports>(serve_ - 1);
  } else {
    begin_next();
    return;
  }
  if (root && phase_ == Phase::kTell && told() && acks_ == all()) {
    begin_next();
    if (complete()) begin_telling();
  }
}

std::string UnitEntry::describe() const {
  static constexpr const char* kNames[] = {"gather", "await", "tell"};
  return fmt::format(
      "group {} {} of barrier {}: locals {:#x} arrived {:#x} to release {:#x}, children {} "
      "reported {:#x} told {} acknowledged {:#x}",
      gid, kNames[static_cast<unsigned>(phase_)], number_, locals, arrived_, serve_, count,
      reports_, told_, acks_);
}

void TreeUnit::drop(std::uint32_t port, UnitDrop reason) {
  std::uint8_t& counter = drops_[port][static_cast<std::size_t>(reason)];
  if (counter < kMaxDrops) ++counter;
}

std::uint32_t TreeUnit::drops(std::uint32_t port) const {
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < 4; ++i) word |= std::uint32_t{drops_[port][i]} << 8 * i;
  return word;
}

void TreeUnit::take(std::uint32_t lane, const core::Flit& flit) {
  std::vector<core::Flit>& flits = coming_[lane];
  if (flits.size() <= fabric::kBarrierPacketFlits) flits.push_back(flit);  // longer is malformed
  if (!flit.tail()) return;
  if (has(by_, lane))
    standing_.push_back({lane, formats_.barrier_packet(flits)});
  else
    apply(port_of(lane), flits);
  flits.clear();
}

void TreeUnit::apply(std::uint32_t port, const std::vector<core::Flit>& flits) {
  if (flits.size() != fabric::kBarrierPacketFlits ||
      !fabric::is_unit_opcode(fabric::Formats::opcode(flits.front()))) {
    drop(port, UnitDrop::kMalformed);
    return;
  }
  apply(port, formats_.barrier_packet(flits));
}

void TreeUnit::apply(std::uint32_t port, const BarrierPacket& packet) {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const UnitEntry& e) {
    return e.valid && e.gid == packet.gid;
  });
  if (entry == entries_.end()) {
    drop(port, UnitDrop::kUnknownGroup);
    return;
  }
  if (const auto reason = entry->take(packet, port, 1u << formats_.number_width()))
    drop(port, *reason);
}

bool TreeUnit::early(std::uint32_t lane, const BarrierPacket& packet, std::size_t older) const {
  for (std::size_t i = 0; i < older; ++i)
    if (standing_[i].packet.source == packet.source && standing_[i].packet.gid == packet.gid)
      return true;
  return std::any_of(entries_.begin(), entries_.end(), [&](const UnitEntry& e) {
    return e.valid && e.gid == packet.gid &&
           e.early(packet, port_of(lane), 1u << formats_.number_width());
  });
}

Lanes TreeUnit::incomplete(const InputQueues& queues, const Lanes& lanes) {
  Lanes result = 0;
  for_each_bit(lanes, [&](std::uint32_t lane) {
    std::vector<core::Flit> flits;
    while (flits.size() < std::min(queues.size(lane), fabric::kBarrierPacketFlits) &&
           (flits.empty() || !flits.back().tail()))
      flits.push_back(queues.behind(lane, static_cast<std::uint32_t>(flits.size())));
    const bool whole = flits.back().tail(), full = flits.size() == fabric::kBarrierPacketFlits;
    if (!whole && !full) result |= lane_bit(lane);
    by_ &= ~lane_bit(lane);
    if (whole && full && fabric::is_unit_opcode(fabric::Formats::opcode(flits.front())) &&
        early(lane, formats_.barrier_packet(flits), standing_.size()))
      by_ |= lane_bit(lane);
  });
  return result;
}

void TreeUnit::take_next() {
  std::size_t i = 0;
  while (i < standing_.size() && early(standing_[i].lane, standing_[i].packet, i)) ++i;
  if (i == standing_.size()) return;
  const Standing next = standing_[i];
  standing_.erase(standing_.begin() + static_cast<std::ptrdiff_t>(i));
  apply(port_of(next.lane), next.packet);
  owed_[next.lane] += fabric::kBarrierPacketFlits;
}

Lanes TreeUnit::pay(const Lanes& busy) {
  Lanes lanes = 0;
  for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    if (owed_[lane] == 0 || has(busy, lane)) continue;
    --owed_[lane];
    lanes |= lane_bit(lane);
  }
  return lanes;
}

bool TreeUnit::has_due() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const UnitEntry& e) { return e.valid && e.due(); });
}

std::string TreeUnit::describe() const {
  std::string text = "unit";
  for (const UnitEntry& e : entries_)
    if (e.valid) text += " [" + e.describe() + "]";
  if (!standing_.empty()) text += fmt::format(", {} messages stand by", standing_.size());
  if (sending_)
    text += fmt::format(", sends opcode {} to {} by port {}, {} of {} flits gone",
                        fabric::Formats::opcode(flits_[0]), fabric::Formats::destination(flits_[0]),
                        port_of(out_), gone_, flits_.size());
  return text;
}

using core::Flit;

namespace {
constexpr std::uint32_t kAddress = 0x005, kPolicy = 0x010, kDrops = 0x040, kEntries = 0x100,
                        kChildren = 0x400;
constexpr std::uint32_t kEntryWords = 16, kControl = 0, kParent = 1, kLocals = 8;
constexpr std::uint32_t kEntryChildren = 64;  // addresses, of which kMaxChildren are there
constexpr std::uint32_t kAddressMask = 0xffff;
}  // namespace

UnitSwitch::UnitSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
    : config_(config),
      registers_(config, routes, kAddressed),
      queues_(config, queues),
      data_(config, routes),
      credits_(config.depth),
      unit_(config.regs, fabric::Formats(config.flit_w, config.gid_w)),
      rows_(rows_of(config.ports)) {}

UnitSwitch::Share UnitSwitch::share_outputs() const {
  Share share{.usable = credits_.at_least_one() & ~registers_.held()};
  if (!unit_.sending()) return share;
  const std::uint32_t lane = unit_.out(), port = port_of(lane);
  share.closed = lane_bit(lane);
  if (data_.owner(lane) != DataPath::kFree || !has(share.usable, lane)) return share;
  if (has(data_.busy(), port))
    share.usable &= ~lanes_of(port);  // goes in the next cycle
  else
    share.goes = lane_bit(lane);
  return share;
}

void UnitSwitch::clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
  const Heads heads = queues_.heads();
  const Ports traversing = data_.busy();
  const Share share = share_outputs();
  const bool due = unit_.has_due(), sending = unit_.sending();
  const Lanes here = heads.data & data_.local();
  Lanes stopped = unit_.waits && (due || sending) ? here : Lanes{};
  if (unit_.holds) {
    stopped |= unit_.incomplete(queues_, here & data_.local_first());
    unit_.take_next();
  }
  for_each_bit(traversing, [&](std::uint32_t p) { tx[p] = data_.crossbar()[p]; });
  for_each_bit(share.goes, [&](std::uint32_t lane) { tx[port_of(lane)] = unit_.flit(); });

  // From here on the state is that after the edge; `heads` remembers the queues as they were.
  for_each_bit(valid_inputs(wires, rows_), [&](std::uint32_t port) {
    if (!rx[port].sync()) queues_.push(port, rx[port]);
  });
  if (share.goes != 0) unit_.gone();
  if (!sending && due && !unit_.load([&](std::uint32_t d) { return data_.route(d); }))
    no_way_ = std::min(no_way_ + 1, 0xffffu);
  for_each_bit(here & ~stopped, [&](std::uint32_t lane) { unit_.take(lane, queues_.head(lane)); });
  const DataPath::Moved moved =
      data_.clock({heads.data & ~stopped, 0}, queues_, share.usable, share.closed);
  credits_.update(share.goes, 0);
  credits_.update(moved.spent, returned_credits(wires, rows_));
  Ports leave = traversing;
  for_each_bit(share.goes,
               [&](std::uint32_t lane) { leave |= static_cast<Ports>(bit(port_of(lane))); });
  const Lanes paid = moved.taken & ~(here & unit_.unpaid());
  put_outputs(wires, rows_, leave, unit_.holds ? paid | unit_.pay(paid) : paid);
}

bool UnitSwitch::idle() const {
  return queues_.heads().all() == 0 && data_.busy() == 0 && !unit_.sending() && !unit_.has_due() &&
         !unit_.stands_by();
}

void UnitSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  UnitEntry& entry = unit_.entry(e);
  if (word == kControl) {
    entry.reset();
    entry.valid = has(value, 31);
    entry.root = has(value, 30);
    entry.count = std::min(value >> 16 & 127, UnitEntry::kMaxChildren);
    entry.gid = value & 0xfff;
  } else if (word == kLocals || word == kLocals + 1) {
    entry.locals = registers_.ports(value, word - kLocals, entry.locals);
  } else if (word == kParent) {
    entry.parent = value & kAddressMask;
  }
}

bool UnitSwitch::is_entry_word(std::uint32_t address) const {
  return address >= kEntries && address - kEntries < kEntryWords * unit_.entries();
}

std::optional<UnitSwitch::ChildPlace> UnitSwitch::child_at(std::uint32_t address) const {
  const ChildPlace at{(address - kChildren) / kEntryChildren, address % kEntryChildren};
  const bool is =
      address >= kChildren && at.entry < unit_.entries() && at.child < UnitEntry::kMaxChildren;
  return is ? std::optional(at) : std::nullopt;
}

void UnitSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  registers_.write(address, value);
  if (address == kAddress)
    unit_.address = value & kAddressMask;
  else if (address == kPolicy) {
    unit_.waits = has(value, 0);
    unit_.holds = has(value, 1);
  } else if (is_entry_word(address))
    write_entry((address - kEntries) / kEntryWords, address % kEntryWords, value);
  else if (const auto at = child_at(address))
    unit_.entry(at->entry).children[at->child] = value & kAddressMask;
}

std::uint32_t UnitSwitch::read_register(std::uint32_t address) const {
  if (const auto word = registers_.read(address, data_.unroutable() + no_way_, data_.headless()))
    return *word;
  if (address == kAddress) return unit_.address;
  if (address == kPolicy) return std::uint32_t{unit_.waits} | std::uint32_t{unit_.holds} << 1;
  if (address >= kDrops && address < kDrops + config_.ports) return unit_.drops(address - kDrops);
  if (const auto at = child_at(address)) return unit_.entry(at->entry).children[at->child];
  if (!is_entry_word(address)) return 0;
  const UnitEntry& entry = unit_.entry((address - kEntries) / kEntryWords);
  const std::uint32_t word = address % kEntryWords;
  switch (word) {
    case kControl:
      return std::uint32_t{entry.valid} << 31 | std::uint32_t{entry.root} << 30 |
             entry.count << 16 | entry.gid;
    case kLocals:
    case kLocals + 1:
      return word_of(entry.locals, word - kLocals);
    case kParent:
      return entry.parent;
    default:
      return 0;
  }
}

std::string UnitSwitch::describe() const {
  return unit_.describe() +
         fmt::format("; crossbar {:#x}, queues {}", data_.busy(), text_of(queues_.heads().all()));
}

std::unique_ptr<core::Bank> multicast_switches(std::uint32_t blocks,
                                               const fabric::SwitchConfig& config) {
  return make_switch_bank<MulticastSwitch>(blocks, config);
}
std::unique_ptr<core::Bank> unit_switches(std::uint32_t blocks,
                                          const fabric::SwitchConfig& config) {
  return make_switch_bank<UnitSwitch>(blocks, config);
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
