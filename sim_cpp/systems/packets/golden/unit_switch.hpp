// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/data_path.hpp"
#include "fabric/golden/switch_registers.hpp"
#include "systems/packets/golden/unit_entry.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The barrier unit of a switch: takes whole packets, keeps the entries, and sends one message at a
/// time.
class TreeUnit {
 public:
  TreeUnit(std::uint32_t entries, const fabric::Formats& formats)
      : formats_(formats), entries_(entries) {}

  std::uint32_t entries() const { return static_cast<std::uint32_t>(entries_.size()); }
  UnitEntry& entry(std::uint32_t e) { return entries_[e]; }
  const UnitEntry& entry(std::uint32_t e) const { return entries_[e]; }
  std::uint32_t address = 0;  ///< of the switch
  bool waits = false;         ///< takes nothing while it has something to send
  bool holds = false;         ///< takes messages in the order of combining

  /// With `holds`: lanes of these, which have the head of a packet for the switch, whose packet is
  /// not there yet. Of the others it is known whether their message stands by.
  Lanes incomplete(const InputQueues& queues, const Lanes& lanes) {
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
  /// Messages that stand by keep their credits: lanes whose flits return none.
  Lanes unpaid() const { return by_; }
  /// Takes the first message that stands by and is next.
  void take_next() {
    std::size_t i = 0;
    while (i < standing_.size() && early(standing_[i].lane, standing_[i].packet, i)) ++i;
    if (i == standing_.size()) return;
    const Standing next = standing_[i];
    standing_.erase(standing_.begin() + static_cast<std::ptrdiff_t>(i));
    apply(port_of(next.lane), next.packet);
    owed_[next.lane] += fabric::kBarrierPacketFlits;
  }
  /// Lanes to which a credit of such a message returns; `busy` have another.
  Lanes pay(const Lanes& busy) {
    Lanes lanes = 0;
    for (std::uint32_t lane = 0; lane < kMaxLanes; ++lane) {
      if (owed_[lane] == 0 || has(busy, lane)) continue;
      --owed_[lane];
      lanes |= lane_bit(lane);
    }
    return lanes;
  }
  bool stands_by() const { return !standing_.empty() || owed_ != decltype(owed_){}; }

  /// A flit for the switch is taken from a queue; those of a packet come in order.
  void take(std::uint32_t lane, const core::Flit& flit) {
    std::vector<core::Flit>& flits = coming_[lane];
    if (flits.size() <= fabric::kBarrierPacketFlits) flits.push_back(flit);  // longer is malformed
    if (!flit.tail()) return;
    if (has(by_, lane))
      standing_.push_back({lane, formats_.barrier_packet(flits)});
    else if (flits.size() == fabric::kBarrierPacketFlits &&
             fabric::is_unit_opcode(fabric::Formats::opcode(flits.front())))
      apply(port_of(lane), formats_.barrier_packet(flits));
    else
      drop(port_of(lane), UnitDrop::kMalformed);
    flits.clear();
  }

  /// It has something to send, on the state of now.
  bool has_due() const {
    return std::ranges::any_of(entries_, [](const UnitEntry& e) { return e.valid && e.due(); });
  }
  bool sending() const { return sending_; }
  /// REQUIRES of both: sending.
  std::uint32_t out() const { return out_; }
  const core::Flit& flit() const { return flits_[gone_]; }
  void gone() { sending_ = ++gone_ < flits_.size(); }
  /// Takes the next message of an entry, REQUIRES: has_due(), not sending. `route(destination)` is
  /// the mask of next ports. False if there is no way, and the message is lost.
  template <class Route>
  bool load(Route&& route) {
    std::uint32_t e = pointer_;
    while (!entries_[e].valid || !entries_[e].due()) e = (e + 1) % entries();
    const UnitEntry::Message m = *entries_[e].due();
    pointer_ = (e + 1) % entries();
    const fabric::BarrierPacket packet{address, m.to, entries_[e].gid, m.number, m.opcode};
    const std::uint64_t mask = m.local ? bit(*m.local) : route(m.to);
    entries_[e].sent();
    if (mask == 0) return false;
    out_ = lane_of(lowest(mask), 0);
    flits_ = formats_.barrier_packet(packet, 0);
    gone_ = 0;
    return sending_ = true;
  }

  std::uint32_t drops(std::uint32_t port) const {
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < 4; ++i) word |= std::uint32_t{drops_[port][i]} << 8 * i;
    return word;
  }
  std::string describe() const {
    std::string text = "unit";
    for (const UnitEntry& e : entries_)
      if (e.valid) text += " [" + e.describe() + "]";
    if (!standing_.empty()) text += fmt::format(", {} messages stand by", standing_.size());
    if (sending_)
      text +=
          fmt::format(", sends opcode {} to {} by port {}, {} of {} flits gone",
                      fabric::Formats::opcode(flits_[0]), fabric::Formats::destination(flits_[0]),
                      port_of(out_), gone_, flits_.size());
    return text;
  }

