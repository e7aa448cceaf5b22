// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "core/text.hpp"
#include "muster/core/outputs.hpp"
#include "topology/route_rules.hpp"

namespace muster::run {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of a trace
constexpr std::size_t kMostLengths = 64;                    // of a mix

/// To the node at the same place among those of the next group, in a cycle of all groups that have
/// nodes.
std::vector<topology::NodeId> next_group(const topology::Graph& graph) {
  const auto shape = topology::dragonfly_shape(graph);
  if (!shape)
    throw InputError(
        "--pattern next-group: network '{}' is no dragonfly; make it by topo gen dragonfly, or use "
        "another pattern",
        graph.name);
  std::vector<std::vector<topology::NodeId>> groups(shape->groups);
  for (topology::NodeId n = 0; n < graph.nodes(); ++n)
    groups[graph.node(n).at.sw / shape->routers].push_back(n);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  std::vector<topology::NodeId> to(graph.nodes());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto& next = groups[(g + 1) % groups.size()];
    for (std::size_t i = 0; i < groups[g].size(); ++i) to[groups[g][i]] = next[i % next.size()];
  }
  return to;
}

}  // namespace

std::vector<topology::NodeId> permutation(const std::string& name, const topology::Graph& graph) {
  if (name == "uniform") return {};
  if (name == "next-group") return next_group(graph);
  const std::uint32_t nodes = graph.nodes();
  std::vector<topology::NodeId> to(nodes);
  for (topology::NodeId n = 0; n < nodes; ++n)
    to[n] = name == "opposite" ? (n + nodes / 2) % nodes : nodes - 1 - n;
  return to;
}

std::shared_ptr<const Pattern> find_pattern(const std::string& name, const topology::Graph& graph) {
  std::vector<topology::NodeId> to = permutation(name, graph);
  if (to.empty()) return std::make_shared<Uniform>(graph.nodes());
  return std::make_shared<Permutation>(std::move(to));
}

std::shared_ptr<const PacketTrace> read_packets(const std::string& file,
                                                const topology::Graph& graph) {
  std::istringstream text(read_file(file, kMostBytes));
  const std::uint32_t nodes = graph.nodes();
  auto trace = std::make_shared<PacketTrace>(nodes);
  bool some = false;
  std::string line;
  return topology::at_place(file, [&]() -> std::shared_ptr<const PacketTrace> {
    for (std::uint64_t number = 1; std::getline(text, line); ++number) {
      std::istringstream words(line.substr(0, line.find('#')));
      std::array<std::uint64_t, 4> values{};
      std::size_t count = 0;
      for (std::string word; words >> word; ++count) {
        if (count == values.size())
          topology::fail_at(number, "more than four words; write CYCLE SOURCE DESTINATION FLITS");
        auto value = topology::whole_number<std::uint64_t>(word);
        if (!value && (count == 1 || count == 2)) value = topology::named_node(graph, word);
        if (!value)
          topology::fail_at(number, "'{}' is not a whole number, nor the name of a node", word);
        values[count] = *value;
      }
      if (count == 0) continue;
      if (count != values.size()) topology::fail_at(number, "write CYCLE SOURCE DESTINATION FLITS");
      const auto [cycle, source, destination, flits] = values;
      if (cycle > kMostCycles)
        topology::fail_at(number, "cycle {} is above {}", cycle, kMostCycles);
      for (const std::uint64_t node : {source, destination})
        if (node >= nodes)
          topology::fail_at(number, "there is no node {}; the network has {}", node, nodes);
      if (flits < fabric::kMinDataFlits || flits > kMostDataFlits)
        topology::fail_at(number, "a data packet has {} to {} flits, not {}", fabric::kMinDataFlits,
                          kMostDataFlits, flits);
      (*trace)[source].push_back(
          {cycle, static_cast<std::uint32_t>(destination), static_cast<std::uint32_t>(flits)});
      some = true;
    }
    if (!some) throw InputError("no packet; write a line CYCLE SOURCE DESTINATION FLITS");
    for (auto& packets : *trace) std::ranges::stable_sort(packets, {}, &TracedPacket::cycle);
    return trace;
  });
}

double offered_flits(const PacketTrace& trace) {
  std::uint64_t flits = 0, last = 0;
  for (const auto& packets : trace)
    for (const TracedPacket& packet : packets) {
      flits += packet.flits;
      last = std::max(last, packet.cycle);
    }
  return static_cast<double>(flits) /
         (static_cast<double>(last + 1) * static_cast<double>(trace.size()));
}

std::vector<PacketShare> parse_mix(const std::string& text) {
  std::vector<PacketShare> mix;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t colon = part.find(':');
    const auto flits = topology::whole_number<std::uint64_t>(part.substr(0, colon));
    const auto share = topology::whole_number<std::uint64_t>(
        colon == std::string::npos ? "" : part.substr(colon + 1));
    if (!flits || !share)
      throw InputError("--packet-mix '{}': write FLITS:SHARE,... as 4:3,64:1", text);
    if (*flits < fabric::kMinDataFlits || *flits > kMostDataFlits)
      throw InputError("--packet-mix '{}': a data packet has {} to {} flits, not {}", text,
                       fabric::kMinDataFlits, kMostDataFlits, *flits);
    if (*share < 1 || *share > 1'000'000)
      throw InputError("--packet-mix '{}': a share is 1 to 1000000, not {}", text, *share);
    mix.push_back({static_cast<std::uint32_t>(*flits), static_cast<std::uint32_t>(*share)});
  }
  if (mix.size() > kMostLengths)
    throw InputError("--packet-mix: {} lengths; use {} at most", mix.size(), kMostLengths);
  return mix;
}

std::string mix_text(const std::vector<PacketShare>& mix) {
  std::string text;
  for (const PacketShare& part : mix)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", part.flits, part.share);
  return text;
}

}  // namespace muster::run
