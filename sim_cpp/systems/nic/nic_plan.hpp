// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/run.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/nic/nic_ports.hpp"
#include "systems/switch_kinds.hpp"
#include "topology/route_walk.hpp"

namespace muster::nic {

/// By NicType.
inline constexpr const char* kNicTypeNames[] = {"STEP", "NACK", "NOT-YET", "ACK", "DATA"};

/// Queues that a packet passes in the NICs at both ends (docs/systems/nic-link.md, Queue passes).
inline constexpr std::uint32_t kStepPasses = 2, kMostDataPasses = 6, kAckPasses = 2;

/// The programs walk the step lists.
constexpr bool walked_by_hosts(NicLevel level) {
  return level == NicLevel::kHost || level == NicLevel::kRdma;
}
/// Messages are DATA, with ACKs.
constexpr bool point_to_point(NicLevel level) {
  return level == NicLevel::kHost || level == NicLevel::kDirect;
}

/// A group of NIC barriers as planned.
struct NicPlannedGroup : checkers::NicGroup {
  std::vector<std::uint32_t> contexts;  ///< by member: at its NIC
};

/// Adds rows for a run with NIC barriers (docs/reference/runs.md): for each member of each group
/// whose NIC is in the waveform its messages in and out, decoded, and the context that serves the
/// group. Returns the translation file of these rows.
std::string add_nic_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                         std::span<const NicPlannedGroup> groups);

inline constexpr std::uint32_t kNicContextsMost = 8, kNicConnectionsMost = 32, kNicEntriesMost = 32;
inline constexpr std::uint32_t kNicGroupsMost = 1u << nic::kNicGroupWidth;

/// Throws InputError for what is chosen and does not belong to the level.
inline void check_nic_options(const run::RunSpec& spec) {
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError("{}: scheme '{}' {}", option, spec.scheme, reason);
  };
  refuse(spec.groups.size() > kNicGroupsMost, "--group",
         "has 256 group identifiers; name fewer groups");
  const NicSpec& choice = run::own<NicSpec>(spec);
  const bool rdma = choice.level == NicLevel::kRdma;
  refuse(choice.host_step != 0 && !walked_by_hosts(choice.level), "--host-step",
         "leaves the step list to the NIC; it needs --nic host or rdma");
  refuse(choice.data_passes != NicSpec{}.data_passes && !point_to_point(choice.level),
         "--data-passes", "sends no DATA messages; it needs --nic host or direct");
  refuse(rdma && choice.faults.has_value(), "--nic rdma",
         "with remote writes does not repeat packets, so it cannot have faults");
  const bool chained = choice.form == ListForm::kChained;
  refuse(chained && choice.level != NicLevel::kCollective, "--chained",
         "uses the NIC without its point-to-point path; it needs --nic collective");
  refuse(chained && choice.faults.has_value(), "--chained",
         "with chained remote writes does not repeat packets, so it cannot have faults");
  const char* const untimed =
      rdma ? "with remote writes has no timers" : "with chained remote writes has no timers";
  refuse((rdma || chained) && choice.timeout.has_value(), "--timeout", untimed);
  refuse((rdma || chained) && choice.retries != NicSpec{}.retries, "--retries", untimed);
  refuse((chained || choice.level != NicLevel::kCollective) && choice.gap != NicSpec{}.gap,
         "--nack-gap", "sends no NACKs; it needs --nic collective without --chained");
  refuse(rdma && spec.own_barrier_vc, "--barrier-vc own",
         "with --nic rdma sends packets of hosts, which share channel 0 with data");
  constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
  if (choice.level == NicLevel::kHost && spec.graph->nodes() > kNames)
    throw InputError(
        "scheme '{}': hosts that send each message can address {} nodes, the network "
        "has {}; use another --nic or a smaller network",
        spec.scheme, kNames, spec.graph->nodes());
}

