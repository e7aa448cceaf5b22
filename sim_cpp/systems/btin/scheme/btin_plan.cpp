// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/btin_plan.hpp"

#include <fmt/ranges.h>

#include <set>

#include "muster/run/run.hpp"
#include "run/switch_rows.hpp"
#include "run/waits.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/system.hpp"

namespace muster::btin {

checkers::Group checked_group(const PlannedGroup& planned) {
  checkers::Group group{
      planned.gid, planned.tree.members, planned.tree.root_node, planned.reflect, {}};
  for (const TreeEdge& edge : planned.tree.edges)
    group.uplinks.push_back({edge.child, edge.child_port});
  group.op = planned.op;
  return group;
}

namespace {

using fabric::MessageType;

/// A translation file of GTKWave for {valid, kind, payload} of a link: barrier messages of the
/// groups of a run; if groups may be spilled, the spill messages; if they are set up in band, the
/// heads of packets, with kind and destination. "." is an idle link whose wires still hold one.
std::string wave_words(const run::RunSpec& spec, std::span<const PlannedGroup> groups,
                       const fabric::SwitchConfig& config) {
  const Spec choice = run::own<Spec>(spec);
  const fabric::Formats formats(config.flit_w, config.gid_w);
  run::LinkWords words(config.flit_w);
  const auto data = [&](MessageType type, const std::string& name, std::uint32_t gid) {
    const std::uint64_t values = std::uint64_t{1} << std::min(formats.data_width(), 6u);
    for (std::uint64_t value = 0; value < values; ++value)
      words.add(formats.barrier_flit({type, gid, {value, 0}}, 0),
                value == 0 ? name : fmt::format("{}_d{}", name, value));
  };
  constexpr std::pair<MessageType, const char*> kTypes[] = {
      {MessageType::kReduction, "reduction"}, {MessageType::kDistribution, "distribution"}};
  if (variant(config).labels)
    for (std::uint32_t r = 0; r < config.regs; ++r)
      for (const auto& [type, name] : kTypes) data(type, fmt::format("{}_r{}", name, r), r);
  for (const PlannedGroup& group : groups) {
    if (variant(config).labels) break;
    for (const auto& [type, name] : kTypes)
      data(type, fmt::format("{}_g{}", name, group.gid), group.gid);
    if (!choice.spill) continue;
    for (const auto& [type, name] : kTypes)
      for (std::uint32_t port = 0; port < config.ports; ++port)
        words.add(formats.barrier_flit(fabric::spill_place({type, group.gid, {}}, port), 0),
                  fmt::format("place_port{}_{}_g{}", port, name, group.gid));
    data(MessageType::kSpillData, fmt::format("spilled_g{}", group.gid), group.gid);
  }
  words.rest();
  if (!choice.in_band) return words.text();
  const std::uint32_t nodes = spec.graph->nodes();
  for (const auto& [opcode, name] :
       {std::pair{fabric::kOpcodeData, "data"}, std::pair{fabric::kOpcodeRequest, "request"},
        std::pair{fabric::kOpcodeAnswer, "answer"}, std::pair{fabric::kOpcodeGroup, "group"}})
    for (std::uint32_t d = 0; d < spec.graph->destinations(); ++d) {
      if ((opcode == fabric::kOpcodeRequest) != (d >= nodes)) continue;
      const std::uint64_t head = d | std::uint64_t{opcode} << fabric::kDestinationWidth;
      words.add({.lo = head, .kind = core::Flit::kHead},
                d < nodes ? fmt::format("{}_to_n{}", name, d)
                          : fmt::format("{}_to_switch{}", name, d - nodes));
    }
  return words.text();
}

using topology::SwitchId;

/// For each group its members' links at their switches, for each switch of its tree the barrier
/// register, or the spill node's link and latches, and the links of the tree, with barrier messages
/// decoded; of groups set up in band also what the in-band register access units of the switches
/// write. Only switches that are in the waveform.
class View : public run::SwitchRows {
 public:
  View(const run::RunSpec& spec, const fabric::SwitchConfig& config, const fabric::HomeNodes& homes,
       run::GtkwaveRows& rows)
      : SwitchRows(spec, config, rows), homes_(homes), in_band_(run::own<Spec>(spec).in_band) {}

