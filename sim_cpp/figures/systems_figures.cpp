// SPDX-License-Identifier: Apache-2.0
#include "figures/systems_figures.hpp"

#include <fmt/format.h>

#include <utility>

#include "figures/systems_points.hpp"
#include "muster/topology/generate.hpp"

namespace muster::figures {
namespace {

constexpr std::uint32_t kLoadedMembers = 64;
constexpr std::uint32_t kSizes[] = {4, 16, 64, 256};
constexpr double kComparedLoads[] = {0.0, 0.15, 0.3, 0.45};

SystemNetwork make_network(std::string name, topology::Graph graph) {
  topology::Routes routes = topology::routes_for(graph);
  return {std::move(name), std::move(graph), std::move(routes)};
}

/// Latency and traffic over the members, latency over the load of data with a shared channel and
/// with one of the barriers' own, and all numbers as a table.
class SystemsFigure final : public Figure {
 public:
  SystemsFigure(std::string id, std::string profile, std::uint32_t barriers)
      : id_(std::move(id)), profile_(std::move(profile)), barriers_(barriers) {}
  std::string id() const override { return id_; }
  std::string about() const override {
    return fmt::format("barriers by switches, NICs and hosts on the same networks, profile {}",
                       profile_);
  }

  FigureData measure(const FigureSetting& setting) override {
    FigureData data;
    data.title = fmt::format("Barriers by switches, NICs and hosts (profile {})", profile_);
    data.parameters = {{"profile", profile_},
                       {"switches", "2 virtual channels of depth 4"},
                       {"members under load", fmt::format("{}", kLoadedMembers)}};
    if (setting.repetitions) barriers_ = *setting.repetitions;
    table_ = "network,system,channel,members,load,mean_us,longest_us,messages,flits\n";
    const SystemNetwork irregular =
        make_network("75 switches", topology::generate_irregular({.seed = setting.seed}));
    add_sizes(irregular, setting, data);
    add_loads(irregular, setting, data);
    add_loads(make_network("Clos", topology::generate_clos(16, 8)), setting, data);
    data.attachments.push_back({"table.csv", table_});
    return data;
  }

 private:
  std::vector<SystemPoint> points(const SystemNetwork& network,
                                  const std::vector<SystemCase>& cases,
                                  const FigureSetting& setting, FigureData& data) {
    auto all = measure_systems(network, cases, run::find_profile(profile_), setting, data);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const SystemPoint& p = all[i];
      table_ += fmt::format("{},\"{}\",{},{},{},", network.name, cases[i].system.name,
                            cases[i].own ? "own" : "shared", cases[i].members, cases[i].load);
      table_ += p.stands_still
                    ? ",,,\n"
                    : fmt::format("{},{},{},{}\n", p.mean_us, p.longest_us, p.messages, p.flits);
    }
    return all;
  }

  static Panel& panel(FigureData& data, const std::string& title, const char* x, const char* y) {
    Panel p;
    p.name = std::string(1, static_cast<char>('a' + data.panels.size()));
    p.title = title;
    p.x_label = x;
    p.y_label = y;
    p.log10_y = true;
    data.panels.push_back(std::move(p));
    return data.panels.back();
  }

  void add_sizes(const SystemNetwork& network, const FigureSetting& setting, FigureData& data) {
    std::vector<SystemCase> cases;
    for (const System& system : systems())
      for (const std::uint32_t n : kSizes)
        cases.push_back({.system = system, .members = n, .barriers = barriers_});
    const auto all = points(network, cases, setting, data);
    const auto add = [&](const char* what, const char* unit, double SystemPoint::*value) {
      Panel& p = panel(data, fmt::format("{}, {}", network.name, what), "members", unit);
      p.log2_x = true;
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (i % std::size(kSizes) == 0) p.series.push_back({cases[i].system.name, {}});
        p.series.back().points.push_back(
            {static_cast<double>(cases[i].members), all[i].*value, std::nullopt});
      }
    };
    add("no data", "latency (us)", &SystemPoint::mean_us);
    add("traffic", "flits on links of a barrier", &SystemPoint::flits);
  }

  void add_loads(const SystemNetwork& network, const FigureSetting& setting, FigureData& data) {
    for (const bool own : {false, true}) {
      std::vector<SystemCase> cases;
      for (const System& system : systems())
        for (const double load : kComparedLoads)
          if (system.own || !own)
            cases.push_back({.system = system,
                             .members = kLoadedMembers,
                             .load = load,
                             .own = own,
                             .barriers = barriers_});
      const auto all = points(network, cases, setting, data);
      Panel& p = panel(data, fmt::format("{}, {}", network.name, own ? "own channel" : "shared"),
                       "data load, share of the busiest channel", "latency (us)");
      for (std::size_t i = 0; i < cases.size(); ++i) {
        if (i % std::size(kComparedLoads) == 0) p.series.push_back({cases[i].system.name, {}});
        const auto us = all[i].stands_still ? std::nullopt : std::optional(all[i].mean_us);
        p.series.back().points.push_back({cases[i].load, us, std::nullopt});
      }
    }
  }

  std::string id_, profile_, table_;
  std::uint32_t barriers_;
};

}  // namespace

void add_systems_figures(FigureList& list) {
  list.add(std::make_unique<SystemsFigure>("systems", "native", 40));
  list.add(std::make_unique<SystemsFigure>("systems-xp", "lanai-xp", 8));
}

}  // namespace muster::figures
