// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "muster/fabric/barrier_message.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/scheme/recovery.hpp"

namespace muster::btin {

/// A member of a group whose registers repeat (docs/systems/retry-registers.md, A member).
class RetryMember {
 public:
  /// In an epoch, at its first barrier.
  RetryMember(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool waiting() const { return waiting_; }
  bool failed() const { return failed_; }

  /// REQUIRES: it is neither waiting nor failed.
  void arrive(const fabric::Payload& data) {
    waiting_ = true;
    data_ = data;
  }
  /// What it sends when it arrives, and again as long as it waits; and when it has failed.
  fabric::RetryMessage message() const {
    return {fabric::MessageType::kReduction,    gid_, phase_, failed_, epoch_,
            failed_ ? fabric::Payload{} : data_};
  }
  /// A message has come: the data with which it is released by it, if it is.
  std::optional<fabric::Payload> receive(const fabric::RetryMessage& message) {
    const bool down = message.type == fabric::MessageType::kDistribution;
    if (!down || message.epoch != epoch_ || message.phase != phase_) return std::nullopt;
    if (message.fail) {
      failed_ = true;
      return std::nullopt;
    }
    if (!waiting_ || failed_) return std::nullopt;
    waiting_ = false;
    phase_ = !phase_;
    return message.data;
  }

 private:
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, waiting_ = false, failed_ = false;
  fabric::Payload data_;
};

/// A root node that answers in place of its switch: a register with one child. When that child says
/// that it has failed, no other vertex has to be told.
class RetryRoot {
 public:
  RetryRoot(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool waiting() const { return waiting_; }
  bool failed() const { return failed_; }
  /// REQUIRES: it is neither waiting nor failed.
  void arrive() { waiting_ = true; }
  /// A message has come: what it is answered with at once, if it is.
  std::optional<fabric::RetryMessage> receive(const fabric::RetryMessage& message) {
    const bool up = message.type == fabric::MessageType::kReduction;
    if (!up || message.epoch != epoch_) return std::nullopt;
    if (message.fail) {
      failed_ |= message.phase == phase_;
      return std::nullopt;
    }
    if (message.phase != phase_) return down(!phase_);
    if (failed_) return std::nullopt;
    if (!told_) data_ = message.data;
    told_ = true;
    return std::nullopt;
  }
  /// All others have arrived, and it has not failed; and what they bring.
  bool told() const { return told_ && !failed_; }
  const fabric::Payload& brought() const { return data_; }
  /// Releases all, itself too, with these data: what it sends. REQUIRES: it is waiting and told.
  fabric::RetryMessage release(const fabric::Payload& all) {
    told_ = waiting_ = false;
    released_with_ = all;
    const fabric::RetryMessage message = down(phase_);
    phase_ = !phase_;
    return message;
  }

 private:
  fabric::RetryMessage down(bool phase) const {
    return {fabric::MessageType::kDistribution, gid_, phase, false, epoch_, released_with_};
  }
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, waiting_ = false, told_ = false, failed_ = false;
  fabric::Payload data_, released_with_;
};

/// The members of BTIN groups whose registers and members repeat messages, on links that may lose
/// and double them (docs/systems/retry-registers.md). The host writes the registers before the run,
/// and for the survivors of what dies in it (docs/reliability.md). A barrier that has failed
/// releases without data.
class RetryScheme : public TreeScheme, private run::Hosts, private run::FaultHandler {
 public:
  /// As BtinScheme.
  RetryScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override;
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t barrier) const override;
  run::Hosts& hosts() override { return *this; }
  run::FaultHandler& fault_handler() override { return *this; }
  void check_with(checkers::CheckerList& checkers) override;
  void fill(run::RunResult& result) const override;

  // The hosts of a group, as Recovery meets them.

  /// Registers of the group are told to fail from now on.
  void aborting(std::uint32_t group);
  /// The members send and take nothing, and arrive at nothing.
  void stop(std::uint32_t group) { states_[group].stopped = true; }
  /// The members go on in this epoch, phase 0, without those that are lost. Returns the number of
  /// the barrier that has failed, if one has. REQUIRES: stopped, and the group has not stopped for
  /// good.
  std::optional<std::uint32_t> go_on(std::uint64_t cycle, std::uint32_t group,
                                     const Regrouped& next, std::uint8_t epoch);
  /// The group stops for good. REQUIRES: stopped.
  void give_up(std::uint32_t group);
  /// All of its barriers are done.
  bool done(std::uint32_t group) const { return members_.done(group); }
  /// No register is suspect, but a host has cause to ask: all members that answer have done their
  /// last barrier, and one does not answer; or a root node has waited as long as makes a register
  /// suspect.
  bool asks(std::uint64_t cycle, std::uint32_t group) const;

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override;
  bool looks_into_blocks() const override { return true; }  // for recovery
  /// No member is waiting, no group is being recovered.
  bool idle() const override { return waiting_ == 0 && recovery_.idle(); }
  // run::FaultHandler
  void write_again(topology::SwitchId sw) override;
  void hold(bool held) override { recovery_.hold(held); }
  void abandon(std::uint64_t /*cycle*/, std::uint32_t group) override { recovery_.give_up(group); }
  std::string survivors_need() const override { return "a longer --max-wait"; }
  std::span<const run::Casualties::Recovery> recoveries() const override {
    return recovery_.results();
  }

  struct State {
    RetryRoot root;
    std::uint64_t root_since = 0;      ///< cycle in which it has arrived, while it waits
    std::vector<RetryMember> members;  ///< as in the group
    std::set<std::uint64_t> failed;    ///< barriers that have
    std::uint64_t completions = 0;     ///< told to the members
    std::uint32_t serial = 0;          ///< of its epoch
    bool stopped = false;              ///< is being recovered, or over
  };
  /// A member that sends again in this cycle if it still waits at this barrier.
  struct Repeat {
    std::uint64_t due;
    std::uint32_t group, member;
    std::uint64_t barrier;
    std::uint32_t serial;  ///< of the group's epoch
  };
  void send(std::uint32_t node, const fabric::RetryMessage& message) {
    TreeScheme::send(node, fabric::barrier_message(formats_, message));
  }
  /// It has arrived: what it does about it.
  void send_arrival(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void repeat(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void complete(std::uint64_t cycle, std::uint32_t group, std::uint64_t barrier);
  void release_from_root(std::uint64_t cycle, std::uint32_t group);
  /// From a barrier that has failed.
  void release_failed(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void begin_epoch(std::uint32_t group, const Regrouped& next, std::uint8_t epoch);

  bool left_behind(const Group& group) const;

  RetrySpec spec_;
  std::uint64_t barriers_;
  std::vector<State> states_;  ///< by group
  MessageFaults faults_;
  std::deque<Repeat> repeats_;  ///< by cycle
  checkers::RetrySafety* safety_ = nullptr;
  Recovery recovery_;
};

}  // namespace muster::btin
