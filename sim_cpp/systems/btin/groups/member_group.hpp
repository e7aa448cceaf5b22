// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/btin/groups/switch_setup.hpp"

namespace muster::btin {

/// A nonmember switch of the tree that a representative has set up by its home_node.
struct AskedSwitch {
  NodeId home_node = 0;
  RegisterImage image;
};

/// What is settled for a group at its creation, beside its members.
struct GroupOptions {
  bool reflect = false;
  fabric::ReduceOp op = fabric::ReduceOp::kOr;
  bool spill = false;  ///< may live in a spill node where no register is free
};

/// What a member does in the lifecycle of its group (BTIN section 3.1, Setup_Register). All but the
/// first field are for representatives, between which creation and release travel: the parent of a
/// representative is that of the nearest member switch above its own in the barrier tree.
struct Role {
  bool representative = false;
  std::optional<NodeId> parent;      ///< none at the root node
  std::vector<NodeId> children;      ///< representatives below
  std::vector<NodeId> locals;        ///< the other members on this switch
  std::optional<RegisterImage> own;  ///< none in a group of one
  std::vector<AskedSwitch> asked;    ///< reached from this switch without passing a member switch
  std::uint32_t digest = 0;          ///< 16 bits of the whole plan, equal at all members
  NodeId root_node = 0;
  std::vector<RegisterImage> images;  ///< the whole plan

  /// Those who hear of the group from this member: children, then locals.
  std::vector<NodeId> below() const {
    std::vector<NodeId> nodes = children;
    nodes.insert(nodes.end(), locals.begin(), locals.end());
    return nodes;
  }
};

/// 16 bits of a plan.
inline std::uint32_t digest(const std::vector<RegisterImage>& images, NodeId root_node) {
  std::uint64_t hash = root_node;
  for (const RegisterImage& image : images) {
    hash = mix64(hash ^ image.sw);
    hash =
        mix64(hash ^ (std::uint64_t{image.gid} << 32 | image.parent_port << 17 |
                      std::uint64_t{image.reflect} << 16 |
                      std::uint64_t{static_cast<std::uint8_t>(image.op)} << 48 | image.child_mask));
  }
  return static_cast<std::uint32_t>(hash & 0xffff);
}

/// The role of `node`, a member, found by planning the tree. Throws InputError as plan_tree does.
inline Role plan_role(const topology::Graph& graph, const fabric::HomeNodes& homes,
                      const std::vector<NodeId>& members, std::uint32_t gid,
                      const GroupOptions& options, NodeId node) {
  const BarrierTree tree = plan_tree(graph, members);
  Role role;
  role.root_node = tree.root_node;
  role.images = register_images(tree, gid, options.reflect, options.op);
  std::vector<SwitchId> parent(graph.switches());
  for (const TreeEdge& edge : tree.edges) parent[edge.child] = edge.parent;
  const auto representative = [&](SwitchId s) { return tree.switches[s].members.front(); };
  /// The member switch that looks after s: the nearest above it.
  const auto above = [&](SwitchId s) {
    do s = parent[s];
    while (tree.switches[s].members.empty());
    return s;
  };

  const SwitchId here = graph.node(node).at.sw;
  role.digest = digest(role.images, tree.root_node);
  role.representative = representative(here) == node;
  if (!role.representative) {
    role.parent = representative(here);
    return role;
  }
  const std::vector<NodeId>& local = tree.switches[here].members;
  role.locals.assign(local.begin() + 1, local.end());
  if (here != tree.root_switch) role.parent = representative(above(here));
  for (const RegisterImage& image : role.images) {
    const bool member_switch = !tree.switches[image.sw].members.empty();
    if (image.sw == here) {
      role.own = image;
    } else if (image.sw != tree.root_switch && above(image.sw) == here) {
      if (member_switch)
        role.children.push_back(representative(image.sw));
      else
        role.asked.push_back({homes.node[image.sw], image});
    }
  }
  return role;
}

/// The outcome for a group, as a member is told.
struct Verdict {
  enum class Kind : std::uint8_t { kAlive, kRefused, kGone } kind = Kind::kAlive;
  Outcome reason = Outcome::kDone;  ///< of a refusal
  SwitchId sw = 0;                  ///< where
};

/// What every member is told of its group.
struct Announcement {
  GroupOptions options;
  std::uint32_t version = 0;  ///< of the network that the tree is planned on
  NodeId creator = 0;
  std::uint32_t changes = 0;    ///< how often it has changed since its creation, 16 bits
  std::vector<NodeId> members;  ///< ascending
};

inline constexpr std::uint32_t kWordBits = 16;
inline constexpr std::uint32_t kAnnouncementHead = 3;  ///< words before the bitmap of members
/// As words of a message in a network of `nodes`: options and version, creator, changes,
/// bitmap of members.
inline std::vector<std::uint32_t> announcement_words(const Announcement& a, std::uint32_t nodes) {
  std::vector<std::uint32_t> words{std::uint32_t{a.options.reflect} | word(a.options.op) << 1 |
                                       std::uint32_t{a.options.spill} << 4 | a.version << 5,
                                   a.creator, a.changes};
  words.resize(kAnnouncementHead + (nodes + kWordBits - 1) / kWordBits, 0);
  for (const NodeId n : a.members) words[kAnnouncementHead + n / kWordBits] |= 1u << n % kWordBits;
  return words;
}
inline Announcement announcement_at(const std::vector<std::uint32_t>& words, std::size_t place,
                                    std::uint32_t nodes) {
  Announcement a;
  const std::uint32_t options = words[place];
  a.options = {(options & 1) != 0, static_cast<fabric::ReduceOp>(options >> 1 & 7),
               (options >> 4 & 1) != 0};
  a.version = options >> 5;
  a.creator = words[place + 1];
  a.changes = words[place + 2];
  for (NodeId n = 0; n < nodes; ++n)
    if ((words[place + kAnnouncementHead + n / kWordBits] >> n % kWordBits & 1) != 0)
      a.members.push_back(n);
  return a;
}

/// A group at a member.
struct MemberGroup : Announcement {
  Role role;
  Phase phase = Phase::kReserve;
  std::uint32_t awaited = 0;  ///< answers and reports of this phase
  std::uint32_t leaving = 0;  ///< leaves still to come: this node, children, locals
  bool alive = false;         ///< this member has been told
  Verdict verdict;            ///< what the phase will come to

