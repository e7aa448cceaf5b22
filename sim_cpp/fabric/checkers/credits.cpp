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
  std::uint32_t taken = fabric::credits_taken(subject_.sync_credits, subject_.vcs, event.flit);
  for (; taken != 0; taken &= taken - 1) {
    const auto kind = static_cast<unsigned>(std::countr_zero(taken));
    take(cycle, event, place_of(event.channel, kind), kind == subject_.vcs ? 1 : subject_.depth);
  }
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

}  // namespace muster::checkers
