// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/data_path.hpp"
#include "fabric/golden/switch_registers.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The outcome of a packet for the unit, in the order of the counters' bytes.
enum class UnitDrop : std::uint8_t { kMalformed, kUnknownGroup, kWrongSource, kOutOfPhase };

/// A group at one switch: docs/systems/baselines.md, "Entry".
class UnitEntry {
 public:
  enum class Phase : std::uint8_t { kGather, kAwait, kTell };
  static constexpr std::uint32_t kMaxChildren = 16;

  // As the host has written them.
  bool valid = false, root = false;
  std::uint32_t gid = 0, parent = 0, count = 0;  ///< children
  Ports locals = 0;                              ///< ports
  std::array<std::uint32_t, kMaxChildren> children{};

  Phase phase() const { return phase_; }
  /// Begins at barrier 0.
  void reset();
  /// A packet that has come in by `port`; numbers of barriers count modulo `modulus`. Nothing if it
  /// is expected, else the entry is as before.
  std::optional<UnitDrop> take(const fabric::BarrierPacket& packet, std::uint32_t port,
                               std::uint32_t modulus);
  /// A packet that take() would expect stands behind another one in the order of combining.
  bool early(const fabric::BarrierPacket& packet, std::uint32_t port, std::uint32_t modulus) const;
  /// What it has to send.
  struct Message {
    std::uint8_t opcode;
    std::uint32_t to;                    ///< address
    std::uint32_t number;                ///< of the barrier
    std::optional<std::uint32_t> local;  ///< port, of one to a local
  };
  std::optional<Message> due() const;
  /// due() is on its way.
  void sent();
  std::string describe() const;

 private:
  /// The next barrier is the one in which a member may arrive.
  std::uint32_t gathers() const { return phase_ == Phase::kTell ? number_ + 1 : number_; }
  bool child(std::uint32_t address, Ports& place) const;
  Ports all() const { return count == 0 ? Ports{0} : all_ports(count); }
  bool complete() const { return reports_ == all() && arrived_ == locals; }
  bool told() const { return told_ == count && serve_ == 0; }
  void begin_telling();
  void begin_next();

  Phase phase_ = Phase::kGather;
  std::uint32_t number_ = 0;                      // of the barrier
  Ports arrived_ = 0;                             // locals, ports
  Ports reports_ = 0, acks_ = 0;                  // children, by place
  Ports serve_ = 0;                               // locals to release
  std::uint32_t told_ = 0;                        // children released
  std::array<std::uint32_t, kMaxPorts> nodes_{};  // addresses of locals, as they have said
};

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
  Lanes incomplete(const InputQueues& queues, const Lanes& lanes);
  /// Messages that stand by keep their credits: lanes whose flits return none.
  Lanes unpaid() const { return by_; }
  /// Takes the first message that stands by and is next.
  void take_next();
  /// Lanes to which a credit of such a message returns; `busy` have another.
  Lanes pay(const Lanes& busy);
  bool stands_by() const { return !standing_.empty() || owed_ != decltype(owed_){}; }

  /// A flit for the switch is taken from a queue; those of a packet come in order.
  void take(std::uint32_t lane, const core::Flit& flit);

  /// It has something to send, on the state of now.
  bool has_due() const;
  bool sending() const { return sending_; }
  /// REQUIRES of both: sending.
  std::uint32_t out() const { return out_; }
  const core::Flit& flit() const { return flits_[gone_]; }
  void gone() { sending_ = ++gone_ < flits_.size(); }
  /// Takes the next message of an entry, REQUIRES: has_due(), not sending. `route(destination)` is
  /// the mask of next ports. False if there is no way, and the message is lost.
  template <class Route>
  bool load(Route&& route);

  std::uint32_t drops(std::uint32_t port) const;
  std::string describe() const;

 private:
  static constexpr std::uint8_t kMaxDrops = 15;
  /// It is not next, or behind one of its source, of the first `older` that stand by.
  bool early(std::uint32_t lane, const fabric::BarrierPacket& packet, std::size_t older) const;
  void apply(std::uint32_t port, const std::vector<core::Flit>& flits);
  void apply(std::uint32_t port, const fabric::BarrierPacket& packet);
  void drop(std::uint32_t port, UnitDrop reason);

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

template <class Route>
bool TreeUnit::load(Route&& route) {
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

/// One switch with a barrier unit as docs/systems/baselines.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class UnitSwitch {
 public:
  static constexpr bool kAddressed = true;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  UnitSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// A cycle, as BarrierSwitch::clock().
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx);
  bool idle() const;
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  /// What the unit's message does to the outputs in a cycle.
  struct Share {
    Lanes usable = 0;  ///< output lanes that data may have
    Lanes closed = 0;  ///< output lanes on which no packet of a queue may begin
    Lanes goes = 0;    ///< the output lane of a flit that leaves
  };
  Share share_outputs() const;
  bool is_entry_word(std::uint32_t address) const;
  struct ChildPlace {
    std::uint32_t entry, child;
  };
  /// Whose address is at an address of the map.
  std::optional<ChildPlace> child_at(std::uint32_t address) const;
  void write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value);

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
