// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "muster/core/bank.hpp"
#include "muster/core/parts.hpp"

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
  /// How the system that has made them reaches them, by types of its own.
  core::Parts handles = {};
};

}  // namespace muster::fabric
