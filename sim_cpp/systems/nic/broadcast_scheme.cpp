// SPDX-License-Identifier: Apache-2.0
#include "run/groups.hpp"
#include "run/links/link_plan.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/nic/nic_plan.hpp"

namespace muster::nic {

namespace {

using fabric::MessageType;

/// The messages of barriers by hardware broadcast, groups numbered as their identifiers: questions,
/// answers, the release and what acknowledges it, all of the barrier that the root is at.
class BroadcastTraffic : public run::BarrierTraffic {
 public:
  BroadcastTraffic(std::size_t groups, std::uint32_t barriers, std::size_t channels,
                   fabric::Formats formats)
      : run::BarrierTraffic(groups, barriers),
        formats_(formats),
        channels_(channels),
        begun_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync() || event.channel >= channels_) continue;
      const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
      if (message.gid >= begun_.size() || begun_[message.gid] == 0) continue;
      const bool down = message.type == MessageType::kDistribution;
      count(cycle, message.gid, begun_[message.gid] - 1, down && (message.data.lo & 1) == 0);
    }
  }
  /// The last barrier's messages have all arrived, or there was none.
  void next(std::uint32_t group) { ++begun_[group]; }

 private:
  fabric::Formats formats_;
  std::size_t channels_;              ///< those behind a delay pipe are not counted again
  std::vector<std::uint32_t> begun_;  ///< by group
};

