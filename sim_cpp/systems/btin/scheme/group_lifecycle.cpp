// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include "muster/run/checker_list.hpp"
#include "run/links/link_losses.hpp"
#include "run/waits.hpp"
#include "systems/btin/groups/group_manager.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/system.hpp"

namespace muster::btin {
namespace {

namespace regs = fabric::registers;

/// BtinScheme with the groups of a run from their creation by messages through the network to their
/// release (docs/systems/groups.md), and what changes between, between two barriers: members by
/// their requests, and trees that leave links that are declared dead. What is decided is done to
/// the groups, to the members as programs and to the checkers, who judge every barrier by the
/// members that are in force for it.
class InBandScheme : public BtinScheme,
                     private run::Lifecycle,
                     private GroupUser,
                     private run::LinkUsers {
 public:
  /// Group g gets the identifier g.
  InBandScheme(const std::vector<PlannedGroup>& groups, const run::SchemeParts& parts)
      : BtinScheme(groups, parts),
        spec_(parts.spec),
        manager_(*spec_.graph, *spec_.routes, network_.endpoints(), spill_.get(),
                 run::own<Spec>(spec_), spec_.seed),
        times_(spec_.groups.size()),
        routes_(*spec_.routes),
        links_(spec_, network_, *this, routes_) {
    for (const MembershipRequest& request : run::own<Spec>(spec_).requests)
      requests_.push_back({request, std::nullopt, {}});
    if (changes_or_moves(spec_)) manager_.use(*this);
  }

  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override {
    const std::uint8_t opcode = fabric::Formats::opcode(flits.front());
    if (opcode == fabric::kOpcodeAnswer || opcode == fabric::kOpcodeGroup)
      manager_.receive_packet(cycle, node, flits);
    else
      BtinScheme::receive_packet(cycle, node, flits);
  }
  void clock(std::uint64_t cycle) override {
    if (!settled() || manager_.changing() || manager_.keepers_wanted()) manager_.clock(cycle);
    BtinScheme::clock(cycle);
  }
  run::Lifecycle* lifecycle() override { return this; }
  const topology::Routes* routes() const override { return &routes_; }
  void check_with(checkers::CheckerList& checkers) override {
    checker_ = checkers.find<checkers::BarrierSafety>();
  }
  void fill(run::RunResult& whole) const override {
    Result& result = run::own<Result>(whole);
    result.registers = at_go_;
    for (std::uint32_t g = 0; g < times_.size(); ++g) {
      result.times.push_back(times_[g]);
      const GroupRecord& record = manager_.group(g);
      if (record.settled() && record.verdict.kind == Verdict::Kind::kGone)
        result.times.back().release_cycles = record.answered - record.asked;
    }
    manager_.add_to(result);
    result.requests = requests_;
    result.changes = changes(false);
    result.moves = changes(true);
    BtinScheme::fill(whole);
  }

 private:
  /// With the registers that the groups really have.
  RegisterPlan registers() const override {
    RegisterPlan plan = registers_;
    core::Bank& switches = network_.switches();
    for (RegisterSlot& slot : plan) {
      const RegisterImage& image = slot.image;
      slot.spilled = spill_ != nullptr && spill_->find(image.sw, image.gid) != nullptr;
      const std::uint32_t count =
          regs::kSizesRegs.of(switches.read_register(image.sw, regs::kSizes));
      for (std::uint32_t r = 0; r < count; ++r) {
        const std::uint32_t control = switches.read_register(image.sw, regs::control(r));
        if (regs::kBarrierControlValid.of(control) != 0 &&
            regs::kBarrierControlGid.of(control) == image.gid)
          slot.slot = r;
      }
    }
    return plan;
  }

  // run::Lifecycle
  void create(std::uint64_t cycle) override {
    const Spec choice = run::own<Spec>(spec_);
    for (std::uint32_t g = 0; g < spec_.groups.size(); ++g) {
      std::vector<topology::NodeId> members = spec_.groups[g].members;
      std::ranges::sort(members);
      manager_.create(cycle, g, std::move(members), {choice.reflect, planned_[g].op, choice.spill});
    }
  }
  void go() override {
    at_go_ = registers();
    note_places();
    for (const MembershipRequest& r : run::own<Spec>(spec_).requests)
      manager_.request(r.group, r.node, r.join, r.barrier);
  }
  /// REQUIRES: all are alive, and all members have been released from their last barrier.
  void release(std::uint64_t cycle) override {
    for (std::uint32_t g = 0; g < times_.size(); ++g) {
      times_[g].creation_cycles = manager_.group(g).answered - manager_.group(g).asked;
      manager_.release(cycle, g);
    }
  }
  void step(std::uint64_t cycle) override {
    links_.step(cycle);
    if (const std::uint64_t now = changes_.size() + links_.steps();
        now != seen_steps_ && !links_.writing()) {
      seen_steps_ = now;
      moved_ = cycle;
      check_waits();
    }
  }
  /// All members have been told what has become of their groups, and it is known that they have.
  bool settled() const override { return manager_.settled() && manager_.heard(); }
  std::string unsettled() const override {
    std::vector<std::string> groups;
    for (std::uint32_t g = 0; g < times_.size(); ++g)
      if (const GroupRecord& record = manager_.group(g); !record.settled())
        groups.push_back(fmt::format("group '{}': {} of {} members have been notified",
                                     spec_.groups[g].name, record.told, record.members.size()));
    return fmt::format("{}", fmt::join(groups, "; "));
  }
  std::string refusals() const override {
    std::vector<std::string> groups;
    for (std::uint32_t g = 0; g < times_.size(); ++g)
      if (const GroupRecord& record = manager_.group(g); !record.alive())
        groups.push_back(fmt::format("group '{}' has been refused: {}", spec_.groups[g].name,
                                     btin::describe(record.verdict)));
    return fmt::format("{}", fmt::join(groups, "; "));
  }
  bool unchanging() const override { return !manager_.changing() && links_.settled(); }
  bool finished() const override { return links_.done(); }
  std::string trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const override {
    if (!stuck_.empty()) return fmt::format("cycle {}: {}; the link stays", cycle, stuck_);
    if (unchanging() && !released) return {};
    if (!manager_.changing() && !links_.under_way()) return {};
    std::uint64_t last = moved_;
    for (std::uint32_t g = 0; g < members_.groups(); ++g)
      last = std::max(last, members_.last_event(g));
    last = std::max(last, links_.last_step(cycle));
    if (cycle - last <= hang_limit) return {};
    return fmt::format("cycle {}: a change of groups or routes makes no progress since cycle {}",
                       cycle, last);
  }
  std::vector<run::LinkResult> links() const override { return links_.results(); }
  /// A barrier register that is not free, by its switch; empty if there is none. The network is
  /// idle.
  std::string residue() const override {
    if (spill_ != nullptr && spill_->held() != 0)
      return fmt::format("{} groups are left in spill nodes after the release of all groups",
                         spill_->held());
    core::Bank& switches = network_.switches();
    for (topology::SwitchId s = 0; s < spec_.graph->switches(); ++s) {
      const std::uint32_t registers = regs::kSizesRegs.of(switches.read_register(s, regs::kSizes));
      for (std::uint32_t word = 0; word < registers * regs::kBarrierWords; ++word)
        if (const std::uint32_t value = switches.read_register(s, regs::control(0) + word))
          return fmt::format("switch {}: register {:#05x} is {:#x} after the release of all groups",
                             s, regs::control(0) + word, value);
    }
    return {};
  }

  // GroupUser
  std::uint64_t next(std::uint32_t gid) const override {
    const Group& g = groups_[gid];
    // Its arrival is its message if the root switch reflects.
    const bool sent = g.root_member == kNone && members_.waits(gid, g.root);
    return members_.released_from(gid, g.root) + (sent ? 1 : 0);
  }
  std::uint64_t left(topology::NodeId node, std::uint32_t gid) const override {
    return members_.released_from(gid, groups_[gid].places[node]);
  }
  bool arrived(topology::NodeId node, std::uint32_t gid) const override {
    return members_.waits(gid, groups_[gid].places[node]);
  }
  std::uint64_t idle(std::uint32_t gid) const override {
    return network_.engine().cycle() - groups_[gid].last_use;
  }
  std::uint64_t barriers(std::uint32_t) const override { return spec_.barriers; }
  void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) override {
    Group& g = groups_[gid];
    const std::uint32_t member = g.places[node];
    g.members[member].held = barrier;
    if (member == g.root_member) distribute_if_complete(network_.engine().cycle(), gid);
  }
  void changed(const ChangeRecord& record, const BarrierTree& tree) override {
    ChangeResult result{record, {}, std::nullopt};
    if (record.outcome != Outcome::kDone) {
      result.refused = btin::describe({Verdict::Kind::kRefused, record.outcome, record.sw});
      if (record.link)
        stuck_ = fmt::format("group '{}' cannot leave a dead link: {}",
                             spec_.groups[record.gid].name, result.refused);
      changes_.push_back(std::move(result));
      return;
    }
    const auto first = static_cast<std::uint32_t>(record.first_barrier);
    Group& g = groups_[record.gid];
    for (const topology::NodeId n : record.left) {
      g.members[g.places[n]].active = false;
      members_.leave(record.gid, g.places[n], first);
    }
    for (const topology::NodeId n : record.joined) {
      if (g.places[n] == kNone) g.members.resize(g.places.add(n) + 1);
      g.members[g.places[n]] = {.node = n, .name = record.gid};
      members_.join(record.gid, g.places[n], first);
    }
    regroup(record.gid, tree, first);
    if (checker_ != nullptr)
      checker_->regroup(network_.engine().cycle(), record.gid, checked_group(planned_[record.gid]),
                        first);
    changes_.push_back(std::move(result));
  }
  void told(topology::NodeId node, std::uint32_t gid, Membership membership,
            std::uint64_t first_barrier) override {
    if (membership == Membership::kStays) return;
    if (RequestResult* request = open_request(node, gid)) request->first_barrier = first_barrier;
    if (membership == Membership::kJoins)
      members_.begin(network_.engine().cycle(), gid, groups_[gid].places[node]);
  }
  void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
               topology::SwitchId sw) override {
    if (RequestResult* request = open_request(node, gid))
      request->refused = btin::describe({Verdict::Kind::kRefused, reason, sw});
  }

