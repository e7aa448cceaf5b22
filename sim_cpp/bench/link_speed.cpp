// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"
#include "run/configurations.hpp"
#include "run/run_parts.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::bench {
namespace {

/// Switches in a row, joined by links of the given latency: port 0 of each leads to the next, port
/// 1 to the one before. Node 0 is on switch 0, node 1 on the last one, one cycle away.
topology::Graph chain(std::uint32_t switches, std::uint32_t latency) {
  topology::Graph graph;
  graph.name = "chain";
  for (std::uint32_t s = 0; s < switches; ++s) graph.add_switch(3);
  for (std::uint32_t s = 0; s + 1 < switches; ++s) graph.add_link({s, 0}, {s + 1, 1}, latency);
  graph.add_node({0, 2});
  graph.add_node({switches - 1, 2});
  return graph;
}

/// Node 1 sends packets to node 0, one after the other from cycle 0 on.
class OneStream : public fabric::PacketClient {
 public:
  OneStream(std::uint64_t packets, std::uint32_t length) : left_(packets), length_(length) {}
  std::uint64_t ready(std::uint32_t node) override {
    return node == 1 && left_ != 0 ? 0 : fabric::kNever;
  }
  fabric::Packet take(std::uint64_t /*cycle*/, std::uint32_t node, std::uint8_t vc) override {
    --left_;
    return {.source = node, .destination = 0, .length = length_, .sequence = sequence_++, .vc = vc};
  }
  void deliver(std::uint64_t, std::uint32_t, const fabric::Packet&) override {}

 private:
  std::uint64_t left_;
  std::uint32_t length_;
  std::uint16_t sequence_ = 0;
};

using core::Flit;

constexpr std::uint32_t kSwitches = 6;

/// The cycle in which each channel first holds a flit of a kind.
class FirstSeen : public core::Observer {
 public:
  FirstSeen(std::size_t channels, std::uint8_t kind)
      : kind_(kind), cycle_(channels, fabric::kNever) {}
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& e : flits)
      if (e.flit.kind & kind_) cycle_[e.channel] = std::min(cycle_[e.channel], cycle);
  }
  /// Most cycles between one switch's output and the next, from the last switch to the first.
  std::uint64_t slowest_hop(const fabric::Layout& layout) const {
    std::uint64_t slowest = 0, before = 0;
    for (std::uint32_t s = kSwitches - 1; s > 0; --s) {
      const std::uint64_t seen = cycle_[2 * (s - 1) + 1];  // from switch s to s - 1
      if (seen == fabric::kNever)
        throw InternalError("bench: nothing on {}", layout.name(2 * (s - 1) + 1));
      if (s != kSwitches - 1) slowest = std::max(slowest, seen - before);
      before = seen;
    }
    return slowest;
  }

 private:
  std::uint8_t kind_;
  std::vector<std::uint64_t> cycle_;
};

void step(fabric::Network& network, std::uint64_t cycles) {
  for (std::uint64_t c = 0; c < cycles; ++c) network.engine().step();
}

void measure_hop_latency(const Setting& setting, Report& report) {
  const auto names = setting.engines->names();
  const bool rtl = std::ranges::find(names, "rtl") != names.end();
  const auto engine = setting.engines->find(rtl ? "rtl" : "golden");
  for (const std::uint32_t latency : {1u, 2u, 4u}) {
    const HopLatency hops = hop_latency(*engine, latency);
    const std::string note =
        fmt::format("{} sw4, empty chain, links of {} cycles", engine->name(), latency);
    const auto add = [&](const char* id, const char* what, std::uint64_t cycles,
                         std::uint32_t want) {
      report.measures.push_back({fmt::format("{}_L{}", id, latency),
                                 fmt::format("{}, L = {}", what, latency),
                                 static_cast<double>(cycles), "cycles/hop", note,
                                 Goal{Goal::Sense::kExactly, static_cast<double>(want)}});
    };
    add("barrier_hop", "hop of a barrier message", hops.barrier, latency + 1);
    add("data_hop", "hop of a data head", hops.data, latency + 3);
  }
}

void measure_link_throughput(const Setting& setting, Report& report) {
  for (const std::uint32_t latency : {1u, 2u, 4u})
    for (std::uint32_t depth = 1; depth <= 8; ++depth)
      report.link_throughput.push_back(
          link_throughput(*setting.engines->find("golden"), latency, depth));
}

}  // namespace

HopLatency hop_latency(const fabric::BankFactory& engine, std::uint32_t latency) {
  const topology::Graph graph = chain(kSwitches, latency);
  run::RunSpec spec;
  spec.graph = core::borrowed(graph);
  spec.engine = core::borrowed(engine);
  spec.groups = {{"ends", {0, 1}}};
  spec.config = run::configuration("sw4");
  const auto resolved = run::resolve(spec);
  HopLatency hops;
  for (const std::uint8_t kind : {Flit::kSync, Flit::kHead}) {
    run::RunParts parts(*resolved);
    fabric::Network& network = *parts.network;
    FirstSeen seen(network.layout().channels().size(), kind);
    OneStream stream(kind == Flit::kHead ? 1 : 0, fabric::kMinDataFlits);
    network.engine().observe_with(seen);
    network.endpoints().attach(nullptr, &stream);
    // The root switch is switch 0 (the lower of two equal candidates), so the arrival of node 1
    // goes all the way.
    if (kind == Flit::kSync)
      network.endpoints().send_sync(1,
                                    fabric::Formats(spec.config->flit_w, spec.config->gid_w)
                                        .barrier_flit({fabric::MessageType::kReduction, 0, {}}, 0));
    step(network, 20 * (latency + 5));
    (kind == Flit::kSync ? hops.barrier : hops.data) = seen.slowest_hop(network.layout());
  }
  return hops;
}

LinkThroughput link_throughput(const fabric::BankFactory& engine, std::uint32_t latency,
                               std::uint32_t depth) {
  const std::uint32_t loop = 2 * latency + 2;
  const std::uint64_t cycles = 100 * loop;  // whole loops, so the count is exact
  const topology::Graph graph = chain(2, latency);
  const topology::Routes routes = topology::routes_for(graph);
  run::RunSpec spec;
  spec.graph = core::borrowed(graph);
  spec.routes = core::borrowed(routes);
  spec.engine = core::borrowed(engine);
  const fabric::SwitchConfig config{.name = "one channel",
                                    .ports = 3,
                                    .vcs = 1,
                                    .depth = depth,
                                    .regs = 1,
                                    .dests = 16,
                                    .kind = &btin::kBarrierSwitch};
  const auto network = run::build_network(spec, config);
  OneStream stream(1, 65535);  // one packet that does not end
  network->endpoints().attach(nullptr, &stream);
  step(*network, cycles);
  const std::uint64_t before = network->endpoints().flits_sent();  // as many as the link carries
  step(*network, cycles);
  const std::uint64_t sent = network->endpoints().flits_sent() - before;
  return {.latency = latency,
          .depth = depth,
          .measured = static_cast<double>(sent) / static_cast<double>(cycles),
          .expected = static_cast<double>(std::min(depth, loop)) / loop};
}

std::vector<Group> link_groups() {
  return {{"hop latency", {}, measure_hop_latency},
          {"link throughput", {}, measure_link_throughput}};
}

}  // namespace muster::bench
