// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_context.hpp"

namespace muster::golden {

using nic::NicMessage;
using nic::NicType;

bool NicEventUnit::fires(const NicCount& count) const {
  const Event& event = groups_[count.context].events[count.event];
  return event.counts[count.odd] + 1 == event.need;
}

NicEventUnit::Verdict NicEventUnit::judge(const NicMessage& m) const {
  const auto group =
      std::ranges::find_if(groups_, [&](const Group& g) { return g.valid && g.group == m.group; });
  if (group == groups_.end() || m.type != NicType::kStep || m.slot >= config_.steps)
    return {.drop = NicDrop::kUnknown};
  const std::uint32_t ahead = (m.barrier - group->seq) & mask_;
  const NicCount count{static_cast<std::uint32_t>(group - groups_.begin()), m.slot,
                       (m.barrier & 1) != 0};
  const bool in_progress = ahead == 0 && group->running;
  if (ahead > 1 || (fires(count) && !in_progress)) return {.drop = NicDrop::kStale};
  return {.count = count};
}

std::optional<NicMessage> NicEventUnit::asks(std::uint32_t context) const {
  const Group& group = groups_[context];
  if (!group.place || !group.place->write) return std::nullopt;
  return NicMessage{.type = NicType::kStep,
                    .destination = group.place->peer,
                    .slot = group.place->slot,
                    .group = group.group,
                    .barrier = static_cast<std::uint8_t>(group.seq)};
}

/// Whose local count is begun, the turn moves on. Its number is that of the barrier in progress in
/// the cycle in which it is made, which is this one's if it is made at all.
std::optional<NicCount> NicEventUnit::begin(const NicUnitInputs& in) {
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
void NicEventUnit::finish(Group& group) {
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

bool NicEventUnit::clock(const NicUnitInputs& in) {
  std::optional<NicCount> made = in.step;
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

void NicEventUnit::write_event(std::uint32_t context, std::uint32_t event, std::uint32_t word) {
  const std::uint32_t need = word >> 26 & 15;
  Event& e = groups_[context].events[event];
  e.write = (word >> 31 & 1) != 0;
  e.last = (word >> 30 & 1) != 0;
  e.need = need == 0 ? 16 : need;
  e.next = static_cast<std::uint8_t>(word >> 21 & 31);
  e.slot = static_cast<std::uint8_t>(word >> 16 & 31);
  e.peer = static_cast<std::uint16_t>(word & ((1u << config_.addr_w) - 1));
}

void NicEventUnit::write_control(std::uint32_t context, std::uint32_t word) {
  Group& group = groups_[context];
  release(context);
  group.valid = word >> 31 & 1;
  group.group = static_cast<std::uint8_t>(word >> 8);
  group.seq = word & mask_;
  group.at = 0;
  group.notice = NicNotice::kNone;
  for (Event& event : group.events) event.counts = {};
}

bool NicEventUnit::accepts(std::uint32_t context, std::uint32_t doorbell) const {
  const Group& group = groups_[context];
  if (!group.valid || group.notice != NicNotice::kNone) return false;
  if (doorbell & nic_regs::kContextsDoorbellReleases.mask()) return true;
  return (doorbell & nic_regs::kContextsDoorbellStarts.mask()) != 0 && !group.running;
}

void NicEventUnit::release(std::uint32_t context) {
  Group& group = groups_[context];
  group.valid = group.running = group.due = false;
  group.place.reset();
  group.notice = NicNotice::kReleased;
}

std::uint32_t NicEventUnit::event_word(std::uint32_t context) const {
  const Group& group = groups_[context];
  if (group.notice != NicNotice::kDone)
    return nic_regs::event_word(nic_regs::Event::kReleased, context << 16);
  return nic_regs::event_word(nic_regs::Event::kDone, context << 16 | ((group.seq - 1) & mask_));
}

std::uint32_t NicEventUnit::control(std::uint32_t context) const {
  const Group& group = groups_[context];
  return std::uint32_t{group.valid} << 31 | std::uint32_t{group.running} << 28 |
         static_cast<std::uint32_t>(group.notice) << 24 | std::uint32_t{group.at} << 16 |
         std::uint32_t{group.group} << 8 | group.seq;
}

bool NicEventUnit::quiet() const {
  return !begun_ && std::ranges::all_of(groups_, [](const Group& group) {
    return !group.due && !group.place && group.notice == NicNotice::kNone;
  });
}

std::string NicEventUnit::describe() const {
  std::string text;
  for (std::uint32_t c = 0; c < groups_.size(); ++c) {
    const Group& group = groups_[c];
    if (!group.valid) continue;
    const Event& event = group.events[group.at];
    text += fmt::format("; context {}: group {} {} at barrier {}, event {} has {} of {} counts{}{}",
                        c, group.group, group.running ? "running" : "idle", group.seq, group.at,
                        event.counts[group.seq & 1], event.need, group.due ? ", one is due" : "",
                        group.place ? ", a descriptor waits" : "");
  }
  return text;
}

}  // namespace muster::golden
