// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/bank.hpp"

namespace muster::nic {

/// The host's side of a NIC, all that stands on its register port and event port in one cycle.
struct HostWires {
  bool access = false, write = false;  ///< in: a request on the register port
  std::uint32_t address = 0, data = 0;
  bool ready = false;      ///< in: the host takes the event of this cycle
  bool event = false;      ///< out, registered: an event word stands there
  std::uint32_t word = 0;  ///< out: it; see systems/nic/blocks/nic_registers.hpp
};

/// A bank of NIC barrier engines (docs/systems/nic-engine.md): blocks with one port, to the switch,
/// and a host's side. The host reads the outputs of a cycle and sets the inputs for its clock()
/// between two steps of the engine, and wakes the block if it has set any; clock() clears them.
class NicBank : public core::Bank {
 public:
  explicit NicBank(std::uint32_t nics) : core::Bank(nics, 1), hosts_(nics) {}
  HostWires& host(std::uint32_t nic) { return hosts_[nic]; }
  const HostWires& host(std::uint32_t nic) const { return hosts_[nic]; }

 protected:
  std::vector<HostWires> hosts_;
};

}  // namespace muster::nic
