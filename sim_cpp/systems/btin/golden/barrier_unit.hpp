// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "fabric/golden/register_agent.hpp"
#include "systems/btin/golden/retry_unit.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// Groups in block RAM (docs/systems/many-groups.md): one message is taken a cycle and decided in
/// the next; what a group has to send waits in one queue for all outputs. Begins where the memory
/// has been cleared.
class ManyUnit {
 public:
  /// REQUIRES: the variant with `groups`.
  explicit ManyUnit(const fabric::SwitchConfig& config);

  /// A message and the port where it was taken.
  struct Taken {
    std::uint32_t port = 0;
    fabric::BarrierMessage message;  ///< reduction or distribution
  };
  /// What has become of one.
  struct Verdict {
    Taken of;
    Fate fate = Fate::kTaken;
  };

  /// The clock edge: `taken` is decided at the next one; the first message of the queue leaves
  /// through the ports `departed`. The verdict on the message taken in the cycle before.
  std::optional<Verdict> edge(const std::optional<Taken>& taken, Ports departed);

  /// Outputs for which the first message of the queue waits, and that message.
  Ports requested() const { return first_ ? first_->ports : Ports{0}; }
  const fabric::BarrierMessage& message() const { return first_->message; }
  /// Something is under way besides the first message.
  bool busy() const { return taken_ || written_ || !behind_.empty(); }

  /// The host's window, words of 0x100 on.
  void write(std::uint32_t word, std::uint32_t value);
  std::uint32_t read(std::uint32_t word) const;
  /// What the window on a group has to show now: its words, 0 if there is no such group.
  std::uint32_t word(std::uint32_t gid, std::uint32_t word) const;
  /// A write to it, with which no message is taken.
  static bool writes(std::uint32_t word, std::uint32_t ports);

  /// Groups that are valid, and messages that wait, as text.
  std::string describe() const;

 private:
  struct Waiting {
    fabric::BarrierMessage message;
    Ports ports = 0;     ///< that it has not left through
    bool stale = false;  ///< the host has written the group since
  };
  /// The message of a group that waits; null if none does.
  Waiting* waiting(std::uint32_t gid);
  const Waiting* waiting(std::uint32_t gid) const;
  Ports serve(std::uint32_t gid) const;
  Fate judge(const Taken& taken) const;
  /// Decides a message: what its group has to send then, if anything.
  std::optional<Waiting> decide(const Taken& taken, Verdict& verdict);
  void leave(Ports departed);
  void advance(std::optional<Waiting> made);

  std::uint32_t ports_;
  std::vector<BarrierRegister> groups_;  ///< by identifier
  std::optional<Taken> taken_;           ///< in the cycle before
  std::optional<Waiting> first_;
  std::deque<Waiting> behind_;
  bool fresh_ = false;    ///< the last one behind came at the last edge
  bool written_ = false;  ///< the host's last write is still on its way to the memory
  std::uint32_t selected_ = 0;
  /// Words of the selected group after the host's last write.
  std::array<std::uint32_t, kServeWord + 2> seen_{};
};

/// The barrier registers of one switch, what they request of the outputs, and the record of the
/// messages that none of them took.
class BarrierUnit {
 public:
  explicit BarrierUnit(const fabric::SwitchConfig& config);

  /// Something changes at the edge, whatever comes.
  bool busy() const { return busy_; }
  /// Outputs that have a candidate.
  Ports requested() const { return requested_; }
  /// Groups in block RAM instead of registers; null without.
  const ManyUnit* many() const { return many_.get(); }
  /// Registers that repeat instead of others; null without.
  const RetryUnit* retry() const { return retry_.get(); }
  /// The message of the candidate at output `port`, one of requested().
  core::Flit message(std::uint32_t port) const;

  /// A valid register has the group.
  bool holds(std::uint32_t gid) const { return find(gid) != regs_; }

  /// The clock edge: the messages of `ports` are taken, the candidates of the outputs `departed`
  /// have left. `malformed`: ports at which others have found a message malformed.
  void edge(Ports ports, const PortMessages& messages, Ports departed, Ports malformed);

  const BarrierRegister& at(std::uint32_t r) const { return registers_[r]; }
  /// What was written into register r last, of either kind, and no state.
  Written written(std::uint32_t r) const;

  /// The host's words from 0x100 on: those of each register, or the window on groups in block RAM.
  std::uint32_t words() const { return kRegisterWords * (many_ ? 2 : regs_); }
  void write(std::uint32_t word, std::uint32_t value);
  std::uint32_t read(std::uint32_t word) const;
  /// The word 0x011, of registers that repeat; 0 without.
  void write_ticks(std::uint32_t value);
  std::uint32_t read_ticks() const { return retry_ ? retry_->read_ticks() : 0; }

  /// Messages that were dropped; its edge is the switch's to call.
  DropRecord& drops() { return drops_; }
  const DropRecord& drops() const { return drops_; }

 private:
  void drop(std::uint32_t port, const fabric::BarrierMessage& message, bool known);
  std::uint32_t find(std::uint32_t gid) const;  // that messages of the group are for, or regs_
  void edge_of_registers(Ports ports, const PortMessages& messages, Ports departed);
  void edge_of_retry(Ports ports, const PortMessages& messages, Ports departed);
  void edge_of_many(Ports ports, const PortMessages& messages, Ports departed);
  void write_register(BarrierRegister& at, std::uint32_t word, std::uint32_t value);
  /// What the state says of the next cycle.
  void look();

  // What every cycle needs comes first.
  Ports requested_ = 0;
  bool busy_ = false;
  std::unique_ptr<ManyUnit> many_;
  std::unique_ptr<RetryUnit> retry_;
  DropRecord drops_;
  fabric::Formats formats_;
  std::uint32_t ports_, regs_;
  std::uint32_t ops_;  // docs/systems/barrier-switch.md, Operation
  bool labels_;        // likewise, Labels
  OutputRequests requests_;
  std::vector<BarrierRegister> registers_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
