// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fabric/golden/channel_path.hpp"
#include "fabric/golden/credits.hpp"
#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/register_agent.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_spill.hpp"
#include "systems/btin/golden/barrier_unit.hpp"
#include "systems/btin/golden/message_turns.hpp"
#include "systems/btin/golden/port_messages.hpp"
#include "systems/btin/golden/write_guard.hpp"

namespace muster::golden {

/// What barrier messages and the agent's answer do to the outputs in a cycle.
struct BarrierShare {
  std::uint16_t goes = 0;     ///< outputs that a barrier message leaves through
  std::uint16_t latched = 0;  ///< of these, by a message of the spill's latches
  std::uint64_t usable = 0;   ///< output lanes that data may have
  std::uint64_t closed = 0;   ///< output lanes that are given to no packet
  std::uint64_t answers = 0;  ///< output lanes that a flit of an answer leaves through
  bool answered = false;      ///< one of them is of the agent's answer, not a tail that is owed
  std::uint16_t waits = 0;    ///< outputs that are closed to data in the next cycle
};

/// One barrier switch as docs/systems/barrier-switch.md describes it. Its queues and its routing
/// table lie in storage of the bank.
class BarrierSwitch {
 public:
  /// `queues`: InputQueues::storage(config) flits; `routes`: config.dests entries. Both outlive it.
  BarrierSwitch(const fabric::SwitchConfig& config, core::Flit* queues, std::uint16_t* routes);

  /// A cycle: reads the inputs of `wires` and `rx` and clears them, sets the outputs of `wires` and
  /// `tx` to those of the next cycle. `rx` and `tx` have one flit for each port. `host`: a request
  /// of the host stands on the register port, which write_register() carries out afterwards.
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx, bool host);

  /// What stands on the register port in the coming cycle: with a write to a group in block RAM no
  /// message is taken.
  void announce(const core::RegisterRequest& request) {
    group_written_ = request.write && writes_group(request.address);
  }

  /// True if no queue, pocket, crossbar register or request holds anything, no output is closed and
  /// the agent has nothing to do. The switch is quiescent if it also drives no output.
  bool idle() const {
    return queues_.heads().all() == 0 && data_.busy() == 0 && barriers_.requested() == 0 &&
           spill_.requested() == 0 && pockets_.full() == 0 && waiting_ == 0 && !barriers_.busy() &&
           !barriers_.drops().pending() && agent_.quiet() && !agent_.drops().pending() &&
           owed_ == 0 && !timed() && !(guard_ && guard_->pending());
  }

  /// A register that repeats is suspect.
  bool irq() const { return barriers_.retry() != nullptr && barriers_.retry()->suspect(); }

  /// The register port, docs/reference/registers.md; at once.
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;

  std::string describe() const;

 private:
  /// Time goes on for something.
  bool timed() const { return agent_.timed() || spill_.timed(pocket_credits_); }
  /// What the agent's read or write of this cycle comes to.
  struct Access {
    bool moved = false, write = false;
    std::uint32_t address = 0, value = 0;
  };
  /// `returned`: lanes of credits on the wires.
  BarrierShare share_outputs(std::uint64_t returned) const;
  void drive_outputs(const BarrierShare& share, std::uint16_t traversing, core::Flit* tx) const;
  bool from_latch(std::uint32_t port) const;
  /// `credited`: output lanes with a credit.
  void share_with_answers(BarrierShare& share, std::uint64_t credited) const;
  /// A flit of an answer asks for an output lane; true if it goes.
  bool offer_answer(BarrierShare& share, std::uint32_t lane, std::uint64_t credited) const;
  /// Why the agent's write is not done, of a switch that guards itself.
  std::optional<fabric::AccessStatus> forbidden_write(bool writable);
  /// Time-outs of the agent; `before`: its state at the beginning of the cycle.
  void wait(RegisterAgent::State before, bool moved, const BarrierShare& share);
  /// A cycle of the agent; what it reads of a register is what stands there at the beginning.
  Access serve_agent(bool host);
  /// A cycle of the barrier unit, with messages on the wires of the ports `arriving`; `blocked`:
  /// with turns nobody has it. The ports from which a message has been taken.
  std::uint16_t take_messages(std::uint16_t arriving, const core::Flit* rx,
                              const BarrierShare& share, bool blocked);
  /// Flits on the wires go to their queues; the ports with a barrier message remain. `full`: lanes
  /// without a place at the beginning of the cycle.
  std::uint16_t receive(std::uint32_t valid, const core::Flit* rx, std::uint64_t full);
  void return_pockets(std::uint64_t lanes);
  /// `word`: what the register that the agent reads holds at the beginning of the cycle.
  Access access_registers(bool host, std::uint32_t word);
  bool writable_by_packets(std::uint32_t address) const;
  bool writes_group(std::uint32_t address) const;
  /// Barrier registers of the map; with groups in block RAM the window on one of them.
  std::uint32_t slots() const { return config_.groups != 0 ? 2 : config_.regs; }
  void write_barrier_register(std::uint32_t r, std::uint32_t word, std::uint32_t value);
  std::uint32_t read_barrier_register(std::uint32_t r, std::uint32_t word) const;

  InputQueues queues_;
  // Nothing moved in the last cycle, and nothing will before an input comes: what is in the queues
  // waits for credits or for channels of other packets. A switch of a loaded network often does.
  bool stalled_ = false;
  ChannelPath data_;
  Credits credits_;
  BarrierUnit barriers_;
  BarrierSpill spill_;
  MessageTurns turns_;
  std::uint16_t waiting_ = 0;       // outputs that are closed to data in this cycle
  std::uint16_t pocket_credits_;    // outputs whose receiver has room for a barrier message
  std::uint64_t pocket_lanes_ = 0;  // of all ports, for their credits; 0 without pockets
  RegisterAgent agent_;
  std::uint16_t permits_ = 0;          // ports
  std::uint64_t held_ = 0;             // output lanes of held links, of all their virtual channels
  bool group_written_ = false;         // by the host, in the coming cycle
  std::uint64_t owed_ = 0;             // output lanes of which an answer was given up in the middle
  std::unique_ptr<WriteGuard> guard_;  // of a switch that guards itself
  fabric::SwitchConfig config_;
  std::uint16_t* routes_;
  Pockets pockets_;
};

}  // namespace muster::golden
