// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/nic/golden/nic_context.hpp"

namespace muster::golden {

/// One count of an event.
struct NicCount {
  std::uint32_t context = 0;
  std::uint8_t event = 0;
  bool odd = false;  ///< of barriers with odd numbers
};

/// What a cycle brings to an event unit.
struct NicUnitInputs {
  std::optional<NicCount> step = {};            ///< a STEP's count is made
  std::optional<std::uint32_t> granted = {};    ///< context whose descriptor is sent
  std::optional<std::uint32_t> loaded = {};     ///< context whose notice is gone
  std::optional<std::uint32_t> started = {};    ///< context with an accepted start
  std::optional<std::uint32_t> overruled = {};  ///< context that the host's write sets
  bool arrives = false;                         ///< the tail of a message is on the wires
};

/// The groups of a NIC with chained remote writes (docs/systems/nic-engine.md): their events, what
/// has counted them, and the descriptors that have been fired.
class NicEventUnit {
  using NicMessage = nic::NicMessage;
  using NicType = nic::NicType;

 public:
  explicit NicEventUnit(const nic::NicConfig& config)
      : config_(config), mask_((1u << config.seq_w) - 1), groups_(config.contexts) {}

  /// The outcome of a STEP, NACK or NOT-YET in the message register, and what a STEP counts.
  std::pair<NicDrop, std::optional<NicCount>> judge(const NicMessage& m) const {
    const auto group = std::ranges::find_if(
        groups_, [&](const Group& g) { return g.valid && g.group == m.group; });
    if (group == groups_.end() || m.type != NicType::kStep || m.slot >= config_.steps)
      return {NicDrop::kUnknown, std::nullopt};
    const std::uint32_t ahead = (m.barrier - group->seq) & mask_;
    const NicCount count{static_cast<std::uint32_t>(group - groups_.begin()), m.slot,
                         (m.barrier & 1) != 0};
    const bool in_progress = ahead == 0 && group->running;
    if (ahead > 1 || (fires(count) && !in_progress)) return {NicDrop::kStale, std::nullopt};
    return {NicDrop::kNone, count};
  }
  /// What the descriptor of a context asks to be sent; its source is to be filled in.
  std::optional<NicMessage> asks(std::uint32_t context) const {
    const Group& group = groups_[context];
    if (!group.place || !group.place->write) return std::nullopt;
    return NicMessage{.type = NicType::kStep,
                      .destination = group.place->peer,
                      .slot = group.place->slot,
                      .group = group.group,
                      .barrier = static_cast<std::uint8_t>(group.seq)};
  }
  /// The edge. True if a descriptor has found its place full.
  bool clock(const NicUnitInputs& in) {
    std::optional<NicCount> made;
    if (in.step) made = *in.step;
    if (begun_ && groups_[begun_->context].running) made = begun_;
    const bool fired = made && fires(*made);
    begun_ = begin(in);
    if (made) {
      std::uint32_t& count = groups_[made->context].events[made->event].counts[made->odd];
      count = fired ? 0 : count + 1;
    }
    bool lost = false;
    for (std::uint32_t c = 0; c < groups_.size(); ++c) {
      Group& group = groups_[c];
      const bool full = group.place.has_value();
      const bool done = full && (!group.place->write || in.granted == c);
      const bool triggered = fired && made->context == c;
      lost = lost || (triggered && full);
      if (in.overruled == c) continue;
      if (in.loaded == c) group.notice = NicNotice::kNone;
      if (in.started == c) {
        group.running = group.due = true;
        group.at = 0;
      }
      if (begun_ && begun_->context == c) group.due = false;
      if (done) finish(group);
      if (triggered && !full) group.place = group.events[made->event];
    }
    return lost;
  }

  void write_event(std::uint32_t context, std::uint32_t event, std::uint32_t word) {
    const std::uint32_t need = word >> 26 & 15;
    Event& e = groups_[context].events[event];
    e.write = (word >> 31 & 1) != 0;
    e.last = (word >> 30 & 1) != 0;
    e.need = need == 0 ? 16 : need;
    e.next = static_cast<std::uint8_t>(word >> 21 & 31);
    e.slot = static_cast<std::uint8_t>(word >> 16 & 31);
    e.peer = static_cast<std::uint16_t>(word & ((1u << config_.addr_w) - 1));
  }
  void write_control(std::uint32_t context, std::uint32_t word) {
    Group& group = groups_[context];
    release(context);
    group.valid = word >> 31 & 1;
    group.group = static_cast<std::uint8_t>(word >> 8);
    group.seq = word & mask_;
    group.at = 0;
    group.notice = NicNotice::kNone;
    for (Event& event : group.events) event.counts = {};
  }
  bool accepts(std::uint32_t context, std::uint32_t doorbell) const {
    const Group& group = groups_[context];
    if (!group.valid || group.notice != NicNotice::kNone) return false;
    if (doorbell & nic_regs::kContextsDoorbellReleases.mask()) return true;
    return (doorbell & nic_regs::kContextsDoorbellStarts.mask()) != 0 && !group.running;
  }
  void release(std::uint32_t context) {
    Group& group = groups_[context];
    group.valid = group.running = group.due = false;
    group.place.reset();
    group.notice = NicNotice::kReleased;
  }

