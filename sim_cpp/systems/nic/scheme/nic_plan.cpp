// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/scheme/nic_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "fabric/configurations.hpp"
#include "muster/core/error.hpp"
#include "systems/nic/blocks/nic_factory.hpp"
#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/checkers/nic_barriers.hpp"
#include "systems/nic/nic_configurations.hpp"
#include "systems/nic/scheme/nic_scheme.hpp"
#include "systems/nic/scheme/nic_wave_view.hpp"
#include "systems/nic/scheme/rdma_scheme.hpp"
#include "topology/routes/load.hpp"
#include "topology/routes/route_walk.hpp"

namespace muster::nic {

namespace {

constexpr std::uint32_t kNicContextsMost = 8, kNicConnectionsMost = 32, kNicEntriesMost = 32;
constexpr std::uint32_t kNicGroupsMost = 1u << nic::kNicGroupWidth;

/// That what is chosen belongs to the level.
template <typename Refuse>
void check_choice(const NicSpec& choice, const Refuse& refuse) {
  const bool rdma = choice.level == NicLevel::kRdma;
  constexpr std::uint32_t kUsual = NicSpec{}.data_passes;
  refuse(choice.host_step != 0 && !walked_by_hosts(choice.level), "--host-step",
         "leaves the step list to the NIC; it needs --nic host or rdma");
  refuse(choice.data_passes < 2 || choice.data_passes > kMostDataPasses, "--data-passes",
         "has DATA messages that pass 2 to 6 queues");
  refuse(choice.data_passes != kUsual && !point_to_point(choice.level), "--data-passes",
         "sends no DATA messages; it needs --nic host or direct");
  refuse(rdma && choice.faults.has_value(), "--nic rdma",
         "with remote writes does not repeat packets, so it cannot have faults");
  refuse(rdma && choice.timeout.has_value(), "--timeout", "with remote writes has no timers");
  refuse(rdma && choice.retries != NicSpec{}.retries, "--retries",
         "with remote writes has no timers");
  const bool chained = choice.form == ListForm::kChained;
  refuse(chained && choice.level != NicLevel::kCollective, "--chained",
         "uses the NIC without its point-to-point path; it needs --nic collective");
  refuse(chained && choice.faults.has_value(), "--chained",
         "with chained remote writes does not repeat packets, so it cannot have faults");
  refuse(chained && choice.timeout.has_value(), "--timeout",
         "with chained remote writes has no timers");
  refuse(chained && choice.retries != NicSpec{}.retries, "--retries",
         "with chained remote writes has no timers");
}

void check_nic_options(const run::RunSpec& spec) {
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError(fmt::format("{}: scheme '{}' {}", option, spec.scheme, reason));
  };
  refuse(spec.groups.size() > kNicGroupsMost, "--group",
         "has 256 group identifiers; name fewer groups");
  check_choice(spec.parts.get<NicSpec>(), refuse);
  refuse(spec.parts.get<NicSpec>().level == NicLevel::kRdma && spec.own_barrier_vc,
         "--barrier-vc own",
         "with --nic rdma sends packets of hosts, which share channel 0 with data");
  constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
  if (spec.parts.get<NicSpec>().level == NicLevel::kHost && spec.graph->nodes() > kNames)
    throw InputError(
        fmt::format("scheme '{}': hosts that send each message can address {} nodes, the network "
                    "has {}; use another --nic or a smaller network",
                    spec.scheme, kNames, spec.graph->nodes()));
}

std::uint32_t degree(const NicSpec& nic, StepAlgorithm algorithm) {
  return nic.degree.value_or(algorithm == StepAlgorithm::kGatherBroadcast ? 4 : 2);
}

}  // namespace

std::uint32_t nic_timeout(const run::RunSpec& spec) {
  if (const auto given = spec.parts.get<NicSpec>().timeout) return *given;
  const std::vector<std::uint32_t> levels = topology::bfs_levels(*spec.graph, 0);
  std::uint64_t link = 1;
  for (const topology::Link& l : spec.graph->links())
    link = std::max<std::uint64_t>(link, l.latency);
  const std::uint64_t way = 2 * std::uint64_t{*std::max_element(levels.begin(), levels.end())} + 2;
  // There and back, each packet behind some others at every switch.
  const std::uint64_t hop =
      link + spec.profile.pipe + spec.profile.occupancy + 3 + 8 * nic::kNicFlits;
  const std::uint64_t nics =
      2 * std::uint64_t{kMostDataPasses + kAckPasses} * spec.profile.interface_pass;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(2 * way * hop + nics, 0xffff));
}

