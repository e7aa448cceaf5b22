// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_output.hpp"

#include "systems/preempt/bsr_message.hpp"

namespace muster::golden {

using core::Flit;

/// A padding request or end on channel `vc` may be about `channel`.
bool CrossbarOne::may_name(std::uint32_t channel, std::uint32_t vc) const {
  if (kind_ == PreemptKind::kI) return channel < vcs_;
  return channel == (kind_ == PreemptKind::kII ? 0 : vc);
}

void CrossbarOne::steer(std::uint32_t port, const Flit& flit, Steered& steered) const {
  const std::uint64_t lane = bit(lane_of(port, flit.vc));
  const auto at = static_cast<std::uint16_t>(bit(port));
  if (!flit.sync() || flit.kind == Flit::kPad) {
    steered.data |= lane;
    return;
  }
  if (flit.kind == Flit::kControl) {
    const preempt::LinkControl control = preempt::link_control(flit);
    if (!preempt::is_control(flit) || !may_name(control.channel, flit.vc))
      steered.malformed |= at;
    else
      (control.end ? steered.disconnects : steered.connects) |= bit(lane_of(port, control.channel));
  } else if (kind_ == PreemptKind::kII && flit.vc != 0) {
    steered.malformed |= at;
  } else {
    if (has(steered.messages, port)) return;
    steered.messages |= at;
    steered.message[port] = flit;
  }
  steered.taken |= lane;
}

using Act = PreemptOutput::Act;

PreemptOutput::PreemptOutput(PreemptKind kind, std::uint32_t channels, std::uint32_t buffers,
                             std::uint32_t room)
    : kind_(kind),
      channels_(static_cast<std::uint8_t>(bit(channels) - 1)),
      buffers_(buffers),
      most_room_(room),
      room_(room) {}

std::uint8_t PreemptOutput::usable(const View& view) const {
  if (kind_ == PreemptKind::kII) return 1;
  return kind_ == PreemptKind::kI ? channels_ : view.credited;
}

std::uint8_t PreemptOutput::cuttable(const View& view) const {
  const std::uint64_t guarded = guard_ != 0 ? bit(guarded_) : 0;
  return static_cast<std::uint8_t>(usable(view) & ~view.free & ~guarded);
}

bool PreemptOutput::end_due(const View& view) const {
  if (!cut_ || begun_ || !(spent_ || (timer_ == 0 && !served_))) return false;
  return kind_ != PreemptKind::kIII || has(view.credited, *cut_);
}

/// The rules of the page (Output p), in their order.
Act PreemptOutput::wanted(const View& view, std::optional<std::uint32_t> draw) const {
  if (end_due(view)) return {.what = What::kEnd, .channel = *cut_};
  if (!served_) return {};
  if (begun_)
    return {.what = What::kFlit, .channel = cut_ ? *cut_ : *place_, .last = view.flits == 1};
  if (room_ == 0) return {};
  const bool vacant = (usable(view) & view.free) != 0;
  return cut_ || vacant ? first_flit(view) : request(view, draw);
}

Act PreemptOutput::first_flit(const View& view) const {
  std::uint64_t able = cut_ ? bit(*cut_) : usable(view) & view.free;
  if (kind_ == PreemptKind::kIII) able &= view.roomy;
  if (able == 0) return {};
  return {.what = What::kFlit,
          .channel = static_cast<std::uint8_t>(lowest(able)),
          .first = true,
          .last = view.flits == 1};
}

Act PreemptOutput::request(const View& view, std::optional<std::uint32_t> draw) const {
  std::uint32_t occupied = cuttable(view);
  if (occupied == 0) return {};
  const auto count = static_cast<std::uint32_t>(std::popcount(occupied));
  // The `skip` lowest are skipped.
  for (std::uint32_t skip = draw ? *draw * count / 16 : count - 1; skip > 0; --skip)
    occupied &= occupied - 1;
  return {.what = What::kRequest, .channel = static_cast<std::uint8_t>(lowest(occupied))};
}

Act PreemptOutput::decide(const View& view, std::optional<std::uint32_t> draw) const {
  Act act = wanted(view, draw);
  const bool wants = act.what != What::kNothing;
  const bool goes = wants && !view.busy;
  act.hold = wants && (view.busy || (served_ && !act.last));
  act.waits = served_ && !begun_ && room_ != 0 && !(goes && act.first);
  if (!goes) act.what = What::kNothing;
  return act;
}

std::uint8_t PreemptOutput::shut(const Act& act) const {
  if (act.what == What::kRequest) return static_cast<std::uint8_t>(bit(act.channel));
  return cut_ ? static_cast<std::uint8_t>(bit(*cut_)) : std::uint8_t{0};
}

/// The channel has no owner, so nothing of it is allocated if no packet begins.
std::uint8_t PreemptOutput::closed(const Act& act) const {
  if (place_) return static_cast<std::uint8_t>(bit(*place_));
  const bool takes = act.what == What::kFlit && !cut_;
  return takes ? static_cast<std::uint8_t>(bit(act.channel)) : std::uint8_t{0};
}

void PreemptOutput::count_down() {
  if (guard_ > 0) --guard_;
  if (gap_ > 0) --gap_;
  if (cut_ && timer_ > 0) --timer_;
  if (cut_ && age_ < longest_) ++age_;
}

void PreemptOutput::acted(const Act& act, const PreemptTimes& times) {
  switch (act.what) {
    case What::kRequest:
      cut_ = act.channel;
      timer_ = times.idle;
      age_ = 0;
      longest_ = times.longest;
      used_ = false;
      break;
    case What::kFlit:
      if (act.first) {
        --room_;
        if (!cut_ && !act.last) place_ = act.channel;
      }
      if (cut_) timer_ = times.idle;
      used_ = true;
      begun_ = !act.last;
      if (act.last) {
        served_.reset();
        place_.reset();
        gap_ = times.gap;
      }
      break;
    case What::kEnd:
      guarded_ = *cut_;
      guard_ = kGuard;
      cut_.reset();
      break;
    case What::kNothing:
      break;
  }
}

void PreemptOutput::edge(const Act& act, std::uint32_t asking, std::uint32_t allocated,
                         bool returned, const PreemptTimes& times) {
  if (returned && room_ == most_room_)
    throw InternalError("a credit of a barrier buffer that no message has taken");
  const bool chooses = asking != 0 && (ready() || follows(act, times));
  count_down();
  if (has(allocated, guarded_)) guard_ = 0;
  wait_ = act.waits ? wait_ + 1 : 0;
  longest_wait_ = std::max(longest_wait_, wait_);
  acted(act, times);
  room_ += returned;
  if (chooses) {
    served_ = round_robin(asking, pointer_);
    pointer_ = (*served_ + 1) % buffers_;
  }
  spent_ = cut_ && used_ && age_ >= longest_;
}

std::string PreemptOutput::describe() const {
  std::string text;
  if (served_) text += fmt::format(" serves {}{}", *served_, begun_ ? " (begun)" : "");
  if (room_ == 0) text += " no room";
  if (place_) text += fmt::format(" on {}", *place_);
  if (cut_) text += fmt::format(" cut {} timer {} age {}", *cut_, timer_, age_);
  if (guard_ > 0) text += fmt::format(" guard {} for {}", guarded_, guard_);
  if (gap_ > 0) text += fmt::format(" gap {}", gap_);
  return text;
}

}  // namespace muster::golden
