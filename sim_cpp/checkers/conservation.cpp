// SPDX-License-Identifier: Apache-2.0
#include "checkers/conservation.hpp"

#include <fmt/format.h>

namespace muster::checkers {

Conservation::Conservation(const Subject& subject)
    : Checker("conservation", subject),
      inside_(std::size_t{subject.graph.switches()} * subject.vcs, 0),
      capacity_(subject.graph.switches(), 0) {
  for (const network::Channel& channel : subject.layout.channels())
    if (!channel.to.node)
      capacity_[channel.to.id] += static_cast<std::int32_t>(subject.depth) + 1;
  touched_.reserve(2 * subject.layout.channels().size());
}

void Conservation::flit(std::uint64_t, const network::FlitEvent& event) {
  if (event.flit.sync()) return;
  const network::Channel& channel = subject_.layout.channels()[event.channel];
  if (!channel.to.node) {
    const std::uint32_t slot = channel.to.id * subject_.vcs + event.flit.vc;
    ++inside_[slot];
    touched_.push_back(slot);
  }
  if (!channel.from.node) {
    const std::uint32_t slot = channel.from.id * subject_.vcs + event.flit.vc;
    --inside_[slot];
    touched_.push_back(slot);
  }
}

void Conservation::end_cycle(std::uint64_t cycle) {
  for (const std::uint32_t slot : touched_) {
    const std::uint32_t sw = slot / subject_.vcs, vc = slot % subject_.vcs;
    require_at(inside_[slot] >= 0, cycle, sw, [&] {
      return fmt::format("{} more flits of virtual channel {} have left than have entered",
                         -inside_[slot], vc);
    });
    require_at(inside_[slot] <= capacity_[sw], cycle, sw, [&] {
      return fmt::format("{} flits of virtual channel {} inside, its buffers hold {}",
                         inside_[slot], vc, capacity_[sw]);
    });
  }
  touched_.clear();
}

void Conservation::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (std::uint32_t slot = 0; slot < inside_.size(); ++slot)
    require_at(inside_[slot] == 0, cycle, slot / subject_.vcs, [&] {
      return fmt::format("{} flits of virtual channel {} have vanished inside", inside_[slot],
                         slot % subject_.vcs);
    });
}

}  // namespace muster::checkers
