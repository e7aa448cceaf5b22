// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/borrowed.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/run.hpp"
#include "sim_cpp/run/run_fixture.hpp"
#include "systems/preempt/blocks/bsr_assembly.hpp"
#include "topology/routes/without_link.hpp"

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

}  // namespace muster::test
