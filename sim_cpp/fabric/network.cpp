// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/network.hpp"

#include "fabric/delay_pipes.hpp"
#include "muster/core/error.hpp"
#include "muster/topology/group_spec.hpp"

namespace muster::fabric {

Layout::Layout(const topology::Graph& graph)
    : switch_names_(graph.switch_names),
      node_names_(graph.node_names),
      first_node_channel_(static_cast<core::ChannelId>(2 * graph.links().size())) {
  channels_.reserve(2 * (graph.links().size() + graph.nodes()));
  for (const auto& link : graph.links()) {
    const End a{false, link.a.sw, link.a.port}, b{false, link.b.sw, link.b.port};
    channels_.push_back({a, b, link.latency});
    channels_.push_back({b, a, link.latency});
  }
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const topology::Node& node = graph.node(n);
    const End inner{true, n, 0}, outer{false, node.at.sw, node.at.port};
    channels_.push_back({inner, outer, node.latency});
    channels_.push_back({outer, inner, node.latency});
  }
}

std::string Layout::name(core::ChannelId channel) const {
  const auto end = [&](const End& e) {
    return e.node ? fmt::format("n{}{}", e.id, topology::label_of(node_names_, e.id))
                  : fmt::format("{}:{}{}", e.id, e.port, topology::label_of(switch_names_, e.id));
  };
  return fmt::format("{} -> {}", end(channels_[channel].from), end(channels_[channel].to));
}

Network::Network(const topology::Graph& graph, std::unique_ptr<core::Bank> switches,
                 std::unique_ptr<EndpointBank> endpoints, const PipeConfig& pipes,
                 NodeDevices devices, LinkEnds links)
    : graph_(graph),
      layout_(graph),
      segments_(pipes.delay == 0 && !links.ends ? 1 : 2),
      switches_(switches.get()),
      endpoints_(endpoints.get()),
      link_ends_(links.ends.get()),
      faults_(std::move(links.faults)),
      longest_hold_(links.longest_hold) {
  if (switches->blocks() != graph.switches() || endpoints->blocks() != graph.nodes() ||
      switches->ports() < graph.max_ports()) {
    throw InternalError(
        "banks of {} switches with {} ports and {} nodes for a network of {}, {} and {}",
        switches->blocks(), switches->ports(), endpoints->blocks(), graph.switches(),
        graph.max_ports(), graph.nodes());
  }
  engine_.add_bank(std::move(switches));
  node_bank_ = engine_.add_bank(std::move(endpoints));
  if (devices.devices) {
    node_ports_ = devices.ports.get();
    devices_ = devices.devices.get();
    const std::uint32_t endpoint_bank = node_bank_;
    node_bank_ = engine_.add_bank(std::move(devices.ports));
    device_bank_ = engine_.add_bank(std::move(devices.devices));
    for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
      const core::Terminal inner[] = {{endpoint_bank, n, 0}, {device_bank_, n, 0}};
      for (std::uint32_t port = 1; port <= 2; ++port) {
        engine_.connect(core::kUnobserved, {node_bank_, n, port}, inner[port - 1], 1);
        engine_.connect(core::kUnobserved, inner[port - 1], {node_bank_, n, port}, 1);
      }
    }
  }
  if (links.ends) {
    link_bank_ = engine_.add_bank(std::move(links.ends));
    const std::uint32_t ends = link_bank_;
    for (core::ChannelId id = 0; id < channels(); ++id) {
      const Channel& c = layout_.channels()[id];
      const core::ChannelId other = id ^ 1u;  // of the same link
      engine_.connect(id, terminal(c.from), {ends, id, 0}, 1);
      engine_.connect(core::kUnobserved, {ends, id, 1}, {ends, other, 1}, c.latency);
      engine_.connect(channels() + id, {ends, other, 0}, terminal(c.to), 1);
      if (faults_) engine_.disturb({ends, id, 1}, id, *faults_);
      engine_.wake(ends, id);  // to begin the session
    }
    return;
  }
  if (pipes.delay == 0) {
    core::ChannelId id = 0;
    for (const Channel& c : layout_.channels())
      engine_.connect(id++, terminal(c.from), terminal(c.to), c.latency);
    return;
  }
  auto bank = std::make_unique<DelayPipes>(channels(), pipes);
  for (core::ChannelId id = 0; id < channels(); ++id)
    if (!layout_.channels()[id].to.node) bank->occupy(id, pipes.occupancy);
  const std::uint32_t pipe_bank = engine_.add_bank(std::move(bank));
  for (core::ChannelId id = 0; id < channels(); ++id) {
    const Channel& c = layout_.channels()[id];
    engine_.connect(id, terminal(c.from), {pipe_bank, id, 0}, c.latency);
    engine_.connect(channels() + id, {pipe_bank, id, 0}, terminal(c.to), 1);
  }
}

void Network::disturb(core::ChannelId channel, core::Disturbance& by) {
  engine_.disturb(terminal(layout_.channels()[channel].from), channel, by);
}

void Network::kill_switch(topology::SwitchId s) {
  engine_.kill(kSwitches, s);
  for_ends_of(false, s, [&](core::ChannelId c) { engine_.kill(link_bank_, c); });
}

void Network::kill_node(topology::NodeId n) {
  engine_.kill(kNodes, n);
  endpoints_->kill(n);
  if (node_ports_ != nullptr) {
    engine_.kill(node_bank_, n);
    engine_.kill(device_bank_, n);
    node_ports_->kill(n);
  }
  for_ends_of(true, n, [&](core::ChannelId c) { engine_.kill(link_bank_, c); });
}

void Network::reset_switch(topology::SwitchId s) {
  engine_.reset(kSwitches, s);
  for_ends_of(false, s, [&](core::ChannelId c) { engine_.reset(link_bank_, c); });
}

}  // namespace muster::fabric
