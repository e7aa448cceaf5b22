// SPDX-License-Identifier: Apache-2.0
#include "app/wave_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "barrier/register_plan.hpp"
#include "common/file_io.hpp"
#include "network/formats.hpp"
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

/// What {valid, payload} of a link means: a message of a group of this run, or "." for an idle link
/// whose wires still hold one. GTKWave shows what is not listed, data flits, as hexadecimal.
std::string message_words(std::span<const PlannedGroup> groups,
                          const network::SwitchConfig& config) {
  const network::Formats formats(config.flit_w, config.gid_w);
  const unsigned digits = (config.flit_w + 4) / 4;  // of flit_w + 1 bits
  const std::uint64_t data_values = std::uint64_t{1} << std::min(formats.data_width(), 6u);
  __extension__ using Wide = unsigned __int128;
  const auto hex = [digits](Wide value) {
    std::string text;
    for (unsigned d = digits; d-- > 0;)
      text += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * d)) & 15];
    return text;
  };
  std::string text;
  for (const PlannedGroup& group : groups)
    for (const auto type : {network::MessageType::kReduction, network::MessageType::kDistribution})
      for (std::uint64_t data = 0; data < data_values; ++data) {
        const network::Flit flit = formats.barrier_flit({type, group.gid, {data, 0}}, 0);
        const Wide payload = (Wide{flit.hi} << 64) | flit.lo;
        text += fmt::format("{} {}_g{}_d{}\n", hex(payload | (Wide{1} << config.flit_w)),
                            type == network::MessageType::kReduction ? "reduction" : "distribution",
                            group.gid, data);
        text += fmt::format("{} .\n", hex(payload));
      }
  return text;
}

class View {
 public:
  View(const workload::RunSpec& spec, const network::SwitchConfig& config, std::string words)
      : spec_(spec), config_(config), words_(std::move(words)) {}

  void group(const PlannedGroup& group, const barrier::RegisterPlan& plan, std::uint32_t number) {
    comment(fmt::format("Group {}: members (arrival in, release out)", group.name));
    for (const topology::NodeId n : group.tree.members) {
      const auto& at = spec_.graph->node(n).at;
      if (!shown(at.sw)) continue;
      link(at.sw, at.port, "node " + topology::node_name(*spec_.graph, n));
    }
    for (const barrier::RegisterSlot& slot : plan.slots) {
      if (slot.group != number || !shown(slot.image.sw)) continue;
      const SwitchId s = slot.image.sw;
      comment(fmt::format("Group {}: switch {}{}, barrier register {}", group.name, s,
                          s == group.tree.root_switch ? " (root)" : "", slot.slot));
      const std::string base =
          fmt::format("{}unit.gen_register[{}].register.", scope(s), slot.slot);
      const unsigned top = config_.ports - 1;
      signal(kBinary, "child mask", fmt::format("{}children_q[{}:0]", base, top));
      signal(kBinary, "arrived mask", fmt::format("{}arrived_q[{}:0]", base, top));
      signal(kBinary, "reduction sent", base + "sent_q");
      signal(kBinary, "still to serve", fmt::format("{}serve_q[{}:0]", base, top));
    }
    comment(
        fmt::format("Group {}: links of the tree (in: from the child, out: to it)", group.name));
    for (const barrier::TreeEdge& edge : group.tree.edges) {
      if (!shown(edge.parent)) continue;
      link(edge.parent, edge.parent_port, fmt::format("switch {} to {}", edge.child, edge.parent));
    }
  }
  const std::string& text() const { return text_; }

 private:
  bool shown(SwitchId s) const {
    const auto& only = spec_.bank.wave_blocks;
    return only.empty() || std::find(only.begin(), only.end(), s) != only.end();
  }
  std::string scope(SwitchId s) const { return fmt::format("sw{}.barrier_switch.", s); }
  void comment(const std::string& words) { text_ += fmt::format("{}\n-{}\n", kComment, words); }
  void signal(const char* flags, const std::string& alias, const std::string& name) {
    text_ += fmt::format("{}\n+{{{}}} {}\n", flags, alias, name);
  }
  /// One row for {valid, payload}, bit by bit: GTKWave numbers the bits of a vector from its left.
  void message(const std::string& alias, const std::string& valid, const std::string& payload) {
    text_ += fmt::format("{}\n^1 {}\n#{{{}}} {}", kTranslated, words_, alias, valid);
    for (std::uint32_t bit = 0; bit < config_.flit_w; ++bit)
      text_ += fmt::format(" ({}){}[{}:0]", bit, payload, config_.flit_w - 1);
    text_ += "\n";
  }
  /// What comes in and goes out at one port.
  void link(SwitchId s, std::uint32_t port, const std::string& who) {
    const std::string in = fmt::format("{}path.inputs.gen_rx[{}].rx.", scope(s), port);
    const std::string out = fmt::format("{}path.gen_output[{}].out.tx.", scope(s), port);
    message(who + " in", in + "rx_valid_i", in + "rx_payload_i");
    message(who + " out", out + "tx_valid_o", out + "tx_payload_o");
  }

  const workload::RunSpec& spec_;
  const network::SwitchConfig& config_;
  std::string words_, text_;
};

}  // namespace

WaveFiles wave_files(const std::string& wave) {
  WaveFiles files{wave, wave, wave};
  files.view.replace_extension(".gtkw");
  files.words.replace_extension(".messages.txt");
  return files;
}

bool WaveFiles::has(const std::filesystem::path& path) const {
  const auto plain = [](const std::filesystem::path& p) {
    return std::filesystem::absolute(p).lexically_normal();
  };
  const auto wanted = plain(path);
  return wanted == plain(wave) || wanted == plain(view) || wanted == plain(words);
}

void require_writable(const WaveFiles& files) {
  for (const auto& file : {files.wave, files.view, files.words}) check_writable(file.string());
}

void remove_wave(const std::string& wave) {
  const WaveFiles files = wave_files(wave);
  for (const auto& file : {files.wave, files.view, files.words})
    if (std::error_code error; std::filesystem::is_regular_file(file, error))
      std::filesystem::remove(file, error);
}

std::string write_wave_view(const workload::RunSpec& spec, const network::SwitchConfig& config) {
  const WaveFiles files = wave_files(spec.bank.wave_file);
  const std::filesystem::path wave = std::filesystem::absolute(files.wave);
  const std::filesystem::path words = std::filesystem::absolute(files.words);

  const std::unique_ptr<workload::SchemePlan> scheme = workload::plan_scheme(spec);
  const std::span<const PlannedGroup> groups = scheme->trees();
  const barrier::RegisterPlan plan =
      barrier::plan_registers(groups, config.regs, (1u << config.gid_w) - 1);
  View view(spec, config, words.string());
  for (std::uint32_t g = 0; g < groups.size(); ++g) view.group(groups[g], plan, g);

  write_file(words.string(), message_words(groups, config));
  write_file(files.view.string(),
             fmt::format("[*] Muster: barrier messages hop by hop; 10 ns a cycle\n"
                         "[dumpfile] \"{}\"\n[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n"
                         "*-7.5 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "
                         "-1 -1 -1 -1\n[sst_width] 230\n[signals_width] 420\n{}",
                         wave.string(), view.text()));
  return files.view.string();
}

}  // namespace muster::app
