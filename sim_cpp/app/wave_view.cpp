// SPDX-License-Identifier: Apache-2.0
#include "app/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <set>
#include <span>

#include "app/wave_words.hpp"
#include "barrier/register_plan.hpp"
#include "common/error.hpp"
#include "life/keepers.hpp"
#include "topology/group_spec.hpp"
#include "workload/scheme_registry.hpp"

namespace muster::app {

namespace {

using barrier::PlannedGroup;
using topology::SwitchId;

// Display flags of GTKWave's save format.
constexpr const char* kHex = "@22";
constexpr const char* kBinary = "@28";
constexpr const char* kTranslated = "@2022";  // hexadecimal, through a translation file
constexpr const char* kComment = "@200";

class View {
 public:
  View(const workload::RunSpec& spec, const network::SwitchConfig& config, std::string words)
      : spec_(spec),
        config_(config),
        keepers_(life::plan_keepers(*spec.graph, *spec.routes)),
        words_(std::move(words)) {}

  void group(const PlannedGroup& group, std::span<const barrier::RegisterSlot> slots,
             std::uint32_t number) {
    comment(fmt::format("Group {}: members (arrival in, release out)", group.name));
    for (const topology::NodeId n : group.tree.members) {
      const auto& at = spec_.graph->node(n).at;
      if (!shown(at.sw)) continue;
      link(at.sw, at.port, "node " + topology::node_name(*spec_.graph, n));
    }
    for (const barrier::RegisterSlot& slot : slots) {
      const SwitchId s = slot.image.sw;
      if (slot.group != number || !shown(s)) continue;
      const std::string who = fmt::format("Group {}: switch {}{}", group.name, s,
                                          s == group.tree.root_switch ? " (root)" : "");
      if (slot.spilled)
        spilled(s, who);
      else
        barrier_register(s, slot.slot, who);
    }
    comment(
        fmt::format("Group {}: links of the tree (in: from the child, out: to it)", group.name));
    for (const barrier::TreeEdge& edge : group.tree.edges) {
      if (!shown(edge.parent)) continue;
      link(edge.parent, edge.parent_port, fmt::format("switch {} to {}", edge.child, edge.parent));
    }
  }
  /// How the registers of a switch are written by packets.
  void agent(SwitchId s) {
    if (!shown(s)) return;
    comment(fmt::format("Set-up of switch {} by packets: its agent", s));
    const std::string base = scope(s) + "path.agent.";
    signal(kHex, "0 idle 1 receiving 2 reading 3 writing 4 answering", base + "state_q[2:0]");
    signal(kHex, "register address", base + "address_o[11:0]");
    signal(kHex, "word before", base + "before_q[31:0]");
    signal(kHex, "new word", base + "data_o[31:0]");
    signal(kBinary, "written", base + "write_o");
  }
  const std::string& text() const { return text_; }
  std::uint32_t signals() const { return signals_; }

