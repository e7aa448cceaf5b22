// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "run/switch_rows.hpp"
#include "systems/btin/scheme/btin_plan.hpp"

namespace muster::btin {

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

}  // namespace

std::string add_tree_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                          const fabric::SwitchConfig& config, const fabric::HomeNodes& homes,
                          std::span<const PlannedGroup> groups, const run::RunResult& result) {
  const Result own = run::own<Result>(result);
  View view(spec, config, homes, rows);
  for (std::uint32_t g = 0; g < groups.size(); ++g) view.group(groups[g], own.registers, g);
  std::set<SwitchId> set_up;
  if (run::own<Spec>(spec).in_band)
    for (const RegisterSlot& slot : own.registers) set_up.insert(slot.image.sw);
  for (const SwitchId s : set_up) view.agent(s);
  return wave_words(spec, groups, config);
}

}  // namespace muster::btin