  void group(const PlannedGroup& group, std::span<const RegisterSlot> slots, std::uint32_t number) {
    members(group.name, group.tree.members);
    for (const RegisterSlot& slot : slots) {
      const SwitchId s = slot.image.sw;
      if (slot.group != number || !shown(s)) continue;
      const std::string who = fmt::format("Group {}: switch {}{}", group.name, s,
                                          s == group.tree.root_switch ? " (root)" : "");
      const bool open = number == 0 && (s == group.tree.root_switch || named());
      if (variant(config_).groups != 0)
        place(s, slot.slot, who, open);
      else if (slot.spilled)
        spilled(s, who, open);
      else
        barrier_register(s, slot.slot, who, open);
    }
    rows_.section(fmt::format("Group {}: links of the tree, at the parents", group.name));
    for (const TreeEdge& edge : group.tree.edges) {
      if (!shown(edge.parent)) continue;
      link(edge.parent, edge.parent_port, fmt::format("switch {} to {}", edge.child, edge.parent));
    }
  }
  /// How the registers of a switch are written by packets.
  void agent(SwitchId s) {
    if (!shown(s)) return;
    rows_.section(fmt::format("Set-up of switch {} by packets: its access unit", s));
    const std::string base = scope(s, "path.agent.");
    rows_.hex("0 idle 1 receiving 2 reading 3 writing 4 answering", base + "state_q[2:0]");
    rows_.hex("register address", base + "address_o[11:0]");
    rows_.hex("word before", base + "before_q[31:0]");
    rows_.hex("new word", base + "data_o[31:0]");
    rows_.binary("written", base + "write_o");
  }

 private:
  void barrier_register(SwitchId s, std::uint32_t slot, const std::string& who, bool open) {
    rows_.section(fmt::format("{}, barrier register {}", who, slot), open);
    const std::string base =
        fmt::format("{}messages.{}.unit.gen_register[{}].register.", scope(s),
                    variant(config_).serial ? "gen_serial" : "gen_parallel", slot);
    if (in_band_) {
      rows_.binary("claimed", base + "claimed_o");
      rows_.binary("valid", base + "valid_o");
    }
    rows_.binary("child mask", of_ports(base + "children_o"));
    rows_.binary("arrived mask", of_ports(base + "arrived_o"));
    rows_.binary("reduction sent", base + "sent_o");
    rows_.binary("still to serve", of_ports(base + "serve_o"));
  }
  /// A group in block RAM: what the unit does, for whatever group it is.
  void place(SwitchId s, std::uint32_t gid, const std::string& who, bool open) {
    rows_.section(fmt::format("{}, place {} of the block RAM", who, gid), open);
    const std::string base = scope(s, "messages.gen_many.unit.");
    const auto last = static_cast<unsigned>(std::countr_zero(variant(config_).groups)) - 1;
    rows_.hex("group decided", fmt::format("{}group_q[{}:0]", base, last));
    rows_.binary("its message came from", of_ports(base + "port_q"));
    rows_.binary("child mask", of_ports(base + "children"));
    rows_.binary("arrived mask", of_ports(base + "arrived"));
    rows_.binary("still to serve", of_ports(base + "serve"));
    rows_.hex("group that sends", fmt::format("{}first_group[{}:0]", base, last));
    rows_.binary("to ports", of_ports(base + "first_ports"));
  }
  /// The way to the spill node and back, which all spilled groups of the switch share.
  void spilled(SwitchId s, const std::string& who, bool open) {
    const core::PortMask mask = homes_.home_ports[s];
    rows_.section(fmt::format("{}, spilled to node {}", who,
                              topology::node_name(*spec_.graph, homes_.node[s])),
                  open);
    const std::string base = scope(s, "messages.gen_spill.spill.");
    rows_.binary("messages that wait for a latch", of_ports(base + "hold_o"));
    rows_.binary("hand-over latch full", base + "hand_q");
    rows_.binary("its place has left", base + "placed_q");
    rows_.binary("place of an answer here", base + "place_q");
    rows_.binary("answer latch full", base + "answer_q");
    link(s, static_cast<std::uint32_t>(std::countr_zero(mask)), "spill node");
  }

