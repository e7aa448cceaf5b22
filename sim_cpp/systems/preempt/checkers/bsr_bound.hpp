// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <set>

#include "muster/run/checker_list.hpp"
#include "muster/run/own.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"

namespace muster::checkers {

/// The bound of a barrier on preempting switches (docs/systems/bsr-tree.md). Each barrier message
/// is followed from link to link. From the time when a switch has all of it, it may lose W cycles
/// to data and one for each other port in the barrier unit, beyond the time when barrier messages
/// before it, at its output, in the origin, or in the next barrier buffer, are out of its way. What
/// a message does not use of this is its slack; a release and the slack of all messages that led to
/// it are the bound of a barrier. Does nothing without a bound W (switch III) or behind delay
/// pipes.
class BsrBound : public LinkChecker {
  using BsrMessage = preempt::BsrMessage;
  using BsrType = preempt::BsrType;
  using ChannelId = core::ChannelId;
  using SwitchId = topology::SwitchId;

 public:
  BsrBound(const Subject& subject, const std::vector<preempt::BsrTree>& trees,
           const std::optional<HopWait>& wait)
      : LinkChecker("barrier bound", subject),
        wait_(subject.pipe == 0 ? wait : std::nullopt),
        format_(subject.formats),
        lines_(subject.layout.channels().size(), Line(format_, subject.buffers)),
        inputs_(subject.graph.switches(), 0),
        waiting_(subject.graph.switches()),
        outputs_(subject.graph.switches(), std::vector<ChannelId>(subject.graph.max_ports())),
        origin_since_(subject.graph.switches(), 0) {
    for (ChannelId c = 0; c < lines_.size(); ++c) {
      const fabric::Channel& channel = subject.layout.channels()[c];
      if (!channel.to.node) ++inputs_[channel.to.id];
      if (!channel.from.node) outputs_[channel.from.id][channel.from.port] = c;
    }
    for (const preempt::BsrTree& tree : trees)
      groups_.push_back({tree, {}, std::vector<std::uint32_t>(subject.graph.nodes(), 0), {}});
  }
  Sees sees() const override {
    const bool any = wait_.has_value();
    return {.sync = any, .credits = any};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (wait_ && event.flit.kind != core::Flit::kControl && fabric::passes_data(event.flit))
      pass(cycle, event);
  }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override {
    if (!wait_ || !(event.credits >> subject_.vcs & 1)) return;
    lines_[event.channel].room_since.push_back(
        cycle + subject_.layout.channels()[event.channel].latency + 1);
  }
  /// Messages under way may have read masks of these routes too. They outlive the last cycle.
  void allow(const topology::Routes& older) { older_ = &older; }
  std::optional<std::uint64_t> slack(std::uint32_t group, std::uint32_t barrier) const override {
    if (group >= groups_.size() || barrier >= groups_[group].releases.size()) return std::nullopt;
    const Releases& releases = groups_[group].releases[barrier];
    return releases.latest - releases.last;
  }

 private:
  // Cycles between what stands on the wires (docs/systems/preempting-switches.md, Times).
  /// All of a message there, its first flit on the next wires.
  static constexpr std::uint64_t kThrough = 3;
  static constexpr std::uint64_t kOrigin = 2;  ///< more if the switch sends a message of its own
  static constexpr std::uint64_t kNext = 4;    ///< last flit, first flit of the origin's next one

