// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "muster/fabric/endpoint_clients.hpp"

namespace muster::fabric {

/// The channels of a node: `vcs` virtual channels into a switch with `depth` buffers each.
struct EndpointConfig {
  std::uint32_t nodes = 0;  ///< of the network
  std::uint32_t vcs = 1;    ///< virtual channels, 1..4
  std::uint32_t depth = 4;  ///< flits that the switch buffers for each
  /// Data stay off the last virtual channel, which others have; needs two.
  bool last_vc_reserved = false;
  bool first_vc_only = false;  ///< data begin in virtual channel 0 (topology::Phases)
  BarrierLink barrier = {};    ///< with a credit of its own there are 3 virtual channels at most
  /// Cycles that a node's host takes before a message or packet of the client's is handed to the
  /// channel. Of any number at once: they add latency, they take no bandwidth.
  std::uint32_t send_delay = 0;
  std::uint32_t receive_delay = 0;  ///< the same after a message or packet has come
};

/// All nodes of a network, block n port 0 being node n. A node drains one flit a cycle and returns
/// its credit in the next one; it sends one flit a cycle, a barrier message if one waits and has
/// the credit it takes, else a packet of the client's, else data: one packet in progress on each
/// virtual channel of data, round robin over those that have a credit and a flit. A packet of the
/// client's goes before data that has not begun and never breaks into a packet. Packets of data are
/// asked for one by one, so a source queue takes no memory however long it grows.
///
/// Where the switch has a barrier buffer, messages go as BarrierSender says, before all else. Such
/// a node returns the credit of its own barrier buffer with the last flit of a message; it
/// ignores pads and link control.
///
/// Costs little for a node without traffic: nodes with something to send are kept in a set, and
/// neighbours know when the next of them has.
class EndpointBank : public core::Bank, public core::Divisible {
 public:
  /// All nodes idle, with all credits.
  EndpointBank(const EndpointConfig& config, Formats formats);

  /// Both may be absent. They must outlive the last clock().
  void attach(SyncClient* sync, PacketClient* packets);
  /// Queues a barrier message of one flit. REQUIRES: no barrier buffers; its virtual channel is 0.
  void send_sync(std::uint32_t node, const core::Flit& flit);
  /// Queues the flits of a barrier message; their virtual channel is set when it goes. REQUIRES:
  /// barrier buffers; the first flit and no other is of kind core::Flit::kFirst.
  void send_message(std::uint32_t node, std::span<const core::Flit> flits);
  /// Queues a packet, behind those of the same node; its virtual channel is that of its flits.
  /// REQUIRES: a virtual channel of data, and head and tail where they belong.
  void send_packet(std::uint32_t node, std::vector<core::Flit> flits);
  /// The packet client has a packet earlier than it said.
  void wake(std::uint32_t node);
  /// From now on no new packet is started; those in progress go on.
  void stop_packets() { packets_stopped_ = true; }
  /// From now on no packet is started, data or the client's; barrier messages and packets in
  /// progress go on. Or they may be started again.
  void hold_packets(bool held);
  bool packets_held() const { return held_; }  ///< see hold_packets()
  /// The node is dead from now on: it sends nothing, and its client hears of nothing that comes.
  /// What was queued is gone.
  void kill(std::uint32_t node);
  /// No node is in the middle of a packet.
  bool between_packets() const;
  /// No packet in progress, nothing of the client's waiting.
  bool drained() const;
  /// Flits that all nodes have put on their links so far.
  std::uint64_t flits_sent() const;

  core::Divisible* divisible() override { return this; }
  /// Receives, calls the clients, sends. Throws InternalError for a flit that does not belong
  /// there.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    begin_clock(cycle);
    clock_some(cycle, awake);
    end_clock(cycle);
    clock_rest(cycle, 0, blocks());
  }
  void begin_clock(std::uint64_t cycle) override { now_ = cycle; }
  /// Nodes receive.
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  /// Clients hear what has been received, in the order of nodes.
  void end_clock(std::uint64_t cycle) override;
  bool has_rest() const override { return true; }
  /// Nodes send.
  void clock_rest(std::uint64_t cycle, std::uint32_t first, std::uint32_t end) override;
  std::string describe(std::uint32_t block) const override;

