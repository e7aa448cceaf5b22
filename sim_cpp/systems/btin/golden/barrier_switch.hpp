// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fabric/golden/channel_path.hpp"
#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/lanes.hpp"
#include "fabric/golden/register_agent.hpp"
#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"
#include "systems/btin/golden/barrier_spill.hpp"
#include "systems/btin/golden/barrier_unit.hpp"
#include "systems/btin/golden/register_port.hpp"

namespace muster::golden {

/// What barrier messages and the access unit's answer do to the outputs in a cycle.
struct BarrierShare {
  std::uint16_t goes = 0;     ///< outputs that a barrier message leaves through
  std::uint16_t latched = 0;  ///< of these, by a message of the spill's latches
  std::uint64_t usable = 0;   ///< output lanes that data may have
  std::uint64_t closed = 0;   ///< output lanes that are given to no packet
  std::uint64_t answers = 0;  ///< output lanes that a flit of an answer leaves through
  bool answered = false;    ///< one of them is of the access unit's answer, not a tail that is owed
  std::uint16_t waits = 0;  ///< outputs that are closed to data in the next cycle
};

/// One barrier switch as docs/systems/barrier-switch.md describes it. Its queues and its routing
/// table lie in storage of the bank.
class BarrierSwitch {
 public:
  static constexpr bool kAddressed = true;

  /// `queues`: FlitRings::storage(config) flits. It and `routes` outlive it.
  BarrierSwitch(const fabric::SwitchConfig& config, core::Flit* queues, RouteTable& routes);

  /// Its wires, and a flit for each port; they stay where they are. REQUIRES: before clock().
  void attach(core::BlockWires& wires, const core::Flit* rx, core::Flit* tx) {
    wires_ = &wires;
    rx_ = rx;
    tx_ = tx;
  }
  /// What the cycle to come is: nothing moves and rest() does; or more than data does, and clock();
  /// or data only, and DataCycles takes its steps.
  bool nothing_moves() const { return stalled_ && (wires_->rx_valid | wires_->tx_back) == 0; }
  bool has_more_than_data() const {
    return !resting_ || (data_.local() | (wires_->tx_back & pocket_lanes_)) != 0;
  }
  /// True if the switch is quiescent.
  bool rest() {
    group_written_ = false;
    return idle();
  }
  /// All parts have their turn: reads the inputs of the wires and clears them, sets the outputs to
  /// those of the next cycle. True if it is quiescent then. `host`: the request of the host on the
  /// register port, if there is one; write_register() carries it out afterwards.
  bool clock(const core::RegisterRequest* host);

  /// The steps of a cycle of data only, which does the same to the wires, in this order.
  void drive() {
    data_.drive(queues_, tx_);
    wires_->tx_valid = data_.busy();
  }
  /// Outputs for which a flit is taken, bit 4p for port p.
  std::uint64_t begin() {
    return data_.begin((credits_.at_least_one() | wires_->tx_back) & ~held_);
  }
  void take(std::uint32_t port) { data_.take(queues_, port); }
  bool gives_channels() const { return data_.gives(); }
  void give_channels() { data_.give_channels(queues_, 0); }
  /// Inputs with a flit on the wires.
  std::uint32_t arriving() const { return wires_->rx_valid; }
  using Entered = ChannelPath::Entered;
  Entered enter(std::uint32_t port) {
    const core::Flit& flit = rx_[port];
    if (flit.sync()) [[unlikely]] {
      messages_ |= static_cast<std::uint16_t>(bit(port));
      return {};
    }
    return data_.enter(queues_, port, flit, data_.moved().taken);
  }
  void begin_packet(const Entered& first) { data_.begin_packet(queues_, first); }
  /// True if it is quiescent afterwards.
  bool end();

  /// What stands on the register port in the coming cycle: with a write to a group in block RAM no
  /// message is taken.
  void announce(const core::RegisterRequest& request) {
    group_written_ = request.write && writes_group(request.address);
    resting_ = false;
  }

  /// True if no queue, pocket, crossbar register or request holds anything, no output is closed and
  /// the access unit has nothing to do. The switch is quiescent if it also drives no output.
  bool idle() const {
    return ((queues_.filled() | data_.busy()) == 0) & (resting_ || nothing_under_way());
  }

  void prefetch() const {
    queues_.prefetch();
    data_.prefetch();
  }

  /// A register that repeats is suspect.
  bool irq() const { return suspect_; }

  /// The register port, docs/reference/registers.md; at once.
  void write_register(std::uint32_t address, std::uint32_t value);
  std::uint32_t read_register(std::uint32_t address) const;
  /// See core::Bank::memory_word().
  std::uint32_t memory_word(std::uint32_t group, std::uint32_t word) const {
    return barriers_.many() != nullptr ? barriers_.many()->word(group, word) : 0;
  }

  std::string describe() const;

