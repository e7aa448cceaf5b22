// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_points.hpp"

#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "core/borrowed.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/core/error.hpp"
#include "muster/figures/parallel.hpp"
#include "muster/run/run.hpp"
#include "muster/run/system.hpp"
#include "muster/systems/packets.hpp"
#include "muster/systems/preempt.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "topology/routes/load.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kDataFlits = 32;              // flits: long messages, as the paper has them
constexpr std::uint64_t kLongestWaitInData = 40'000;  // cycles: of a barrier among data
constexpr std::uint64_t kLongestWaitOfUnits = 40'000;  // cycles: after that they have deadlocked
constexpr std::uint64_t kDataWarmup = 1000;            // cycles of data

/// One network and what is run on it.
class PreemptRun {
 public:
  PreemptRun(const PreemptSystem& system, const fabric::BankFactory& engine, std::uint64_t seed)
      : engine_(engine),
        seed_(seed),
        graph_(system.graph(seed)),
        routes_(topology::routes_for(graph_)) {}

  PreemptSample run(const PreemptCase& c, std::uint64_t& violations) const {
    run::RunSpec spec;
    spec.graph = core::borrowed(graph_);
    spec.routes = core::borrowed(routes_);
    spec.engine = core::borrowed(engine_);
    spec.skip = !engine_.compares();
    spec.scheme = c.baseline.scheme;
    spec.seed = seed_;
    spec.profile = run::find_profile(c.profile);
    spec.profile.hop = c.hop.value_or(spec.profile.hop);
    if (c.gap) spec.parts.make<Spec>().gap = *c.gap;
    spec.barriers = c.barriers;
    spec.spread = 0;
    if (c.members != 0) {
      const std::string name = fmt::format("random:{}", c.members);
      spec.groups = {{name, topology::parse_group(graph_, name, seed_ + c.members)}};
    }
    if (c.congestion.members != 0) spec.congestion = c.congestion;
    const std::uint64_t startup = spec.profile.arrive + spec.profile.leave;
    // A hop of T_b cycles on the longest ways, there and back, and three packets one after another.
    const std::uint64_t apart =
        4000 + 12 * c.members + 400 * spec.profile.hop + 2 * (startup + c.congestion.cycles);
    if (c.apart) spec.arrivals = all_at_once(c, apart);
    if (c.load > 0.0) {
      spec.load_flits = c.load * topology::route_bound_flits_per_node_cycle(
                                     topology::uniform_loads(graph_, routes_));
      spec.warmup = kDataWarmup;
      spec.max_wait = spec.drain_limit = kLongestWaitInData;
    }
    if (c.baseline.unit_buffer != 0)
      spec.parts.set(packets::Spec{c.baseline.unit_buffer, c.baseline.unit_waits});
    if (c.baseline.unit_waits) spec.max_wait = kLongestWaitOfUnits;
    spec.packet_length = kDataFlits;
    spec.min_cycles = c.cycles;
    fabric::SwitchConfig config{.name = "figure",
                                .ports = graph_.max_ports(),
                                .vcs = c.vcs,
                                .flit_w = fabric::flit_width_for(graph_.destinations()),
                                .dests = graph_.destinations()};
    if (c.baseline.unit_buffer != 0)
      config.depth = fabric::kBarrierPacketFlits * c.baseline.unit_buffer;
    config.kind = &run::resolve(spec)->plan->switch_kind();
    spec.config = config;
    const run::RunResult result = run::run_barriers(spec);

    PreemptSample sample;
    for (const run::BarrierRecord& b : result.barriers) {
      if (c.apart && b.latency_cycles >= apart)
        throw InternalError(
            fmt::format("scheme {}: a barrier of {} members takes {} cycles, into "
                        "the next",
                        spec.scheme, c.members, b.latency_cycles));
      sample.latency.push_back(static_cast<double>(b.latency_cycles));
    }
    // It is not the fault of a scheme that data leave it no room for long, and what deadlocks says
    // so.
    const bool may_stop = c.load > 0.0 || c.baseline.unit_waits;
    sample.stands_still = may_stop && result.end == run::End::kHang;
    if (c.members != 0 && !may_stop && sample.latency.size() != c.barriers)
      throw InternalError(fmt::format("scheme {}, {} members: {}", spec.scheme, c.members,
                                      result.violations.at(0)));
    if (result.data) sample.throughput = result.data->accepted;
    const Cost cost = result.parts.get<Cost>();
    if (!cost.theorem_2.empty()) sample.theorem_2 = static_cast<double>(cost.theorem_2[0]);
    sample.cuts = cost.preemptions;
    if (!sample.stands_still) violations += result.violations.size();
    return sample;
  }

 private:
  static std::unique_ptr<run::Arrivals> all_at_once(const PreemptCase& c, std::uint64_t apart) {
    run::ListedArrivals::List list(1);
    for (std::uint32_t b = 0; b < c.barriers; ++b) list[0].emplace_back(c.members, b * apart);
    return std::make_unique<run::ListedArrivals>(std::move(list));
  }

  const fabric::BankFactory& engine_;
  std::uint64_t seed_;
  topology::Graph graph_;
  topology::Routes routes_;
};

}  // namespace

topology::Graph PreemptSystem::graph(std::uint64_t seed) const {
  if (mesh) return topology::generate_mesh(size, size);
  return topology::generate_irregular({.switches = size,
                                       .nodes = size * per_switch,
                                       .ports = 3 + per_switch,
                                       .connectivity = 1.0,
                                       .seed = seed});
}

std::string PreemptSystem::name() const {
  if (mesh) return fmt::format("{0} x {0} mesh", size);
  return fmt::format("N = {}", size * per_switch);
}

PreemptSamples measure_cases(const PreemptSystem& system, const std::vector<PreemptCase>& cases,
                             std::uint32_t networks, const figures::FigureSetting& setting,
                             figures::FigureData& data) {
  networks = setting.repetitions.value_or(networks);
  const auto runs =
      figures::run_parallel(networks, setting.threads, [&](std::uint32_t i, unsigned) {
        return std::make_unique<PreemptRun>(system, *setting.engine, setting.seed + i);
      });
  const auto all = static_cast<std::uint32_t>(networks * cases.size());
  std::vector<std::uint64_t> violations(all);
  auto measured = figures::run_parallel(
      all, setting.threads,
      [&](std::uint32_t job, unsigned /*worker*/) {
        return runs[job % networks]->run(cases[job / networks], violations[job]);
      },
      [&](std::uint32_t done) {
        if (setting.progress)
          setting.progress(fmt::format("{}: run {} of {}", system.name(), done, all));
      });
  PreemptSamples samples(cases.size());
  for (std::uint32_t job = 0; job < all; ++job) {
    samples[job / networks].push_back(std::move(measured[job]));
    data.violations += violations[job];
  }
  return samples;
}

figures::Point mean_point(double x, const std::vector<PreemptSample>& samples,
                          const std::function<double(const PreemptSample&)>& value) {
  core::RatioEstimate mean;
  for (const PreemptSample& sample : samples) mean.add(value(sample), 1);
  return {x, mean.mean(), mean.half_width()};
}

double first_round(const PreemptSample& sample) { return sample.latency.at(0); }

double later_rounds(const PreemptSample& sample) {
  const double sum = std::accumulate(sample.latency.begin() + 1, sample.latency.end(), 0.0);
  return sum / static_cast<double>(sample.latency.size() - 1);
}

}  // namespace muster::preempt
