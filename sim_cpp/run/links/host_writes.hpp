// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>

#include "fabric/register_map.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/members.hpp"

namespace muster::run {

/// Tells when no packet is left in a network whose nodes start none, while barrier messages go on.
/// It knows what a host can: whether a flit of a packet is on a link, and `quiescent_o` of the
/// switches. Once no such flit has been on any link for as long as one takes through the longest,
/// and from then on each switch has been quiescent once, its queues were empty and its access unit
/// had nothing to answer; and nothing can have come since.
class DrainWatch : public core::Observer {
 public:
  /// `pipe`: cycles of the delay pipe in every channel.
  DrainWatch(fabric::Network& network, std::uint64_t pipe) : network_(network) {
    std::uint64_t longest = 1;
    for (const fabric::Channel& c : network.layout().channels())
      longest = std::max<std::uint64_t>(longest, c.latency);
    delay_ = longest + pipe + 1;
  }
  /// From this cycle on no node starts a packet.
  void begin(std::uint64_t cycle) {
    moved_ = cycle;
    quiet_.clear();
  }
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    const bool packet = std::ranges::any_of(flits, [](const auto& e) { return !e.flit.sync(); });
    if (packet) begin(cycle);
  }
  /// Between two cycles.
  bool empty(std::uint64_t cycle) {
    if (cycle <= moved_ + delay_) return false;
    quiet_.resize(network_.graph().switches(), 0);
    for (topology::SwitchId s = 0; s < quiet_.size(); ++s)
      quiet_[s] |= network_.switches().quiescent(s) || !network_.switch_alive(s);
    return std::ranges::find(quiet_, 0) == quiet_.end() && network_.between_packets();
  }

 private:
  fabric::Network& network_;
  std::uint64_t delay_ = 0, moved_ = 0;  ///< over the longest link; last flit of a packet
  std::vector<std::uint8_t> quiet_;      ///< switches that were, since nothing moves; or empty
};

/// For registers::write_mask() and the like: writes into a switch at once.
inline auto writer_of(core::Bank& switches, topology::SwitchId s) {
  return [&switches, s](std::uint32_t address, std::uint32_t value) {
    switches.write_register(s, address, value);
  };
}

/// Writes the routing table of a switch, an entry for each destination that has an address below
/// `dests`, at once.
inline void write_routes(const topology::Graph& graph, const topology::Routes& routes,
                         std::uint32_t dests, topology::SwitchId s, core::Bank& switches) {
  for (std::uint32_t d = 0; d < std::min(graph.destinations(), dests); ++d)
    fabric::registers::write_route(d, routes.mask(s, d), graph.ports(s), writer_of(switches, s),
                                   d == graph.nodes() + s);
}

/// Words that the host has still to write into switches while the network runs, a word a cycle at
/// each switch.
class SwitchWrites {
  struct Word {
    std::uint32_t address = 0, value = 0;
    core::PortMask mask = 0;  ///< of an entry of the routing table
  };
  auto adder(topology::SwitchId s, core::PortMask mask) {
    return [this, s, mask](std::uint32_t address, std::uint32_t value) {
      words_[s].push_back({address, value, mask});
    };
  }

 public:
  /// `routes` are those in force and are kept so; nullptr if none are written. Both outlive this.
  explicit SwitchWrites(fabric::Network& network, topology::Routes* routes = nullptr)
      : network_(network), routes_(routes), words_(network.graph().switches()) {}
  void add(topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
    words_[s].push_back({address, value});
  }
  void add_mask(topology::SwitchId s, std::uint32_t address, core::PortMask mask) {
    fabric::registers::write_mask(address, mask, network_.graph().ports(s), adder(s, mask));
  }
  void add_route(topology::SwitchId s, std::uint32_t d, core::PortMask mask) {
    fabric::registers::write_route(d, mask, network_.graph().ports(s), adder(s, mask));
  }
  /// Every entry of `next` that is not in force, of one switch. Returns how many words.
  std::uint64_t add_difference(topology::SwitchId s, const topology::Routes& next) {
    const std::size_t before = words_[s].size();
    for (std::uint32_t d = 0; d < next.destinations(); ++d)
      if (next.mask(s, d) != routes_->mask(s, d)) add_route(s, d, next.mask(s, d));
    return words_[s].size() - before;
  }
  /// Nothing of what was to be written there will be.
  void forget(topology::SwitchId s) { words_[s].clear(); }
  /// In the next cycle one word for each switch that lacks some; false if none does. What is for a
  /// dead switch is lost.
  bool write_some() {
    bool some = false;
    for (topology::SwitchId s = 0; s < words_.size(); ++s) {
      if (!network_.switch_alive(s)) forget(s);
      if (words_[s].empty()) continue;
      const auto [address, value, mask] = words_[s].front();
      words_[s].pop_front();
      some = true;
      network_.write_to_switch(s, address, value);
      if (routes_ != nullptr && address >= fabric::registers::kRoutes)
        routes_->set(s, address - fabric::registers::kRoutes, mask);
    }
    return some;
  }
  bool done() const {
    return std::ranges::all_of(words_, [](const auto& w) { return w.empty(); });
  }