  const fabric::HomeNodes& homes_;
  bool in_band_;
};

/// The switches that the user names have the operation, and data if it is to have some.
void require_operation(const fabric::SwitchConfig& config, const Spec& choice) {
  const std::uint32_t ops = variant(config).ops;
  const auto simple = [](fabric::ReduceOp op) { return (static_cast<unsigned>(op) & 3u) == 0; };
  const bool at_once = simple(choice.op) && std::ranges::all_of(choice.ops, simple);
  if (ops == 0 || (ops == 1 && at_once) ||
      (choice.op == fabric::ReduceOp::kOr && at_once && !choice.data_bits))
    return;
  throw InputError(
      "switch configuration '{}' has Ops = {}, {}; use a configuration "
      "with Ops = 0",
      config.name, ops,
      ops == 1 ? "so --op may be `or` and `and`" : "no data: this run needs --op and --data-bits");
}

constexpr std::size_t kNamedGroups = 3;  // of those that share a full switch, in a message

}  // namespace

BtinPlan::BtinPlan(const run::ResolvedRun& run)
    : spec_(run.spec),
      homes_(run.homes),
      choice_(run::own<Spec>(run.spec)),
      many_(choice_.many || (spec_.config && variant(*spec_.config).groups != 0)),
      labels_(spec_.config && variant(*spec_.config).labels) {
  if (spec_.config) require_operation(*spec_.config, choice_);
  if (labels_ && choice_.in_band)
    throw InputError(
        "--setup in-band: packets cannot write the labels of switch configuration '{}'; use "
        "--setup host",
        spec_.config->name);
  constexpr std::uint32_t kNames = 1u << fabric::kDestinationWidth;
  if (choice_.in_band && spec_.graph->destinations() > kNames)
    throw InputError(
        "--setup in-band: register packets can address {} nodes and switches, the "
        "network has {}; use a smaller one",
        kNames, spec_.graph->destinations());
  constexpr std::uint32_t kMaskBits = 16;  // of a word of a group message
  if (choice_.in_band && spec_.graph->max_ports() > kMaskBits)
    throw InputError(
        "--setup in-band: group messages have masks of {} ports, a switch of the network has {}; "
        "use --setup host",
        kMaskBits, spec_.graph->max_ports());
  for (const run::RunGroup& group : spec_.groups) {
    groups_.push_back(
        {group.name, static_cast<std::uint32_t>(groups_.size()), choice_.reflect, BarrierTree{},
         choice_.ops.empty() ? choice_.op : choice_.ops.at(groups_.size()), choice_.root});
    plan_group(groups_.back(), *spec_.graph, group.members, choice_.in_band);
    if (!choice_.in_band) continue;
    // An announcement for each member; at each switch of the tree a request or answer and messages
    // of its representative or home node.
    const BarrierTree& tree = groups_.back().tree;
    packet_flits_ += tree.members.size() * (5 + (spec_.graph->nodes() + 15) / 16 + 1) +
                     tree.order.size() * 4 * fabric::kRequestFlits;
  }
}

void BtinPlan::require(fabric::Requirement& need, const run::Available& available) const {
  Variant wanted{.serial = choice_.serial,
                 .spill = choice_.spill,
                 .retry = choice_.retry,
                 .queued = choice_.queued};
  if (many_) wanted.groups = std::max(static_cast<std::uint32_t>(groups_.size()), 1u);
  need.variant = values(wanted);
  if (choice_.data_bits)
    need.data_w = *choice_.data_bits + (choice_.retry ? fabric::kRetryWidth : 0);
  const std::uint32_t most = available(need);
  if (!many_)
    need.regs = registers(most);
  else if (groups_.size() > most)
    throw InputError(
        "{} groups at once, but a switch with groups in block RAM has identifiers up to "
        "{}; use fewer simultaneous groups",
        groups_.size(), most - 1);
}

std::uint32_t BtinPlan::registers(std::uint32_t available) const {
  auto used = registers_needed(groups_);
  if (choice_.spill)
    for (std::size_t s = 0; s < used.size(); ++s)
      if (homes_.home_ports[s] != 0) used[s] = 0;  // any number will do
  const auto busiest = std::ranges::max_element(used);
  if (busiest == used.end()) return 0;
  if (*busiest <= available) return *busiest;
  const auto s = static_cast<topology::SwitchId>(busiest - used.begin());
  std::vector<std::string> names;
  for (const PlannedGroup& group : groups_) {
    const auto& order = group.tree.order;
    if (group.tree.alone() || std::ranges::find(order, s) == order.end()) continue;
    names.push_back("'" + group.name + "'");
  }
  const std::size_t groups = names.size();
  if (groups > kNamedGroups) {
    names.resize(kNamedGroups);
    names.back() += fmt::format(" and {} more", groups - kNamedGroups);
  }
  throw InputError(
      "{} is in the trees of {} groups, {}, but has {} barrier registers; use "
      "fewer simultaneous groups{}",
      topology::switch_text(*spec_.graph, s), groups, fmt::join(names, ", "), available,
      choice_.spill ? "; the switch has no node to spill to" : ", or with --spill");
}

std::uint32_t BtinPlan::most_spilled(const fabric::SwitchConfig& config) const {
  if (!choice_.spill) return 0;
  // Trees and places change.
  if (changes_or_moves(spec_)) return static_cast<std::uint32_t>(groups_.size());
  std::uint32_t most = 0;
  for (const std::uint32_t groups : registers_needed(groups_))
    most = std::max(most, groups - std::min(groups, config.regs));
  return most;
}

run::PlanTimes BtinPlan::times(const fabric::SwitchConfig& config) const {
  // docs/systems/barrier-switch.md, The bound: a message and two flits of data for each other
  // group.
  const std::uint64_t latency = run::longest_latency(*spec_.graph);
  const std::uint64_t others = groups_.empty() ? 0 : groups_.size() - 1;
  const std::uint64_t pipe = spec_.profile.pipe;
  // Folding data takes a cycle more than there are ports of a switch at most.
  const bool at_once = choice_.ops.empty() && (static_cast<unsigned>(choice_.op) & 3u) == 0;
  const std::uint64_t folding = at_once ? 0 : config.ports + 1;
  // A pipe is a link more, on which messages of the others go before too. There a message waits for
  // the headers of those and of two packets that an input takes before it.
  const std::uint64_t occupancy = spec_.profile.occupancy;
  const std::uint64_t pipes = pipe == 0 ? 0 : pipe + 1 + others + occupancy * (others + 2);
  // A message may leave in the last of these cycles.
  std::uint64_t owed = latency + 2 + 3 * others + folding + pipes;
  if (fabric::has_pockets(config)) {
    // A port takes one message in the time in which its credit comes back, and each message waits
    // for one of every other port.
    const std::uint64_t turns = config.ports, loop = 2 * latency + 3 + turns + occupancy;
    owed += turns + others * loop;
    // It is decided a cycle later, and may stand behind the first of the queue for one.
    if (variant(config).groups != 0) owed += 2;
    // Those of spilled groups are two flits each, there and back, and take turns with registers'.
    const std::uint64_t spilled = most_spilled(config);
    const std::uint64_t hosts = spec_.profile.send + spec_.profile.receive;
    if (spilled != 0) owed += hosts + 2 * pipe + spilled * config.ports * 8 * (loop + 3 * others);
  }
  // Registers that repeat owe a message until it has come, which no bound covers.
  if (choice_.retry) return {.silence = choice_.retries.period * choice_.retries.age_period()};
  return {
      .packet_flits = packet_flits_, .owed_cycles = owed, .queued = variant(config).queued != 0};
}

std::unique_ptr<const run::CheckedGroups> BtinPlan::checked() const {
  auto checked = std::make_unique<checkers::BarrierTrees>();
  for (const PlannedGroup& group : groups_) checked->groups.push_back(checked_group(group));
  if (labels_)
    for (const RegisterSlot& slot : plan_registers(groups_, spec_.config->regs).slots)
      checked->groups[slot.group].registers[slot.image.sw] = slot.slot;
  if (choice_.spill) checked->spill.masks = homes_.home_ports;
  checked->repeated = choice_.retry;
  return checked;
}

std::string BtinPlan::describe() const {
  constexpr std::size_t kMostLines = 40;
  std::string text;
  for (const PlannedGroup& group : groups_)
    text += tree_text(*spec_.graph, group, kMostLines) + "\n";
  return text;
}

std::string BtinPlan::add_wave_rows(run::GtkwaveRows& rows, const fabric::SwitchConfig& config,
                                    const run::RunResult& result) const {
  const Result own = run::own<Result>(result);
  View view(spec_, config, homes_, rows);
  for (std::uint32_t g = 0; g < groups_.size(); ++g) view.group(groups_[g], own.registers, g);
  std::set<SwitchId> set_up;
  if (choice_.in_band)
    for (const RegisterSlot& slot : own.registers) set_up.insert(slot.image.sw);
  for (const SwitchId s : set_up) view.agent(s);
  return wave_words(spec_, groups_, config);
}

std::unique_ptr<run::Scheme> BtinPlan::start(const run::SchemeParts& parts) const {
  if (choice_.retry) return retry_scheme(groups_, parts);
  if (choice_.in_band) return in_band_scheme(groups_, parts);
  return std::make_unique<BtinScheme>(groups_, parts);
}

}  // namespace muster::btin
