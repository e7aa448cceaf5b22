// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/channel_path.hpp"
#include "fabric/golden/port_counters.hpp"
#include "fabric/golden/switch_registers.hpp"
#include "systems/btin/golden/register_port.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// What barrier messages and the access unit's answer do to the outputs in a cycle.
struct BarrierShare {
  Ports goes = 0;         ///< outputs that a barrier message leaves through
  Ports latched = 0;      ///< of these, by a message of the spill's latches
  Lanes usable = 0;       ///< output lanes that data may have
  Lanes closed = 0;       ///< output lanes that are given to no packet
  Lanes answers = 0;      ///< output lanes that a flit of an answer leaves through
  bool answered = false;  ///< one of them is of the access unit's answer, not a tail that is owed
  Ports waits = 0;        ///< outputs that are closed to data in the next cycle
};

/// One barrier switch as docs/systems/barrier-switch.md describes it. Its queues and its routing
/// table lie in storage of the bank.
class alignas(64) BarrierSwitch {
 public:
  static constexpr bool kAddressed = true;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  BarrierSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// A cycle: reads the inputs of the wires and clears them, sets the outputs to those of the next
  /// cycle. `rx` and `tx` have a flit for each port.
  void clock(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx);
  /// The host's request on the register port in the coming cycle, in which the access unit does not
  /// read. A write is done in the cycle after: the access unit keeps off then, and with a write to
  /// a group in block RAM no message is taken.
  void announce(const core::RegisterRequest& request) { asked_ = request; }

  /// No queue, pocket, crossbar register or request holds anything, no output is closed and the
  /// access unit has nothing to do. The switch is quiescent if it also drives no output.
  bool idle() const;
  /// A register that repeats is suspect; with counters what their mask has of it and their causes.
  bool irq() const {
    const bool suspect = barriers_.retry() != nullptr && barriers_.retry()->suspect();
    return counters_ ? counters_->irq(suspect) : suspect;
  }

  void prefetch() const { data_.prefetch(); }

  /// The register port, docs/reference/registers.md; at once.
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  /// See core::Bank::memory_word().
  std::uint32_t memory_word(std::uint32_t group, std::uint32_t word) const {
    return barriers_.many() != nullptr ? barriers_.many()->word(group, word) : 0;
  }

  std::string describe() const;

 private:
  /// What the access unit's read or write of this cycle comes to.
  struct Access {
    bool write = false;
    std::uint32_t address = 0, value = 0;
  };
  /// `returned`: lanes of credits on the wires.
  BarrierShare share_outputs(const Lanes& returned) const;
  /// What is no data goes to its outputs.
  void drive_messages(const BarrierShare& share, core::Flit* tx) const;
  void share_with_messages(BarrierShare& share) const;
  /// The same of queued messages. The ports where an answer gives way to one.
  Ports share_channels(BarrierShare& share, const Lanes& credited) const;
  bool from_latch(std::uint32_t port) const;
  /// `credited`: output lanes with a credit; `taken`: ports where a queued message comes first.
  void share_with_answers(BarrierShare& share, const Lanes& credited, Ports taken) const;
  /// A flit of an answer asks for an output lane; true if it goes.
  bool offer_answer(BarrierShare& share, std::uint32_t lane, const Lanes& credited) const;
  /// Why the access unit's write is not done, of a switch that guards itself.
  std::optional<fabric::AccessStatus> forbidden_write(bool writable);
  /// Time-outs of the access unit; `before`: its state at the beginning of the cycle.
  void wait(RegisterAgent::State before, const BarrierShare& share);
  /// A cycle of the access unit; what it reads of a register is what stands there at the beginning.
  /// `local`: lanes of which a flit for it leaves.
  void serve_agent(Access& access, const Lanes& local);
  void access_registers(std::uint32_t word, Access& access);
  /// The ports where a queued message leaves its queue in this cycle; it is in `left_`.
  Ports leaving_messages();
  /// Flits on the wires go to their queues. The ports with a barrier message.
  Ports receive(Ports valid, const core::Flit* rx);
  bool has_place(std::uint32_t port, const core::Flit& flit) const;
  void lose(std::uint32_t port, const core::Flit& flit);
  /// A cycle of pockets, spill and barrier unit, with messages on the wires of the ports
  /// `arriving`; `blocked`: with turns none has it. The ports from which a message has been taken.
  Ports take_messages(Ports arriving, const core::Flit* rx, const BarrierShare& share,
                      const Access& access);
  void return_pockets(const Lanes& lanes);
  /// The clock edge of the counters, before that of the records of drops.
  void count(Ports stalled, Ports lost);
  /// A write of the host to `address` may change what the access unit's write depends on.
  bool write_depends_on(std::uint32_t address) const;
  bool is_barrier_word(std::uint32_t address) const;
  bool writable_by_packets(std::uint32_t address) const;
  bool writes_group(std::uint32_t address) const;

  // What every cycle needs lies together, each part's at its beginning.
  FlitRings queues_;
  Credits credits_;
  SwitchRegisters registers_;
  ChannelPath data_;
  Pockets pockets_;
  Lanes pocket_lanes_ = 0;             // of all ports, for their credits; 0 without pockets
  Ports waiting_ = 0;                  // outputs that are closed to data in this cycle
  Ports pocket_credits_;               // outputs whose receiver has room for a barrier message
  Ports permits_ = 0;                  // ports
  bool queued_ = false;                // barrier messages are in the queues of data
  Lanes owed_ = 0;                     // output lanes of which an answer was given up in the middle
  std::unique_ptr<WriteGuard> guard_;  // of a switch that guards itself
  std::unique_ptr<PortCounters> counters_;
  std::optional<core::RegisterRequest> asked_;    // by the host, in this cycle
  std::optional<core::RegisterRequest> written_;  // what is written of it, asked the cycle before
  BarrierUnit barriers_;
  RegisterAgent agent_;
  BarrierSpill spill_;
  MessageTurns turns_;
  std::uint32_t rows_;            // of the wires
  std::vector<core::Flit> left_;  // queued messages that leave their queues, by port
  fabric::SwitchConfig config_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