  // run::LinkUsers
  std::vector<core::PortMask> permits(const topology::Routes& routes) const override {
    return manager_.permits(routes);
  }
  bool declare_dead(const run::DeadLink& dead) override {
    manager_.declare_dead(dead.link.a, dead.rest);
    return false;
  }
  bool uses(const run::KilledLink& link) override { return manager_.uses(link.a); }

  /// Moves between register and memory that were done, or all that is none.
  std::vector<ChangeResult> changes(bool moves) const {
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
  /// The oldest request of the node that has no answer.
  RequestResult* open_request(topology::NodeId node, std::uint32_t gid) {
    for (RequestResult& r : requests_)
      if (r.request.node == node && r.request.group == gid && !r.first_barrier && r.refused.empty())
        return &r;
    return nullptr;
  }
  /// Registers of all groups as planned now, with the routes in force, have no dependency
  /// cycle.
  void check_waits() const {
    if (!spec_.checkers) return;
    const std::string cycle =
        run::WaitGraph(*spec_.graph, routes_, register_images(planned_)).cycle();
    if (!cycle.empty())
      throw InternalError("after a change dependency cycle of barriers: " + cycle);
  }

  /// Another tree from barrier `first` on; the members have all been released from the barrier
  /// before.
  void regroup(std::uint32_t gid, const BarrierTree& tree, std::uint64_t first) {
    Group& g = groups_[gid];
    PlannedGroup& planned = planned_[gid];
    planned.tree = tree;
    set_tree(g, planned);
    notified_[gid].reset();
    g.expected_for = kNoBarrier;
    traffic_.begin_tree(gid, static_cast<std::uint32_t>(first));
    std::erase_if(registers_, [&](const auto& slot) { return slot.group == gid; });
    for (const auto& image : register_images(planned)) registers_.push_back({0, gid, image, false});
    note_place(gid, first);
  }

  const run::RunSpec& spec_;
  GroupManager manager_;
  std::vector<GroupTimes> times_;
  topology::Routes routes_;
  std::vector<RegisterSlot> at_go_;  ///< registers that the groups had when their members went
  checkers::BarrierSafety* checker_ = nullptr;
  std::vector<RequestResult> requests_;
  std::vector<ChangeResult> changes_;
  std::string stuck_;  ///< a tree that could not leave a dead link, and why
  run::LinkLosses links_;
  std::uint64_t seen_steps_ = 0;  ///< changes and steps of links
  std::uint64_t moved_ = 0;
};

}  // namespace

std::unique_ptr<run::Scheme> in_band_scheme(const std::vector<PlannedGroup>& groups,
                                            const run::SchemeParts& parts) {
  return std::make_unique<InBandScheme>(groups, parts);
}

}  // namespace muster::btin