NicPlan::NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm)
    : run_(run.spec), spec_(run.spec.parts.get<NicSpec>()) {
  const run::RunSpec& spec = run.spec;
  check_nic_options(spec);
  if (algorithm == StepAlgorithm::kPairwise && spec_.degree)
    throw InputError("--degree: pairwise exchange has no degree");
  std::map<topology::NodeId, std::uint32_t> used;
  std::map<topology::NodeId, std::set<topology::NodeId>> peers;
  for (const run::RunGroup& run_group : spec.groups) {
    NicPlannedGroup group{run_group.name, run_group.members, {}, {}};
    std::sort(group.members.begin(), group.members.end());
    const auto members = static_cast<std::uint32_t>(group.members.size());
    group.lists = nic::step_lists(algorithm, members, degree(spec_, algorithm));
    std::uint32_t hops = 0;
    for (std::uint32_t m = 0; m < members; ++m) {
      const topology::NodeId node = group.members[m];
      group.contexts.push_back(used[node]++);
      contexts_ = std::max(contexts_, used[node]);
      entries_ = std::max(entries_, entries_of(group.lists[m], spec_.form));
      for (const Step& step : group.lists[m]) {
        const topology::NodeId peer = group.members[step.peer];
        peers[node].insert(peer);
        if (step.send) hops += topology::route_length(*spec.graph, *spec.routes, node, peer);
      }
      conns_ = std::max(conns_, static_cast<std::uint32_t>(peers[node].size()));
    }
    hops_.push_back(hops);
    // Of a barrier's messages each may be under way with an answer, or twice.
    packet_flits_ += 4 * nic::kNicFlits * nic::messages(group.lists);
    groups_.push_back(std::move(group));
  }
  const auto limit = [&](std::uint32_t needs, std::uint32_t has, const char* what,
                         const char* remedy) {
    if (needs > has)
      throw InputError(fmt::format("scheme '{}': a NIC would need {} {}, it has {}; {}",
                                   spec.scheme, needs, what, has, remedy));
  };
  if (spec_.level == NicLevel::kRdma) return;
  limit(contexts_, kNicContextsMost, "contexts", "use fewer simultaneous groups");
  limit(entries_, kNicEntriesMost, "entries of a context", "choose a smaller --degree");
  if (point_to_point(spec_.level))
    limit(conns_, kNicConnectionsMost, "connections", "use fewer simultaneous groups");
}

NicConfig NicPlan::needed(const fabric::SwitchConfig& config) const {
  constexpr std::uint32_t kRecords = 4;
  const bool direct = point_to_point(spec_.level);
  return {
      .name = "fit",
      .contexts = contexts_,
      .steps = entries_,
      .conns = direct ? conns_ : 1,
      .records = direct ? kRecords : 1,
      .vcs = config.vcs,
      .depth = config.depth,
      .flit_w = config.flit_w,
      .chained = spec_.form == ListForm::kChained,
      .addr_w = std::max(11u, static_cast<std::uint32_t>(std::bit_width(run_.graph->nodes() - 1)))};
}

std::vector<std::vector<NicSender>> NicPlan::launched() const {
  std::vector<std::vector<NicSender>> senders(run_.graph->nodes());
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    for (std::size_t m = 0; m < groups_[g].members.size(); ++m) {
      const std::vector<Step>& list = groups_[g].lists[m];
      for (auto step = list.begin(); step != list.end() && step->send; ++step)
        senders[groups_[g].members[step->peer]].push_back(
            {static_cast<std::uint8_t>(g), groups_[g].members[m]});
    }
  for (auto& of_node : senders) std::sort(of_node.begin(), of_node.end());
  return senders;
}

fabric::NodeDevices NicPlan::node_devices(const fabric::SwitchConfig& config) const {
  if (spec_.level == NicLevel::kRdma) return {};
  const run::RunSpec& spec = run_;
  const NicConfig chosen = choose_nic(needed(config), *spec.engine);
  const std::uint32_t pass = spec.profile.interface_pass;
  const nic::NicPortsConfig ports{
      .nodes = spec.graph->nodes(),
      .vcs = config.vcs,
      .depth = config.depth,
      .delays = {.launched = kStepPasses * spec.profile.interface_launch,
                 .step = kStepPasses * pass,
                 .data = spec_.data_passes * pass,
                 .ack = kAckPasses * pass},
      .launched = launched(),
      .faults = spec_.faults,
      .seed = spec.seed};
  auto at_nodes = std::make_unique<NicPorts>(ports);
  auto nics = nics_of(*spec.engine)->make_nics(chosen, spec.graph->nodes(), spec.bank);
  fabric::NodeDevices made;
  made.handles.set(NicHandles{nics.get(), at_nodes.get()});
  made.ports = std::move(at_nodes);
  made.devices = std::move(nics);
  return made;
}

run::PlanTimes NicPlan::times(const fabric::SwitchConfig&) const {
  return {.packet_flits = packet_flits_, .silence = nic_timeout(run_)};
}

std::vector<topology::PortRef> NicPlan::ports(std::uint32_t g,
                                              const topology::Routes& routes) const {
  const NicPlannedGroup& group = groups_[g];
  std::vector<topology::PortRef> ports;
  for (std::size_t m = 0; m < group.members.size(); ++m)
    for (const Step& step : group.lists[m])
      topology::add_ways(*run_.graph, routes, group.members[m], group.members[step.peer], ports);
  return ports;
}

core::Parts NicPlan::checked() const {
  core::Parts parts;
  auto& groups = parts.make<std::vector<checkers::NicGroup>>();
  const bool host = walked_by_hosts(spec_.level);  // whose messages name steps, not entries
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    groups.push_back({g, groups_[g].members, groups_[g].lists, host ? ListForm::kList : spec_.form,
                      point_to_point(spec_.level)});
  return parts;
}

std::string NicPlan::add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig&,
                                   const run::RunResult&) const {
  if (spec_.level == NicLevel::kRdma) return {};
  add_nic_rows(rows, run_, *this);
  return nic_wave_words(run_, *this);
}

std::unique_ptr<run::Scheme> NicPlan::start(const run::SchemeParts& parts) const {
  if (spec_.level == NicLevel::kRdma) return std::make_unique<RdmaScheme>(*this, parts);
  return std::make_unique<NicScheme>(*this, parts);
}

}  // namespace muster::nic
