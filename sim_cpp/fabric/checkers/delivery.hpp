// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <vector>

#include "fabric/checkers/seen_flit.hpp"
#include "muster/core/rng.hpp"
#include "topology/route_walk.hpp"

namespace muster::checkers {

/// A packet between the nodes: its head has been injected, its tail has not been ejected.
struct Travelling {
  std::uint64_t injected = 0;  ///< cycle of the head
  std::uint64_t hash = 0;      ///< of all flits; with `flits` valid once the tail is injected
  std::uint32_t flits = 0;     ///< 0 until then
  std::uint32_t source = 0, destination = 0;
  std::uint16_t sequence = 0;
  std::uint16_t category = 0;
  bool may_be_lost = false;            ///< see PacketTable::forgive
  bool gone = false;                   ///< see PacketTable::remove_oldest
  std::uint64_t next_of_flow = kLast;  ///< its number, see PacketTable
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};
};

/// All travelling packets, numbered from 0 in the order of injection, and those of each flow
/// (source, destination, category). It keeps packets from the oldest one on that travels.
class PacketTable {
 public:
  using Handle = std::uint64_t;  ///< the number of a packet
  static constexpr Handle kNone = Travelling::kLast;

  /// `categories`: what else keeps flows apart, numbered by the owner.
  PacketTable(std::uint32_t nodes, std::uint32_t categories)
      : categories_(categories), flows_(nodes) {}

  /// The new youngest packet of its flow; numbered on from its predecessor, modulo 2^16.
  Handle add(std::uint32_t source, std::uint32_t destination, std::uint16_t category,
             std::uint64_t cycle) {
    Flow& flow = flows_[source][index(destination, category)];
    const Handle h = end();
    packets_.push_back({.injected = cycle,
                        .source = source,
                        .destination = destination,
                        .sequence = flow.sent++,
                        .category = category});
    (flow.oldest == kNone ? flow.oldest : (*this)[flow.youngest].next_of_flow) = h;
    flow.youngest = h;
    ++size_;
    return h;
  }
  /// The oldest of a flow, or kNone.
  Handle oldest_of(std::uint32_t source, std::uint32_t destination, std::uint16_t category) const {
    const auto flow = flows_[source].find(index(destination, category));
    return flow == flows_[source].end() ? kNone : flow->second.oldest;
  }
  /// Takes out the oldest of its flow.
  void remove_oldest(std::uint32_t source, std::uint32_t destination, std::uint16_t category) {
    Flow& flow = flows_[source][index(destination, category)];
    Travelling& packet = (*this)[flow.oldest];
    flow.oldest = packet.next_of_flow;
    if (!packet.may_be_lost) --size_;
    packet.gone = true;
    leave();
  }

  /// It may be lost: it stays in its flow, and is no more among those of the network.
  void forgive(Handle h) {
    (*this)[h].may_be_lost = true;
    --size_;
    leave();
  }

  Travelling& operator[](Handle h) { return packets_[h - first_]; }
  const Travelling& operator[](Handle h) const { return packets_[h - first_]; }
  Handle oldest() const { return oldest_; }                ///< of the network, or end()
  Handle end() const { return first_ + packets_.size(); }  ///< behind the youngest
  std::uint32_t size() const { return size_; }             ///< of the network
  /// It is one of the network.
  bool has(Handle h) const { return !(*this)[h].gone && !(*this)[h].may_be_lost; }

 private:
  struct Flow {
    Handle oldest = kNone, youngest = kNone;
    std::uint16_t sent = 0;  ///< packets injected so far, modulo 2^16
  };
  /// A packet is not one of the network any more.
  void leave() {
    while (oldest_ != end() && !has(oldest_)) ++oldest_;
    for (; !packets_.empty() && packets_.front().gone; ++first_) packets_.pop_front();
  }
  std::uint32_t index(std::uint32_t destination, std::uint16_t category) const {
    return destination * categories_ + category;
  }

  std::uint32_t categories_;
  std::vector<std::unordered_map<std::uint32_t, Flow>> flows_;  ///< by source
  std::deque<Travelling> packets_;                              ///< from number `first_` on
  Handle first_ = 0, oldest_ = 0;
  std::uint32_t size_ = 0;
};

