// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fabric/register_load.hpp"
#include "muster/core/engine.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/run/resolve.hpp"
#include "verif/generated/wires.hpp"

namespace muster::test {

/// Nodes that put on their wires what they are told, and keep what comes to them.
class ToldNodes final : public core::Bank {
 public:
  explicit ToldNodes(std::uint32_t nodes) : Bank(nodes, 1), in_(nodes) {}
  void tell(std::uint32_t n, const EndWires& out) {
    wires_[n].tx_valid = out.valid;
    wires_[n].rx_back = out.back;
    tx_[n] = out.flit;
  }
  /// In the cycle before.
  const EndWires& in(std::uint32_t n) const { return in_[n]; }

  void clock(std::uint64_t, std::span<const std::uint32_t>) override {
    for (std::uint32_t n = 0; n < blocks(); ++n) {
      core::BlockWires& at = wires_[n];
      in_[n] = {at.rx_valid != 0, at.rx_valid != 0 ? rx_[n] : core::Flit{},
                static_cast<std::uint32_t>(at.tx_back & 15u)};
      at.rx_valid = 0;
      at.tx_back = 0;
    }
  }
  void write_register(std::uint32_t, std::uint32_t, std::uint32_t) override {
    throw InternalError("these nodes have no registers");
  }
  std::uint32_t read_register(std::uint32_t, std::uint32_t) override {
    throw InternalError("these nodes have no registers");
  }
  std::string describe(std::uint32_t) const override { return "does as it is told"; }

 private:
  std::vector<EndWires> in_;
};

/// Golden switches joined as the network says, with ToldNodes.
class Reference {
 public:
  Reference(const run::ResolvedRun& run, std::span<const fabric::RegisterLoad> loads)
      : ports_(run.config.ports) {
    const topology::Graph& graph = *run.spec.graph;
    auto switches = run.spec.engine->make_switches(run.config, graph.switches(), {});
    auto nodes = std::make_unique<ToldNodes>(graph.nodes());
    switches_ = switches.get();
    nodes_ = nodes.get();
    for (const fabric::RegisterLoad& load : loads)
      switches_->write_register(load.sw, load.address, load.value);
    engine_.add_bank(std::move(switches));
    engine_.add_bank(std::move(nodes));
    core::ChannelId id = 0;
    const fabric::Layout layout(graph);
    for (const fabric::Channel& c : layout.channels())
      engine_.connect(id++, terminal(c.from), terminal(c.to), c.latency);
    engine_.set_skip(false);
  }

  /// The wires of port p of switch s in this cycle.
  EndWires out(std::uint32_t s, std::uint32_t p) const {
    const core::BlockWires& at = switches_->wires(s);
    const bool valid = (at.tx_valid >> p & 1u) != 0;
    return {valid, valid ? switches_->tx(s, p) : core::Flit{},
            static_cast<std::uint32_t>(at.rx_back >> 4 * p & 15u)};
  }
  ToldNodes& nodes() { return *nodes_; }
  void step() { engine_.step(); }

 private:
  static core::Terminal terminal(const fabric::End& end) {
    return {end.node ? 1u : 0u, end.id, end.port};
  }
  std::uint32_t ports_;
  core::Engine engine_;
  core::Bank* switches_;
  ToldNodes* nodes_;
};

}  // namespace muster::test