/// T of the run's NICs, cycles. If the run does not say: in which the answer to a message should
/// have come, whatever else is under way in a network without much data.
inline std::uint32_t nic_timeout(const run::RunSpec& spec) {
  if (const auto given = run::own<NicSpec>(spec).timeout) return *given;
  const std::vector<std::uint32_t> levels = topology::bfs_levels(*spec.graph, 0);
  std::uint64_t link = 1;
  for (const topology::Link& l : spec.graph->links())
    link = std::max<std::uint64_t>(link, l.latency);
  const std::uint64_t way = 2 * std::uint64_t{*std::ranges::max_element(levels)} + 2;
  // There and back, each packet behind some others at every switch.
  const std::uint64_t hop =
      link + spec.profile.pipe + spec.profile.occupancy + 3 + 8 * nic::kNicFlits;
  const std::uint64_t nics =
      2 * std::uint64_t{kMostDataPasses + kAckPasses} * spec.profile.interface_pass;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(2 * way * hop + nics, 0xffff));
}

/// Barriers of the network interfaces (docs/systems/nic-engine.md), by one of three algorithms.
class NicPlan : public run::SchemePlan {
 public:
  /// Throws InputError for options without effect here and groups that do not fit a NIC.
  NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm)
      : run_(run.spec), spec_(run::own<NicSpec>(run.spec)), peers_(run.spec.graph->nodes()) {
    const run::RunSpec& spec = run.spec;
    check_nic_options(spec);
    if (algorithm == StepAlgorithm::kPairwise && spec_.degree)
      throw InputError("--degree: pairwise exchange has no degree");
    std::map<topology::NodeId, std::uint32_t> used;
    // Messages of hosts name steps, not entries.
    const ListForm form = walked_by_hosts(spec_.level) ? ListForm::kList : spec_.form;
    const std::uint32_t usual_degree = algorithm == StepAlgorithm::kGatherBroadcast ? 4 : 2;
    for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
      NicPlannedGroup group{{spec.groups[g].members, {}, form, point_to_point(spec_.level)}, {}};
      std::ranges::sort(group.members);
      const auto members = static_cast<std::uint32_t>(group.members.size());
      group.lists = nic::step_lists(algorithm, members, spec_.degree.value_or(usual_degree));
      std::uint32_t hops = 0;
      for (std::uint32_t m = 0; m < members; ++m) {
        const topology::NodeId node = group.members[m];
        group.contexts.push_back(used[node]++);
        contexts_ = std::max(contexts_, used[node]);
        entries_ = std::max(entries_, entries_of(group.lists[m], spec_.form));
        std::vector<topology::NodeId>& peers = peers_[node];
        for (const Step& step : group.lists[m]) {
          const topology::NodeId peer = group.members[step.peer];
          if (std::ranges::find(peers, peer) == peers.end()) peers.push_back(peer);
          if (step.send) hops += topology::route_length(*spec.graph, *spec.routes, node, peer);
        }
        conns_ = std::max(conns_, static_cast<std::uint32_t>(peers.size()));
      }
      hops_.push_back(hops);
      // Of a barrier's messages each may be under way with an answer, or twice.
      packet_flits_ += 4 * nic::kNicFlits * nic::messages(group.lists);
      groups_.push_back(std::move(group));
    }
    const auto limit = [&](std::uint32_t needs, std::uint32_t has, const char* what,
                           const char* remedy) {
      if (needs > has)
        throw InputError("scheme '{}': a NIC would need {} {}, it has {}; {}", spec.scheme, needs,
                         what, has, remedy);
    };
    if (spec_.level == NicLevel::kRdma) return;
    limit(contexts_, kNicContextsMost, "contexts", "use fewer simultaneous groups");
    limit(entries_, kNicEntriesMost, "entries of a context", "choose a smaller --degree");
    if (point_to_point(spec_.level))
      limit(conns_, kNicConnectionsMost, "connections", "use fewer simultaneous groups");
  }

  std::uint32_t hops(std::uint32_t group) const override { return hops_[group]; }
  /// Of the head of a packet, as of any (docs/systems/barrier-switch.md).
  std::uint32_t hop_cycles(const fabric::SwitchConfig&) const override { return 4; }
  const fabric::SwitchKind& switch_kind() const override { return btin::kBarrierSwitch; }
  run::PlanTimes times(const fabric::SwitchConfig&) const override {
    return {.packet_flits = packet_flits_, .silence = nic_timeout(run_)};
  }
  /// On the ways between members and their peers.
  std::vector<topology::PortRef> ports(std::uint32_t g,
                                       const topology::Routes& routes) const override {
    const NicPlannedGroup& group = groups_[g];
    std::vector<topology::PortRef> ports;
    for (std::size_t m = 0; m < group.members.size(); ++m)
      for (const Step& step : group.lists[m])
        topology::add_ways(*run_.graph, routes, group.members[m], group.members[step.peer], ports);
    return ports;
  }
  std::unique_ptr<const run::CheckedGroups> checked() const override {
    auto checked = std::make_unique<checkers::NicGroups>();
    checked->groups.assign(groups_.begin(), groups_.end());
    return checked;
  }
  fabric::NodeDevices node_devices(const fabric::SwitchConfig& config) const override {
    if (spec_.level == NicLevel::kRdma) return {};
    const run::RunSpec& spec = run_;
    const NicConfig chosen = choose_nic(needed(config), *spec.engine);
    const std::uint32_t pass = spec.profile.interface_pass;
    const nic::NicPortsConfig ports{
        .depth = config.depth,
        .delays = {.launched = kStepPasses * spec.profile.interface_launch,
                   .step = kStepPasses * pass,
                   .data = spec_.data_passes * pass,
                   .ack = kAckPasses * pass},
        .launched = launched(),
        .faults = spec_.faults,
        .seed = spec.seed};
    const auto make = [&](const fabric::BankOptions& own) {
      return nics_of(*spec.engine)->make_nics(chosen, spec.graph->nodes(), own);
    };
    return {.ports = std::make_unique<NicPorts>(ports),
            .devices = fabric::share_bank<NicBank, SharedHosts>(
                spec.bank, &fabric::Division::devices, make, spec.graph->nodes())};
  }
  std::string node_block(const fabric::SwitchConfig& config) const override {
    return choose_nic(needed(config), *run_.engine).name;
  }
  std::string add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig&,
                            const run::RunResult&) const override {
    if (spec_.level == NicLevel::kRdma) return {};
    return add_nic_rows(rows, run_, groups_);
  }
  std::unique_ptr<run::Scheme> start(const run::SchemeParts& parts) const override;

  const run::RunSpec& run() const { return run_; }
  const std::vector<NicPlannedGroup>& groups() const { return groups_; }
  /// Whom the node has messages with: by connection of its NIC, where it needs them.
  const std::vector<topology::NodeId>& peers(topology::NodeId node) const { return peers_[node]; }
  /// Entries that the longest list needs.
  std::uint32_t list_entries() const { return entries_; }

 private:
  NicConfig needed(const fabric::SwitchConfig& config) const {
    constexpr std::uint32_t kRecords = 4;
    const bool direct = point_to_point(spec_.level);
    return {.name = "fit",
            .contexts = contexts_,
            .steps = entries_,
            .conns = direct ? conns_ : 1,
            .records = direct ? kRecords : 1,
            .vcs = config.vcs,
            .depth = config.depth,
            .flit_w = config.flit_w,
            .chained = spec_.form == ListForm::kChained,
            .addr_w =
                std::max(11u, static_cast<std::uint32_t>(std::bit_width(run_.graph->nodes() - 1)))};
  }
  /// By node: whose STEPs a doorbell of the sender sets off.
  std::vector<std::vector<NicSender>> launched() const {
    std::vector<std::vector<NicSender>> senders(run_.graph->nodes());
    for (std::uint32_t g = 0; g < groups_.size(); ++g)
      for (std::size_t m = 0; m < groups_[g].members.size(); ++m) {
        const std::vector<Step>& list = groups_[g].lists[m];
        for (auto step = list.begin(); step != list.end() && step->send; ++step)
          senders[groups_[g].members[step->peer]].push_back(
              {static_cast<std::uint8_t>(g), groups_[g].members[m]});
      }
    for (auto& of_node : senders) std::ranges::sort(of_node);
    return senders;
  }

  const run::RunSpec& run_;
  NicSpec spec_;
  std::vector<NicPlannedGroup> groups_;
  std::vector<std::vector<topology::NodeId>> peers_;  ///< by node
  std::vector<std::uint32_t> hops_;
  std::uint64_t packet_flits_ = 0;
  std::uint32_t contexts_ = 1, conns_ = 1, entries_ = 2;
};

inline constexpr const char* kBroadcastScheme = "nic-broadcast";

/// A barrier by hardware broadcast, whose NICs have no step lists (docs/systems/nic-link.md).
/// Throws InputError for the choices of those that have.
std::unique_ptr<run::SchemePlan> plan_broadcast(const run::ResolvedRun& run);

}  // namespace muster::nic