  /// Leaves to come before this member leaves itself, all told.
  std::uint32_t all_leaves() const {
    return static_cast<std::uint32_t>(1 + role.children.size() + role.locals.size());
  }
};

/// The network as everybody knows it, and as it was: version v is without the first v links that
/// have been declared dead. Trees are planned on one version, which the group's members are told.
class NetworkVersions {
 public:
  explicit NetworkVersions(const topology::Graph& whole) : whole_(whole) {}

  const topology::Graph& at(std::uint32_t version) const {
    return version == 0 ? whole_ : later_[version - 1];
  }
  std::uint32_t newest() const { return static_cast<std::uint32_t>(later_.size()); }
  /// A link, named by one end, is dead; `rest` is the newest version without it.
  void add(topology::PortRef link, topology::Graph rest) {
    dead_.push_back(link);
    later_.push_back(std::move(rest));
  }
  /// If a tree planned on `version` uses a link that is dead now.
  bool uses_dead_link(std::span<const RegisterImage> images, std::uint32_t version) const {
    for (std::uint32_t v = version; v < newest(); ++v)
      if (uses(images, dead_[v])) return true;
    return false;
  }
  /// If a tree uses a link, named by one end.
  static bool uses(std::span<const RegisterImage> images, topology::PortRef link) {
    for (const RegisterImage& i : images) {
      if (i.sw != link.sw) continue;
      return (i.child_mask >> link.port & 1) != 0 || (!i.reflect && i.parent_port == link.port);
    }
    return false;
  }

 private:
  const topology::Graph& whole_;
  std::vector<topology::PortRef> dead_;
  std::deque<topology::Graph> later_;
};

/// What a member is told at the end of a change.
enum class Membership : std::uint8_t { kStays, kJoins, kLeaves };

/// Those who have the barriers of the groups, seen from the software that changes live groups
/// between two barriers (docs/systems/groups.md). Barriers of a group count from 0.
class GroupUser {
 public:
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  virtual ~GroupUser() = default;
  /// The first barrier without which no member can be released from it or a later one: that for
  /// which the root node has not sent its message (distribution; its arrival if the root switch
  /// reflects).
  virtual std::uint64_t next(std::uint32_t gid) const = 0;
  /// Barriers that a member has been released from.
  virtual std::uint64_t left(topology::NodeId node, std::uint32_t gid) const = 0;
  /// A member has arrived at a barrier that it has not been released from.
  virtual bool arrived(topology::NodeId node, std::uint32_t gid) const = 0;
  /// Cycles since the root node last arrived at a barrier or was released from one.
  virtual std::uint64_t idle(std::uint32_t gid) const = 0;
  /// How many barriers the group will have; kNever if unknown.
  virtual std::uint64_t barriers(std::uint32_t gid) const = 0;
  /// From now on this member arrives at no barrier from `barrier` on; of the root node that barrier
  /// and later ones are not distributed either. kNever: it is free again.
  virtual void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) = 0;

  /// The root node of the group knows that all of a change is confirmed, and has told no member;
  /// `tree` is the one from first_barrier on. Of a refusal: that all is undone; `tree` is empty.
  virtual void changed(const ChangeRecord& record, const BarrierTree& tree) = 0;
  /// A node has been told.
  virtual void told(topology::NodeId node, std::uint32_t gid, Membership membership,
                    std::uint64_t first_barrier) = 0;
  /// A node has been told that its request cannot be fulfilled.
  virtual void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
                       topology::SwitchId sw) = 0;
};

/// What all nodes know, and how a node is heard. The references outlive the nodes.
struct NodeWorld {
  const topology::Graph& graph;  ///< with all links that it ever had
  const NetworkVersions& versions;
  const fabric::HomeNodes& homes;
  /// Who has the barriers; null as long as no live group is changed.
  GroupUser* const& user;
  /// Flits of a packet of virtual channel 0 for the network.
  std::function<void(NodeId, std::vector<core::Flit>)> send;
  /// A member has been told.
  std::function<void(NodeId, std::uint32_t gid, const Verdict&)> told;
  /// A root node begins a change. If none of its requests is valid it ends here.
  std::function<void(std::uint32_t gid)> deciding;
  /// Its change is over, as GroupUser::changed(); the record lacks times and counts.
  std::function<void(const ChangeRecord&, const BarrierTree&)> changed;
  /// The memory of spill nodes, each of which uses its own; null if switches do not spill.
  SpillNodes* spill = nullptr;
  /// Cycles that a group must have been idle to be moved out of its register; 0: none is.
  std::uint64_t evict_after = 0;
  /// Packets can be lost: messages between nodes are numbered, acknowledged and repeated.
  bool lossy = false;
};

}  // namespace muster::btin
