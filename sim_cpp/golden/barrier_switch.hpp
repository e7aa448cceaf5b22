// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "golden/barrier_unit.hpp"
#include "golden/credits.hpp"
#include "golden/data_path.hpp"
#include "golden/input_queues.hpp"
#include "network/bank.hpp"
#include "network/switch_config.hpp"

namespace muster::golden {

/// What barrier messages do to the outputs in a cycle.
struct BarrierShare {
  std::uint16_t goes = 0;     ///< outputs that a barrier message leaves through
  std::uint64_t usable = 0;   ///< output lanes that data may have
};

/// One barrier switch as docs/barrier-switch.md describes it. Its queues and its routing table lie
/// in storage of the bank.
class BarrierSwitch {
 public:
  /// `queues`: InputQueues::storage(config) flits; `routes`: config.dests entries. Both outlive it.
  BarrierSwitch(const network::SwitchConfig& config, network::Flit* queues, std::uint16_t* routes);

  /// A cycle: reads the inputs of `wires` and `rx` and clears them, sets the outputs of `wires` and
  /// `tx` to those of the next cycle. `rx` and `tx` have one flit for each port.
  void clock(network::BlockWires& wires, const network::Flit* rx, network::Flit* tx);

  /// True if no queue, crossbar register or request holds anything. The switch is quiescent if it
  /// also drives no output.
  bool idle() const {
    return queues_.heads().all() == 0 && data_.busy() == 0 && barriers_.requested() == 0;
  }

  /// The register port, docs/registers.md; at once.
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;

  std::string describe() const;

 private:
  BarrierShare share_outputs() const;
  void write_barrier_register(std::uint32_t r, std::uint32_t word, std::uint32_t value);
  std::uint32_t read_barrier_register(std::uint32_t r, std::uint32_t word) const;

  InputQueues queues_;
  // Nothing moved in the last cycle, and nothing will before an input comes: what is in the queues
  // waits for credits or for channels of other packets. A switch of a loaded network often does.
  bool stalled_ = false;
  bool own_ = false;              // barriers have the last virtual channel for themselves
  std::uint32_t barrier_vc_ = 0;  // the barrier channel
  DataPath data_;
  Credits credits_;
  BarrierUnit barriers_;
  network::SwitchConfig config_;
  std::uint16_t* routes_;
};

}  // namespace muster::golden
