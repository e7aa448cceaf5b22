// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>

#include <set>

#include "run/switch_rows.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/preempt/bsr_scheme.hpp"

namespace muster::preempt {
namespace {

using core::Flit;

constexpr std::uint32_t kAddressBits = 11;

/// Names of what messages are from and for.
using Addresses = std::map<std::uint32_t, std::string>;

Addresses addresses_of(const topology::Graph& graph, std::span<const BsrTree> trees) {
  Addresses addresses;
  for (const BsrTree& tree : trees) {
    for (const topology::NodeId n : tree.members) addresses.emplace(n, fmt::format("n{}", n));
    for (topology::SwitchId s = 0; s < tree.switches.size(); ++s)
      if (tree.switches[s].in_tree)
        addresses.emplace(graph.nodes() + s, fmt::format("switch{}", s));
  }
  return addresses;
}

std::string wave_words(const topology::Graph& graph, const fabric::SwitchConfig& config,
                       std::span<const BsrTree> trees) {
  const Addresses addresses = addresses_of(graph, trees);
  run::LinkWords words(config.flit_w);
  const auto add = [&](std::uint8_t kind, std::uint64_t payload, const std::string& meaning) {
    words.add({.lo = payload, .kind = kind}, meaning);
  };
  static constexpr std::pair<BsrType, const char*> kTypes[] = {
      {BsrType::kReduction, "reduction"},
      {BsrType::kDistribution, "distribution"},
      {BsrType::kFirst, "first_message"}};
  for (std::uint32_t g = 0; g < trees.size(); ++g)
    for (const auto& [type, name] : kTypes) {
      std::set<std::uint64_t> payloads;  // sources that differ in low bits only are alike
      for (const auto& [address, unused] : addresses)
        payloads.insert(bsr_flits({.type = type, .gid = g, .source = address}, 0)[0].lo);
      for (const std::uint64_t payload : payloads)
        add(Flit::kFirst, payload, fmt::format("{}_g{}", name, g));
    }
  for (const auto& [address, name] : addresses)
    for (std::uint64_t high = 0; high < 32; ++high)
      add(Flit::kSync, high << kAddressBits | address, name);
  words.rest();
  add(Flit::kPad, 0, "pad");
  for (std::uint8_t v = 0; v < config.vcs; ++v) {
    add(Flit::kControl, control_flit({false, v}).lo, fmt::format("padding_request_vc{}", v));
    add(Flit::kControl, control_flit({true, v}).lo, fmt::format("padding_end_vc{}", v));
  }
  // A parent is a switch; 0 is none.
  for (const auto& [address, name] : addresses)
    if (address >= graph.nodes()) words.line(fmt::format("{:03x} {}", address, name));
  return words.text();
}

using topology::SwitchId;

class View : public run::SwitchRows {
 public:
  using SwitchRows::SwitchRows;

  void of_switch(SwitchId s, std::span<const BsrTree> trees) {
    if (!shown(s)) return;
    std::vector<std::string> names;
    std::uint16_t ports = 0;
    for (std::size_t g = 0; g < trees.size(); ++g) {
      if (!trees[g].switches[s].in_tree) continue;
      names.push_back(spec_.groups[g].name + (s == trees[g].center_switch ? " (center)" : ""));
      ports |= ports_of(s, trees[g]);
    }
    if (names.empty()) return;
    const std::string who = fmt::format("Switch {}", s);
    rows_.section(fmt::format("{}: in the tree of {}", who, fmt::join(names, ", ")));
    rows_.hex("origin: 0 empty 1 routing 2 going",
              shared(s) + "unit.gen_origin[0].origin.state_q[1:0]");
    for (std::uint32_t e = 0; e < names.size(); ++e)
      entry(s, e, who, e == 0 && (s == trees.front().center_switch || named()));
    for (std::uint32_t p = 0; p < spec_.graph->ports(s); ++p)
      if (ports >> p & 1) port(s, p);
  }

