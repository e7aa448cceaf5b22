// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "fabric/golden/credits.hpp"
#include "fabric/golden/data_path.hpp"
#include "fabric/golden/input_queues.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/packets/golden/tree_unit.hpp"

namespace muster::golden {

/// One switch with a barrier unit as docs/systems/unit-switch.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class UnitSwitch {
 public:
  static constexpr bool kAddressed = true;

  /// `queues`: InputQueues::storage(config) flits. It and `routes` outlive it.
  UnitSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// A cycle, as BarrierSwitch::clock().
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx);
  bool idle() const;
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  std::string describe() const;

 private:
  /// What the unit's message does to the outputs in a cycle.
  struct Share {
    std::uint64_t usable = 0;  ///< output lanes that data may have
    std::uint64_t closed = 0;  ///< output lanes on which no packet of a queue may begin
    std::uint64_t goes = 0;    ///< the output lane of a flit that leaves
  };
  Share share_outputs() const;
  void write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value);

  fabric::SwitchConfig config_;
  RouteTable& routes_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  TreeUnit unit_;
  std::uint64_t held_ = 0;    // output lanes of held links
  std::uint32_t no_way_ = 0;  // messages of the unit without a route
};

}  // namespace muster::golden
