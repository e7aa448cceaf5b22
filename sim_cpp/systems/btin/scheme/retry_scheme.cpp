// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "muster/run/checker_list.hpp"
#include "run/waits.hpp"
#include "systems/btin/checkers/retry_safety.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/scheme/recovery.hpp"

namespace muster::btin {
namespace {

using fabric::Payload;
using fabric::RetryMessage;

/// A member of a group whose registers repeat (docs/systems/retry-registers.md, A member).
class RetryMember {
 public:
  /// In an epoch, at its first barrier.
  RetryMember(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool waiting() const { return waiting_; }
  bool failed() const { return failed_; }

  /// REQUIRES: it is neither waiting nor failed.
  void arrive(const Payload& data) {
    waiting_ = true;
    data_ = data;
  }
  /// What it sends when it arrives, and again as long as it waits; and when it has failed.
  RetryMessage message() const {
    return {fabric::MessageType::kReduction, gid_, phase_, failed_, epoch_,
            failed_ ? Payload{} : data_};
  }
  /// A message has come: the data with which it is released by it, if it is.
  std::optional<Payload> receive(const RetryMessage& message) {
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
  Payload data_;
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
  std::optional<RetryMessage> receive(const RetryMessage& message) {
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
  const Payload& brought() const { return data_; }
  /// Releases all, itself too, with these data: what it sends. REQUIRES: it is waiting and told.
  RetryMessage release(const Payload& all) {
    told_ = waiting_ = false;
    released_with_ = all;
    const RetryMessage message = down(phase_);
    phase_ = !phase_;
    return message;
  }

 private:
  RetryMessage down(bool phase) const {
    return {fabric::MessageType::kDistribution, gid_, phase, false, epoch_, released_with_};
  }
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, waiting_ = false, told_ = false, failed_ = false;
  Payload data_, released_with_;
};

std::uint32_t periods_of(const RetrySpec& spec) {
  return fabric::registers::periods_word(spec.period,
                                         static_cast<std::uint32_t>(spec.age_period()));
}

/// docs/reliability.md, A recovery, steps 1 and 3.
RecoveryLimits limits_of(const run::SchemeParts& parts, const RetrySpec& spec) {
  const std::uint64_t latency = run::longest_latency(*parts.spec.graph);
  const std::uint64_t hosts = parts.spec.profile.send + parts.spec.profile.receive;
  return {
      .registers = parts.config.regs,
      .periods = periods_of(spec),
      .suspect = spec.suspect_cycles(),
      .abort = 4 * spec.period + 100,
      .drain = parts.network.longest_hold() + latency + hosts + 3 * parts.spec.groups.size() + 4,
      .max_wait = parts.spec.max_wait};
}

/// The members of BTIN groups whose registers and members repeat messages, on links that may lose
/// and double them (docs/systems/retry-registers.md). The host writes the registers before the run,
/// and for the survivors of what dies in it (docs/reliability.md). A barrier that has failed
/// releases without data.
class RetryScheme : public TreeScheme, private run::Hosts, private run::FaultHandler {
 public:
  /// As BtinScheme.
  RetryScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
      : TreeScheme(groups, parts, fabric::retry_data_width(parts.formats()),
                   TreeTraffic::Messages::kRepeat),
        spec_(run::own<Spec>(parts.spec).retries),
        barriers_(parts.spec.barriers),
        faults_(spec_, parts.spec.seed),
        recovery_(network_, planned_, registers_, limits_of(parts, spec_), *this) {
    for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
      network_.switches().write_register(s, fabric::registers::kPeriods, periods_of(spec_));
    for (const RegisterSlot& slot : registers_.slots) load(slot);
    for (const Group& g : groups_)
      states_.push_back({.root = {g.gid, 0},
                         .members = std::vector<RetryMember>(g.size(), RetryMember(g.gid, 0)),
                         .failed = {}});
    if (spec_.drop == 0.0 && spec_.duplicate == 0.0) return;
    for (core::ChannelId c = 0; c < network_.channels(); ++c) network_.disturb(c, faults_);
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    Member& m = groups_[group].members[member];
    wait(m, true);
    if (states_[group].failed.contains(m.barrier))
      release_failed(cycle, group, member);
    else
      send_arrival(cycle, group, member);
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const RetryMessage message = fabric::retry_message(formats_, formats_.barrier_message(flit));
    const std::uint32_t group = traffic_.group_of(message.gid);
    const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
    if (member == kNone)
      throw InternalError(
          "cycle {}, node {}: barrier message of group {}, of which it is not a member", cycle,
          node, message.gid);
    State& s = states_[group];
    const Member& m = groups_[group].members[member];
    if (s.stopped || !m.active) return;
    if (member != groups_[group].root_member) {
      RetryMember& state = s.members[member];
      const bool failed = state.failed();
      if (const auto data = state.receive(message)) release(cycle, group, member, *data);
      if (!failed && state.failed() && !m.waiting) repeat(cycle, group, member);
      return;
    }
    if (const auto answer = s.root.receive(message)) send(node, *answer);
    release_from_root(cycle, group);
  }
  bool holds(std::uint32_t group, std::uint32_t member, std::uint32_t) const override {
    const State& s = states_[group];
    return s.stopped ||
           (member == groups_[group].root_member ? s.root.failed() : s.members[member].failed());
  }
  run::Hosts& hosts() override { return *this; }
  run::FaultHandler& fault_handler() override { return *this; }
  void check_with(checkers::CheckerList& checkers) override {
    safety_ = checkers.find<checkers::RetrySafety>();
  }
  void fill(run::RunResult& result) const override {
    Result& own = run::own<Result>(result);
    own.registers = registers_.slots;
    // A link end loses messages by itself, its wires only frames.
    const bool ends = network_.link_ends() != nullptr;
    const std::uint64_t missed = traffic_.messages() - traffic_.arrived();
    own.retries = RetryCounts{.messages = traffic_.messages(),
                              .repeated = traffic_.repeated(),
                              .dropped = ends ? missed : faults_.dropped(),
                              .duplicated = faults_.duplicated(),
                              .inquiries = recovery_.inquiries()};
  }

  // The hosts of a group, as Recovery meets them.

  /// Registers of the group are told to fail from now on.
  void aborting(std::uint32_t group) {
    if (safety_ != nullptr) safety_->abort(groups_[group].gid);
  }
  /// The members send and take nothing, and arrive at nothing.
  void stop(std::uint32_t group) { states_[group].stopped = true; }
  /// The members go on in this epoch, phase 0, without those that are lost. Returns the number of
  /// the barrier that has failed, if one has. REQUIRES: stopped, and the group has not stopped for
  /// good.
  std::optional<std::uint32_t> go_on(std::uint64_t cycle, std::uint32_t group,
                                     const Regrouped& next, std::uint8_t epoch) {
    begin_epoch(group, next, epoch);
    const Group& g = groups_[group];
    std::uint64_t now = 0;  // the barrier that a survivor goes to or is at
    for (const Member& m : g.members)
      if (m.active) now = std::max(now, m.barrier);
    const bool fails = !next.lost.empty() && now < barriers_;
    traffic_.begin_tree(group, static_cast<std::uint32_t>(now + (fails ? 1 : 0)));
    // Who is behind and does not wait is on its way to a barrier that failed before.
    for (std::uint32_t m = 0; m < g.size(); ++m)
      if (g.members[m].waiting && g.members[m].barrier < now) release(cycle, group, m, g.expected);
    if (fails) {
      states_[group].failed.insert(now);
      states_[group].completions = now + 1;
      members_.fail(group, static_cast<std::uint32_t>(now));
    }
    for (std::uint32_t m = 0; m < g.size(); ++m) {
      if (!g.members[m].waiting) continue;
      if (fails)
        release_failed(cycle, group, m);
      else
        send_arrival(cycle, group, m);
    }
    return fails ? std::optional(static_cast<std::uint32_t>(now)) : std::nullopt;
  }
  /// The group stops for good. REQUIRES: stopped.
  void give_up(std::uint32_t group) {
    for (std::uint32_t m = 0; m < groups_[group].size(); ++m) {
      wait(groups_[group].members[m], false);
      members_.die(group, m);
    }
  }
  /// All of its barriers are done.
  bool done(std::uint32_t group) const { return members_.done(group); }
  /// No register is suspect, but a host has cause to ask: all members that answer have done their
  /// last barrier, and one does not answer; or a root node has waited as long as makes a register
  /// suspect.
  bool asks(std::uint64_t cycle, std::uint32_t group) const {
    const State& s = states_[group];
    const bool long_ago = s.root.waiting() && cycle - s.root_since >= spec_.suspect_cycles();
    return !s.stopped && (long_ago || left_behind(groups_[group]));
  }

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    while (!repeats_.empty() && repeats_.front().due <= cycle) {
      const Repeat due = repeats_.front();
      repeats_.pop_front();
      const State& s = states_[due.group];
      const Member& m = groups_[due.group].members[due.member];
      if (s.stopped || s.serial != due.serial || m.barrier != due.barrier) continue;
      const RetryMember& state = s.members[due.member];
      if (!state.waiting() && !state.failed()) continue;
      send(m.node, state.message());
      repeat(cycle, due.group, due.member);
    }
    recovery_.step(cycle);
  }
  bool looks_into_blocks() const override { return true; }  // for recovery
  /// No member is waiting, no group is being recovered.
  bool idle() const override { return waiting_ == 0 && recovery_.idle(); }
  // run::FaultHandler
  /// The host that resets a switch knows that its registers are lost.
  void write_again(topology::SwitchId sw) override {
    network_.switches().write_register(sw, fabric::registers::kPeriods, periods_of(spec_));
    recovery_.reset(network_.engine().cycle(), sw);
  }
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
  void send(std::uint32_t node, const RetryMessage& message) {
    TreeScheme::send(node, fabric::barrier_message(formats_, message));
  }
  /// It has arrived: what it does about it.
  void send_arrival(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    const Group& g = groups_[group];
    State& s = states_[group];
    if (g.alone) {
      complete(cycle, group, g.members[member].barrier);
      release(cycle, group, member, brings(g, member));
    } else if (member == g.root_member) {
      s.root.arrive();
      s.root_since = cycle;
      release_from_root(cycle, group);
    } else {
      s.members[member].arrive(brings(g, member));
      send(g.members[member].node, s.members[member].message());
      repeat(cycle, group, member);
    }
  }
  void repeat(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    repeats_.push_back({cycle + spec_.period, group, member, groups_[group].members[member].barrier,
                        states_[group].serial});
  }
  /// Once for each barrier, in their order, if a node knows when all have arrived.
  void complete(std::uint64_t cycle, std::uint32_t group, std::uint64_t barrier) {
    const bool tells = groups_[group].alone || groups_[group].root_member != kNone;
    if (!tells || states_[group].completions != barrier) return;
    ++states_[group].completions;
    members_.completed(cycle, group);
  }
  void release_from_root(std::uint64_t cycle, std::uint32_t group) {
    const Group& g = groups_[group];
    RetryRoot& root = states_[group].root;
    if (!root.waiting() || !root.told()) return;
    const Payload all = both(group, root.brought(), brings(g, g.root_member));
    send(g.members[g.root_member].node, root.release(all));
    complete(cycle, group, g.members[g.root_member].barrier);
    release(cycle, group, g.root_member, all);
  }
  /// From a barrier that has failed.
  void release_failed(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    Member& m = groups_[group].members[member];
    ++m.barrier;
    wait(m, false);
    members_.released(cycle, group, member);
  }
  /// The members that are left, as they are written.
  void begin_epoch(std::uint32_t group, const Regrouped& next, std::uint8_t epoch) {
    Group& g = groups_[group];
    for (const topology::NodeId n : next.lost) {
      Member& m = g.members[g.places[n]];
      m.active = false;
      wait(m, false);
      members_.leave(group, g.places[n], static_cast<std::uint32_t>(m.barrier));
    }
    set_tree(g, next.planned);
    State& s = states_[group];
    s.stopped = false;
    ++s.serial;
    s.root = {g.gid, epoch};
    s.members.assign(g.size(), RetryMember(g.gid, epoch));
    if (safety_ != nullptr) safety_->regroup(checked_group(next.planned), epoch);
  }

  bool left_behind(const Group& group) const {
    bool silent = false;
    for (const Member& m : group.members) {
      if (!m.active) continue;
      const bool here = run::answers(network_, m.node);
      if (here && m.barrier < barriers_) return false;
      silent |= !here && m.barrier < barriers_;
    }
    return silent;
  }

  RetrySpec spec_;
  std::uint64_t barriers_;
  std::vector<State> states_;  ///< by group
  MessageFaults faults_;
  std::deque<Repeat> repeats_;  ///< by cycle
  checkers::RetrySafety* safety_ = nullptr;
  Recovery<RetryScheme> recovery_;
};

}  // namespace

std::unique_ptr<run::Scheme> retry_scheme(const std::vector<PlannedGroup>& groups,
                                          const run::SchemeParts& parts) {
  return std::make_unique<RetryScheme>(groups, parts);
}

}  // namespace muster::btin
