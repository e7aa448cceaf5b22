// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/conservation.hpp"

#include <fmt/format.h>

namespace muster::checkers {

Conservation::Conservation(const Subject& subject)
    : LinkChecker("conservation", subject),
      local_(subject),
      behind_(subject),
      slots_((std::size_t{subject.graph.switches()} + 2) * subject.vcs),
      outside_(subject.graph.switches() * subject.vcs),
      dead_(subject.graph.switches(), 0) {
  for (const fabric::Channel& channel : subject.layout.channels()) {
    const std::uint32_t entered = entered_by(channel.to);
    sides_.push_back({left_by(channel.from), subject.pipe == 0 ? entered : outside_});
    for (std::uint32_t vc = 0; vc < subject.vcs; ++vc)
      slots_[entered + vc].capacity += subject.depth + 1;
  }
  for (std::uint32_t place = outside_; place < slots_.size(); ++place)
    slots_[place].capacity = ~std::uint32_t{0};
  touched_.reserve(2 * subject.layout.channels().size());
}

void Conservation::flit_behind_pipe(std::uint64_t, const core::FlitEvent& event) {
  if (event.flit.sync() || event.flit.vc == subject_.worm_channel) return;
  const SeenFlit seen(event, subject_.vcs);
  enter(entered_by(subject_.layout.channels()[event.channel].to), seen, behind_.of(seen));
  if (event.flit.tail()) behind_.close(seen.place);
}

void Conservation::lose(std::uint64_t, const Loss& loss) {
  if (loss.node || loss.link) return;
  for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc)
    slots_[loss.id * subject_.vcs + vc].inside = 0;
  const auto& channels = subject_.layout.channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c)
    if (loss.is(channels[c].to))
      for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc) behind_.close(c * subject_.vcs + vc);
  dead_[loss.id] = !loss.reset;
  suspect_ = any_dead_ = any_dead_ || !loss.reset;
}

/// A slot that was within its bounds after each change is so at the end.
void Conservation::end_cycle(std::uint64_t cycle) {
  std::uint64_t outside = 0;
  for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc) {
    Slot& entered = slots_[outside_ + vc];
    Slot& left = slots_[outside_ + subject_.vcs + vc];
    outside += static_cast<std::uint64_t>(entered.inside - left.inside);
    entered.inside = left.inside = 0;
  }
  if (suspect_)
    judge(cycle);
  else
    count(2 * (touched_.size() - outside));
  touched_.clear();
}

void Conservation::judge(std::uint64_t cycle) {
  for (const std::uint32_t touched : touched_) {
    if (touched >= outside_) continue;
    const Slot& slot = slots_[touched];
    const topology::SwitchId sw = touched / subject_.vcs;
    const std::uint32_t vc = touched % subject_.vcs;
    if (dead_[sw]) continue;
    require_at(slot.inside >= 0, cycle, sw, [&] {
      return fmt::format("{} more flits of virtual channel {} have left than have entered",
                         -slot.inside, vc);
    });
    require_at(static_cast<std::uint32_t>(slot.inside) <= slot.capacity, cycle, sw, [&] {
      return fmt::format("{} flits of virtual channel {} inside, its buffers hold {}", slot.inside,
                         vc, slot.capacity);
    });
  }
  suspect_ = any_dead_;
}

void Conservation::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (std::uint32_t place = 0; place < outside_; ++place) {
    const topology::SwitchId sw = place / subject_.vcs;
    require_at(dead_[sw] || slots_[place].inside == 0, cycle, sw, [&] {
      return fmt::format("{} flits of virtual channel {} were lost inside", slots_[place].inside,
                         place % subject_.vcs);
    });
  }
}

}  // namespace muster::checkers