 private:
  /// Of what the three switches share.
  std::string shared(SwitchId s) const { return scope(s, "shared."); }
  /// Links of the tree, and others that its messages may take.
  std::uint16_t ports_of(SwitchId s, const BsrTree& tree) const {
    const auto way = [&](SwitchId to) {
      return to == s ? std::uint16_t{0} : spec_.routes->mask(s, spec_.graph->nodes() + to);
    };
    const BsrSwitch& here = tree.switches[s];
    std::uint16_t ports = here.locals | way(here.parent.value_or(tree.center_switch));
    for (const BsrChild& child : here.children)
      ports |= static_cast<std::uint16_t>(1u << child.port | way(child.sw));
    for (std::uint32_t p = 0; p < spec_.graph->ports(s); ++p) {
      const topology::Peer& peer = spec_.graph->peer(s, p);
      // The first messages of the switch behind it come by here.
      if (peer.kind == topology::Peer::Kind::kSwitch && tree.switches[peer.id].in_tree &&
          peer.id != tree.center_switch &&
          spec_.routes->next_port(peer.id, spec_.graph->nodes() + tree.center_switch) == peer.port)
        ports |= static_cast<std::uint16_t>(1u << p);
    }
    return ports;
  }

  void entry(SwitchId s, std::uint32_t e, const std::string& who, bool open) {
    rows_.section(fmt::format("{}, status table entry {}", who, e), open);
    const std::string base = fmt::format("{}unit.status.gen_entry[{}].entry.", shared(s), e);
    rows_.binary("valid", base + "valid_q");
    rows_.hex("group", base + "gid_q[7:0]");
    rows_.binary("tree complete", base + "tree_q");
    rows_.binary("branch", base + "branch_q");
    rows_.translated("parent", run::vector_bits(base + "parent_q[10:0]", 0, 10));
    rows_.binary("locals", of_ports(base + "locals_q"));
    rows_.binary("children", of_ports(base + "children_q"));
    rows_.binary("arrived mask", of_ports(base + "arrived_q"));
    rows_.binary("reduction sent", base + "sent_q");
    rows_.binary("still to serve", of_ports(base + "serve_q"));
  }

  void port(SwitchId s, std::uint32_t p) {
    const topology::Peer& peer = spec_.graph->peer(s, p);
    const bool to_switch = peer.kind == topology::Peer::Kind::kSwitch;
    const std::string name = fmt::format("{}:{}", s, p);
    rows_.section(fmt::format("Port {} to {}", name,
                              to_switch ? fmt::format("switch {}", peer.id)
                                        : "node " + topology::node_name(*spec_.graph, peer.id)));
    if (to_switch) link(s, p, fmt::format("{} switch {}", name, peer.id));
    rows_.hex(
        name + " barrier buffer: 0 filling 1 complete 2 going",
        fmt::format("{}unit.gen_port[{}].buffers.gen_buffer[0].buffer.state_q[1:0]", shared(s), p));
    const std::string base = fmt::format("{}outputs.gen_output[{}].control.", shared(s), p);
    const auto channels = [&](const char* signal) {
      return fmt::format("{}{}[{}:0]", base, signal, config_.vcs - 1);
    };
    rows_.binary(name + " output serves buffer",
                 fmt::format("{}served_q[{}:0]", base, config_.ports));
    rows_.binary(name + " neighbour has room", base + "room_q");
    rows_.binary(name + " waits for data", base + "waits_o");
    rows_.binary(name + " place: channel taken", channels("place_q"));
    rows_.binary(name + " cut: channel", channels("cut_q"));
    rows_.binary(name + " guarded: channel", channels("guarded_q"));
    rows_.hex(name + " guard: cycles left", base + "guard_q[4:0]");
  }
};

}  // namespace

std::string add_bsr_rows(run::GtkwaveRows& rows, const run::RunSpec& spec,
                         const fabric::SwitchConfig& config, std::span<const BsrTree> trees) {
  View view(spec, config, rows);
  for (std::size_t g = 0; g < trees.size(); ++g)
    view.members(spec.groups[g].name, trees[g].members);
  for (SwitchId s = 0; s < spec.graph->switches(); ++s) view.of_switch(s, trees);
  if (trees.empty()) return {};
  return wave_words(*spec.graph, config, trees);
}

}  // namespace muster::preempt
