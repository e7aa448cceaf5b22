// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <muster.h>

#include <utility>

#include "mpi/protocol.h"
#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/network_model.hpp"
#include "muster/topology/graph.hpp"

namespace muster::mpi {

/// A Verilated network with AXI ports, whose nodes are used by ranks and whose control port is used
/// here, both with the driver in sw/ (docs/how-to/mpi.md). A communicator has groups of the image
/// with just its nodes, one for each operation; the driver gives a group its operation.
class Design {
 public:
  /// Loads what muster_network_model() of CMake makes, and opens it. Owner 0 has a group of the
  /// nodes `all`. Throws InputError, also if there is none.
  Design(std::string file, const topology::Graph& graph, std::vector<topology::NodeId> all);

  const char* name() const { return model_->name; }  ///< of the module
  /// Bits of an operand.
  unsigned width() const;
  std::uint64_t cycle() const { return cycle_; }
  /// A hash of all accesses and interrupts of ranks, by cycle and node.
  std::uint64_t digest() const { return digest_; }
  /// Until the next access nothing changes.
  bool still() const { return cycle_ > last_ + settling_; }
  void step();

  /// A MUSTER_READ, MUSTER_WRITE or MUSTER_INTERRUPT of the rank at this node, from this cycle on.
  /// REQUIRES: no other is under way.
  void begin(topology::NodeId node, const muster_call& call);
  /// The word of what has ended in the last cycle.
  std::optional<std::uint32_t> ended(topology::NodeId node);

  /// Identifier of a group of these nodes, ascending, for `owner`; none: the image has no other
  /// one. Without `op` any group will do. REQUIRES: no barrier of the owner is under way at which a
  /// rank has not been released.
  std::optional<std::uint16_t> group(std::uint32_t owner,
                                     const std::vector<topology::NodeId>& nodes,
                                     std::optional<fabric::ReduceOp> op);
  /// The owner needs its groups no more.
  void release(std::uint32_t owner);

  /// What switches and endpoints have dropped, a line each. REQUIRES: no access is under way.
  std::vector<std::string> drops();

 private:
  struct Group {
    std::vector<topology::NodeId> members;                       ///< ascending
    std::vector<std::pair<std::uint32_t, std::uint16_t>> slots;  ///< switch, register
    std::optional<std::uint32_t> owner;
    std::optional<fabric::ReduceOp> op;  ///< asked for
  };
  struct Port {
    Design* design;
    std::uint32_t number;
  };

  std::uint32_t finish(std::uint32_t port);
  muster_bus bus(Port& port);
  void find_groups();
  void set_operation(std::uint16_t gid, fabric::ReduceOp op);
  [[noreturn]] void fail(const std::string& what, muster_status status) const;

  std::string file_;
  const fabric::NetworkModel* model_ = nullptr;
  std::unique_ptr<fabric::HostedNetwork> network_;
  std::uint64_t cycle_ = 0, last_ = 0;  ///< last: something ended
  std::uint64_t settling_;              ///< cycles in which messages that are under way arrive
  std::uint64_t digest_ = 0;
  std::vector<std::optional<std::uint32_t>> kinds_;  ///< by node: of what is under way
  std::vector<Port> ports_;                          ///< of nodes, then the control port
  std::vector<muster_switch> switches_;
  std::vector<Group> groups_;  ///< by identifier
};

}  // namespace muster::mpi
