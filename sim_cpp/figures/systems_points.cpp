// SPDX-License-Identifier: Apache-2.0
#include "figures/systems_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/borrowed.hpp"
#include "muster/core/error.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/figures/parallel.hpp"
#include "muster/run/run.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/routes/load.hpp"

namespace muster::figures {

namespace {

using nic::NicLevel;

constexpr std::uint32_t kVcs = 2;
constexpr std::uint64_t kDataBefore = 2000, kLongestWait = 400'000;

/// Flits on the links of a network that are of no data packet.
class BarrierFlits final : public core::Observer {
 public:
  explicit BarrierFlits(std::size_t channels)
      : channels_(channels), data_(channels * kVcs, false) {}
  void observe(std::uint64_t, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent>) override {
    for (const auto& [channel, flit] : flits) {
      if (channel >= channels_) continue;
      const std::size_t lane = channel * kVcs + flit.vc;
      if (flit.head() && !flit.sync())
        data_[lane] = fabric::Formats::opcode(flit) == fabric::kOpcodeData;
      seen_ += flit.sync() || !data_[lane];
    }
  }
  std::uint64_t seen() const { return seen_; }

 private:
  std::size_t channels_;
  std::vector<bool> data_;  ///< by channel and virtual channel: the packet there
  std::uint64_t seen_ = 0;
};

SystemPoint run(const SystemNetwork& net, const SystemCase& c, const run::Profile& profile,
                const FigureSetting& setting, std::vector<std::string>& violations) {
  run::RunSpec spec;
  spec.graph = core::borrowed(net.graph);
  spec.routes = core::borrowed(net.routes);
  spec.engine = setting.engine;
  spec.skip = !setting.engine->compares();
  spec.scheme = c.system.scheme;
  spec.own_barrier_vc = c.own;
  if (c.system.reflect) spec.parts.make<btin::Spec>().reflect = true;
  if (c.system.level) spec.parts.make<nic::NicSpec>().level = *c.system.level;
  spec.profile = profile;
  spec.seed = setting.seed;
  spec.spread = 0;
  spec.barriers = 1 + c.barriers;
  const std::string group = fmt::format("random:{}", c.members);
  spec.groups = {{group, topology::parse_group(net.graph, group, setting.seed)}};
  if (c.load > 0.0) {
    spec.load_flits = c.load * topology::route_bound_flits_per_node_cycle(
                                   topology::uniform_loads(net.graph, net.routes));
    spec.warmup = kDataBefore;
    spec.max_wait = spec.drain_limit = kLongestWait;
  }
  fabric::SwitchConfig config{.name = "figure",
                              .ports = net.graph.max_ports(),
                              .vcs = kVcs,
                              .dests = net.graph.destinations()};
  config.kind = &run::resolve(spec)->plan->switch_kind();
  spec.config = config;
  const auto flits = std::make_shared<BarrierFlits>(fabric::Layout(net.graph).channels().size());
  spec.observers.push_back(flits);
  const run::RunResult result = run::run_barriers(spec);

  SystemPoint point;
  // It is not the fault of a scheme that data leave it no room for long.
  point.stands_still = c.load > 0.0 && result.end == run::End::kHang;
  if (!point.stands_still)
    violations.insert(violations.end(), result.violations.begin(), result.violations.end());
  if (point.stands_still || result.barriers.size() < 2) return point;
  std::uint64_t cycles = 0, longest = 0, hops = 0;
  for (const run::BarrierRecord& b : result.barriers) {
    hops += b.hops;
    if (b.number == 0) continue;
    cycles += b.latency_cycles;
    longest = std::max(longest, b.latency_cycles);
  }
  const auto barriers = static_cast<double>(result.barriers.size());
  point.mean_us = static_cast<double>(cycles) / (barriers - 1) * profile.clock_ns / 1000.0;
  point.longest_us = static_cast<double>(longest) * profile.clock_ns / 1000.0;
  point.messages = static_cast<double>(hops) / barriers;
  point.flits = static_cast<double>(flits->seen()) / barriers;
  return point;
}

}  // namespace

const std::vector<System>& systems() {
  static const std::vector<System> all{
      {"barrier switch", "btin", std::nullopt, false},
      {"barrier switch, reflecting", "btin", std::nullopt, false, true},
      {"NIC, gather-broadcast", "nic-gather", NicLevel::kCollective},
      {"NIC, dissemination", "nic-dissemination", NicLevel::kCollective},
      {"NIC, direct", "nic-dissemination", NicLevel::kDirect},
      {"host, gather-broadcast", "nic-gather", NicLevel::kHost},
      {"host, dissemination", "nic-dissemination", NicLevel::kHost},
      {"preempting switch I", "bsr-1", std::nullopt, false}};
  return all;
}

std::vector<SystemPoint> measure_systems(const SystemNetwork& network,
                                         const std::vector<SystemCase>& cases,
                                         const run::Profile& profile, const FigureSetting& setting,
                                         FigureData& data) {
  const auto count = static_cast<std::uint32_t>(cases.size());
  std::vector<std::vector<std::string>> violations(count);
  auto points = run_parallel(
      count, setting.threads,
      [&](std::uint32_t i, unsigned /*worker*/) {
        return run(network, cases[i], profile, setting, violations[i]);
      },
      [&](std::uint32_t done) {
        if (setting.progress)
          setting.progress(fmt::format("{}: run {} of {}", network.name, done, count));
      });
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::string& violation : violations[i])
      data.notes.push_back(
          fmt::format("{}, {}: {}", network.name, cases[i].system.name, violation));
    data.violations += violations[i].size();
  }
  return points;
}

}  // namespace muster::figures
