// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/topology/graph.hpp"

namespace muster::topology {

inline constexpr const char* kTopologySchema = "muster-topology-1";

/// The project's own network format, `schema` "muster-topology-1":
///
///   schema     "muster-topology-1"
///   name, generator, note   text, optional
///   mesh       {"width": W, "height": H}, optional; asks for X-Y routes
///   levels     [L, ...] of switch 0, 1, ..., optional: up*/down* routes by these, 0 at the top
///   switches   [{"ports": P, "name": "TEXT"}, ...]        switch 0 first
///   links      [{"a": [switch, port], "b": [switch, port], "latency": L}, ...]
///   nodes      [{"at": [switch, port], "latency": L, "name": "TEXT"}, ...] node 0 first
///   groups     {"NAME": ["switch:port" or "nN", ...], ...}, optional
///
/// `latency` is in cycles, 1 if left out; names may be left out. Any other field is an error.
///
/// `file` stands in messages. Throws InputError "file: place: reason; how to fix it".
Graph parse_json(std::string_view content, const std::string& file);

/// The network in this format, one switch, link or node a line. parse_json() of it is `graph`.
std::string to_json(const Graph& graph);

/// Networks in GraphML (http://graphml.graphdrawing.org), as topologies/README.md describes them.
/// Vertices are switches and nodes by the attribute `kind`, edges are links and connections of
/// nodes. A graph without that attribute is one of switches, each of which gets a node.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it".
Graph parse_graphml(std::string_view content, const std::string& file);

/// The network in this format. parse_graphml() of it is `graph`.
std::string to_graphml(const Graph& graph);

/// BookSim's `anynet` format. A line names a router or node and what it is connected to, each with
/// an optional latency in cycles:
///
///   router 0 node 0 node 1 router 1 3
///   router 1 node 2
///
/// Routers and nodes are numbered from 0 without gaps. A connection may be named at both ends.
/// Ports: links first, by neighbour, then nodes; a switch has as many ports as it uses. BookSim
/// takes the latency of a link for one direction; links here have one latency, so a number given
/// at one end holds for both directions, and two that differ are an error.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it".
Graph parse_anynet(std::string_view content, const std::string& file);

/// The network in this format, every link named at both ends as BookSim needs it for a latency.
/// Port numbers, open ports, names and groups are not in the format. Throws InputError for two
/// links between the same switches, which it cannot express.
std::string to_anynet(const Graph& graph);

/// What `ibnetdiscover` prints of an InfiniBand subnet, of rdma-core's infiniband-diags:
///
///   Switch  24 "S-0002c90300000001"   # "edge" base port 0 lid 3 lmc 0
///   [1]     "H-0002c90300000101"[1](2c90300000102)   # "host" lid 4 4xEDR
///   [24]    "S-0002c90300000002"[7]   # "spine" lid 1 4xEDR
///
///   Ca      2 "H-0002c90300000101"    # "host"
///   [1](2c90300000102)   "S-0002c90300000001"[1]   # lid 4 lmc 0 "edge" lid 3 4xEDR
///
/// Switches become switches in the order of their sections; each connected port of a channel
/// adapter or router becomes a node, in the order of switches and their ports. Ports of InfiniBand
/// count from 1: port p becomes p - 1. A switch of more than kMaxPorts ports, or more than 16 of
/// which at most 16 are connected, keeps the connected ones only, in their order. Names are those
/// in the comments, of nodes at their switch. What no section names, such as ports that are down,
/// stays open.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it".
Graph parse_ibnet(std::string_view content, const std::string& file);

/// Whether text may be such a file, by the first line that is not a comment.
bool looks_like_ibnet(std::string_view content);

}  // namespace muster::topology
