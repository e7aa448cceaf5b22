// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/credits.hpp"

#include <fmt/format.h>

namespace muster::checkers {

Credits::Credits(const Subject& subject)
    : LinkChecker("credits", subject),
      extra_(fabric::has_extra_credit(subject.sync_credits)),
      first_extra_(static_cast<std::uint32_t>(subject.layout.channels().size()) * subject.vcs),
      none_(static_cast<std::uint8_t>(~0u << (subject.vcs + extra_))),
      outstanding_(first_extra_ + (extra_ ? subject.layout.channels().size() : 0), 0),
      into_void_(subject.layout.channels().size(), 0) {
  if (subject.pipe == 0) return;
  Subject behind = subject;
  behind.pipe = 0;
  behind_ = std::make_unique<Credits>(behind);
}

std::string Credits::name_of(unsigned kind) const {
  if (kind != subject_.vcs) return fmt::format("virtual channel {}", kind);
  return fabric::has_barrier_buffer(subject_.sync_credits) ? "the barrier buffer" : "the pocket";
}

std::string Credits::overrun(const core::FlitEvent& event, std::uint32_t place,
                             std::uint32_t depth) const {
  return fmt::format(
      "flit sent without a credit: {} outstanding in {}, depth {}", outstanding_[place],
      name_of(place < first_extra_ ? place - event.channel * subject_.vcs : subject_.vcs), depth);
}

std::string Credits::no_flit(const core::CreditEvent&, unsigned kind) const {
  return fmt::format("credit of {} returned for no flit", name_of(kind));
}

std::string Credits::no_channel(const core::CreditEvent& event) const {
  return fmt::format("credits {:#x} name a virtual channel beyond the {} there are", event.credits,
                     subject_.vcs);
}

void Credits::message(std::uint64_t cycle, const core::FlitEvent& event) {
  const auto taken = fabric::credits_taken(subject_.sync_credits, subject_.vcs, event.flit);
  core::for_each_bit(taken, [&](unsigned kind) {
    take(cycle, event, place_of(event.channel, kind), kind == subject_.vcs ? 1 : subject_.depth);
  });
}

void Credits::forget(core::ChannelId channel) {
  for (unsigned kind = 0; kind < subject_.vcs + extra_; ++kind)
    outstanding_[place_of(channel, kind)] = 0;
}

/// Between the block and its ends of its links; the ends of its neighbours return what they take.
void Credits::lose(std::uint64_t, const Loss& loss) {
  const auto& channels = subject_.layout.channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c) {
    if (loss.is(channels[c].from)) forget(c);
    if (loss.is(channels[c].to) && behind_) behind_->forget(c);
    if (loss.link ? c / 2 == loss.id : loss.is(channels[c].to) && !loss.reset) into_void(c);
  }
}

void Credits::into_void(core::ChannelId channel) {
  into_void_[channel] = 1;
  if (behind_) behind_->into_void(channel);
}

void Credits::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (core::ChannelId c = 0; c < into_void_.size(); ++c)
    for (unsigned kind = 0; kind < subject_.vcs + extra_; ++kind) {
      const std::uint32_t outstanding = outstanding_[place_of(c, kind)];
      require(outstanding == 0 || into_void_[c] != 0, cycle, c, [&] {
        return fmt::format("{} credits of {} have not returned to an empty network", outstanding,
                           name_of(kind));
      });
    }
  if (behind_) behind_->finish(cycle, drained);
}

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
