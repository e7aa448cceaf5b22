// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// A packet between the nodes: its head has been injected, its tail has not been ejected.
struct Travelling {
  std::uint64_t injected = 0;  ///< cycle of the head
  std::uint64_t hash = 0;      ///< of all flits; with `flits` valid once the tail is injected
  std::uint32_t flits = 0;     ///< 0 until then
  std::uint32_t source = 0, destination = 0;
  std::uint16_t sequence = 0;
  std::uint8_t category = 0;
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
  Handle add(std::uint32_t source, std::uint32_t destination, std::uint8_t category,
             std::uint64_t cycle);
  /// The oldest of a flow, or kNone.
  Handle oldest_of(std::uint32_t source, std::uint32_t destination, std::uint8_t category) const;
  /// Takes out the oldest of its flow.
  void remove_oldest(std::uint32_t source, std::uint32_t destination, std::uint8_t category);

  /// It may be lost: it stays in its flow, and is no more among those of the network.
  void forgive(Handle h);

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
  void leave();
  std::uint32_t index(std::uint32_t destination, std::uint8_t category) const {
    return destination * categories_ + category;
  }

  std::uint32_t categories_;
  std::vector<std::unordered_map<std::uint32_t, Flow>> flows_;  ///< by source
  std::deque<Travelling> packets_;                              ///< from number `first_` on
  Handle first_ = 0, oldest_ = 0;
  std::uint32_t size_ = 0;
};

/// Every packet of data, of a barrier or about a group that a node injects is ejected exactly once,
/// at its destination, as it was sent, and in order for each source, destination, virtual channel
/// and of the two kinds (data or not); nothing else is ejected but register packets and messages of
/// barrier units; nothing is missing from an empty network. Sees the channels of the nodes only.
///
/// After a loss a packet may be missing, or be ejected as far as it came and with a tail that a
/// link end has made, if its deterministic route leads through what was lost: one that is under way
/// at the loss, or that begins before the loss is recovered. All others are checked as before.
class Delivery final : public LinkChecker {
 public:
  explicit Delivery(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.channel < first_node_channel_ || event.flit.sync()) return;
    const std::uint32_t node = (event.channel - first_node_channel_) / 2;
    if ((event.channel - first_node_channel_) & 1)
      eject(cycle, event, node);
    else
      inject(cycle, event, node);
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override;
  void finish(std::uint64_t cycle, bool drained) override;

  std::uint64_t delivered() const { return delivered_; }  ///< packets
  const PacketTable& travelling() const { return table_; }
  /// Of a category of travelling().
  static std::uint32_t vc_of(std::uint8_t category) { return category / 2u; }

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
  };
  /// Packets of data and of barriers are numbered apart.
  static std::uint8_t category(std::uint8_t vc, bool barrier) {
    return static_cast<std::uint8_t>(2 * vc + (barrier ? 1 : 0));
  }
  static bool skipped(const core::FlitEvent& event, Passing& passing);
  static void add_to_hash(Passing& passing, const core::Flit& flit);
  void head(std::uint64_t cycle, const core::FlitEvent& event, Passing& passing);
  void inject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node);
  void eject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node);
  void arrived(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
               std::uint32_t node);
  bool leads_through(const Loss& loss, const Travelling& packet) const;
  void pass_on(PacketTable::Handle taken);
  void forgive(PacketTable::Handle handle);
  bool remnant(const core::FlitEvent& event, const Passing& passing, std::uint32_t node) const;
  void drop_lost(const Passing& passing, std::uint32_t node, std::uint8_t category);

  core::ChannelId first_node_channel_;
  std::vector<Passing> leaving_, arriving_;  ///< by node and virtual channel
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
  BoundedWaits(const Subject& subject, const Bounds& bounds, const Delivery& delivery);
  /// These messages too are bounded. `owed` outlives this.
  void watch(OwedMessages& owed) { owed_.push_back(&owed); }

  Sees sees() const override { return {.cycles = true}; }
  /// After those that are asked have seen the cycle.
  void end_cycle(std::uint64_t cycle) override;

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
