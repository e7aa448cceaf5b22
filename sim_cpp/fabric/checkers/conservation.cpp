// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/conservation.hpp"

#include <fmt/format.h>

namespace muster::checkers {

Conservation::Conservation(const Subject& subject)
    : LinkChecker("conservation", subject),
      local_(subject),
      slots_(std::size_t{subject.graph.switches()} * subject.vcs) {
  const auto side = [&](const fabric::End& e) { return e.node ? kNone : e.id * subject.vcs; };
  for (const fabric::Channel& channel : subject.layout.channels()) {
    sides_.push_back({side(channel.from), side(channel.to)});
    if (channel.to.node) continue;
    for (std::uint32_t vc = 0; vc < subject.vcs; ++vc) {
      Slot& slot = slots_[side(channel.to) + vc];
      slot.sw = channel.to.id;
      slot.vc = vc;
      // A pipe stores as many flits as come in its delay, and those of the sender's credits.
      const std::uint32_t pipe = subject.pipe == 0 ? 0 : subject.pipe + subject.depth;
      slot.capacity += static_cast<std::int32_t>(subject.depth + pipe) + 1;
    }
  }
  touched_.reserve(2 * subject.layout.channels().size());
}

void Conservation::flit(std::uint64_t, const core::FlitEvent& event) {
  if (event.flit.sync()) return;
  const LocalPackets::Part part = local_.of(event);
  if (part.answer) return;
  const Sides& sides = sides_[event.channel];
  if (sides.to != kNone && !part.ends) {
    ++slots_[sides.to + event.flit.vc].inside;
    touched_.push_back(sides.to + event.flit.vc);
  }
  if (sides.from != kNone) {
    --slots_[sides.from + event.flit.vc].inside;
    touched_.push_back(sides.from + event.flit.vc);
  }
}

void Conservation::end_cycle(std::uint64_t cycle) {
  for (const std::uint32_t touched : touched_) {
    const Slot& slot = slots_[touched];
    require_at(slot.inside >= 0, cycle, slot.sw, [&] {
      return fmt::format("{} more flits of virtual channel {} have left than have entered",
                         -slot.inside, slot.vc);
    });
    require_at(slot.inside <= slot.capacity, cycle, slot.sw, [&] {
      return fmt::format("{} flits of virtual channel {} inside, its buffers hold {}", slot.inside,
                         slot.vc, slot.capacity);
    });
  }
  touched_.clear();
}

void Conservation::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (const Slot& slot : slots_)
    require_at(slot.inside == 0, cycle, slot.sw, [&] {
      return fmt::format("{} flits of virtual channel {} have vanished inside", slot.inside,
                         slot.vc);
    });
}

}  // namespace muster::checkers
