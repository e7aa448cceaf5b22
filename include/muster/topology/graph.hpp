// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::topology {

using SwitchId = std::uint32_t;
using NodeId = std::uint32_t;

inline constexpr unsigned kMaxPorts = 64;                ///< ports of a switch, 0..63
inline constexpr unsigned kMaxLatency = 255;             ///< cycles of a link
inline constexpr std::uint32_t kMaxSwitches = 1u << 16;  ///< of a network
inline constexpr std::uint32_t kMaxNodes = 1u << 16;     ///< of a network

/// A place where something can be plugged in. Switches and ports count from 0, as in the BTIN
/// paper.
struct PortRef {
  SwitchId sw = 0;         ///< 0..switches() - 1
  std::uint32_t port = 0;  ///< 0..ports(sw) - 1
  friend auto operator<=>(const PortRef&, const PortRef&) = default;
};

/// A full-duplex link between two switches; `latency` in cycles, 1 is a plain wire.
struct Link {
  PortRef a;                  ///< one end
  PortRef b;                  ///< the other, at another switch
  std::uint32_t latency = 1;  ///< 1..kMaxLatency
  friend bool operator==(const Link&, const Link&) = default;
};

/// A node is attached to one port of one switch (one-port model, BTIN section 2.1).
struct Node {
  PortRef at;                 ///< where it hangs
  std::uint32_t latency = 1;  ///< of its link, 1..kMaxLatency
  friend bool operator==(const Node&, const Node&) = default;
};

/// What is plugged into a port.
struct Peer {
  /// Nothing, another switch, or a node.
  enum class Kind : std::uint8_t { kOpen, kSwitch, kNode };
  Kind kind = Kind::kOpen;    ///< of these
  std::uint32_t id = 0;       ///< SwitchId or NodeId
  std::uint32_t port = 0;     ///< port at the other switch; 0 for a node
  std::uint32_t latency = 1;  ///< cycles of the link
  friend bool operator==(const Peer&, const Peer&) = default;
};

/// Switches of a mesh are numbered y * width + x; X-Y routing applies.
struct Mesh {
  std::uint32_t width = 0;   ///< switches in a row
  std::uint32_t height = 0;  ///< rows
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

/// A network of switches and nodes as a plain graph with ports. Every mutating call keeps the
/// invariants: a port is used once, a link joins two different switches, all ids exist. A breach
/// throws InputError naming the place. Destinations of packets are numbered nodes first (node n is
/// n), then switches (switch s is nodes() + s).
class Graph {
 public:
  std::string name;          ///< free text
  std::string generator;     ///< how it was made, e.g. "irregular uniform seed 7"; empty if by hand
  std::string note;          ///< free text, e.g. that a topology is a reconstruction
  std::optional<Mesh> mesh;  ///< of a mesh
  std::vector<std::uint32_t> levels;  ///< by switch, 0 at the top, of a network of stages; or none
  std::map<std::string, std::vector<NodeId>> groups;  ///< named groups, in file order of members
  std::map<SwitchId, std::string>
      switch_names;                          ///< of those that have one in their file, not empty
  std::map<NodeId, std::string> node_names;  ///< the same of nodes

  SwitchId add_switch(std::uint32_t ports);  ///< 1..kMaxPorts; at most kMaxSwitches
  /// A node at an open port; at most kMaxNodes.
  NodeId add_node(PortRef at, std::uint32_t latency = 1);
  /// A link between open ports of two switches.
  void add_link(PortRef a, PortRef b, std::uint32_t latency = 1);

  /// Number of switches.
  std::uint32_t switches() const { return static_cast<std::uint32_t>(peers_.size()); }
  /// Number of nodes.
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::uint32_t destinations() const { return nodes() + switches(); }  ///< of packets
  /// Ports of a switch, open ones included.
  std::uint32_t ports(SwitchId s) const { return static_cast<std::uint32_t>(peers_[s].size()); }
  std::uint32_t max_ports() const;  ///< of any switch; 0 without switches

  /// What is plugged into a port. REQUIRES: it exists, here and below.
  const Peer& peer(SwitchId s, std::uint32_t port) const { return peers_[s][port]; }
  const std::vector<Peer>& peers(SwitchId s) const { return peers_[s]; }  ///< by port
  /// Calls f(port, peer) for each port of a switch that has a link to another.
  template <class F>
  void each_link(SwitchId s, F&& f) const {
    for (std::uint32_t p = 0; p < ports(s); ++p)
      if (peer(s, p).kind == Peer::Kind::kSwitch) f(p, peer(s, p));
  }
  /// Where a node hangs.
  const Node& node(NodeId n) const { return nodes_[n]; }
  const std::vector<Node>& node_list() const { return nodes_; }  ///< by NodeId
  const std::vector<Link>& links() const { return links_; }      ///< as added
  /// Every switch can be reached from every other; false without any.
  bool connected() const;

  /// The node at a place; none if there is no node, or no such port.
  std::optional<NodeId> node_at(PortRef at) const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  void claim(PortRef at) const;
  std::vector<std::vector<Peer>> peers_;
  std::vector<Node> nodes_;
  std::vector<Link> links_;
};

/// Larger files are refused before they are parsed; the largest possible network needs a sixth as
/// JSON and four fifths as GraphML.
inline constexpr std::size_t kMaxFileBytes = std::size_t{32} << 20;

/// A network file, the project's JSON, GraphML, BookSim's anynet or what ibnetdiscover prints, told
/// apart by content. Throws InputError "file: place: reason; how to fix it" for anything that is
/// not a usable network. "-" is standard input.
Graph read_topology(const std::string& path);

/// The same from memory; `file` stands in messages.
Graph parse_topology(std::string_view content, const std::string& file);

/// What a network that is read must satisfy beyond the invariants of Graph: at least one node, all
/// switches connected, and `mesh` and `levels`, if given, true. Throws InputError "place: reason;
/// how to fix".
void check_network(const Graph& graph);

/// The network with those of its links for whose place in links() `kept` says so; everything else
/// keeps its identifiers and ports, but a mesh or a network of stages is none any more.
Graph with_links(const Graph& graph, const std::function<bool(std::size_t)>& kept);

/// The network without one link, as with_links(). Throws InputError if there is no link between the
/// two ports, or if switches cannot be reached from each other without it.
Graph without_link(const Graph& graph, PortRef a, PortRef b);

}  // namespace muster::topology
