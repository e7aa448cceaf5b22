// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "muster/topology/graph.hpp"

namespace muster::topology {

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
/// count from 1: port p becomes p - 1. A switch of more than kMaxPorts ports keeps the connected
/// ones only, in their order. Names are those in the comments, of nodes at their switch. What no
/// section names, such as ports that are down, stays open.
///
/// `file` stands in messages. Throws InputError "file: line N: reason; how to fix it".
Graph parse_ibnet(std::string_view content, const std::string& file);

/// Whether text may be such a file, by the first line that is not a comment.
bool looks_like_ibnet(std::string_view content);

}  // namespace muster::topology
