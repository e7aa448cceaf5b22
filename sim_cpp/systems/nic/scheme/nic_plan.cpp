// SPDX-License-Identifier: Apache-2.0
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
#include "topology/routes/route_walk.hpp"

namespace muster::nic {

namespace {

constexpr std::uint32_t kNicContextsMost = 8, kNicConnectionsMost = 32, kNicEntriesMost = 32;
constexpr std::uint32_t kNicGroupsMost = 1u << nic::kNicGroupWidth;

void check_nic_options(const run::RunSpec& spec) {
  const auto refuse = [&](bool wanted, const char* option, const char* reason) {
    if (wanted) throw InputError(fmt::format("{}: scheme '{}' {}", option, spec.scheme, reason));
  };
  refuse(spec.groups.size() > kNicGroupsMost, "--group",
         "has 256 group identifiers; name fewer groups");
  constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
  if (spec.parts.get<NicSpec>().level == NicLevel::kHost && spec.graph->nodes() > kNames)
    throw InputError(
        fmt::format("scheme '{}': hosts that send each message name {} nodes at most, the network "
                    "has {}; take another --level or a smaller network",
                    spec.scheme, kNames, spec.graph->nodes()));
}

std::uint32_t degree(const NicSpec& nic, StepAlgorithm algorithm) {
  return nic.degree.value_or(algorithm == StepAlgorithm::kGatherBroadcast ? 4 : 2);
}

}  // namespace

NicPlan::NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm)
    : run_(run.spec), spec_(run.spec.parts.get<NicSpec>()) {
  const run::RunSpec& spec = run.spec;
  check_nic_options(spec);
  if (algorithm == StepAlgorithm::kPairwise && spec_.degree)
    throw InputError("--degree: pairwise exchange has none");
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
      entries_ = std::max(entries_, static_cast<std::uint32_t>(group.lists[m].size()));
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
                         const char* mend) {
    if (needs > has)
      throw InputError(fmt::format("scheme '{}': a NIC would need {} {}, it has {}; {}",
                                   spec.scheme, needs, what, has, mend));
  };
  limit(contexts_, kNicContextsMost, "contexts", "run fewer groups at once");
  limit(entries_, kNicEntriesMost, "entries of a context", "choose a smaller --degree");
  if (spec_.level != NicLevel::kCollective)
    limit(conns_, kNicConnectionsMost, "connections", "run fewer groups at once");
}

NicConfig NicPlan::needed(const fabric::SwitchConfig& config) const {
  constexpr std::uint32_t kRecords = 4;
  const bool direct = spec_.level != NicLevel::kCollective;
  return {
      .name = "fit",
      .contexts = contexts_,
      .steps = entries_,
      .conns = direct ? conns_ : 1,
      .records = direct ? kRecords : 1,
      .vcs = config.vcs,
      .depth = config.depth,
      .flit_w = config.flit_w,
      .addr_w = std::max(11u, static_cast<std::uint32_t>(std::bit_width(run_.graph->nodes() - 1)))};
}

fabric::NodeDevices NicPlan::node_devices(const fabric::SwitchConfig& config) const {
  const run::RunSpec& spec = run_;
  const NicConfig chosen = choose_nic(needed(config), *spec.engine);
  const std::uint32_t pass = spec.profile.interface_pass;
  const nic::NicPortsConfig ports{
      .nodes = spec.graph->nodes(),
      .vcs = config.vcs,
      .depth = config.depth,
      .delays = {kStepPasses * pass, kDataPasses * pass, kAckPasses * pass},
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
  const bool host = spec_.level == NicLevel::kHost;  // whose messages name steps, not entries
  for (std::uint32_t g = 0; g < groups_.size(); ++g)
    groups.push_back({g, groups_[g].members, groups_[g].lists, host ? ListForm::kList : spec_.form,
                      entries_, spec_.level != NicLevel::kCollective});
  return parts;
}

std::string NicPlan::add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig&,
                                   const run::RunResult&) const {
  add_nic_rows(rows, run_, *this);
  return nic_wave_words(run_, *this);
}

std::unique_ptr<run::Scheme> NicPlan::start(const run::SchemeParts& parts) const {
  return std::make_unique<NicScheme>(*this, parts);
}

}  // namespace muster::nic
