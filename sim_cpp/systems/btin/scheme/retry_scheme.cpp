// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "muster/run/checker_list.hpp"
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

  bool failed() const { return failed_; }

  /// REQUIRES: it has not failed.
  void arrive(const Payload& data) { data_ = data; }
  /// What it sends when it arrives, and again as long as it waits; and when it has failed.
  RetryMessage message() const {
    return {fabric::MessageType::kReduction, gid_, phase_, failed_, epoch_,
            failed_ ? Payload{} : data_};
  }
  /// A message has come: the data with which it is released by it, if it waits and is.
  std::optional<Payload> receive(const RetryMessage& message, bool waits) {
    const bool down = message.type == fabric::MessageType::kDistribution;
    if (!down || message.epoch != epoch_ || message.phase != phase_) return std::nullopt;
    if (message.fail) {
      failed_ = true;
      return std::nullopt;
    }
    if (!waits || failed_) return std::nullopt;
    phase_ = !phase_;
    return message.data;
  }

 private:
  std::uint32_t gid_;
  std::uint8_t epoch_;
  bool phase_ = false, failed_ = false;
  Payload data_;
};

/// A root node that answers in place of its switch: a register with one child. When that child says
/// that it has failed, no other vertex has to be told.
class RetryRoot {
 public:
  RetryRoot(std::uint32_t gid, std::uint8_t epoch) : gid_(gid), epoch_(epoch) {}

