// SPDX-License-Identifier: Apache-2.0
#include "bench/link_throughput.hpp"

#include <algorithm>

#include "bench/chain.hpp"
#include "bench/groups.hpp"
#include "core/borrowed.hpp"
#include "muster/run/members.hpp"
#include "muster/run/resolve.hpp"
#include "run/build_network.hpp"
#include "systems/btin/switch_kinds.hpp"

namespace muster::bench {
namespace {

class CountOnChannel : public core::Observer {
 public:
  explicit CountOnChannel(core::ChannelId channel) : channel_(channel) {}
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const core::FlitEvent& e : flits) count_ += e.channel == channel_;
  }
  std::uint64_t count() const { return count_; }

 private:
  core::ChannelId channel_;
  std::uint64_t count_ = 0;
};

}  // namespace

LinkThroughput link_throughput(const fabric::BankFactory& engine, std::uint32_t latency,
                               std::uint32_t depth) {
  const std::uint32_t loop = 2 * latency + 2;
  const std::uint64_t warmup = 100 * loop,
                      cycles = 100 * loop;  // whole loops, so the count is exact
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
  CountOnChannel on_link(1);   // from switch 1 to switch 0
  OneStream stream(1, 65535);  // one packet that does not end
  network->engine().observe_with(on_link);
  network->endpoints().attach(nullptr, &stream);
  for (std::uint64_t c = 0; c < warmup; ++c) network->engine().step();
  const std::uint64_t before = on_link.count();
  for (std::uint64_t c = 0; c < cycles; ++c) network->engine().step();
  return {.latency = latency,
          .depth = depth,
          .measured = static_cast<double>(on_link.count() - before) / static_cast<double>(cycles),
          .expected = static_cast<double>(std::min(depth, loop)) / loop};
}

void measure_link_throughput(const Setting& setting, Report& report) {
  for (const std::uint32_t latency : {1u, 2u, 4u}) {
    for (std::uint32_t depth = 1; depth <= 8; ++depth) {
      report.link_throughput.push_back(
          link_throughput(*setting.engines->find("golden"), latency, depth));
    }
  }
}

}  // namespace muster::bench
