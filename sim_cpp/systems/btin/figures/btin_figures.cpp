// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/figures/btin_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"

namespace muster::btin {

using packets::Contention;

void add_btin_figures(figures::FigureList& list) {
  const auto points = std::make_shared<BtinPoints>();
  list.add(make_btin_6(points));
  list.add(make_btin_7(points));
  list.add(make_btin_8(points));
  list.add(make_btin_t1(points));
  list.add(make_btin_t2(points));
}

figures::Panel btin_panel(const std::string& name, const std::string& title,
                          const std::string& y_label) {
  figures::Panel panel;
  panel.name = name;
  panel.title = title;
  panel.x_label = "group size (members)";
  panel.y_label = y_label;
  panel.log2_x = true;
  return panel;
}

void describe(const BtinSystem& system, const figures::FigureSetting& setting,
              figures::FigureData& data) {
  data.parameters["ports"] = fmt::format("{}", 8);
  data.parameters["networks"] = fmt::format("{} a point", setting.repetitions.value_or(100));
  data.parameters["profile"] = "btin: t_s 2 us, t_p 20 ns, t_r 300 ns, 10 ns clock";
  data.parameters["system " + system.name()] =
      fmt::format("{} nodes, {} switches, connectivity {}, model {}", system.nodes, system.switches,
                  system.connectivity,
                  system.model == topology::RandomModel::kUniform ? "uniform" : "attachment");
}

namespace {

std::function<double(const BtinSample&)> measured_latency(const std::string& way) {
  return [way](const BtinSample& s) { return s.measured.at(way).latency_us; };
}

figures::Series measured_ratio(const std::string& name, const BtinPoints::Result& result,
                               const std::string& multicast, const std::string& btin) {
  return BtinPoints::curve(name, result, [&](const BtinSample& s) {
    return s.measured.at(multicast).latency_us / s.measured.at(btin).latency_us;
  });
}

/// Cases of the multicast scheme: what stands in the way of the messages to the root node.
struct Case {
  const char* name;
  std::function<double(const BtinSample&)> us;
};

double by_routes(const BtinSample& sample, Contention contention) {
  return static_cast<double>(packets::multicast_latency_ns(sample.paths, contention)) / 1000.0;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"no contention", [](const BtinSample& s) { return by_routes(s, Contention::kOff); }},
      {"fullest branch of the tree",
       [](const BtinSample& s) {
         const BtinDelays delays;
         const double apart = static_cast<double>(delays.link_ns + delays.router_ns) / 1000.0;
         return s.formula_us + std::max(0.0, s.branch - 1) * apart;
       }},
      {"busiest root port",
       [](const BtinSample& s) { return by_routes(s, Contention::kRootPort); }},
      {"one-port root node",
       [](const BtinSample& s) { return by_routes(s, Contention::kRootNode); }}};
  return all;
}

}  // namespace

std::vector<figures::Series> latency_curves(const BtinPoints::Result& result) {
  std::vector<figures::Series> curves;
  for (const Way& way : measured_ways())
    curves.push_back(
        BtinPoints::curve(way.name + ", measured", result, measured_latency(way.name)));
  curves.push_back(
      BtinPoints::curve("btin, formula", result, [](const BtinSample& s) { return s.formula_us; }));
  for (const Case& c : cases())
    curves.push_back(BtinPoints::curve(fmt::format("multicast, {}", c.name), result, c.us));
  return curves;
}

figures::Panel ratio_panel(const std::string& name, const std::string& system,
                           const BtinPoints::Result& result) {
  figures::Panel panel = btin_panel(name, "multicast / BTIN, " + system, "latency ratio");
  panel.series.push_back(measured_ratio("measured", result, "multicast", "btin"));
  panel.series.push_back(
      measured_ratio("measured, occupied inputs", result, kMulticastOccupied, kBtinOccupied));
  panel.series.push_back(measured_ratio("measured, occupied inputs, routes around the root", result,
                                        kMulticastAroundRoot, kBtinOccupied));
  for (const Case& c : cases())
    panel.series.push_back(BtinPoints::curve(
        c.name, result, [&c](const BtinSample& s) { return c.us(s) / s.formula_us; }));
  return panel;
}

std::string values_at(const figures::Panel& panel, double size) {
  std::string text = fmt::format("{}, {} members:", panel.title, size);
  for (const figures::Series& series : panel.series)
    for (const figures::Point& point : series.points)
      if (point.x == size && point.y)
        text += fmt::format("{} {} {:.2f} +- {:.2f}", text.back() == ':' ? "" : ";", series.name,
                            *point.y, point.half_width.value_or(0.0));
  return text + ".";
}

double value_at(const figures::Series& series, double size) {
  for (const figures::Point& point : series.points)
    if (point.x == size && point.y) return *point.y;
  throw InternalError(fmt::format("curve '{}' has no point at {}", series.name, size));
}

}  // namespace muster::btin
