// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/credits.hpp"

#include <fmt/format.h>

#include <bit>

namespace muster::checkers {

Credits::Credits(const Subject& subject)
    : LinkChecker("credits", subject),
      outstanding_(subject.layout.channels().size() * subject.vcs, 0) {
  if (subject.pipe == 0) return;
  Subject behind = subject;
  behind.pipe = 0;
  behind_ = std::make_unique<Credits>(behind);
}

void Credits::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  std::uint32_t& outstanding = outstanding_[event.channel * subject_.vcs + event.flit.vc];
  ++outstanding;
  require(outstanding <= subject_.depth, cycle, event.channel, [&] {
    return fmt::format("flit sent without a credit: {} outstanding in virtual channel {}, depth {}",
                       outstanding, event.flit.vc, subject_.depth);
  });
}

void Credits::credit(std::uint64_t cycle, const core::CreditEvent& event) {
  require((event.credits >> subject_.vcs) == 0, cycle, event.channel, [&] {
    return fmt::format("credits {:#x} name a virtual channel beyond the {} there are",
                       event.credits, subject_.vcs);
  });
  for (unsigned left = event.credits; left != 0; left &= left - 1) {
    const auto vc = static_cast<unsigned>(std::countr_zero(left));
    std::uint32_t& outstanding = outstanding_[event.channel * subject_.vcs + vc];
    require(outstanding > 0, cycle, event.channel,
            [&] { return fmt::format("credit of virtual channel {} returned for no flit", vc); });
    --outstanding;
  }
}

void Credits::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (std::size_t i = 0; i < outstanding_.size(); ++i)
    require(outstanding_[i] == 0, cycle, static_cast<core::ChannelId>(i / subject_.vcs), [&] {
      return fmt::format("{} credits of virtual channel {} have not returned to an empty network",
                         outstanding_[i], i % subject_.vcs);
    });
  if (behind_) behind_->finish(cycle, drained);
}

}  // namespace muster::checkers
