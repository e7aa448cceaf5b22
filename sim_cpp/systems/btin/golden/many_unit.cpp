// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/many_unit.hpp"

#include <algorithm>
#include <utility>

namespace muster::golden {

using fabric::MessageType;

ManyUnit::ManyUnit(const fabric::SwitchConfig& config)
    : ports_(config.ports), groups_(config.groups) {
  const fabric::Formats formats(config.flit_w, config.gid_w);
  for (std::uint32_t gid = 0; gid < config.groups; ++gid) {
    groups_[gid].gid = static_cast<std::uint16_t>(gid);
    groups_[gid].data.width = static_cast<std::uint8_t>(formats.data_width());
    groups_[gid].data.serial = true;
  }
}

const ManyUnit::Waiting* ManyUnit::waiting(std::uint32_t gid) const {
  if (first_ && first_->message.gid == gid) return &*first_;
  const auto at = std::find_if(behind_.begin(), behind_.end(),
                               [&](const Waiting& w) { return w.message.gid == gid; });
  return at == behind_.end() ? nullptr : &*at;
}

ManyUnit::Waiting* ManyUnit::waiting(std::uint32_t gid) {
  return const_cast<Waiting*>(std::as_const(*this).waiting(gid));
}

/// A message from before the host wrote the group counts as one for the children, if it is not
/// first in the queue.
std::uint16_t ManyUnit::serve(std::uint32_t gid) const {
  const Waiting* const own = waiting(gid);
  if (own == nullptr || !own->stale) return groups_[gid].serve;
  return first_ && own == &*first_ ? own->ports : groups_[gid].children;
}

ManyUnit::Fate ManyUnit::judge(const Taken& taken) const {
  const std::uint32_t gid = taken.message.gid;
  if (gid >= groups_.size() || !groups_[gid].valid) return Fate::kUnknown;
  const BarrierRegister& group = groups_[gid];
  if (!group.accepts(taken.message.type, taken.port)) return Fate::kRefused;
  if (taken.message.type == MessageType::kDistribution) return Fate::kTaken;
  if (has(serve(gid), taken.port)) return Fate::kRefused;
  const bool last = (group.arrived | bit(taken.port)) == group.children;
  return last && waiting(gid) != nullptr ? Fate::kRefused : Fate::kTaken;
}

std::optional<ManyUnit::Waiting> ManyUnit::decide(const Taken& taken, Verdict& verdict) {
  verdict = {taken, judge(taken)};
  if (verdict.fate != Fate::kTaken) return std::nullopt;
  BarrierRegister& group = groups_[taken.message.gid];
  const bool waited = waiting(group.gid) != nullptr;
  std::array<fabric::Payload, kMaxPorts> data;
  data[taken.port] = taken.message.data;
  Arrivals arrivals;
  if (taken.message.type == MessageType::kReduction) {
    arrivals.reductions = static_cast<std::uint16_t>(bit(taken.port));
    arrivals.data = data.data();
  } else {
    arrivals.distribution = true;
    arrivals.down = taken.message.data;
  }
  group.edge(arrivals, 0);
  const std::uint16_t ports = group.requests(ports_);
  if (waited || ports == 0) return std::nullopt;
  return Waiting{group.message(lowest(ports)), ports};
}

void ManyUnit::leave(std::uint16_t departed) {
  if (departed == 0) return;
  first_->ports &= static_cast<std::uint16_t>(~departed);
  if (!first_->stale) groups_[first_->message.gid].edge({}, departed);
  if (first_->ports == 0) first_.reset();
}

/// The memory behind the first message shows what came at an edge two edges later.
void ManyUnit::advance(std::optional<Waiting> made) {
  const bool ready = behind_.size() > 1 || (behind_.size() == 1 && !fresh_);
  fresh_ = false;
  if (!first_ && ready) {
    first_ = behind_.front();
    behind_.pop_front();
  } else if (!first_ && behind_.empty()) {
    std::swap(first_, made);
  }
  if (!made) return;
  behind_.push_back(*made);
  fresh_ = true;
}

std::optional<ManyUnit::Verdict> ManyUnit::edge(const std::optional<Taken>& taken,
                                                std::uint16_t departed) {
  std::optional<Verdict> verdict;
  std::optional<Waiting> made;
  if (taken_) made = decide(*taken_, verdict.emplace());
  leave(departed);
  advance(made);
  taken_ = taken;
  written_ = false;
  return verdict;
}

}  // namespace muster::golden
