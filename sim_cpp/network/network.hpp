// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "network/endpoints.hpp"
#include "network/engine.hpp"
#include "network/layout.hpp"
#include "topology/graph.hpp"

namespace muster::network {

/// Delay pipes in all channels.
struct PipeConfig {
  std::uint32_t delay = 0;  ///< cycles; 0: no pipes
  std::uint32_t vcs = 1, depth = 4;
};

/// A graph of switches and nodes as banks on an engine: block s of the switch bank is switch s,
/// block n of the endpoints is node n, channels as in Layout. Ports of the bank beyond those of a
/// switch, and ports without a peer, stay idle.
///
/// With pipes the engine has two channels for each of the layout: channel c, of the latency that
/// the graph says, into the pipe, and behind it channels() + c, of latency 1, out of it.
class Network {
 public:
  /// REQUIRES: `switches` has as many blocks as the graph has switches and at least its ports,
  /// `endpoints` as many as it has nodes. The graph must outlive the network.
  Network(const topology::Graph& graph, std::unique_ptr<Bank> switches,
          std::unique_ptr<EndpointBank> endpoints, const PipeConfig& pipes = {});

  const topology::Graph& graph() const { return graph_; }
  const Layout& layout() const { return layout_; }
  /// Channels of the layout.
  ChannelId channels() const { return static_cast<ChannelId>(layout_.channels().size()); }
  /// Channels of the engine for each of the layout: 1, or 2 with pipes.
  std::uint32_t segments() const { return segments_; }
  Engine& engine() { return engine_; }
  Bank& switches() { return *switches_; }
  EndpointBank& endpoints() { return *endpoints_; }
  /// Switches clocked so far, all cycles together; less than cycles times switches if some slept.
  std::uint64_t switches_clocked() const { return engine_.clocked(0); }

 private:
  const topology::Graph& graph_;
  Layout layout_;
  Engine engine_;
  std::uint32_t segments_;
  Bank* switches_;
  EndpointBank* endpoints_;
};

}  // namespace muster::network