  bool failed() const { return failed_; }
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
  /// Releases all, itself too, with these data: what it sends. REQUIRES: it waits and is told.
  RetryMessage release(const Payload& all) {
    told_ = false;
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
  bool phase_ = false, told_ = false, failed_ = false;
  Payload data_, released_with_;
};

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
        recovery_(parts, spec_, planned_, registers_, *this) {
    for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
      network_.switches().write_register(s, fabric::registers::kPeriods, periods_of(spec_));
    for (const RegisterSlot& slot : registers_) load(slot);
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      states_.push_back({.root = {g, 0},
                         .members = std::vector<RetryMember>(groups_[g].size(), RetryMember(g, 0)),
                         .failed = {}});
    if (spec_.drop == 0.0 && spec_.duplicate == 0.0) return;
    for (core::ChannelId c = 0; c < network_.channels(); ++c) network_.disturb(c, faults_);
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    if (states_[group].failed.contains(members_.released_from(group, member)))
      members_.released(cycle, group, member);
    else
      send_arrival(cycle, group, member);
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const RetryMessage message = fabric::retry_message(formats_, formats_.barrier_message(flit));
    const std::uint32_t group = traffic_.group_of(message.gid);
    const std::uint32_t member = group == kNone ? kNone : groups_[group].places[node];
    if (member == kNone) return Scheme::receive_sync(cycle, node, flit);
    State& s = states_[group];
    if (s.stopped || !groups_[group].members[member].active) return;
    if (member != groups_[group].root_member) {
      RetryMember& state = s.members[member];
      const bool failed = state.failed();
      if (const auto data = state.receive(message, members_.waits(group, member)))
        release(cycle, group, member, *data);
      if (!failed && state.failed() && !members_.waits(group, member)) repeat(cycle, group, member);
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
    own.registers = registers_;
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
    if (safety_ != nullptr) safety_->abort(group);
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
    std::uint32_t now = 0;  // the barrier that a survivor goes to or is at
    for (std::uint32_t m = 0; m < g.size(); ++m)
      if (g.members[m].active) now = std::max(now, members_.released_from(group, m));
    const bool fails = !next.lost.empty() && now < barriers_;
    traffic_.begin_tree(group, now + (fails ? 1 : 0));
    // Who is behind and does not wait is on its way to a barrier that failed before.
    for (std::uint32_t m = 0; m < g.size(); ++m)
      if (waits(group, m) && members_.released_from(group, m) < now)
        release(cycle, group, m, g.expected);
    if (fails) {
      states_[group].failed.insert(now);
      members_.fail(group, now);
    }
    for (std::uint32_t m = 0; m < g.size(); ++m) {
      if (!waits(group, m)) continue;
      if (fails)
        members_.released(cycle, group, m);
      else
        send_arrival(cycle, group, m);
    }
    return fails ? std::optional(now) : std::nullopt;
  }
  /// The group stops for good. REQUIRES: stopped.
  void give_up(std::uint32_t group) {
    for (std::uint32_t m = 0; m < groups_[group].size(); ++m) members_.die(group, m);
  }
  /// All of its barriers are done.
  bool done(std::uint32_t group) const { return members_.done(group); }
  /// No register is suspect, but a host has cause to ask: all members that answer have done their
  /// last barrier, and one does not answer; or a root node has waited as long as makes a register
  /// suspect.
  bool asks(std::uint64_t cycle, std::uint32_t group) const {
    const State& s = states_[group];
    const std::uint32_t root = groups_[group].root_member;
    const bool long_ago =
        root != kNone && waits(group, root) && cycle - s.root_since >= spec_.suspect_cycles();
    return !s.stopped && (long_ago || left_behind(group));
  }

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    while (!repeats_.empty() && repeats_.front().due <= cycle) {
      const Repeat due = repeats_.front();
      repeats_.pop_front();
      const State& s = states_[due.group];
      if (s.stopped || s.serial != due.serial ||
          members_.released_from(due.group, due.member) != due.barrier)
        continue;
      const RetryMember& state = s.members[due.member];
      if (!members_.waits(due.group, due.member) && !state.failed()) continue;
      send(groups_[due.group].members[due.member].node, state.message());
      repeat(cycle, due.group, due.member);
    }
    recovery_.step(cycle);
  }
  bool looks_into_blocks() const override { return true; }  // for recovery
  /// No member is waiting, no group is being recovered.
  bool idle() const override {
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      for (std::uint32_t m = 0; m < groups_[g].size() && !states_[g].stopped; ++m)
        if (waits(g, m)) return false;
    return recovery_.idle();
  }
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
    std::set<std::uint32_t> failed;    ///< barriers that have
    std::uint32_t serial = 0;          ///< of its epoch
    bool stopped = false;              ///< is being recovered, or over
  };
  /// A member that sends again in this cycle if it still waits at this barrier.
  struct Repeat {
    std::uint64_t due;
    std::uint32_t group, member;
    std::uint32_t barrier;
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
      complete(cycle, group, member);
      release(cycle, group, member, brings(group, member));
    } else if (member == g.root_member) {
      s.root_since = cycle;
      release_from_root(cycle, group);
    } else {
      s.members[member].arrive(brings(group, member));
      send(g.members[member].node, s.members[member].message());
      repeat(cycle, group, member);
    }
  }
  void repeat(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    repeats_.push_back({cycle + spec_.period, group, member, members_.released_from(group, member),
                        states_[group].serial});
  }
  /// A node that knows when all have arrived has got to know it of the barrier of `member`.
  void complete(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    if (!members_.rounds(group)[members_.released_from(group, member)].completed)
      members_.completed(cycle, group);
  }
  void release_from_root(std::uint64_t cycle, std::uint32_t group) {
    const Group& g = groups_[group];
    RetryRoot& root = states_[group].root;
    if (!waits(group, g.root_member) || !root.told()) return;
    const Payload all = both(group, root.brought(), brings(group, g.root_member));
    send(g.members[g.root_member].node, root.release(all));
    complete(cycle, group, g.root_member);
    release(cycle, group, g.root_member, all);
  }
  /// The member is one, has arrived and is not released.
  bool waits(std::uint32_t group, std::uint32_t member) const {
    return groups_[group].members[member].active && members_.waits(group, member);
  }
  /// The members that are left, as they are written.
  void begin_epoch(std::uint32_t group, const Regrouped& next, std::uint8_t epoch) {
    Group& g = groups_[group];
    for (const topology::NodeId n : next.lost) {
      g.members[g.places[n]].active = false;
      members_.leave(group, g.places[n], members_.released_from(group, g.places[n]));
    }
    set_tree(g, next.planned);
    State& s = states_[group];
    s.stopped = false;
    ++s.serial;
    s.root = {group, epoch};
    s.members.assign(g.size(), RetryMember(group, epoch));
    if (safety_ != nullptr) safety_->regroup(group, checked_group(next.planned), epoch);
  }

  bool left_behind(std::uint32_t group) const {
    bool silent = false;
    for (std::uint32_t m = 0; m < groups_[group].size(); ++m) {
      const Member& member = groups_[group].members[m];
      if (!member.active || members_.released_from(group, m) >= barriers_) continue;
      if (run::answers(network_, member.node)) return false;
      silent = true;
    }
    return silent;
  }

  RetrySpec spec_;
  std::uint32_t barriers_;
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
