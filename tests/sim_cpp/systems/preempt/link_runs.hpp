// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include "muster/fabric/layout.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::test {

inline constexpr const char* kBsrSchemes[] = {"bsr-1", "bsr-2", "bsr-3"};

/// Two switches with four nodes each and two links between them.
inline topology::Graph twin_links() {
  topology::Graph graph;
  for (int s = 0; s < 2; ++s) graph.add_switch(6);
  for (std::uint32_t p = 0; p < 2; ++p) graph.add_link({0, p}, {1, p});
  for (topology::SwitchId s = 0; s < 2; ++s)
    for (std::uint32_t p = 2; p < 6; ++p) graph.add_node({s, p});
  return graph;
}

/// Barrier messages of one group, by cycle and channel.
class BsrDigest : public core::Observer {
 public:
  BsrDigest(const fabric::Layout& layout, std::uint32_t gid)
      : passing_(layout.channels().size()), gid_(gid) {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& e : flits) {
      if (!e.flit.sync() || e.flit.kind == core::Flit::kPad ||
          e.flit.kind == core::Flit::kControl || e.channel >= passing_.size())
        continue;
      const auto m = passing_[e.channel].add(e.flit);
      if (!m || m->gid != gid_) continue;
      sum = mix64(sum ^ mix64(cycle) ^ e.channel ^ std::uint64_t{m->destination} << 20);
      ++messages;
    }
  }
  std::uint64_t sum = 0, messages = 0;

 private:
  std::vector<preempt::BsrAssembly> passing_;
  std::uint32_t gid_;
};

/// The last cycle in which a flit was put on either channel of a link.
class LastFlit : public core::Observer {
 public:
  LastFlit(const fabric::Layout& layout, const run::KilledLink& link)
      : layout_(layout), link_(link) {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& e : flits) {
      if (e.channel >= layout_.channels().size()) continue;
      const fabric::End& from = layout_.channels()[e.channel].from;
      if (from.node) continue;
      const topology::PortRef port{from.id, from.port};
      if (port == link_.a || port == link_.b) last = cycle;
    }
  }
  std::uint64_t last = 0;

 private:
  const fabric::Layout& layout_;
  run::KilledLink link_;
};

/// An observer that the caller keeps.
inline std::shared_ptr<core::Observer> kept(core::Observer& observer) {
  return {std::shared_ptr<void>(), &observer};
}

/// The first link, from number `from` on, that may be taken out of the network.
inline std::optional<topology::Link> spare_link(const topology::Graph& graph, std::size_t from) {
  for (std::size_t i = 0; i < graph.links().size(); ++i) {
    const topology::Link& link = graph.links()[(from + i) % graph.links().size()];
    try {
      topology::without_link(graph, link.a, link.b);
      return link;
    } catch (const InputError&) {
    }
  }
  return std::nullopt;
}

/// A random network of any kind with preempting switches, one to three groups, data from none to
/// four tenths of saturation, and one or two links that die at any time. A function of seed and
/// index alone.
struct RandomLinks {
  Subject subject;
  run::RunSpec spec;  ///< golden, without a configuration

  RandomLinks(std::uint64_t seed, std::uint64_t index, std::uint32_t barriers)
      : RandomLinks(Random(seed, 7100 + index), barriers) {}
  RandomLinks(const RandomLinks&) = delete;

  std::string text() const {
    return fmt::format("{} on {} switches, {} groups, load {}, {} links", spec.scheme,
                       subject.graph.switches(), spec.groups.size(), spec.load_flits,
                       spec.killed.size());
  }

 private:
  RandomLinks(Random rng, std::uint32_t barriers) : subject(network(rng)) {
    std::vector<std::string> groups;
    for (std::uint64_t g = 1 + rng.below(3); g > 0; --g)
      groups.push_back("random:" + std::to_string(1 + rng.below(subject.graph.nodes())));
    spec = subject.spec(groups, rng.next());
    spec.scheme = kBsrSchemes[rng.below(3)];
    spec.barriers = barriers;
    spec.spread = rng.below(2) * 200;
    spec.packet_length = 4 + rng.below(40);
    spec.load_flits = 0.1 * static_cast<double>(rng.below(5)) * subject.route_bound();
    spec.warmup = rng.below(2) * 500;
    topology::Graph rest = subject.graph;
    std::uint64_t cycle = 0;
    for (std::uint64_t l = 1 + rng.below(2); l > 0; --l) {
      const auto link = spare_link(rest, rng.below(rest.links().size()));
      if (!link) break;
      rest = topology::without_link(rest, link->a, link->b);
      cycle += rng.below(3) == 0 ? rng.below(400) : rng.below(4000);
      spec.killed.push_back({link->a, link->b, cycle});
    }
  }
  static topology::Graph network(Random& rng) {
    const auto seed = rng.next();
    switch (rng.below(8)) {
      case 0:
        return topology::generate_mesh(2 + rng.below(4), 2 + rng.below(4));
      case 1:
        return topology::generate_fat_tree(2, 3);
      case 2:
        return topology::generate_clos(8, 4);
      default:
        return topology::generate_irregular({.switches = static_cast<std::uint32_t>(10 + seed % 12),
                                             .nodes = static_cast<std::uint32_t>(20 + seed % 17),
                                             .ports = 8,
                                             .connectivity = 0.7 + 0.3 * rng.uniform(),
                                             .seed = seed});
    }
  }
};

}  // namespace muster::test
