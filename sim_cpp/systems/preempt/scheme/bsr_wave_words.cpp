// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/scheme/bsr_wave_words.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::preempt {

namespace {

using core::Flit;

constexpr std::uint32_t kAddressBits = 11;

/// Names of what messages are from and for.
using Addresses = std::map<std::uint32_t, std::string>;

Addresses addresses_of(const topology::Graph& graph, std::span<const BsrTree* const> trees) {
  Addresses addresses;
  for (const BsrTree* tree : trees) {
    for (const topology::NodeId n : tree->members) addresses.emplace(n, fmt::format("n{}", n));
    for (topology::SwitchId s = 0; s < tree->switches.size(); ++s)
      if (tree->switches[s].in_tree)
        addresses.emplace(graph.nodes() + s, fmt::format("switch{}", s));
  }
  return addresses;
}

class Words {
 public:
  explicit Words(const fabric::SwitchConfig& config) : config_(config) {}

  void firsts(std::uint32_t gid, const Addresses& addresses) {
    static constexpr std::pair<BsrType, const char*> kTypes[] = {
        {BsrType::kReduction, "reduction"},
        {BsrType::kDistribution, "distribution"},
        {BsrType::kFirst, "first_message"}};
    for (const auto& [type, name] : kTypes) {
      std::set<std::uint64_t> payloads;  // sources that differ in low bits only are alike
      for (const auto& [address, unused] : addresses)
        payloads.insert(bsr_flits({.type = type, .gid = gid, .source = address}, 0)[0].lo);
      for (const std::uint64_t payload : payloads)
        add(Flit::kFirst, payload, fmt::format("{}_g{}", name, gid));
    }
  }
  void others(const Addresses& addresses) {
    for (const auto& [address, name] : addresses)
      for (std::uint64_t high = 0; high < 32; ++high)
        add(Flit::kSync, high << kAddressBits | address, name);
  }
  void controls() {
    text_ += bits(0, 0) + " .\n";  // a link that has carried nothing yet
    add(Flit::kPad, 0, "pad");
    for (std::uint8_t v = 0; v < config_.vcs; ++v) {
      add(Flit::kControl, control_flit({false, v}).lo, fmt::format("padding_request_vc{}", v));
      add(Flit::kControl, control_flit({true, v}).lo, fmt::format("padding_end_vc{}", v));
    }
  }
  /// A parent is a switch; 0 is none.
  void parents(const Addresses& addresses, std::uint32_t nodes) {
    for (const auto& [address, name] : addresses)
      if (address >= nodes) text_ += fmt::format("{:03x} {}\n", address, name);
  }
  std::string take() { return std::move(text_); }

 private:
  /// What is above bit 63 of the payload is 0.
  void add(std::uint8_t kind, std::uint64_t payload, const std::string& meaning) {
    text_ += fmt::format("{} {}\n{} .\n", bits(8u | kind, payload), meaning, bits(kind, payload));
  }
  /// {valid, kind, payload} as GTKWave writes it.
  std::string bits(std::uint32_t head, std::uint64_t payload) const {
    __extension__ using Wide = unsigned __int128;
    const Wide value = Wide{head} << config_.flit_w | payload;
    std::string text;
    for (unsigned d = (config_.flit_w + 4 + 3) / 4; d-- > 0;)
      text += "0123456789abcdef"[static_cast<unsigned>(value >> (4 * d)) & 15];
    return text;
  }

  const fabric::SwitchConfig& config_;
  std::string text_;
};

}  // namespace

std::string bsr_wave_words(const topology::Graph& graph, std::span<const BsrTree* const> trees,
                           const fabric::SwitchConfig& config) {
  if (trees.empty()) return {};
  const Addresses addresses = addresses_of(graph, trees);
  Words words(config);
  for (std::uint32_t g = 0; g < trees.size(); ++g) words.firsts(g, addresses);
  words.others(addresses);
  words.controls();
  words.parents(addresses, graph.nodes());
  return words.take();
}

}  // namespace muster::preempt