/// Every packet of data, of a barrier or about a group that a node injects is ejected exactly once,
/// at its destination, as it was sent, and in order for each source, destination, stream (virtual
/// channel of the source), way (topology::Phases) and of the two kinds (data or not); nothing else
/// is ejected but register packets and messages of barrier units; nothing is missing from an empty
/// network. Sees the channels of the nodes only.
///
/// After a loss a packet may be missing, or be ejected as far as it came and with a tail that a
/// link end has made, if its deterministic route leads through what was lost: one that is under way
/// at the loss, or that begins before the loss is recovered. All others are checked as before.
class Delivery final : public NamedChecker {
 public:
  explicit Delivery(const Subject& subject)
      : NamedChecker("delivery", subject),
        first_node_channel_(subject.layout.into_switch(0)),
        leaving_(std::size_t{subject.graph.nodes()} * subject.vcs),
        arriving_(std::size_t{subject.graph.nodes()} * subject.vcs),
        ways_(subject.routes.phases() == nullptr ? 0 : subject.routes.phases()->ways()),
        table_(subject.graph.nodes(), 2 * subject.vcs * (ways_ + 1)),
        lost_to_(subject.graph.nodes(), 0) {}
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.channel < first_node_channel_ || event.flit.sync()) return;
    const std::uint32_t node = (event.channel - first_node_channel_) / 2;
    if ((event.channel - first_node_channel_) & 1)
      eject(cycle, event, node);
    else
      inject(cycle, event, node);
  }
  void lose(std::uint64_t, const Loss& loss) override {
    losses_.push_back(loss);
    // What the switch was sending to its nodes has no more flits.
    for (topology::NodeId n = 0; n < subject_.graph.nodes(); ++n)
      if (loss.is_switch(subject_.graph.node(n).at.sw))
        std::fill_n(arriving_.begin() + std::ptrdiff_t{n} * subject_.vcs, subject_.vcs, Passing{});
    for (PacketTable::Handle h = table_.oldest(); h != table_.end(); ++h)
      if (table_.has(h) && leads_through(loss, table_[h])) forgive(h);
  }
  void recovered() override {
    std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    const PacketTable::Handle h = table_.oldest();
    require(h == table_.end(), cycle,
            h == table_.end() ? 0 : subject_.layout.into_switch(table_[h].source), [&] {
              const Travelling& lost = table_[h];
              return fmt::format(
                  "{} packets lost, the oldest is {} of n{} to n{} in virtual channel {}, injected "
                  "in cycle {}",
                  table_.size(), lost.sequence, lost.source, lost.destination, vc_of(lost.category),
                  lost.injected);
            });
  }

  std::uint64_t delivered() const { return delivered_; }  ///< packets
  const PacketTable& travelling() const { return table_; }
  /// Of a category of travelling().
  std::uint32_t vc_of(std::uint16_t category) const { return category / 2u % subject_.vcs; }

 private:
  /// A packet that is on its way through the channel of a node in one virtual channel.
  struct Passing {
    std::uint64_t hash = 0;
    std::uint32_t flits = 0;                          ///< so far; 0 between packets
    std::uint32_t source = 0;                         ///< as its flit 1 says
    bool barrier = false;                             ///< a barrier's or group's, not data
    bool of_switch = false;                           ///< to or from one; not checked here
    PacketTable::Handle handle = PacketTable::kNone;  ///< injection only
    std::uint16_t sequence = 0;                       ///< as its flit 2 says
    std::uint16_t way = 0;                            ///< as its head says
    std::uint8_t stream = 0;                          ///< as its flit 1 says; ejection only
  };
  /// Packets of data and of barriers are numbered apart.
  std::uint16_t category(std::uint8_t stream, const Passing& passing) const {
    return static_cast<std::uint16_t>(2 * (stream + subject_.vcs * passing.way) +
                                      (passing.barrier ? 1 : 0));
  }
  /// A flit of a packet to or from a switch: counted until the tail, and no more.
  static bool skipped(const core::FlitEvent& event, Passing& passing) {
    if (!passing.of_switch) return false;
    ++passing.flits;
    if (event.flit.tail()) passing = {};
    return true;
  }
  static void add_to_hash(Passing& passing, const core::Flit& flit) {
    const std::uint64_t rest = (std::uint64_t{flit.hi} << 8) | flit.kind;
    passing.hash = mix64(mix64(passing.hash ^ flit.lo) ^ rest);
    ++passing.flits;
  }
  void head(std::uint64_t cycle, const core::FlitEvent& event, Passing& passing) {
    const std::uint8_t opcode = fabric::Formats::opcode(event.flit);
    if (ways_ != 0) passing.way = static_cast<std::uint16_t>(fabric::Formats::way(event.flit));
    passing.barrier = fabric::is_barrier_opcode(opcode) || opcode == fabric::kOpcodeGroup ||
                      opcode == fabric::kOpcodeDevice;
    passing.of_switch = opcode == fabric::kOpcodeRequest || opcode == fabric::kOpcodeAnswer ||
                        (subject_.units && fabric::is_unit_opcode(opcode));
    require(passing.barrier || passing.of_switch || opcode == fabric::kOpcodeData, cycle,
            event.channel, "packet with the reserved opcode {}", opcode);
  }
  void inject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node) {
    const core::Flit& flit = event.flit;
    Passing& passing = leaving_[node * subject_.vcs + flit.vc];
    if (passing.flits == 0) head(cycle, event, passing);
    if (skipped(event, passing)) return;
    if (passing.flits == 0) {
      const std::uint32_t destination = fabric::Formats::destination(flit);
      require(destination < subject_.graph.nodes(), cycle, event.channel,
              "packet for destination {}, which is not a node", destination);
      passing.handle = table_.add(node, destination, category(flit.vc, passing), cycle);
      for (const Loss& loss : losses_)
        if (leads_through(loss, table_[passing.handle])) {
          forgive(passing.handle);
          break;
        }
    } else if (passing.flits == 1) {
      require(fabric::Formats::source(flit) == node && fabric::Formats::stream(flit) == flit.vc,
              cycle, event.channel, "packet names source n{} and stream {}, sent by n{} in {}",
              fabric::Formats::source(flit), fabric::Formats::stream(flit), node, flit.vc);
    } else if (passing.flits == 2 && passing.barrier) {
      table_[passing.handle].sequence = fabric::Formats::sequence(flit);
    } else if (passing.flits == 2) {
      require(fabric::Formats::sequence(flit) == table_[passing.handle].sequence, cycle,
              event.channel, "data packet numbered {}, the next is {}",
              fabric::Formats::sequence(flit), table_[passing.handle].sequence);
    }
    add_to_hash(passing, flit);
    if (!flit.tail()) return;
    require(passing.flits >= fabric::kMinDataFlits, cycle, event.channel, "packet of {} flits",
            passing.flits);
    table_[passing.handle].hash = passing.hash;
    table_[passing.handle].flits = passing.flits;
    passing = {};
  }
  void eject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node) {
    const core::Flit& flit = event.flit;
    Passing& passing = arriving_[node * subject_.vcs + flit.vc];
    if (passing.flits == 0) head(cycle, event, passing);
    if (skipped(event, passing)) return;
    if (passing.flits == 0) {
      require(fabric::Formats::destination(flit) == node, cycle, event.channel,
              "packet for destination {} ejected at n{}", fabric::Formats::destination(flit), node);
    } else if (passing.flits == 1) {
      passing.source = fabric::Formats::source(flit);
      passing.stream = fabric::Formats::stream(flit);
    } else if (passing.flits == 2) {
      passing.sequence = fabric::Formats::sequence(flit);
    }
    add_to_hash(passing, flit);
    if (!flit.tail()) return;
    arrived(cycle, event, passing, node);
    passing = {};
  }
  void arrived(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
               std::uint32_t node) {
    const std::uint16_t category = Delivery::category(passing.stream, passing);
    if (lost_to_[node]) {
      if (remnant(event, passing, node)) return;
      drop_lost(passing, node, category);
    }
    require(passing.flits >= fabric::kMinDataFlits, cycle, event.channel,
            "a packet of {} flits has been ejected, flits are lost", passing.flits);
    const PacketTable::Handle h =
        names_flow(passing) ? table_.oldest_of(passing.source, node, category) : PacketTable::kNone;
    const auto packet = [&] {
      return fmt::format("packet {} of n{} to n{} in virtual channel {}", passing.sequence,
                         passing.source, node, passing.stream);
    };
    require(h != PacketTable::kNone, cycle, event.channel, [&] {
      return packet() + " is not in flight: duplicated, invented or its source changed";
    });
    const Travelling& sent = table_[h];
    const auto ahead = static_cast<std::int16_t>(passing.sequence - sent.sequence);
    require(ahead <= 0, cycle, event.channel, [&] {
      return fmt::format("{} out of order or packet {} lost", packet(), sent.sequence);
    });
    require(ahead == 0, cycle, event.channel,
            [&] { return packet() + " ejected again, or its number changed"; });
    require(sent.flits == passing.flits, cycle, event.channel, [&] {
      return sent.flits == 0 ? packet() + " ejected before all of it was sent"
                             : fmt::format("{}: {} flits sent, {} ejected", packet(), sent.flits,
                                           passing.flits);
    });
    require(sent.hash == passing.hash, cycle, event.channel,
            [&] { return packet() + " changed on its way"; });
    if (sent.may_be_lost) pass_on(h);
    table_.remove_oldest(passing.source, node, category);
    ++delivered_;
  }
  /// There are such a source and stream.
  bool names_flow(const Passing& passing) const {
    return passing.source < subject_.graph.nodes() && passing.stream < subject_.vcs;
  }
  template <class Packet>
  static bool same(const Travelling& sent, const Packet& other) {
    return sent.flits == other.flits && sent.hash == other.hash && sent.sequence == other.sequence;
  }
  bool leads_through(const Loss& loss, const Travelling& packet) const {
    if (loss.node) return loss.id == packet.source || loss.id == packet.destination;
    const auto at = [&](const topology::PortRef& port) { return loss.at(subject_.layout, port); };
    bool through = at(subject_.graph.node(packet.source).at);
    topology::walk_route(subject_.graph, subject_.routes, packet.source, packet.destination,
                         [&](topology::SwitchId s, std::uint32_t port) {
                           through |= at({s, port});
                         });
    return through;
  }
  /// A packet has come that may have been lost. If another of the flow, sent later, is the same in
  /// every bit, as a NIC's that is repeated, it cannot be told which of both has come.
  void pass_on(PacketTable::Handle taken) {
    for (PacketTable::Handle h = table_[taken].next_of_flow; h != PacketTable::kNone;
         h = table_[h].next_of_flow)
      if (same(table_[h], table_[taken]) && !table_[h].may_be_lost) return forgive(h);
  }
  void forgive(PacketTable::Handle handle) {
    lost_to_[table_[handle].destination] = 1;
    table_.forgive(handle);
  }
  /// A cut mark ends it. Of one with fewer than three flits the source is not known.
  bool remnant(const core::FlitEvent& event, const Passing& passing, std::uint32_t node) const {
    if (!event.flit.cut()) return false;
    if (passing.flits < fabric::kMinDataFlits) return true;
    if (!names_flow(passing)) return false;
    const std::uint16_t category = Delivery::category(passing.stream, passing);
    const PacketTable::Handle h = table_.oldest_of(passing.source, node, category);
    return h != PacketTable::kNone && table_[h].may_be_lost;
  }
  /// Packets of the flow that were sent before this one, and may be lost, are.
  void drop_lost(const Passing& passing, std::uint32_t node, std::uint16_t category) {
    if (!names_flow(passing)) return;
    const auto oldest = [&] { return table_.oldest_of(passing.source, node, category); };
    PacketTable::Handle h = oldest();
    while (h != PacketTable::kNone && table_[h].may_be_lost && !same(table_[h], passing)) {
      table_.remove_oldest(passing.source, node, category);
      h = oldest();
    }
  }

  core::ChannelId first_node_channel_;
  std::vector<Passing> leaving_, arriving_;  ///< by node and virtual channel
  std::uint32_t ways_;                       ///< that heads may name
  PacketTable table_;
  std::uint64_t delivered_ = 0;
  std::vector<Loss> losses_;           ///< not recovered
  std::vector<std::uint8_t> lost_to_;  ///< by node: a packet to it has been forgiven
};