/// NICs and hosts of a barrier by hardware broadcast (docs/systems/nic-link.md). The root's
/// NIC asks all others whether their hosts have arrived, until the switches' combined answer says
/// that none is missing, and then releases them.
class BroadcastScheme : public run::Scheme, private run::Hosts {
 public:
  /// Loads the barrier registers. Throws InputError as btin::plan_registers does.
  BroadcastScheme(std::span<const btin::PlannedGroup> groups, const run::SchemeParts& parts)
      : Scheme(parts.members),
        spec_(parts.spec),
        network_(parts.network),
        endpoints_(parts.network.endpoints()),
        formats_(parts.formats()),
        traffic_(groups.size(), parts.spec.barriers, parts.network.layout().channels().size(),
                 formats_) {
    for (const btin::PlannedGroup& planned : groups) {
      Group& group = groups_.emplace_back();
      group.nodes = planned.tree.members;
      group.places = topology::Places(group.nodes);
      group.root = group.places[planned.tree.root_node];
      group.there.resize(group.nodes.size());
    }
    load_registers(groups, parts);
  }

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    if (groups_[group].nodes.size() == 1) {
      members_.completed(cycle, group);
      members_.released(cycle, group, member);
      return;
    }
    due_.emplace(cycle + spec_.profile.host + spec_.profile.bus,
                 [this, group, member](std::uint64_t now) {
                   groups_[group].there[member] = true;
                   if (member == groups_[group].root) decide(now, group);
                 });
  }
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const fabric::BarrierMessage message = formats_.barrier_message(flit);
    const std::uint32_t g = message.gid;
    const std::uint32_t m = g < groups_.size() ? groups_[g].places[node] : topology::Places::kNone;
    const bool up = message.type == MessageType::kReduction;
    if (m == topology::Places::kNone || (m == groups_[g].root) != up || (up && groups_[g].missing))
      return Scheme::receive_sync(cycle, node, flit);
    const bool missing = (message.data.lo & 1) != 0;
    Group& group = groups_[g];
    if (up) {
      if (!group.asked) traffic_.next(g);
      group.missing = missing;
      decide(cycle, g);
      return;
    }
    if (missing) {
      send(node, MessageType::kReduction, g, !group.there[m]);
      return;
    }
    tell_host(cycle, g, m);
    // No member asks again after the last barrier, and a register would wait for ever.
    if (members_.released_from(g, m) + 1 != spec_.barriers)
      send(node, MessageType::kReduction, g, true);
  }

  run::Hosts& hosts() override { return *this; }
  run::BarrierTraffic& traffic() override { return traffic_; }
  std::string explain(std::uint32_t g) const override {
    const Group& group = groups_[g];
    return run::stalled_text(
        spec_, members_, g, group.nodes,
        fmt::format("; root {} has asked {} times",
                    topology::node_number_text(*spec_.graph, group.nodes[group.root]),
                    group.questions));
  }

 private:
  // run::Hosts
  void before_cycle(std::uint64_t cycle) override {
    if (!begun_ && (!spec_.links.retry || run::links_begun(network_))) {
      // As after a release: registers are full of answers before the root asks for the first time.
      for (std::uint32_t g = 0; g < groups_.size(); ++g)
        for (std::uint32_t m = 0; m < groups_[g].nodes.size(); ++m)
          if (m != groups_[g].root) send(groups_[g].nodes[m], MessageType::kReduction, g, true);
      begun_ = true;
    }
    while (!due_.empty() && due_.begin()->first <= cycle)
      due_.extract(due_.begin()).mapped()(cycle);
  }

  bool idle() const override { return due_.empty(); }

  struct Group {
    std::uint32_t root = 0;  ///< member
    std::vector<topology::NodeId> nodes;
    topology::Places places;
    std::vector<bool> there;      ///< by member: its NIC knows that its host has arrived
    std::optional<bool> missing;  ///< the root's NIC: all have answered, and one of them so
    bool asked = false;           ///< that was the answer to a question, not to a release
    std::uint64_t questions = 0;
  };
  /// The NIC has been released.
  void tell_host(std::uint64_t cycle, std::uint32_t g, std::uint32_t m) {
    groups_[g].there[m] = false;
    due_.emplace(cycle + spec_.profile.bus + spec_.profile.host,
                 [this, g, m](std::uint64_t now) { members_.released(now, g, m); });
  }

  /// The root's NIC, when its host has arrived or an answer has come.
  void decide(std::uint64_t cycle, std::uint32_t g) {
    Group& group = groups_[g];
    if (!group.missing || !group.there[group.root]) return;
    const bool asks = !group.asked || *group.missing;
    if (!asks) members_.completed(cycle, g);
    const std::uint64_t pass =
        group.asked ? spec_.profile.interface_pass : spec_.profile.interface_launch;
    due_.emplace(cycle + kStepPasses * pass, [this, g, asks](std::uint64_t now) {
      Group& at = groups_[g];
      send(at.nodes[at.root], MessageType::kDistribution, g, asks);
      at.questions += asks;
      if (!asks) tell_host(now, g, at.root);
    });
    group.asked = asks;
    group.missing.reset();
  }

  void send(topology::NodeId node, MessageType type, std::uint32_t group, bool missing) {
    endpoints_.send_sync(node, formats_.barrier_flit({type, group, {.lo = missing ? 1u : 0u}}, 0));
  }
  void load_registers(std::span<const btin::PlannedGroup> groups, const run::SchemeParts& parts) {
    core::Bank& switches = parts.network.switches();
    if (fabric::labels(parts.config))
      throw InputError(
          "switch configuration '{}' has labels, which this scheme does not write; use another",
          parts.config.name);
    for (const btin::RegisterSlot& slot :
         btin::plan_registers(groups, parts.config.regs, (1u << parts.config.gid_w) - 1))
      btin::write_words(slot.image, slot.slot, parts.network.graph().ports(slot.image.sw),
                        [&](topology::SwitchId sw, std::uint32_t address, std::uint32_t value) {
                          switches.write_register(sw, address, value);
                        });
  }

  const run::RunSpec& spec_;
  fabric::Network& network_;
  fabric::EndpointBank& endpoints_;
  fabric::Formats formats_;
  std::vector<Group> groups_;
  /// What happens, by cycle; what was decided first is first in its cycle.
  std::multimap<std::uint64_t, std::function<void(std::uint64_t now)>> due_;
  bool begun_ = false;
  BroadcastTraffic traffic_;
};

/// A barrier by hardware broadcast, as Quadrics' library has it (docs/systems/nic-link.md).
/// Switches that broadcast what a root sends and combine what comes back are barrier switches, each
/// group with a tree of registers as any of `btin`.
class BroadcastPlan : public btin::BtinPlan {
 public:
  using BtinPlan::BtinPlan;

  run::PlanTimes times(const fabric::SwitchConfig& config) const override {
    run::PlanTimes times = btin::BtinPlan::times(config);
    const run::Profile& p = spec_.profile;
    times.past_hosts = true;
    times.silence = p.bus + p.host + kStepPasses * std::max(p.interface_pass, p.interface_launch);
    return times;
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override {
    return std::make_unique<BroadcastScheme>(groups(), parts);
  }
};
}  // namespace

std::unique_ptr<run::SchemePlan> plan_broadcast(const run::ResolvedRun& run) {
  if (run::find_own<NicSpec>(run.spec) != nullptr)
    throw InputError("scheme '{}' has no step lists: its NICs have no options", kBroadcastScheme);
  return std::make_unique<BroadcastPlan>(run);
}

}  // namespace muster::nic
