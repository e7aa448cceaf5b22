// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_plan.hpp"

#include "muster/run/gtkwave.hpp"
#include "systems/nic/nic_factory.hpp"
#include "topology/route_walk.hpp"

namespace muster::nic {

namespace {

using run::vector_bits;
using topology::NodeId;

constexpr const char* kPhases[] = {"idle", "running", "failed", "draining"};
constexpr const char* kNotices[] = {"", "_done", "_dead", "_released"};
// Of nic_message_t, from its left.
constexpr std::uint32_t kMessageLast = 42, kSlotLast = 18, kGroup = 19, kGroupLast = 26,
                        kBarrier = 35;

constexpr std::size_t kUnfolded = 4;  // members whose rows are unfolded: what a window has room for

/// Rows of {valid, message}.
void message_rows(run::GtkwaveRows& rows, const std::string& what, const std::string& valid,
                  const std::string& message) {
  const std::string name = fmt::format("{}[{}:0]", message, kMessageLast);
  rows.translated(what, " " + valid + vector_bits(name, 0, kSlotLast));
  rows.bits(what + ": group", vector_bits(name, kGroup, kGroupLast));
  rows.bits(what + ": barrier", vector_bits(name, kBarrier, kMessageLast));
}

void unit_rows(run::GtkwaveRows& rows, const std::string& scope) {
  rows.translated("context", fmt::format(" {0}valid_q {0}running_q{1}", scope,
                                         vector_bits(scope + "notice_q[1:0]", 0, 1)));
  rows.hex("event", scope + "at_q[4:0]");
  rows.binary("a count is due", scope + "due_q");
  rows.binary("a descriptor waits", scope + "full_q");
}

void context_rows(run::GtkwaveRows& rows, const std::string& scope) {
  const std::string control = scope + "control[31:0]";  // from its left: valid, direct, phase, ..
  rows.translated("context", vector_bits(control, 0, 3) + vector_bits(control, 6, 7));
  rows.bits("entry", vector_bits(control, 11, 15));
  rows.binary("received", scope + "received_word[31:0]");
  rows.binary("sent", scope + "sent_word[31:0]");
}

/// Rows for a run with NIC barriers (docs/reference/runs.md): for each member of each group whose
/// NIC is in the waveform its messages in and out, decoded, and the context that serves the group.
void add_nic_rows(run::GtkwaveRows& rows, const run::RunSpec& spec, const NicPlan& plan) {
  const bool chained = run::own<NicSpec>(spec).form == ListForm::kChained;
  std::size_t opened = 0;
  for (const NicPlannedGroup& group : plan.groups()) {
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      const NodeId node = group.members[m];
      if (!run::in_waveform(spec, node)) continue;
      rows.section(fmt::format("Group {}: node {}, context {}", spec.groups[group.gid].name,
                               topology::node_name(*spec.graph, node), group.contexts[m]),
                   opened++ < kUnfolded);
      const std::string nic = fmt::format("nic{}.muster_nic_engine.", node);
      message_rows(rows, "message in", nic + "receive.message_valid_o", nic + "receive.message_o");
      message_rows(rows, "message out", nic + "transmit.hold_q", nic + "transmit.message_q");
      const std::string context = fmt::format("gen_context[{}].", group.contexts[m]);
      if (chained)
        unit_rows(rows, nic + "groups.gen_chained.unit." + context + "one.");
      else
        context_rows(rows, nic + "groups.gen_walk.contexts.walk." + context);
      rows.binary("event for the host", nic + "event_valid_o");
      rows.hex("event", nic + "event_o[31:0]");
    }
  }
}

/// The translation file of these rows: "STEP_n5_slot2" for each message that a list of the run
/// names, its peer and slot; the phase of a context. "." is no message.
std::string nic_wave_words(const run::RunSpec& spec, const NicPlan& plan) {
  const ListForm form = run::own<NicSpec>(spec).form;
  std::set<std::pair<NodeId, std::uint32_t>> named;  // peer and slot, of messages in and out
  for (const NicPlannedGroup& group : plan.groups())
    for (const auto& list : group.lists)
      for (std::uint32_t s = 0; s < list.size(); ++s) {
        const NodeId peer = group.members[list[s].peer];
        named.emplace(peer, slot_of(list, s, form));
        named.emplace(peer, slot_of(group.lists[list[s].peer], list[s].peer_step, form));
      }
  std::string text;
  for (const auto& [peer, slot] : named) {
    for (std::uint32_t type = 0; type < std::size(kNicTypeNames); ++type) {
      const std::uint32_t bits = type << 16 | peer << 5 | slot;
      text += fmt::format("{:05x} {}_n{}_slot{}\n{:05x} .\n", 1u << 19 | bits, kNicTypeNames[type],
                          peer, slot, bits);
    }
  }
  for (std::uint32_t bits = 0; bits < 64; ++bits)
    text += fmt::format("{:02x} {}{}{}\n", bits, bits >> 5 ? "" : "not_valid_",
                        kPhases[bits >> 2 & 3], kNotices[bits & 3]);
  for (std::uint32_t bits = 0; bits < 16; ++bits)  // of an event unit
    text += fmt::format("{:x} {}{}{}\n", bits, bits >> 3 ? "" : "not_valid_",
                        kPhases[bits >> 2 & 1], kNotices[bits & 3]);
  return text;
}

constexpr std::uint32_t kNicContextsMost = 8, kNicConnectionsMost = 32, kNicEntriesMost = 32;
constexpr std::uint32_t kNicGroupsMost = 1u << nic::kNicGroupWidth;

/// That what is chosen belongs to the level.
void check_nic_options(const run::RunSpec& spec) {
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

}  // namespace

std::uint32_t nic_timeout(const run::RunSpec& spec) {
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

NicPlan::NicPlan(const run::ResolvedRun& run, StepAlgorithm algorithm)
    : run_(run.spec), spec_(run::own<NicSpec>(run.spec)) {
  const run::RunSpec& spec = run.spec;
  check_nic_options(spec);
  if (algorithm == StepAlgorithm::kPairwise && spec_.degree)
    throw InputError("--degree: pairwise exchange has no degree");
  std::map<topology::NodeId, std::uint32_t> used;
  std::map<topology::NodeId, std::set<topology::NodeId>> peers;
  // Messages of hosts name steps, not entries.
  const ListForm form = walked_by_hosts(spec_.level) ? ListForm::kList : spec_.form;
  const std::uint32_t usual_degree = algorithm == StepAlgorithm::kGatherBroadcast ? 4 : 2;
  for (std::uint32_t g = 0; g < spec.groups.size(); ++g) {
    NicPlannedGroup group{{g, spec.groups[g].members, {}, form, point_to_point(spec_.level)}, {}};
    std::ranges::sort(group.members);
    const auto members = static_cast<std::uint32_t>(group.members.size());
    group.lists = nic::step_lists(algorithm, members, spec_.degree.value_or(usual_degree));
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
      throw InputError("scheme '{}': a NIC would need {} {}, it has {}; {}", spec.scheme, needs,
                       what, has, remedy);
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
  for (auto& of_node : senders) std::ranges::sort(of_node);
  return senders;
}

std::string NicPlan::node_block(const fabric::SwitchConfig& config) const {
  return choose_nic(needed(config), *run_.engine).name;
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
  const auto make = [&](const fabric::BankOptions& own) {
    return nics_of(*spec.engine)->make_nics(chosen, ports.nodes, own);
  };
  return {.ports = std::make_unique<NicPorts>(ports),
          .devices = fabric::share_bank<NicBank, SharedHosts>(spec.bank, &fabric::Division::devices,
                                                              make, ports.nodes)};
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

std::unique_ptr<const run::CheckedGroups> NicPlan::checked() const {
  auto checked = std::make_unique<checkers::NicGroups>();
  checked->groups.assign(groups_.begin(), groups_.end());
  return checked;
}

std::string NicPlan::add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig&,
                                   const run::RunResult&) const {
  if (spec_.level == NicLevel::kRdma) return {};
  add_nic_rows(rows, run_, *this);
  return nic_wave_words(run_, *this);
}

}  // namespace muster::nic