 private:
  fabric::Network& network_;
  topology::Routes* routes_;
  std::vector<std::deque<Word>> words_;  ///< by switch
};

/// Links held on purpose (docs/reference/registers.md, register 0x006): in each barrier of each
/// group some members' switches have their links to other switches held for a time, through the
/// register ports, while everything goes on.
class Congestion {
 public:
  /// REQUIRES: spec.congestion. Throws InputError if a group has fewer members than are to be
  /// congested. The references outlive it.
  Congestion(const RunSpec& spec, fabric::Network& network, const Members& members)
      : spec_(spec),
        network_(network),
        members_(members),
        links_(spec.graph->switches(), 0),
        next_(spec.groups.size(), 0),
        held_(spec.graph->switches(), 0),
        written_(spec.graph->switches(), 0) {
    for (const RunGroup& group : spec.groups)
      if (group.members.size() < spec.congestion->members)
        throw InputError("--congestion: {} members requested, group '{}' has {}",
                         spec.congestion->members, group.name, group.members.size());
    for (const topology::Link& link : spec.graph->links())
      for (const topology::PortRef& end : {link.a, link.b})
        links_[end.sw] |= core::port_bit(end.port);
  }
  /// Before each cycle.
  void step(std::uint64_t cycle) {
    changed_.clear();
    while (!ends_.empty() && ends_.top().cycle <= cycle) {
      --held_[ends_.top().sw];
      changed_.push_back(ends_.top().sw);
      ends_.pop();
    }
    for (std::uint32_t g = 0; g < next_.size(); ++g)
      while (next_[g] < members_.rounds(g).size() && members_.rounds(g)[next_[g]].arrivals != 0)
        begin(cycle, g, next_[g]++);
    for (const topology::SwitchId s : changed_) {
      const bool held = held_[s] != 0;
      if (held == (written_[s] != 0)) continue;
      written_[s] = held;
      fabric::registers::write_mask(fabric::registers::kHold, held ? links_[s] : 0,
                                    spec_.graph->ports(s),
                                    [&](std::uint32_t address, std::uint32_t value) {
                                      network_.write_to_switch(s, address, value);
                                    });
    }
  }

 private:
  struct End {
    std::uint64_t cycle;
    topology::SwitchId sw;
    friend auto operator<=>(const End&, const End&) = default;
  };
  /// Draws the members anew.
  void begin(std::uint64_t cycle, std::uint32_t group, std::uint32_t barrier) {
    std::vector<topology::NodeId> nodes = spec_.groups[group].members;
    Rng rng(mix64(spec_.seed) ^ barrier, group);
    for (std::uint32_t i = 0; i < spec_.congestion->members; ++i) {
      std::swap(nodes[i], nodes[i + rng.below(nodes.size() - i)]);
      const topology::SwitchId s = spec_.graph->node(nodes[i]).at.sw;
      ++held_[s];
      ends_.push({cycle + spec_.congestion->cycles, s});
      changed_.push_back(s);
    }
  }

  const RunSpec& spec_;
  fabric::Network& network_;
  const Members& members_;
  std::vector<core::PortMask> links_;  ///< by switch: ports to other switches
  std::vector<std::uint32_t> next_;    ///< by group: the barrier that has not begun
  std::vector<std::uint32_t> held_;    ///< by switch: how many hold it
  std::vector<std::uint8_t> written_;  ///< by switch: its register says so
  std::vector<topology::SwitchId> changed_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace muster::run