 private:
  static constexpr std::uint8_t kMaxDrops = 15;
  /// It is not next, or behind one of its source, of the first `older` that stand by.
  bool early(std::uint32_t lane, const fabric::BarrierPacket& packet, std::size_t older) const {
    for (std::size_t i = 0; i < older; ++i)
      if (standing_[i].packet.source == packet.source && standing_[i].packet.gid == packet.gid)
        return true;
    return std::ranges::any_of(entries_, [&](const UnitEntry& e) {
      return e.valid && e.gid == packet.gid &&
             e.early(packet, port_of(lane), 1u << formats_.number_width());
    });
  }
  void apply(std::uint32_t port, const fabric::BarrierPacket& packet) {
    const auto entry = std::ranges::find_if(
        entries_, [&](const UnitEntry& e) { return e.valid && e.gid == packet.gid; });
    const std::optional<UnitDrop> reason =
        entry == entries_.end() ? UnitDrop::kUnknownGroup
                                : entry->take(packet, port, 1u << formats_.number_width());
    if (reason) drop(port, *reason);
  }
  void drop(std::uint32_t port, UnitDrop reason) {
    std::uint8_t& counter = drops_[port][static_cast<std::size_t>(reason)];
    if (counter < kMaxDrops) ++counter;
  }

  fabric::Formats formats_;
  std::vector<UnitEntry> entries_;
  std::uint32_t pointer_ = 0;
  std::array<std::vector<core::Flit>, kMaxLanes> coming_;  // of packets, by lane
  struct Standing {
    std::uint32_t lane;
    fabric::BarrierPacket packet;
  };
  std::vector<Standing> standing_;
  Lanes by_ = 0;                                // lanes whose message is to stand by
  std::array<std::uint8_t, kMaxLanes> owed_{};  // credits
  std::vector<core::Flit> flits_;               // of the message being sent
  std::uint32_t gone_ = 0, out_ = 0;
  bool sending_ = false;
  std::array<std::array<std::uint8_t, 4>, kMaxPorts> drops_{};
};

/// One switch with a barrier unit as docs/systems/baselines.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class UnitSwitch {
 public:
  static constexpr bool kAddressed = true;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  UnitSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes)
      : config_(config),
        registers_(config, routes, kAddressed),
        queues_(config, queues),
        data_(config, routes),
        credits_(config.depth),
        unit_(config.regs, fabric::Formats(config.flit_w, config.gid_w)),
        rows_(rows_of(config.ports)) {}

  /// A cycle, as BarrierSwitch::clock().
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx) {
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
    for_each_bit(here & ~stopped,
                 [&](std::uint32_t lane) { unit_.take(lane, queues_.head(lane)); });
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
  bool idle() const {
    return queues_.heads().all() == 0 && data_.busy() == 0 && !unit_.sending() &&
           !unit_.has_due() && !unit_.stands_by();
  }
  void write_register(std::uint32_t address, std::uint32_t value) {
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
  std::uint32_t read_register(std::uint32_t address) const {
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
  std::string describe() const {
    return unit_.describe() +
           fmt::format("; crossbar {:#x}, queues {}", data_.busy(), text_of(queues_.heads().all()));
  }

 private:
  /// What the unit's message does to the outputs in a cycle.
  struct Share {
    Lanes usable = 0;  ///< output lanes that data may have
    Lanes closed = 0;  ///< output lanes on which no packet of a queue may begin
    Lanes goes = 0;    ///< the output lane of a flit that leaves
  };
  // The register map.
  static constexpr std::uint32_t kAddress = 0x005, kPolicy = 0x010, kDrops = 0x040,
                                 kEntries = 0x100, kChildren = 0x400;
  static constexpr std::uint32_t kEntryWords = 16, kControl = 0, kParent = 1, kLocals = 8;
  static constexpr std::uint32_t kEntryChildren = 64;  // addresses, of which kMaxChildren are there
  static constexpr std::uint32_t kAddressMask = 0xffff;

  Share share_outputs() const {
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
  bool is_entry_word(std::uint32_t address) const {
    return address >= kEntries && address - kEntries < kEntryWords * unit_.entries();
  }
  struct ChildPlace {
    std::uint32_t entry, child;
  };
  /// Whose address is at an address of the map.
  std::optional<ChildPlace> child_at(std::uint32_t address) const {
    const ChildPlace at{(address - kChildren) / kEntryChildren, address % kEntryChildren};
    const bool is =
        address >= kChildren && at.entry < unit_.entries() && at.child < UnitEntry::kMaxChildren;
    return is ? std::optional(at) : std::nullopt;
  }
  void write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
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

  fabric::SwitchConfig config_;
  SwitchRegisters registers_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  TreeUnit unit_;
  std::uint32_t rows_;        // of the wires
  std::uint32_t no_way_ = 0;  // messages of the unit without a route
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
