// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_output.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::golden {

PreemptOutput::PreemptOutput(PreemptKind kind, std::uint32_t data_channels, std::uint32_t buffers)
    : kind_(kind), data_(static_cast<std::uint8_t>(bit(data_channels) - 1)), buffers_(buffers) {}

std::uint8_t PreemptOutput::usable(const View& view) const {
  if (kind_ == PreemptKind::kII) return 1;
  return kind_ == PreemptKind::kI ? data_ : static_cast<std::uint8_t>(data_ & view.credited);
}

std::uint8_t PreemptOutput::cuttable(const View& view) const {
  const std::uint64_t guarded = guard_ != 0 ? bit(guarded_) : 0;
  return static_cast<std::uint8_t>(usable(view) & ~view.free & ~guarded);
}

PreemptOutput::Act PreemptOutput::decide(const View& view,
                                         std::optional<std::uint32_t> draw) const {
  Act act;
  const bool due = cut_ && !begun_ && (spent_ || (timer_ == 0 && !served_));
  if (due) {
    act.what = What::kEnd;
    act.channel = *cut_;
  } else if (!served_) {
    return act;
  } else if (begun_ || cut_) {
    act.what = What::kFlit;
  } else if (const std::uint32_t free = usable(view) & view.free; free != 0) {
    act.what = What::kFlit;
    act.channel = static_cast<std::uint8_t>(lowest(free));
  } else if (std::uint32_t occupied = cuttable(view); occupied != 0) {
    act.what = What::kRequest;
    const auto count = static_cast<std::uint32_t>(std::popcount(occupied));
    // The `skip` lowest are passed over.
    for (std::uint32_t skip = draw ? *draw * count / 16 : count - 1; skip > 0; --skip)
      occupied &= occupied - 1;
    act.channel = static_cast<std::uint8_t>(lowest(occupied));
  }
  if (act.what == What::kFlit) {
    act.first = !begun_;
    act.last = view.flits == 1;
  }
  const bool able = act.what != What::kNothing && view.credit;
  const bool goes = able && !view.busy;
  act.hold = able && (view.busy || (served_ && !act.last));
  act.waits = served_ && !begun_ && view.credit && !(goes && act.what == What::kFlit);
  if (!goes) act.what = What::kNothing;
  return act;
}

std::uint8_t PreemptOutput::shut(const Act& act) const {
  if (act.what == What::kRequest) return static_cast<std::uint8_t>(bit(act.channel));
  return cut_ ? static_cast<std::uint8_t>(bit(*cut_)) : std::uint8_t{0};
}

std::uint8_t PreemptOutput::closed(const Act& act) const {
  if (place_) return static_cast<std::uint8_t>(bit(*place_));
  const bool takes = act.what == What::kFlit && act.first && !cut_;
  return takes ? static_cast<std::uint8_t>(bit(act.channel)) : std::uint8_t{0};
}

void PreemptOutput::edge(const Act& act, std::uint32_t asking, std::uint32_t allocated,
                         const PreemptTimes& times) {
  const bool chooses = ready() && asking != 0;
  if (guard_ > 0) --guard_;
  if (has(allocated, guarded_)) guard_ = 0;
  if (gap_ > 0) --gap_;
  if (cut_ && timer_ > 0) --timer_;
  if (cut_ && age_ < longest_) ++age_;
  wait_ = act.waits ? wait_ + 1 : 0;  // anew after a cycle without credit
  longest_wait_ = std::max(longest_wait_, wait_);
  switch (act.what) {
    case What::kRequest:
      cut_ = act.channel;
      timer_ = times.idle;
      age_ = 0;
      longest_ = times.longest;
      used_ = false;
      break;
    case What::kFlit:
      if (act.first && !cut_) place_ = act.channel;
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
  if (chooses) {
    served_ = round_robin(asking, pointer_);
    pointer_ = (*served_ + 1) % buffers_;
  }
  spent_ = cut_ && used_ && age_ >= longest_;
}

std::string PreemptOutput::describe() const {
  std::string text;
  if (served_) text += fmt::format("serves {}{}", *served_, begun_ ? " (begun)" : "");
  if (place_) text += fmt::format(" on {}", *place_);
  if (cut_) text += fmt::format(" cut {} timer {} age {}", *cut_, timer_, age_);
  if (guard_ > 0) text += fmt::format(" guard {} for {}", guarded_, guard_);
  if (gap_ > 0) text += fmt::format(" gap {}", gap_);
  return text;
}

}  // namespace muster::golden
