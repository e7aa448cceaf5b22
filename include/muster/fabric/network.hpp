// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "muster/core/bank.hpp"
#include "muster/core/engine.hpp"
#include "muster/fabric/endpoints.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/topology/graph.hpp"

namespace muster::fabric {

/// What stands at the switch for a node with a device: for each node a block with the switch at
/// port 0, the endpoint at port 1 and the device at port 2.
class NodePorts : public core::Bank {
 public:
  using Bank::Bank;
  virtual std::uint64_t flits_sent() const = 0;  ///< to switches so far
  /// While held no packet is started, of the device or the endpoint.
  virtual void hold_packets(bool held) = 0;
  virtual bool between_packets() const = 0;  ///< none is half sent
  /// The node is dead, and what it was sending is gone.
  virtual void kill(std::uint32_t node) = 0;
};

/// A device at every node, a network interface that acts by itself for instance, with one port. Or
/// none of both.
struct NodeDevices {
  std::unique_ptr<NodePorts> ports;     ///< one block a node
  std::unique_ptr<core::Bank> devices;  ///< one block a node, one port each
};

/// Delay pipes in all channels.
struct PipeConfig {
  std::uint32_t delay = 0;                        ///< cycles; 0: no pipes
  std::uint32_t vcs = 1;                          ///< virtual channels, 1..4
  std::uint32_t depth = 4;                        ///< credits of each, flits
  SyncCredits sync_credits = SyncCredits::kNone;  ///< of the switches
  std::uint32_t occupancy = 0;  ///< cycles from header to header out of a pipe into a switch
  std::uint32_t buffers = 1;    ///< credits for messages: pockets or barrier buffers of a receiver
};

/// Link ends in all channels: end c stands at the sender of channel c. Their wires are disturbed by
/// `faults`, wire c being that of end c. Or none of both.
struct LinkEnds {
  std::unique_ptr<core::Bank> ends = nullptr;           ///< one a channel
  std::shared_ptr<core::Disturbance> faults = nullptr;  ///< of all wires
  std::uint32_t longest_hold = 0;  ///< cycles that an end holds a flit before the link is down
};

/// A graph of switches and nodes as banks on an engine: block s of the switch bank is switch s,
/// block n of the endpoints is node n, channels as in Layout. Ports of the bank beyond those of a
/// switch, and ports without a peer, stay idle.
///
/// With devices the layout's channels of a node end at its block of `ports`; the wires behind that
/// are not observed.
///
/// With pipes the engine has two channels for each of the layout: channel c, of the latency that
/// the graph says, into the pipe, and behind it channels() + c, of latency 1, out of it. With link
/// ends both are of latency 1; the wires between the two ends have the graph's latency and are not
/// observed.
class Network {
 public:
  /// REQUIRES: `switches` has as many blocks as the graph has switches and at least its ports,
  /// `endpoints` as many as it has nodes, and not both pipes and link ends. The graph must outlive
  /// the network.
  Network(const topology::Graph& graph, std::unique_ptr<core::Bank> switches,
          std::unique_ptr<EndpointBank> endpoints, const PipeConfig& pipes = {},
          NodeDevices devices = {}, LinkEnds links = {});

  const topology::Graph& graph() const { return graph_; }  ///< that it is made of
  const Layout& layout() const { return layout_; }         ///< its channels
  /// Channels of the layout.
  core::ChannelId channels() const {
    return static_cast<core::ChannelId>(layout_.channels().size());
  }
  /// Channels of the engine for each of the layout: 1, or 2 with pipes or link ends.
  std::uint32_t segments() const { return segments_; }
  core::Engine& engine() { return engine_; }         ///< that clocks it
  core::Bank& switches() { return *switches_; }      ///< block s is switch s
  EndpointBank& endpoints() { return *endpoints_; }  ///< block n is node n
  /// From the next cycle on `by` decides the fate of the flits that are put on a channel of the
  /// layout, at its sender; the wire's number is the channel's. It must outlive the last step.
  void disturb(core::ChannelId channel, core::Disturbance& by);
  core::Bank* link_ends() { return link_ends_; }  ///< nullptr without
  /// Cycles, see LinkEnds; 0 without link ends.
  std::uint32_t longest_hold() const { return longest_hold_; }
  // Deaths, between two cycles (docs/reliability.md). REQUIRES: link ends.
  /// The switch is dead from the next cycle on, and its ends of its links with it.
  void kill_switch(topology::SwitchId s);
  /// The same of a node, and its device with it.
  void kill_node(topology::NodeId n);
  /// The switch and its ends of its links are as after reset. REQUIRES: it is alive.
  void reset_switch(topology::SwitchId s);
  /// It has not been killed.
  bool switch_alive(topology::SwitchId s) const { return engine_.alive(kSwitches, s); }
  /// It has not been killed.
  bool node_alive(topology::NodeId n) const { return engine_.alive(kNodes, n); }
  /// The link end at the sender of this channel, which dies with it.
  bool end_alive(core::ChannelId end) const { return engine_.alive(link_bank_, end); }
  /// A write to the register port of a switch in the next cycle, see core::Bank::request.
  void write_to_switch(topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
    switches_->request({s, true, address, value});
    engine_.wake(kSwitches, s);
  }
  /// The same at that end.
  void write_to_end(core::ChannelId end, std::uint32_t address, std::uint32_t value) {
    link_ends_->request({end, true, address, value});
    engine_.wake(link_bank_, end);
  }

  /// While held no node starts a packet; messages of barriers that are none go on.
  void hold_packets(bool held) {
    endpoints_->hold_packets(held);
    if (node_ports_ != nullptr) node_ports_->hold_packets(held);
  }
  /// No node has a packet half sent.
  bool between_packets() const {
    return endpoints_->between_packets() &&
           (node_ports_ == nullptr || node_ports_->between_packets());
  }
  /// Flits that nodes have put on their links so far.
  std::uint64_t node_flits() const {
    return node_ports_ != nullptr ? node_ports_->flits_sent() : endpoints_->flits_sent();
  }
  core::Bank* devices() { return devices_; }       ///< block n is that of node n; nullptr without
  NodePorts* node_ports() { return node_ports_; }  ///< between node and switch; nullptr without
  /// The next cycle clocks the device of this node, whatever it does. REQUIRES: with devices.
  void wake_device(topology::NodeId node) { engine_.wake(device_bank_, node); }
  /// Switches clocked so far, all cycles together; less than cycles times switches if some slept.
  std::uint64_t switches_clocked() const { return engine_.clocked(kSwitches); }

 private:
  core::Terminal terminal(const End& end) const {
    return {end.node ? node_bank_ : kSwitches, end.id, end.port};
  }

  /// Banks of the engine; the others depend on what there is.
  static constexpr std::uint32_t kSwitches = 0, kNodes = 1;
  template <class F>
  void for_ends_of(bool node, std::uint32_t id, F&& f) {
    for (core::ChannelId c = 0; c < channels(); ++c)
      if (layout_.channels()[c].from.node == node && layout_.channels()[c].from.id == id) f(c);
  }

  const topology::Graph& graph_;
  Layout layout_;
  core::Engine engine_;
  std::uint32_t segments_;
  core::Bank* switches_;
  EndpointBank* endpoints_;
  core::Bank* link_ends_;
  core::Bank* devices_ = nullptr;
  std::shared_ptr<core::Disturbance> faults_;
  std::uint32_t longest_hold_;
  NodePorts* node_ports_ = nullptr;
  std::uint32_t node_bank_ = 0, device_bank_ = 0, link_bank_ = 0;
};

}  // namespace muster::fabric