 private:
  static constexpr unsigned kVcs = 4;
  /// A packet of data under way into a virtual channel.
  struct Outgoing {
    Packet packet;
    std::uint32_t next = 0;  ///< flit to send
  };
  /// A packet under way out of a virtual channel.
  struct Incoming {
    std::uint32_t next = 0;  ///< number of the flit expected
    /// Of the first three flits, which say what packet it is, and of any other: all that data say.
    std::array<std::uint32_t, kMinDataFlits + 1> words{};
  };
  /// What the client has sent, with the cycle in which its host is done with it.
  struct Message {
    std::uint64_t due;
    core::Flit flit;
  };
  struct ClientPacket {
    std::uint64_t due;
    std::vector<core::Flit> flits;
  };
  /// What has come for the client, with the cycle in which its host is done with it: a barrier
  /// message or the flits of a packet.
  struct Received {
    std::uint64_t due;
    std::uint32_t node;
    std::vector<core::Flit> flits;
  };
  /// What every flit needs of a node. It is small, and packets and the client's part lie elsewhere,
  /// because the nodes of a large network pass through the cache in every cycle.
  struct Node {
    std::array<std::uint8_t, kVcs> credits{};  ///< and, behind `vcs`, of pocket or barrier buffer
    std::uint8_t sending = 0;                  ///< virtual channels with a packet in progress
    std::uint8_t last_vc = 0;                  ///< where the round robin stands
    bool dead = false;
    bool queued = false;  ///< messages or packets of the client's wait
    std::uint64_t next_packet = kNever;
  };
  /// The client's part of a node.
  struct Queued {
    std::deque<Message> sync;
    std::deque<ClientPacket> packets;
    std::size_t next_flit = 0;  ///< of the first of them
    /// By virtual channel: the packet that comes, unless it is data.
    std::array<std::vector<core::Flit>, kVcs> coming;
    bool empty() const { return sync.empty() && packets.empty(); }
  };

  /// Of core::kFlags nodes.
  struct Neighbours {
    std::uint64_t due = kNever;  ///< the first cycle in which one may have something to send again
    std::uint64_t flits_sent = 0;
  };

  /// Of a node whose switch has a barrier buffer.
  struct BarrierEnd {
    BarrierSender out;
    BarrierReceiver in;
  };

  void receive(std::uint64_t cycle, std::uint32_t n);
  void pass_on(std::uint64_t cycle, std::uint32_t n);
  void hand_over(std::uint64_t cycle, std::uint32_t n, std::span<const core::Flit> flits);
  void hand_over_due(std::uint64_t cycle);
  void tell(std::uint64_t cycle, std::uint32_t n, std::span<const core::Flit> flits);
  void wake_queued(std::uint32_t n);
  void receive_data(std::uint32_t n, const core::Flit& flit);
  std::uint32_t receive_barrier(std::uint32_t n, const core::Flit& flit);
  bool send(std::uint64_t cycle, std::uint32_t n);
  bool send_single(std::uint64_t cycle, std::uint32_t n);
  bool send_message_flit(std::uint64_t cycle, std::uint32_t n);
  std::uint32_t cut(std::uint32_t n) const { return ends_.empty() ? 0 : ends_[n].out.cut(); }
  bool send_client_packet(std::uint64_t cycle, std::uint32_t n);
  bool send_data(std::uint64_t cycle, std::uint32_t n);
  void set_busy(std::uint32_t n) { busy_[n] = !nodes_[n].dead; }
  /// Something to send in the next cycle. Without a branch, except for what waits in queues:
  /// whether a node has a packet in progress cannot be predicted.
  bool has_more(std::uint64_t cycle, std::uint32_t n) const {
    const Node& node = nodes_[n];
    const bool waiting = (node.next_packet <= cycle + 1) & !packets_stopped_ & !held_;
    const bool queued = node.queued | !ends_.empty();
    return (node.sending != 0) | waiting | (queued && has_queued(cycle, n));
  }
  bool has_queued(std::uint64_t cycle, std::uint32_t n) const;
  void expect(std::uint64_t cycle, std::uint32_t n);
  /// A virtual channel of a node, in `out_` and `in_`.
  std::size_t lane(std::uint32_t n, std::uint32_t vc) const {
    return std::size_t{n} * config_.vcs + vc;
  }

  EndpointConfig config_;
  Formats formats_;
  std::uint32_t data_vcs_;
  SyncClient* sync_ = nullptr;
  PacketClient* packets_ = nullptr;
  bool packets_stopped_ = false, held_ = false;
  std::uint64_t now_ = 0;
  std::deque<Received> received_;  ///< by age
  std::vector<Node> nodes_;
  std::vector<Outgoing> out_;        ///< by lane()
  std::vector<Incoming> in_;         ///< by lane()
  std::vector<Queued> queued_;       ///< by node
  std::vector<BarrierEnd> ends_;     ///< by node; none without barrier buffers
  std::vector<std::uint8_t> busy_;   ///< flag of each node that has something to send
  std::vector<std::uint8_t> heard_;  ///< the same of what has come for a client in this cycle
  std::vector<Neighbours> neighbours_;
};

}  // namespace muster::fabric
