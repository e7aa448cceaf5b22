// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/tree_wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "muster/systems/btin.hpp"
#include "muster/topology/group_spec.hpp"
#include "systems/btin/scheme/tree_wave_words.hpp"

namespace muster::btin {

namespace {

using topology::SwitchId;

class View {
 public:
  View(const TreeWaveScene& scene, run::GtkwaveRows& rows)
      : spec_(scene.spec),
        config_(scene.config),
        homes_(scene.homes),
        in_band_(scene.spec.parts.get<Spec>().in_band),
        rows_(rows) {}

  void group(const PlannedGroup& group, std::span<const RegisterSlot> slots, std::uint32_t number) {
    rows_.section(fmt::format("Group {}: members (arrival in, release out)", group.name),
                  number == 0);
    for (const topology::NodeId n : group.tree.members) {
      const auto& at = spec_.graph->node(n).at;
      if (!shown(at.sw)) continue;
      link(at.sw, at.port, "node " + topology::node_name(*spec_.graph, n));
    }
    for (const RegisterSlot& slot : slots) {
      const SwitchId s = slot.image.sw;
      if (slot.group != number || !shown(s)) continue;
      const std::string who = fmt::format("Group {}: switch {}{}", group.name, s,
                                          s == group.tree.root_switch ? " (root)" : "");
      const bool open = number == 0 && (s == group.tree.root_switch || named());
      if (config_.groups != 0)
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
    const std::string base = scope(s) + "path.agent.";
    rows_.hex("0 idle 1 receiving 2 reading 3 writing 4 answering", base + "state_q[2:0]");
    rows_.hex("register address", base + "address_o[11:0]");
    rows_.hex("word before", base + "before_q[31:0]");
    rows_.hex("new word", base + "data_o[31:0]");
    rows_.binary("written", base + "write_o");
  }

 private:
  void barrier_register(SwitchId s, std::uint32_t slot, const std::string& who, bool open) {
    rows_.section(fmt::format("{}, barrier register {}", who, slot), open);
    const std::string base = fmt::format("{}messages.{}.unit.gen_register[{}].register.", scope(s),
                                         config_.serial ? "gen_serial" : "gen_parallel", slot);
    const unsigned top = config_.ports - 1;
    if (in_band_) {
      rows_.binary("claimed", base + "claimed_o");
      rows_.binary("valid", base + "valid_o");
    }
    rows_.binary("child mask", fmt::format("{}children_o[{}:0]", base, top));
    rows_.binary("arrived mask", fmt::format("{}arrived_o[{}:0]", base, top));
    rows_.binary("reduction sent", base + "sent_o");
    rows_.binary("still to serve", fmt::format("{}serve_o[{}:0]", base, top));
  }
  /// A group in block RAM: what the unit does, for whatever group it is.
  void place(SwitchId s, std::uint32_t gid, const std::string& who, bool open) {
    rows_.section(fmt::format("{}, place {} of the block RAM", who, gid), open);
    const std::string base = scope(s) + "messages.gen_many.unit.";
    const unsigned top = config_.ports - 1;
    const auto last = static_cast<unsigned>(std::countr_zero(config_.groups)) - 1;
    rows_.hex("group decided", fmt::format("{}group_q[{}:0]", base, last));
    rows_.binary("its message came from", fmt::format("{}port_q[{}:0]", base, top));
    rows_.binary("child mask", fmt::format("{}children[{}:0]", base, top));
    rows_.binary("arrived mask", fmt::format("{}arrived[{}:0]", base, top));
    rows_.binary("still to serve", fmt::format("{}serve[{}:0]", base, top));
    rows_.hex("group that sends", fmt::format("{}first_group[{}:0]", base, last));
    rows_.binary("to ports", fmt::format("{}first_ports[{}:0]", base, top));
  }
  /// The way to the spill node and back, which all spilled groups of the switch share.
  void spilled(SwitchId s, const std::string& who, bool open) {
    const std::uint32_t mask = homes_.home_ports[s];
    rows_.section(fmt::format("{}, spilled to node {}", who,
                              topology::node_name(*spec_.graph, homes_.node[s])),
                  open);
    const std::string base = scope(s) + "messages.gen_spill.spill.";
    rows_.binary("messages that wait for a latch",
                 fmt::format("{}hold_o[{}:0]", base, config_.ports - 1));
    rows_.binary("hand-over latch full", base + "hand_q");
    rows_.binary("its place has left", base + "placed_q");
    rows_.binary("place of an answer here", base + "place_q");
    rows_.binary("answer latch full", base + "answer_q");
    link(s, static_cast<std::uint32_t>(std::countr_zero(mask)), "spill node");
  }
  /// The waveform has switches that the user has chosen.
  bool named() const { return !spec_.bank.wave_blocks.empty(); }
  bool shown(SwitchId s) const {
    const auto& only = spec_.bank.wave_blocks;
    return only.empty() || std::find(only.begin(), only.end(), s) != only.end();
  }
  std::string scope(SwitchId s) const { return fmt::format("sw{}.barrier_switch.", s); }
  /// What comes in and goes out at one port: rows of {valid, kind, payload}.
  void link(SwitchId s, std::uint32_t port, const std::string& who) {
    const std::uint32_t last = config_.flit_w - 1;
    // Of all that is on the wires in, whether or not it enters a queue.
    const auto field = [&](const char* name, std::uint32_t width) {
      const std::uint32_t first = (config_.ports - 1 - port) * width;
      return run::vector_bits(fmt::format("{}{}[{}:0]", scope(s), name, config_.ports * width - 1),
                              first, first + width - 1);
    };
    rows_.translated(who + " in", field("rx_valid_i", 1) + field("rx_kind_i", 3) +
                                      field("rx_payload_i", config_.flit_w));
    const std::string out = fmt::format("{}path.gen_output[{}].out.tx.", scope(s), port);
    rows_.translated(who + " out",
                     " " + out + "tx_valid_o" + run::vector_bits(out + "tx_kind_o[2:0]", 0, 2) +
                         run::vector_bits(fmt::format("{}tx_payload_o[{}:0]", out, last), 0, last));
  }

  const run::RunSpec& spec_;
  const fabric::SwitchConfig& config_;
  const fabric::HomeNodes& homes_;
  bool in_band_;
  run::GtkwaveRows& rows_;
};

}  // namespace

std::string add_tree_rows(run::GtkwaveRows& rows, const TreeWaveScene& scene,
                          const run::RunResult& result) {
  const Result own = result.parts.get<Result>();
  View view(scene, rows);
  for (std::uint32_t g = 0; g < scene.groups.size(); ++g)
    view.group(scene.groups[g], own.registers, g);
  std::set<SwitchId> set_up;
  if (scene.spec.parts.get<Spec>().in_band)
    for (const RegisterSlot& slot : own.registers) set_up.insert(slot.image.sw);
  for (const SwitchId s : set_up) view.agent(s);
  return wave_words(scene.spec, scene.groups, scene.config);
}

}  // namespace muster::btin