  NicNotice notice(std::uint32_t context) const { return groups_[context].notice; }
  std::uint32_t event_word(std::uint32_t context) const {
    const Group& group = groups_[context];
    if (group.notice != NicNotice::kDone)
      return nic_regs::event_word(nic_regs::Event::kReleased, context << 16);
    return nic_regs::event_word(nic_regs::Event::kDone, context << 16 | ((group.seq - 1) & mask_));
  }
  std::uint32_t control(std::uint32_t context) const {
    const Group& group = groups_[context];
    return std::uint32_t{group.valid} << 31 | std::uint32_t{group.running} << 28 |
           static_cast<std::uint32_t>(group.notice) << 24 | std::uint32_t{group.at} << 16 |
           std::uint32_t{group.group} << 8 | group.seq;
  }
  /// Clocking it changes nothing while nothing comes.
  bool quiet() const {
    return !begun_ && std::ranges::all_of(groups_, [](const Group& group) {
      return !group.due && !group.place && group.notice == NicNotice::kNone;
    });
  }
  std::string describe() const {
    std::string text;
    for (std::uint32_t c = 0; c < groups_.size(); ++c) {
      const Group& group = groups_[c];
      if (!group.valid) continue;
      const Event& event = group.events[group.at];
      text +=
          fmt::format("; context {}: group {} {} at barrier {}, event {} has {} of {} counts{}{}",
                      c, group.group, group.running ? "running" : "idle", group.seq, group.at,
                      event.counts[group.seq & 1], event.need, group.due ? ", one is due" : "",
                      group.place ? ", a descriptor waits" : "");
    }
    return text;
  }

 private:
  struct Event {
    bool write = false, last = false;
    std::uint8_t next = 0, slot = 0;
    std::uint32_t need = 16;
    std::uint16_t peer = 0;
    std::array<std::uint32_t, 2> counts{};  ///< of barriers with even and with odd numbers
  };
  struct Group {
    bool valid = false, running = false, due = false;
    std::uint8_t group = 0, at = 0;
    std::uint32_t seq = 0;
    NicNotice notice = NicNotice::kNone;
    std::optional<Event> place;  ///< a fired descriptor
    std::array<Event, 32> events{};
  };
  bool fires(const NicCount& count) const {
    const Event& event = groups_[count.context].events[count.event];
    return event.counts[count.odd] + 1 == event.need;
  }
  /// Whose local count is begun, the turn moves on. Its number is that of the barrier in progress
  /// in the cycle in which it is made, which is this one's if it is made at all.
  std::optional<NicCount> begin(const NicUnitInputs& in) {
    if (in.arrives) return std::nullopt;
    const auto contexts = static_cast<std::uint32_t>(groups_.size());
    for (std::uint32_t i = 0; i < contexts; ++i) {
      const std::uint32_t c = (turn_ + i) % contexts;
      const Group& group = groups_[c];
      const bool starts = in.started == c;
      if (!group.due && !starts) continue;
      turn_ = (c + 1) % contexts;
      return NicCount{c, starts ? std::uint8_t{0} : group.at, (group.seq & 1) != 0};
    }
    return std::nullopt;
  }
  /// The descriptor in the place is done.
  void finish(Group& group) {
    const Event done = *group.place;
    group.place.reset();
    if (!done.last) {
      group.due = true;
      group.at = done.next;
      return;
    }
    group.running = group.due = false;
    group.seq = (group.seq + 1) & mask_;
    group.notice = NicNotice::kDone;
  }

  nic::NicConfig config_;
  std::uint32_t mask_;
  std::vector<Group> groups_;
  std::uint32_t turn_ = 0;         ///< context whose local count is first
  std::optional<NicCount> begun_;  ///< a local count that has been begun
};

}  // namespace muster::golden
