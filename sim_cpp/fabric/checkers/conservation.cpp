// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/conservation.hpp"

#include <fmt/format.h>

namespace muster::checkers {

Conservation::Conservation(const Subject& subject)
    : LinkChecker("conservation", subject),
      local_(subject),
      behind_(subject),
      slots_(std::size_t{subject.graph.switches()} * subject.vcs) {
  const auto side = [&](const fabric::End& e) { return e.node ? kNone : e.id * subject.vcs; };
  for (const fabric::Channel& channel : subject.layout.channels()) {
    sides_.push_back({side(channel.from), side(channel.to)});
    if (channel.to.node) continue;
    for (std::uint32_t vc = 0; vc < subject.vcs; ++vc) {
      Slot& slot = slots_[side(channel.to) + vc];
      slot.sw = channel.to.id;
      slot.vc = vc;
      slot.capacity += static_cast<std::int32_t>(subject.depth) + 1;
    }
  }
  touched_.reserve(2 * subject.layout.channels().size());
}

void Conservation::flit(std::uint64_t, const core::FlitEvent& event) {
  if (event.flit.sync()) return;
  const LocalPackets::Part part = local_.of(event);
  const Sides& sides = sides_[event.channel];
  if (subject_.pipe == 0) enter(sides.to, event, part);
  if (part.answer || sides.from == kNone) return;
  --slots_[sides.from + event.flit.vc].inside;
  touched_.push_back(sides.from + event.flit.vc);
}

void Conservation::flit_behind_pipe(std::uint64_t, const core::FlitEvent& event) {
  if (event.flit.sync() || event.flit.vc == subject_.worm_channel) return;
  enter(sides_[event.channel].to, event, behind_.of(event));
}

void Conservation::enter(std::uint32_t slots, const core::FlitEvent& event,
                         const LocalPackets::Part& part) {
  if (part.answer || part.ends || slots == kNone) return;
  ++slots_[slots + event.flit.vc].inside;
  touched_.push_back(slots + event.flit.vc);
}

void Conservation::lose(std::uint64_t, const Loss& loss) {
  for (Slot& slot : slots_) {
    if (!loss.is_switch(slot.sw)) continue;
    slot.inside = 0;
    slot.dead = !loss.reset;
  }
}

void Conservation::end_cycle(std::uint64_t cycle) {
  for (const std::uint32_t touched : touched_) {
    const Slot& slot = slots_[touched];
    if (slot.dead) continue;
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
    require_at(slot.dead || slot.inside == 0, cycle, slot.sw, [&] {
      return fmt::format("{} flits of virtual channel {} have vanished inside", slot.inside,
                         slot.vc);
    });
}

}  // namespace muster::checkers
