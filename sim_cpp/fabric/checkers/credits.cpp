// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/credits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace muster::checkers {

Credits::Credits(const Subject& subject)
    : LinkChecker("credits", subject),
      kinds_(subject.vcs + fabric::has_extra_credit(subject.sync_credits)),
      outstanding_(subject.layout.channels().size() * kinds_, 0),
      into_void_(subject.layout.channels().size(), 0) {
  if (subject.pipe == 0) return;
  Subject behind = subject;
  behind.pipe = 0;
  behind_ = std::make_unique<Credits>(behind);
}

std::string Credits::name_of(std::size_t kind) const {
  if (kind != subject_.vcs) return fmt::format("virtual channel {}", kind);
  return fabric::has_barrier_buffer(subject_.sync_credits) ? "the barrier buffer" : "the pocket";
}

void Credits::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  std::uint32_t taken = fabric::credits_taken(subject_.sync_credits, subject_.vcs, event.flit);
  for (; taken != 0; taken &= taken - 1)
    take(cycle, event.channel, static_cast<unsigned>(std::countr_zero(taken)));
}

void Credits::take(std::uint64_t cycle, core::ChannelId channel, std::size_t kind) {
  const std::uint32_t depth = kind == subject_.vcs ? 1 : subject_.depth;
  std::uint32_t& outstanding = outstanding_[channel * kinds_ + kind];
  ++outstanding;
  require(outstanding <= depth, cycle, channel, [&] {
    return fmt::format("flit sent without a credit: {} outstanding in {}, depth {}", outstanding,
                       name_of(kind), depth);
  });
}

void Credits::credit(std::uint64_t cycle, const core::CreditEvent& event) {
  require((event.credits >> kinds_) == 0, cycle, event.channel, [&] {
    return fmt::format("credits {:#x} name a virtual channel beyond the {} there are",
                       event.credits, subject_.vcs);
  });
  for (unsigned left = event.credits; left != 0; left &= left - 1) {
    const auto kind = static_cast<unsigned>(std::countr_zero(left));
    std::uint32_t& outstanding = outstanding_[event.channel * kinds_ + kind];
    require(outstanding > 0, cycle, event.channel,
            [&] { return fmt::format("credit of {} returned for no flit", name_of(kind)); });
    --outstanding;
  }
}

void Credits::forget(core::ChannelId channel) {
  std::fill_n(outstanding_.begin() + std::ptrdiff_t{channel} * kinds_, kinds_, 0u);
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
  for (std::size_t i = 0; i < outstanding_.size(); ++i)
    require(outstanding_[i] == 0 || into_void_[i / kinds_] != 0, cycle,
            static_cast<core::ChannelId>(i / kinds_), [&] {
              return fmt::format("{} credits of {} have not returned to an empty network",
                                 outstanding_[i], name_of(i % kinds_));
            });
  if (behind_) behind_->finish(cycle, drained);
}

}  // namespace muster::checkers
