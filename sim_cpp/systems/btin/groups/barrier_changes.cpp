// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/barrier_changes.hpp"

#include <fmt/format.h>

#include "systems/btin/groups/group_manager.hpp"
#include "systems/btin/scheme/checked_group.hpp"

namespace muster::btin {

void BarrierChanges::changed(const ChangeRecord& record, const BarrierTree& tree) {
  ChangeResult result{record, {}, std::nullopt};
  if (record.outcome != Outcome::kDone) {
    result.refused = btin::describe({Verdict::Kind::kRefused, record.outcome, record.sw});
    if (record.link) {
      stuck_ = fmt::format("group '{}' cannot leave a dead link: {}", spec_.groups[record.gid].name,
                           result.refused);
    }
    changes_.push_back(std::move(result));
    return;
  }
  const auto first = static_cast<std::uint32_t>(record.first_barrier);
  for (const topology::NodeId n : record.left)
    members_.leave(record.gid, scheme_.member_at(record.gid, n), first);
  scheme_.regroup(record.gid, tree, first);
  for (const topology::NodeId n : record.joined)
    members_.join(record.gid, scheme_.member_at(record.gid, n), first);
  if (checker_ != nullptr)
    checker_->regroup(engine_.cycle(), checked_group(scheme_.planned(record.gid)), first);
  changes_.push_back(std::move(result));
}

/// The oldest request of the node that has no answer.
RequestResult* BarrierChanges::open_request(topology::NodeId node, std::uint32_t gid) {
  for (RequestResult& r : requests_)
    if (r.request.node == node && r.request.group == gid && !r.first_barrier && r.refused.empty())
      return &r;
  return nullptr;
}

void BarrierChanges::told(topology::NodeId node, std::uint32_t gid, Membership membership,
                          std::uint64_t first_barrier) {
  if (membership == Membership::kStays) return;
  if (RequestResult* request = open_request(node, gid)) request->first_barrier = first_barrier;
  if (membership == Membership::kJoins)
    members_.begin(engine_.cycle(), gid, scheme_.member_at(gid, node));
}

void BarrierChanges::refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
                             topology::SwitchId sw) {
  if (RequestResult* request = open_request(node, gid))
    request->refused = btin::describe({Verdict::Kind::kRefused, reason, sw});
}

std::vector<ChangeResult> BarrierChanges::changes(bool moves) const {
  std::vector<ChangeResult> changes;
  for (const ChangeResult& change : changes_)
    if (moves ? change.record.move && change.refused.empty() : !change.record.move)
      changes.push_back(change);
  for (ChangeResult& change : changes) {
    if (!change.refused.empty()) continue;
    const std::vector<run::Round>& rounds = members_.rounds(change.record.gid);
    const std::uint64_t first = change.record.first_barrier;
    if (first < rounds.size() && rounds[first].releases == rounds[first].members)
      change.first_release = rounds[first].last_release;
  }
  return changes;
}

}  // namespace muster::btin
