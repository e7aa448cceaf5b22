// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/borrowed.hpp"
#include "core/ratio_estimate.hpp"
#include "muster/run/run.hpp"
#include "muster/systems/btin.hpp"
#include "muster/topology/generate.hpp"
#include "muster/topology/group_spec.hpp"
#include "systems/btin/figures/btin_figures.hpp"
#include "systems/btin/figures/startup_counter.hpp"
#include "systems/btin/tree/tree.hpp"

namespace muster::btin {
namespace {

/// Messages of one barrier, as nodes start them.
struct Startups {
  double all, busiest_node, flits;
};

constexpr std::uint32_t kCreations = 20;  ///< networks on which a group is created

/// What it takes to set up a group by messages, until the last member knows that it is alive.
struct Setup {
  double messages = 0, requests = 0;  ///< that nodes start; those of them to switches
  double switches = 0, cycles = 0;    ///< of the tree: their registers are written
};

/// Section 4.3, Table 2: what the table says of group creation and of a barrier, counted on the
/// links.
class BtinT2 final : public figures::Figure {
 public:
  explicit BtinT2(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-t2"; }
  std::string about() const override { return "Table 2: start-ups, message size, latency growth"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    const BtinSystem system{75, 256};
    figures::FigureData data;
    data.title = "BTIN Table 2: 256 nodes, 75 switches, connectivity 75 %";
    describe(system, setting, data);
    figures::Panel all = btin_panel("a", "start-ups, all nodes", "messages started");
    figures::Panel busiest = btin_panel("b", "start-ups, busiest node", "messages started");
    figures::Panel latency = btin_panel("c", "latency", "latency (us)");
    const BtinPoints::Result& result = points_->at(system, setting);
    data.violations += result.violations;
    for (const std::string& scheme : measured_schemes()) {
      figures::Series of_all{scheme, {}}, of_busiest{scheme, {}};
      Startups last{};
      for (const std::uint32_t n : system.sizes()) {
        last = count(scheme, system, n, setting, data);
        of_all.points.push_back({static_cast<double>(n), last.all, std::nullopt});
        of_busiest.points.push_back({static_cast<double>(n), last.busiest_node, std::nullopt});
      }
      all.series.push_back(std::move(of_all));
      busiest.series.push_back(std::move(of_busiest));
      latency.series.push_back(BtinPoints::curve(scheme, result, [scheme](const BtinSample& s) {
        return s.measured.at(scheme).latency_us;
      }));
      const double half = value_at(latency.series.back(), 128);
      const double full = value_at(latency.series.back(), 256);
      data.notes.push_back(fmt::format(
          "{}: {:.0f} start-ups for 256 members, {:.0f} of one node; messages of up to {:.0f} "
          "flits; from 128 to 256 members {:.2f} to {:.2f} us, x{:.2f}.",
          scheme, last.all, last.busiest_node, last.flits, half, full, full / half));
    }
    data.panels = {std::move(all), std::move(busiest), std::move(latency)};
    add_setup(system, setting, data);
    data.notes.push_back(
        "Printed: initialization by the root (unicast, multicast) or by all members (BTIN), router "
        "set-up none, at member nodes, at member nodes; start-ups 2n (unicast), n + 1 (multicast), "
        "2 (BTIN, one after the other); "
        "latency O(n), O(n), O(log n).");
    return data;
  }

 private:
  /// The first network of a system, a group in it, and one barrier. Not to be moved.
  struct OneRun {
    OneRun(const BtinSystem& system, std::uint32_t members, const figures::FigureSetting& setting)
        : graph(topology::generate_irregular({.switches = system.switches,
                                              .nodes = system.nodes,
                                              .ports = 8,
                                              .connectivity = system.connectivity,
                                              .seed = setting.seed})),
          routes(topology::routes_for(graph)) {
      const std::string group = fmt::format("random:{}", members);
      spec.graph = core::borrowed(graph);
      spec.routes = core::borrowed(routes);
      spec.engine = setting.engine;
      spec.barriers = 1;
      spec.seed = setting.seed;
      spec.groups = {{group, topology::parse_group(graph, group, setting.seed)}};
      spec.observers.push_back(counter);
    }
    topology::Graph graph;
    topology::Routes routes;
    std::shared_ptr<StartupCounter> counter = std::make_shared<StartupCounter>(graph);
    run::RunSpec spec;
  };

  /// What is counted does not depend on the network.
  static Startups count(const std::string& scheme, const BtinSystem& system, std::uint32_t members,
                        const figures::FigureSetting& setting, figures::FigureData& data) {
    OneRun one(system, members, setting);
    one.spec.scheme = scheme;
    data.violations += run::run_barriers(one.spec).violations.size();
    return {static_cast<double>(one.counter->startups().size()),
            static_cast<double>(one.counter->most()), static_cast<double>(one.counter->longest())};
  }

  static Setup set_up(const BtinSystem& system, std::uint32_t members,
                      const figures::FigureSetting& setting, figures::FigureData& data) {
    OneRun one(system, members, setting);
    one.spec.parts.make<Spec>().in_band = true;
    const run::RunResult result = run::run_barriers(one.spec);
    data.violations += result.violations.size();
    Setup setup;
    setup.cycles = static_cast<double>(result.parts.get<Result>().times.at(0).creation_cycles);
    setup.switches =
        static_cast<double>(btin::plan_tree(one.graph, one.spec.groups[0].members).order.size());
    for (const Startup& startup : one.counter->startups()) {
      if (static_cast<double>(startup.cycle) > setup.cycles) break;
      ++setup.messages;
      setup.requests += startup.request;
    }
    return setup;
  }

  /// The rows of initialization. The baselines set nothing up: they have no point here.
  static void add_setup(const BtinSystem& system, const figures::FigureSetting& setting,
                        figures::FigureData& data) {
    const std::uint32_t networks = std::min(setting.repetitions.value_or(kCreations), kCreations);
    data.parameters["creations"] = fmt::format("one on each of {} networks a point", networks);
    figures::Panel messages = btin_panel("d", "creation of a group (BTIN)", "messages, switches");
    figures::Panel cycles = btin_panel("e", "creation of a group (BTIN)", "latency (cycles)");
    messages.series = {{"messages of nodes", {}},
                       {"of them to registers of switches", {}},
                       {"switches written", {}}};
    cycles.series = {{"until all members know", {}}};
    for (const std::uint32_t n : system.sizes()) {
      std::array<core::RatioEstimate, 4> means;
      for (std::uint32_t i = 0; i < networks; ++i) {
        figures::FigureSetting one = setting;
        one.seed = setting.seed + i;
        const Setup setup = set_up(system, n, one, data);
        const double values[] = {setup.messages, setup.requests, setup.switches, setup.cycles};
        for (std::size_t k = 0; k < means.size(); ++k) means[k].add(values[k], 1);
      }
      for (std::size_t k = 0; k < means.size(); ++k)
        (k < 3 ? messages.series[k] : cycles.series[0])
            .points.push_back({static_cast<double>(n), means[k].mean(), means[k].half_width()});
    }
    data.notes.push_back(values_at(messages, system.nodes));
    data.notes.push_back(values_at(cycles, system.nodes) + " Profile native.");
    data.panels.push_back(std::move(messages));
    data.panels.push_back(std::move(cycles));
  }

  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<figures::Figure> make_btin_t2(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<BtinT2>(std::move(points));
}

}  // namespace muster::btin
