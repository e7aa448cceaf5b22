// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "experiment/btin_figures.hpp"
#include "experiment/startup_counter.hpp"
#include "topology/generate.hpp"
#include "topology/group_spec.hpp"
#include "workload/barrier_run.hpp"

namespace muster::experiment {
namespace {

/// Messages of one barrier, as nodes start them.
struct Startups {
  double all, busiest_node, flits;
};

/// Section 4.3, Table 2: what the table says of a barrier, counted on the links.
class BtinT2 final : public Figure {
 public:
  explicit BtinT2(std::shared_ptr<BtinPoints> points) : points_(std::move(points)) {}
  std::string id() const override { return "btin-t2"; }
  std::string about() const override { return "Table 2: start-ups, message size, latency growth"; }

  FigureData measure(const FigureSetting& setting) override {
    const BtinSystem system{75, 256};
    FigureData data;
    data.title = "BTIN Table 2: 256 nodes, 75 switches, connectivity 75 %";
    describe(system, setting, data);
    Panel all = btin_panel("a", "start-ups, all nodes", "messages started");
    Panel busiest = btin_panel("b", "start-ups, busiest node", "messages started");
    Panel latency = btin_panel("c", "latency", "latency (us)");
    const BtinPoints::Result& result = points_->at(system, setting);
    data.violations += result.violations;
    for (const std::string& scheme : measured_schemes()) {
      Series of_all{scheme, {}}, of_busiest{scheme, {}};
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
    data.notes.push_back(
        "Printed: start-ups 2n (unicast), n + 1 (multicast), 2 (BTIN, one after the other); "
        "latency O(n), O(n), O(log n).");
    return data;
  }

 private:
  /// One barrier on the first network; what is counted does not depend on the network.
  static Startups count(const std::string& scheme, const BtinSystem& system, std::uint32_t members,
                        const FigureSetting& setting, FigureData& data) {
    const topology::Graph graph = topology::generate_irregular({.switches = system.switches,
                                                                .nodes = system.nodes,
                                                                .ports = 8,
                                                                .connectivity = system.connectivity,
                                                                .seed = setting.seed});
    const topology::Routes routes = topology::routes_for(graph);
    const std::string group = fmt::format("random:{}", members);
    StartupCounter counter(graph);
    workload::RunSpec spec;
    spec.graph = &graph;
    spec.routes = &routes;
    spec.engine = setting.engine;
    spec.scheme = scheme;
    spec.barriers = 1;
    spec.seed = setting.seed;
    spec.groups = {{group, topology::parse_group(graph, group, setting.seed)}};
    spec.observer = &counter;
    data.violations += workload::run_barriers(spec).violations.size();
    return {static_cast<double>(counter.started()), static_cast<double>(counter.most()),
            static_cast<double>(counter.longest())};
  }

  std::shared_ptr<BtinPoints> points_;
};

}  // namespace

std::unique_ptr<Figure> make_btin_t2(std::shared_ptr<BtinPoints> points) {
  return std::make_unique<BtinT2>(std::move(points));
}

}  // namespace muster::experiment