  static bool is_free(const BsrMessage& m) { return m.bnt == preempt::Bnt::kFree; }
  static bool same(const BsrMessage& a, const BsrMessage& b) {
    return a.type == b.type && a.gid == b.gid && a.source == b.source &&
           a.destination == b.destination && is_free(a) == is_free(b);
  }
  /// Releases of a barrier. Cycles.
  struct Releases {
    std::uint64_t last = 0;    ///< the last of them
    std::uint64_t latest = 0;  ///< the bound of the last
  };
  /// When a message could be on the next wires if only the message itself took time, and how much
  /// later it could have been.
  struct Time {
    std::uint64_t ready = 0, slack = 0;
  };
  struct Passage {
    BsrMessage message;
    Time time;
    ChannelId from = 0;        ///< it has come in by this channel
    std::uint32_t behind = 0;  ///< messages that have come by it since
  };
  struct Line {
    Line(const preempt::BsrFormat& format, std::uint32_t buffers)
        : passing(format), room_since(buffers, 0) {}
    preempt::BsrAssembly passing;
    std::uint64_t first = 0;  ///< cycle of the first flit of the message
    /// A message can be here: for each barrier buffer that is free, when it became free.
    std::deque<std::uint64_t> room_since;
    std::uint64_t output_since = 0;  ///< it can leave: the message before and the gap are over
  };
  /// Of a group at a switch.
  struct GroupAtSwitch {
    Time up, down;  ///< of the last message taken
    Time all;       ///< center: of the one that completed the barrier
    /// Center: locals (true and the channel) and children (false and the address) since then.
    std::set<std::pair<bool, std::uint32_t>> served;
  };
  struct Group {
    preempt::BsrTree tree;
    std::map<SwitchId, GroupAtSwitch> switches;
    std::vector<std::uint32_t> released;  ///< by node
    std::vector<Releases> releases;       ///< by barrier
  };
  void pass(std::uint64_t cycle, const core::FlitEvent& event) {
    Line& line = lines_[event.channel];
    if (event.flit.kind == core::Flit::kFirst) line.first = cycle;
    const std::optional<BsrMessage> m = line.passing.add(event.flit);
    if (!m || m->gid >= groups_.size()) return;  // another checker's
    const fabric::Channel& channel = subject_.layout.channels()[event.channel];
    const std::uint64_t slack = channel.from.node ? 0 : out(cycle, event.channel, *m);
    if (!line.room_since.empty()) line.room_since.pop_front();
    if (channel.to.node)
      into_node(cycle, channel.to.id, *m, slack);
    else
      into_switch({*m, {cycle + channel.latency + through(*m), slack}, event.channel});
  }
  /// A message has left a switch: the slack with which it goes on.
  std::uint64_t out(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
    Line& line = lines_[channel];
    const SwitchId s = subject_.layout.channels()[channel].from.id;
    const bool refusal = m.refused && subject_.layout.channels()[channel].to.node;
    const bool tidies = is_free(m) || refusal;
    const bool origin = m.source == address(s) && (m.type != BsrType::kFirst || tidies);
    std::uint64_t slack = 0;
    if (!origin || !tidies) {  // else it is on no way from an arrival to a release
      const Time time = origin ? own(s, channel, m) : forwarded(cycle, channel, m);
      const std::uint64_t ready =
          std::max({time.ready, line.room_since.front(), output_since(s, channel, m)});
      const std::uint64_t limit = ready + wait_->data + turns(s);
      require(line.first <= limit, cycle, channel,
              "a message of type {} of group {} from {} to {} leaves in cycle {}; without data it "
              "could have left in cycle {}, and may wait {} cycles for them and {} for its turn",
              static_cast<int>(m.type), m.gid, m.source, m.destination, line.first, ready,
              wait_->data, turns(s));
      slack = time.slack + limit - line.first;
    }
    line.output_since = cycle + wait_->gap + 2;
    if (origin) origin_since_[s] = cycle + kNext;
    return slack;
  }
  void into_node(std::uint64_t cycle, std::uint32_t node, const BsrMessage& m,
                 std::uint64_t slack) {
    if (m.type != BsrType::kDistribution) return;
    Group& group = groups_[m.gid];
    const std::uint32_t barrier = group.released[node]++;
    if (group.releases.size() <= barrier) group.releases.resize(barrier + 1);
    Releases& releases = group.releases[barrier];
    releases.last = std::max(releases.last, cycle);
    releases.latest = std::max(releases.latest, cycle + slack);
  }
  /// The switch has all of a message.
  void into_switch(Passage passage) {
    const BsrMessage& m = passage.message;
    const SwitchId s = subject_.layout.channels()[passage.from].to.id;
    Group& group = groups_[m.gid];
    for (Passage& before : waiting_[s]) before.behind += before.from == passage.from;
    if (is_free(m) && group.tree.switches[s].bsr_node) return;
    if (m.destination != address(s)) {
      waiting_[s].push_back(passage);
      return;
    }
    GroupAtSwitch& at = group.switches[s];
    (m.type == BsrType::kDistribution ? at.down : at.up) = passage.time;
  }
  Time own(SwitchId s, ChannelId channel, const BsrMessage& m) {
    Group& group = groups_[m.gid];
    GroupAtSwitch& at = group.switches[s];
    Time cause = m.type == BsrType::kDistribution ? at.down : at.up;
    if (m.type == BsrType::kDistribution && s == group.tree.center_switch) {
      // Each child and local gets one: when one gets another it is for the next barrier.
      const bool local = subject_.layout.channels()[channel].to.node;
      const std::pair to{local, local ? channel : m.destination};
      if (at.served.contains(to)) at.served.clear();
      if (at.served.empty()) at.all = at.up;
      at.served.insert(to);
      cause = at.all;
    }
    cause.ready = std::max(cause.ready + kOrigin, origin_since_[s]);
    return cause;
  }
  /// The message has come in before. Of first messages from nodes of one switch, which are alike,
  /// it is the one that could go first.
  Time forwarded(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
    const SwitchId s = subject_.layout.channels()[channel].from.id;
    std::vector<Passage>& waiting = waiting_[s];
    auto found = waiting.end();
    for (auto p = waiting.begin(); p != waiting.end(); ++p)
      if (same(p->message, m) && (found == waiting.end() || p->time.ready < found->time.ready))
        found = p;
    require(found != waiting.end(), cycle, channel,
            "a message of type {} of group {} from {} to {} that has not come in",
            static_cast<int>(m.type), m.gid, m.source, m.destination);
    Time time = found->time;
    // An equal message has gone before in its place.
    if (found->behind >= subject_.buffers) time.ready = std::max(time.ready, lines_[channel].first);
    // The next of its port may ask for an output when the last flit has gone.
    if (subject_.buffers > 1)
      for (Passage& next : waiting)
        if (next.from == found->from) next.time.ready = std::max(next.time.ready, cycle + 1);
    waiting.erase(found);
    return time;
  }
  /// The first cycle for a message in which the output that it takes, or another that it may have
  /// requested without a grant, has nothing else to send.
  std::uint64_t output_since(SwitchId s, ChannelId channel, const BsrMessage& m) const {
    std::uint64_t since = lines_[channel].output_since;
    if (subject_.layout.channels()[channel].to.node || m.type == BsrType::kFirst) return since;
    core::PortMask mask = subject_.routes.mask(s, m.destination);
    if (older_ != nullptr) mask |= older_->mask(s, m.destination);
    for (std::uint32_t p = 0; p < outputs_[s].size(); ++p)
      if (mask >> p & 1) since = std::max(since, lines_[outputs_[s][p]].output_since);
    return since;
  }
  std::uint32_t address(SwitchId s) const { return subject_.graph.nodes() + s; }
  /// A first message is taken a cycle later if its mask is not known before its last flit.
  std::uint64_t through(const BsrMessage& m) const {
    const bool late = subject_.buffers > 1 || bsr_routed(format_) == format_.flits(3);
    return kThrough + (m.type == BsrType::kFirst && late);
  }
  /// Messages that the unit may take before one: muster_unit_turn, and older ones of its port.
  std::uint32_t turns(SwitchId s) const {
    const std::uint32_t k = inputs_[s];
    return std::max(k, 2 * k - std::min(2 * k, 3u)) + k * (subject_.buffers - 1);
  }

  std::optional<HopWait> wait_;
  const topology::Routes* older_ = nullptr;
  preempt::BsrFormat format_;
  std::vector<Line> lines_;                      ///< by channel
  std::vector<std::uint32_t> inputs_;            ///< by switch: connected ones
  std::vector<std::vector<Passage>> waiting_;    ///< by switch
  std::vector<std::vector<ChannelId>> outputs_;  ///< by switch and port
  std::vector<std::uint64_t> origin_since_;      ///< by switch
  std::vector<Group> groups_;
};

/// What checkers know of the groups of a run with preempting switches.
struct BsrGroups : run::CheckedGroups {
  std::vector<preempt::BsrTree> trees;
};

}  // namespace muster::checkers