 private:
  void barrier_register(SwitchId s, std::uint32_t slot, const std::string& who) {
    comment(fmt::format("{}, barrier register {}", who, slot));
    const std::string base = fmt::format("{}unit.gen_register[{}].register.", scope(s), slot);
    const unsigned top = config_.ports - 1;
    if (spec_.in_band) {
      signal(kBinary, "claimed", base + "claimed_q");
      signal(kBinary, "valid", base + "valid_q");
    }
    signal(kBinary, "child mask", fmt::format("{}children_q[{}:0]", base, top));
    signal(kBinary, "arrived mask", fmt::format("{}arrived_q[{}:0]", base, top));
    signal(kBinary, "reduction sent", base + "sent_q");
    signal(kBinary, "still to serve", fmt::format("{}serve_q[{}:0]", base, top));
  }
  /// The way to the spill node and back, which all spilled groups of the switch share.
  void spilled(SwitchId s, const std::string& who) {
    const std::uint32_t mask = keepers_.spill_ports[s];
    comment(fmt::format("{}, spilled to node {}", who,
                        topology::node_name(*spec_.graph, keepers_.node[s])));
    const std::string base = scope(s) + "spill.";
    signal(kBinary, "heads that wait for a latch",
           fmt::format("{}hold_o[{}:0]", base, config_.ports - 1));
    signal(kBinary, "hand-over latch full", base + "gen_spill.hand_q");
    signal(kBinary, "its place has left", base + "gen_spill.placed_q");
    signal(kBinary, "place of an answer here", base + "gen_spill.place_q");
    signal(kBinary, "answer latch full", base + "gen_spill.answer_q");
    link(s, static_cast<std::uint32_t>(std::countr_zero(mask)), "spill node");
  }
  bool shown(SwitchId s) const {
    const auto& only = spec_.bank.wave_blocks;
    return only.empty() || std::find(only.begin(), only.end(), s) != only.end();
  }
  std::string scope(SwitchId s) const { return fmt::format("sw{}.barrier_switch.", s); }
  void comment(const std::string& words) { text_ += fmt::format("{}\n-{}\n", kComment, words); }
  void signal(const char* flags, const std::string& alias, const std::string& name) {
    text_ += fmt::format("{}\n+{{{}}} {}\n", flags, alias, name);
    ++signals_;
  }
  /// One row for {valid, kind, payload}, bit by bit: GTKWave numbers the bits of a vector from its
  /// left.
  void message(const std::string& alias, const std::string& valid, const std::string& kind,
               const std::string& payload) {
    text_ += fmt::format("{}\n^1 {}\n#{{{}}} {}", kTranslated, words_, alias, valid);
    for (unsigned bit = 0; bit < 3; ++bit) text_ += fmt::format(" ({}){}[2:0]", bit, kind);
    for (std::uint32_t bit = 0; bit < config_.flit_w; ++bit)
      text_ += fmt::format(" ({}){}[{}:0]", bit, payload, config_.flit_w - 1);
    text_ += "\n";
    ++signals_;
  }
  /// What comes in and goes out at one port.
  void link(SwitchId s, std::uint32_t port, const std::string& who) {
    const std::string in = fmt::format("{}path.inputs.queues.gen_rx[{}].rx.", scope(s), port);
    const std::string out = fmt::format("{}path.gen_output[{}].out.tx.", scope(s), port);
    message(who + " in", in + "rx_valid_i", in + "rx_kind_i", in + "rx_payload_i");
    message(who + " out", out + "tx_valid_o", out + "tx_kind_o", out + "tx_payload_o");
  }

  const workload::RunSpec& spec_;
  const network::SwitchConfig& config_;
  life::Keepers keepers_;
  std::string words_, text_;
  std::uint32_t signals_ = 0;
};

}  // namespace

WaveFiles wave_files(const std::string& wave) {
  std::filesystem::path path = wave;
  if (path.extension() != ".fst")
    throw InputError(fmt::format("--wave '{}': waveforms are FST; name it .fst", wave));
  WaveFiles files{wave, path.replace_extension(".gtkw"), path.replace_extension(".messages.txt")};
  return files;
}

bool put_wave_view(const WaveFiles& files, Outputs& outputs, const workload::RunSpec& spec,
                   const workload::RunResult& result) {
  const std::string wave = std::filesystem::absolute(files.wave);
  const std::unique_ptr<workload::SchemePlan> scheme = workload::plan_scheme(spec);
  const std::span<const PlannedGroup> groups = scheme->trees();
  View view(spec, result.config, std::filesystem::absolute(files.words));
  for (std::uint32_t g = 0; g < groups.size(); ++g) view.group(groups[g], result.registers, g);
  std::set<SwitchId> set_up;
  if (spec.in_band)
    for (const barrier::RegisterSlot& slot : result.registers) set_up.insert(slot.image.sw);
  for (const SwitchId s : set_up) view.agent(s);

  outputs.put(files.words, wave_words(spec, groups, result.config));
  outputs.put(files.view,
              fmt::format("[*] Muster: barrier messages hop by hop; 10 ns a cycle\n"
                          "[dumpfile] \"{}\"\n[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n"
                          "*-7.5 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "
                          "-1 -1 -1 -1\n[sst_width] 230\n[signals_width] 420\n{}",
                          wave, view.text()));
  return view.signals() != 0;
}

}  // namespace muster::app
