// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Vmuster_mesh.h"
#include "Vmuster_mesh___024root.h"
#include "Vmuster_pair.h"
#include "Vmuster_pair___024root.h"
#include "Vmuster_tree.h"
#include "Vmuster_tree___024root.h"
#include "fabric/register_map.hpp"
#include "models/ports.hpp"
#include "muster/core/engine.hpp"
#include "muster/core/flit.hpp"
#include "muster/fabric/layout.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/run.hpp"
#include "support/test.hpp"

namespace muster::test {

using verif::element;

// Verilator names a signal for its module: out_valid(top) and so on are the wires of either.
#define MUSTER_WIRE(module, wire) \
  inline const auto& wire(const V##module& top) { return top.rootp->module##__DOT__##wire; }
#define MUSTER_WIRES(module)       \
  MUSTER_WIRE(module, out_valid)   \
  MUSTER_WIRE(module, out_vc)      \
  MUSTER_WIRE(module, out_kind)    \
  MUSTER_WIRE(module, out_payload) \
  MUSTER_WIRE(module, out_credit)  \
  MUSTER_WIRE(module, in_valid)    \
  MUSTER_WIRE(module, in_vc)       \
  MUSTER_WIRE(module, in_kind)     \
  MUSTER_WIRE(module, in_payload)  \
  MUSTER_WIRE(module, in_credit)
MUSTER_WIRES(muster_mesh)
MUSTER_WIRES(muster_pair)
MUSTER_WIRES(muster_tree)
#undef MUSTER_WIRES
#undef MUSTER_WIRE

/// One direction of the wires at an end of a link.
struct EndWires {
  bool valid = false;
  core::Flit flit;         ///< empty if not valid
  std::uint32_t back = 0;  ///< credits, bit Vcs that of a pocket
  friend bool operator==(const EndWires&, const EndWires&) = default;
};

template <class Valid, class Vc, class Kind, class Payload, class Credit>
EndWires wires_at(const fabric::SwitchConfig& config, unsigned end, const Valid& valid,
                  const Vc& vc, const Kind& kind, const Payload& payload, const Credit& credit) {
  EndWires wires;
  wires.valid = element(valid, end, 1) != 0;
  if (wires.valid) {
    wires.flit.vc = static_cast<std::uint8_t>(element(vc, end, config.vcs > 2 ? 2 : 1));
    wires.flit.kind = static_cast<std::uint8_t>(element(kind, end, 3));
    wires.flit.lo = element(payload, end, config.flit_w);
  }
  wires.back = element(credit, end, config.vcs + (fabric::has_pockets(config) ? 1 : 0));
  return wires;
}

/// What the block at this end puts on its wires.
template <class Top>
EndWires out_wires(const Top& top, const fabric::SwitchConfig& config, unsigned end) {
  return wires_at(config, end, out_valid(top), out_vc(top), out_kind(top), out_payload(top),
                  out_credit(top));
}
/// What comes to it.
template <class Top>
EndWires in_wires(const Top& top, const fabric::SwitchConfig& config, unsigned end) {
  return wires_at(config, end, in_valid(top), in_vc(top), in_kind(top), in_payload(top),
                  in_credit(top));
}

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
