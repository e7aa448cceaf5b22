// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

struct muster_network;  // of the driver, sw/muster.h

namespace muster::fabric {

/// A network that is one module (`muster topo export`), Verilated, as its hosts see it: AXI4-Lite
/// ports of its nodes, then the control port, with one access at a time each. Streams are not used.
class HostedNetwork {
 public:
  virtual ~HostedNetwork() = default;
  /// The image is written: what hosts ask for goes on.
  virtual bool ready() const = 0;
  /// A read at this address of a word, from the next cycle on. REQUIRES: idle(port).
  virtual void read(std::uint32_t port, std::uint32_t address) = 0;
  /// A write of `word`, as read().
  virtual void write(std::uint32_t port, std::uint32_t address, std::uint32_t word) = 0;
  /// One cycle. Throws InternalError if an assertion of the RTL does not hold.
  virtual void step() = 0;
  /// No access of the port is under way.
  virtual bool idle(std::uint32_t port) const = 0;
  /// An access of the port was answered with an error.
  virtual bool refused(std::uint32_t port) const = 0;
  /// What the last read of the port has brought.
  virtual std::uint32_t word(std::uint32_t port) const = 0;
  /// irq_o of a node in the last cycle.
  virtual bool irq(std::uint32_t node) const = 0;
};

/// What the function `muster_network_model` of such a file returns (muster_network_model() of CMake
/// makes it).
struct NetworkModel {
  /// Of files that this version loads, and the compiler.
  static constexpr const char* kInterface = "muster-network-model-1 " __VERSION__;
  const char* interface;          ///< kInterface of the version that the file was built for
  const char* name;               ///< of the module
  const muster_network* network;  ///< what its C header says
  std::unique_ptr<HostedNetwork> (*make)();  ///< one after reset
};

}  // namespace muster::fabric