/// No packet is in the network, and no switch owes a barrier message, for longer than the bounds.
/// What is under way is known to the checkers that this one asks in every cycle.
class BoundedWaits : public LinkChecker {
 public:
  /// `delivery` outlives this.
  BoundedWaits(const Subject& subject, const Bounds& bounds, const Delivery& delivery)
      : LinkChecker("bounded waits", subject), bounds_(bounds), delivery_(delivery) {}
  /// These messages too are bounded. `owed` outlives this.
  void watch(OwedMessages& owed) { owed_.push_back(&owed); }

  Sees sees() const override { return {.cycles = true}; }
  /// After those that are asked have seen the cycle.
  void end_cycle(std::uint64_t cycle) override {
    const PacketTable& table = delivery_.travelling();
    if (const PacketTable::Handle h = table.oldest(); h != table.end()) {
      const Travelling& packet = table[h];
      const std::uint64_t age = cycle - packet.injected;
      require(age <= bounds_.packet, cycle, subject_.layout.into_switch(packet.source),
              "packet {} to n{} in virtual channel {} in flight for {} cycles, at most {}",
              packet.sequence, packet.destination, delivery_.vc_of(packet.category), age,
              bounds_.packet);
      longest_packet_ = std::max(longest_packet_, age);
    }
    for (OwedMessages* owed : owed_) {
      const std::optional<OwedMessage> oldest = owed->oldest_owed();
      if (!oldest) continue;
      const std::uint64_t age = cycle - oldest->since;
      require_at(age <= bounds_.barrier, cycle, oldest->sw, [&] {
        return owed->describe_oldest() +
               fmt::format(" for {} cycles, at most {}", age, bounds_.barrier);
      });
      longest_barrier_ = std::max(longest_barrier_.value_or(0), age);
    }
  }

  std::uint64_t longest_packet() const { return longest_packet_; }  ///< cycles
  /// Cycles; none if the messages that are watched were never owed.
  std::optional<std::uint64_t> longest_barrier() const { return longest_barrier_; }

 private:
  Bounds bounds_;
  const Delivery& delivery_;
  std::vector<OwedMessages*> owed_;
  std::uint64_t longest_packet_ = 0;
  std::optional<std::uint64_t> longest_barrier_;
};

}  // namespace muster::checkers