 private:
  /// The parts besides the data path have nothing to do; the access unit may wait for flits.
  bool nothing_under_way() const;
  /// Looks at these parts, after they may have changed: resting_ and suspect_.
  void look();
  /// The end of a cycle that began at rest, in which messages of the ports `arriving` have come;
  /// gives the credits that are returned for them.
  std::uint64_t wake(std::uint16_t arriving);
  /// The credits of the messages taken from these ports, if they take any.
  std::uint64_t pocket_credits_of(std::uint16_t taken) const;
  /// Time goes on for something.
  bool timed() const { return agent_.timed() || spill_.timed(pocket_credits_); }
  /// What the access unit's read or write of this cycle comes to.
  struct Access {
    bool moved = false, write = false;
    std::uint32_t address = 0, value = 0;
  };
  /// `returned`: lanes of credits on the wires.
  BarrierShare share_outputs(std::uint64_t returned) const;
  void drive_outputs(const BarrierShare& share, core::Flit* tx) const;
  bool from_latch(std::uint32_t port) const;
  /// `credited`: output lanes with a credit.
  void share_with_answers(BarrierShare& share, std::uint64_t credited) const;
  /// A flit of an answer asks for an output lane; true if it goes.
  bool offer_answer(BarrierShare& share, std::uint32_t lane, std::uint64_t credited) const;
  /// Why the access unit's write is not done, of a switch that guards itself.
  std::optional<fabric::AccessStatus> forbidden_write(bool writable);
  /// Time-outs of the access unit; `before`: its state at the beginning of the cycle.
  void wait(RegisterAgent::State before, bool moved, const BarrierShare& share);
  /// A cycle of the access unit; what it reads of a register is what stands there at the beginning.
  Access serve_agent(const core::RegisterRequest* host);
  /// A cycle of the barrier unit, with messages on the wires of the ports `arriving`; `blocked`:
  /// with turns none has it. The ports from which a message has been taken.
  std::uint16_t take_messages(std::uint16_t arriving, const core::Flit* rx,
                              const BarrierShare& share, bool blocked);
  /// Flits on the wires go to their queues; the ports with a barrier message remain. `full`: lanes
  /// without a place at the beginning of the cycle.
  std::uint16_t receive_guarded(std::uint32_t valid, const core::Flit* rx, std::uint64_t full);
  std::uint64_t full_lanes() const;
  void return_pockets(std::uint64_t lanes);
  /// `word`: what the register that the access unit reads holds at the beginning of the cycle.
  Access access_registers(const core::RegisterRequest* host, std::uint32_t word);
  /// A write of the host to `address` may change what the access unit's write depends on.
  bool write_depends_on(std::uint32_t address) const;
  bool writable_by_packets(std::uint32_t address) const;
  bool writes_group(std::uint32_t address) const;
  /// Barrier registers of the map; with groups in block RAM the window on one of them.
  std::uint32_t slots() const { return config_.groups != 0 ? 2 : config_.regs; }
  void write_word(std::uint32_t address, std::uint32_t value);
  void write_barrier_register(std::uint32_t r, std::uint32_t word, std::uint32_t value);
  std::uint32_t read_barrier_register(std::uint32_t r, std::uint32_t word) const;

  // What a cycle of data only needs comes first and lies together.
  // Nothing moved in the last cycle, and nothing will before an input comes: what is in the queues
  // waits for credits or for channels of other packets. A switch of a loaded network often does.
  bool stalled_ = false;
  bool resting_ = false;        // the parts behind data_ have nothing to do before an input comes
  bool group_written_ = false;  // by the host, in the coming cycle
  bool suspect_ = false;
  core::BlockWires* wires_ = nullptr;
  const core::Flit* rx_ = nullptr;  // by port
  core::Flit* tx_ = nullptr;        // by port
  std::uint64_t pocket_lanes_ = 0;  // of all ports, for their credits; 0 without pockets
  std::uint64_t held_ = 0;          // output lanes of held links, of all their virtual channels
  std::uint16_t messages_ = 0;      // ports where a barrier message has come in this cycle
  FlitRings queues_;
  Credits credits_;
  ChannelPath data_;

  BarrierUnit barriers_;
  BarrierSpill spill_;
  MessageTurns turns_;
  std::uint16_t waiting_ = 0;     // outputs that are closed to data in this cycle
  std::uint16_t pocket_credits_;  // outputs whose receiver has room for a barrier message
  std::uint16_t permits_ = 0;     // ports
  RegisterAgent agent_;
  std::uint64_t owed_ = 0;             // output lanes of which an answer was given up in the middle
  std::unique_ptr<WriteGuard> guard_;  // of a switch that guards itself
  fabric::SwitchConfig config_;
  RouteTable& routes_;
  Pockets pockets_;
};

inline bool BarrierSwitch::end() {
  core::BlockWires& wires = *wires_;
  const ChannelPath::Moved& moved = data_.moved();
  const std::uint64_t returned = wires.tx_back;
  credits_.update(moved.spent, returned);
  stalled_ = ((wires.rx_valid | returned) == 0) & !moved.changed;
  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.rx_back = moved.taken;
  if (messages_ != 0) [[unlikely]] {
    wires.rx_back |= wake(std::exchange(messages_, std::uint16_t{0}));
    return wires.tx_valid == 0 && wires.rx_back == 0 && idle();
  }
  return (wires.tx_valid | moved.taken | queues_.filled() | data_.busy()) == 0;
}

}  // namespace muster::golden
