// SPDX-License-Identifier: Apache-2.0
#include "life/group_node.hpp"

#include <fmt/format.h>

#include "common/error.hpp"
#include "network/register_map.hpp"

namespace muster::life {

using barrier::RegisterImage;

namespace {
constexpr std::uint32_t kWordBits = 16;

std::uint32_t encode(const GroupOptions& options) {
  return std::uint32_t{options.turn} | static_cast<std::uint32_t>(options.op) << 1;
}
GroupOptions decode_options(std::uint32_t word) {
  return {(word & 1) != 0, static_cast<network::ReduceOp>(word >> 1 & 7)};
}

std::vector<std::uint32_t> bitmap(const std::vector<NodeId>& members, std::uint32_t nodes) {
  std::vector<std::uint32_t> words((nodes + kWordBits - 1) / kWordBits, 0);
  for (const NodeId n : members) words[n / kWordBits] |= 1u << n % kWordBits;
  return words;
}
}  // namespace

GroupNode::GroupNode(NodeId node, const NodeWorld& world)
    : node_(node),
      world_(world),
      client_(node, [this](std::vector<network::Flit> f) { world_.send(node_, std::move(f)); }),
      setup_(client_, world.graph.nodes()) {}

void GroupNode::send(Kind kind, NodeId to, std::uint32_t gid, std::vector<std::uint32_t> words) {
  GroupMessage m{kind, gid, node_, to, std::move(words)};
  if (to == node_) {
    to_self_.push_back(std::move(m));
  } else {
    world_.send(node_, encode(m, RegisterClient::kVc));
  }
}

void GroupNode::clock(std::uint64_t cycle) {
  const std::vector<GroupMessage> now = std::move(to_self_);
  to_self_.clear();
  for (const GroupMessage& m : now) receive_message(m);
  client_.clock(cycle);
}

// ---- Creator ---------------------------------------------------------------------------------

void GroupNode::create(std::uint32_t gid, const std::vector<NodeId>& members,
                       const GroupOptions& options) {
  Group group;
  group.options = options;
  group.members = members;
  wanted_[gid] = std::move(group);
  send(Kind::kClaimId, gid % world_.graph.nodes(), gid);
}

void GroupNode::receive_message(const GroupMessage& m) {
  switch (m.kind) {
    case Kind::kClaimId:
      return send(ids_.insert(m.gid).second ? Kind::kIdGranted : Kind::kIdInUse, m.source, m.gid);
    case Kind::kFreeId:
      ids_.erase(m.gid);
      return send(Kind::kIdFreed, m.source, m.gid);
    case Kind::kIdInUse:
      wanted_.erase(m.gid);
      return world_.told(node_, m.gid, {Verdict::Kind::kRefused, Outcome::kIdInUse, 0});
    case Kind::kIdGranted: {
      const Group group = std::move(wanted_.at(m.gid));
      wanted_.erase(m.gid);
      std::vector<std::uint32_t> words = bitmap(group.members, world_.graph.nodes());
      words.insert(words.begin(), {encode(group.options), node_});
      const NodeId root = barrier::plan_tree(world_.graph, group.members).root_node;
      return send(Kind::kAnnounce, root, m.gid, std::move(words));
    }
    case Kind::kAnnounce:
      return announced(m);
    case Kind::kAsk:
      return asked(m);
    case Kind::kReport:
      return reported(m);
    default:
      return dispatch(m);
  }
}

// ---- Member and representative ---------------------------------------------------------------

void GroupNode::announced(const GroupMessage& m) {
  Group group;
  group.options = decode_options(m.words[0]);
  group.creator = m.words[1];
  for (NodeId n = 0; n < world_.graph.nodes(); ++n)
    if ((m.words[2 + n / kWordBits] >> n % kWordBits & 1) != 0) group.members.push_back(n);
  group.role = plan_role(world_.graph, world_.keepers, group.members, m.gid, group.options, node_);
  const Role& role = groups_.insert_or_assign(m.gid, std::move(group)).first->second.role;
  for (const NodeId n : role.children) send(Kind::kAnnounce, n, m.gid, m.words);
  for (const NodeId n : role.locals) send(Kind::kAnnounce, n, m.gid, m.words);
  if (role.representative) begin(m.gid, Phase::kReserve);
}

/// Starts a phase at this representative's switches; tells those below if they cannot know.
void GroupNode::begin(std::uint32_t gid, Phase phase) {
  Group& group = groups_.at(gid);
  group.phase = phase;
  group.awaited =
      static_cast<std::uint32_t>(1 + group.role.asked.size() + group.role.children.size());
  if (phase != Phase::kReserve) {
    for (const NodeId n : group.role.children)
      send(Kind::kDecide, n, gid, {static_cast<std::uint32_t>(phase)});
  }
  for (const AskedSwitch& asked : group.role.asked) {
    const RegisterImage& i = asked.image;
    send(Kind::kAsk, asked.keeper, gid,
         {static_cast<std::uint32_t>(phase), i.sw, i.parent_port, i.child_mask,
          static_cast<std::uint32_t>(i.op)});
  }
  if (!group.role.own) return part_done(gid, Outcome::kDone, 0);
  const SwitchId here = group.role.own->sw;
  setup_.run(phase, *group.role.own, [=, this](Outcome o) { part_done(gid, o, here); });
}

void GroupNode::part_done(std::uint32_t gid, Outcome outcome, SwitchId sw) {
  Group& group = groups_.at(gid);
  // Of several refusals the one on the switch with the least identifier is told.
  const bool first = group.verdict.kind != Verdict::Kind::kRefused;
  if (outcome != Outcome::kDone && (first || sw < group.verdict.sw)) {
    group.verdict = {Verdict::Kind::kRefused, outcome, sw};
  }
  if (--group.awaited == 0) phase_done(gid);
}

void GroupNode::phase_done(std::uint32_t gid) {
  Group& group = groups_.at(gid);
  if (!group.role.parent) return decided_at_root(gid, group);
  const bool reserving = group.phase == Phase::kReserve;
  const Outcome outcome = reserving ? group.verdict.reason : Outcome::kDone;
  send(Kind::kReport, *group.role.parent, gid,
       {static_cast<std::uint32_t>(group.phase), static_cast<std::uint32_t>(outcome),
        group.verdict.sw, group.role.digest});
}

void GroupNode::decided_at_root(std::uint32_t gid, Group& group) {
  switch (group.phase) {
    case Phase::kReserve:
      return begin(gid,
                   group.verdict.kind == Verdict::Kind::kAlive ? Phase::kCommit : Phase::kUndo);
    case Phase::kCommit:
      return tell(gid, group.verdict);
    case Phase::kRelease:
      group.verdict = {Verdict::Kind::kGone, Outcome::kDone, 0};
      [[fallthrough]];
    case Phase::kUndo:
      // The id is free again before anyone is told.
      return send(Kind::kFreeId, gid % world_.graph.nodes(), gid);
  }
}

void GroupNode::reported(const GroupMessage& m) {
  if (m.words[3] != groups_.at(m.gid).role.digest) {
    throw InternalError(
        fmt::format("group {}: n{} and n{} have planned different trees", m.gid, node_, m.source));
  }
  part_done(m.gid, static_cast<Outcome>(m.words[1]), m.words[2]);
}

void GroupNode::dispatch(const GroupMessage& m) {
  switch (m.kind) {
    case Kind::kAnswer:
      return part_done(m.gid, static_cast<Outcome>(m.words[1]), m.words[2]);
    case Kind::kDecide:
      return begin(m.gid, static_cast<Phase>(m.words[0]));
    case Kind::kIdFreed:
      return tell(m.gid, groups_.at(m.gid).verdict);
    case Kind::kLeave:
      return one_left(m.gid);
    case Kind::kResult:
      return tell(m.gid, {static_cast<Verdict::Kind>(m.words[0]), static_cast<Outcome>(m.words[1]),
                          m.words[2]});
    default:
      throw InternalError(
          fmt::format("n{}: group message of kind {} from n{} that it does not "
                      "expect",
                      node_, static_cast<int>(m.kind), m.source));
  }
}

void GroupNode::tell(std::uint32_t gid, const Verdict& verdict) {
  Group& group = groups_.at(gid);
  group.verdict = verdict;
  const std::vector<std::uint32_t> words{static_cast<std::uint32_t>(verdict.kind),
                                         static_cast<std::uint32_t>(verdict.reason), verdict.sw};
  if (group.role.representative) {
    for (const NodeId n : group.role.children) send(Kind::kResult, n, gid, words);
    for (const NodeId n : group.role.locals) send(Kind::kResult, n, gid, words);
    group.leaving =
        static_cast<std::uint32_t>(1 + group.role.children.size() + group.role.locals.size());
  }
  if (verdict.kind != Verdict::Kind::kAlive) groups_.erase(gid);
  world_.told(node_, gid, verdict);
}

// ---- Release ---------------------------------------------------------------------------------

void GroupNode::leave(std::uint32_t gid) {
  const Group& group = groups_.at(gid);
  send(Kind::kLeave, group.role.representative ? node_ : *group.role.parent, gid);
}

void GroupNode::one_left(std::uint32_t gid) {
  Group& group = groups_.at(gid);
  if (--group.leaving != 0) return;
  if (group.role.parent) {
    send(Kind::kLeave, *group.role.parent, gid);
  } else {
    begin(gid, Phase::kRelease);
  }
}

// ---- Keeper ----------------------------------------------------------------------------------

void GroupNode::asked(const GroupMessage& m) {
  const auto phase = static_cast<Phase>(m.words[0]);
  RegisterImage image;
  image.sw = m.words[1];
  image.gid = m.gid;
  image.parent_port = m.words[2];
  image.child_mask = static_cast<std::uint16_t>(m.words[3]);
  image.op = static_cast<network::ReduceOp>(m.words[4]);
  setup_.run(phase, image, [=, this](Outcome outcome) {
    send(Kind::kAnswer, m.source, m.gid,
         {m.words[0], static_cast<std::uint32_t>(outcome), image.sw});
  });
}

}  // namespace muster::life
