// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "figures/printed.hpp"
#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_points.hpp"
#include "systems/nic/scheme/nic_plan.hpp"

namespace muster::nic {
namespace {

constexpr std::uint32_t kPasses[] = {6, 5, 4};
constexpr int kMostMicroseconds = 10, kApart = 2;  ///< the points of a curve

/// A factor that the paper prints, of a program that walks the list over a NIC that does.
struct HostFactor {
  const char* name;
  const char* title;
  const char* profile;
  std::uint32_t members;
  const char* host_scheme;
  NicLevel host, over;
  const char* printed;  ///< row of printed.json
};
constexpr HostFactor kFactors[] = {
    {"a", "LANai-XP, 8 members: host over NIC", "lanai-xp", 8, "nic-dissemination", NicLevel::kHost,
     NicLevel::kCollective, "nic-7b"},
    {"b", "LANai 9.1, 16 members: host over NIC", "lanai9", 16, "nic-dissemination",
     NicLevel::kHost, NicLevel::kCollective, "nic-6b"},
    {"c", "LANai 9.1, 16 members: host over direct", "lanai9", 16, "nic-dissemination",
     NicLevel::kHost, NicLevel::kDirect, "nic-6c"},
    {"d", "Elan3, 8 members: rdma-GB over NIC", "elan3", 8, "nic-gather", NicLevel::kRdma,
     NicLevel::kCollective, "nic-8b"},
};

/// The time at which a curve that rises reaches a value, by straight lines between its points;
/// nothing where it is above it from the beginning, or never.
std::optional<double> reached(const figures::Series& series, double value) {
  if (*series.points.front().y > value) return std::nullopt;
  for (std::size_t i = 1; i < series.points.size(); ++i) {
    const figures::Point &a = series.points[i - 1], &b = series.points[i];
    if (value <= *b.y && *a.y < *b.y) return a.x + (b.x - a.x) * (value - *a.y) / (*b.y - *a.y);
  }
  return std::nullopt;
}

figures::Panel host_panel(const char* name, const char* title) {
  figures::Panel panel;
  panel.name = name;
  panel.title = title;
  panel.x_label = "program's time for a step (us)";
  panel.y_label = "factor";
  return panel;
}

/// Factors over what no printed value of a NIC-based barrier bounds: the time of a host's program
/// for a step, and the passes of a DATA.
class NicHost final : public figures::Figure {
 public:
  std::string id() const override { return "nic-host"; }
  std::string about() const override {
    return "factors of host-based barriers over the program's time for a step";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "Barriers walked by hosts over those of NICs";
    figures::Panel met = host_panel("e", "where the printed factor is met");
    met.x_label = "queues that a DATA passes";
    met.y_label = "program's time for a step (us)";
    for (const HostFactor& factor : kFactors) {
      const double printed = figures::printed_value(factor.printed);
      figures::Panel panel = host_panel(factor.name, factor.title);
      figures::Series times{fmt::format("{}: {}", factor.title, printed), {}};
      for (const std::uint32_t passes : kPasses) {
        const bool sends = point_to_point(factor.host);
        figures::Series series = curve(factor, passes, setting, data);
        times.points.insert(times.points.begin(), {sends ? static_cast<double>(passes) : 0.0,
                                                   reached(series, printed), std::nullopt});
        panel.series.push_back(std::move(series));
        if (!sends) break;  // DATA
      }
      panel.series.push_back(
          {"printed", {{0.0, printed, std::nullopt}, {kMostMicroseconds, printed, std::nullopt}}});
      data.panels.push_back(std::move(panel));
      met.series.push_back(std::move(times));
    }
    data.panels.push_back(std::move(met));
    data.notes = {
        "The printed factor of panel c is of another card, LANai 7.2.",
        fmt::format("Panel e has no point where the factor is greater from the beginning, or not "
                    "reached with {} us.",
                    kMostMicroseconds)};
    return data;
  }

 private:
  static NicPoint point(const HostFactor& factor, const char* scheme, const NicSpec& choice,
                        const figures::FigureSetting& setting, figures::FigureData& data) {
    const NicPoint point = measure_nic({.profile = run::find_profile(factor.profile),
                                        .scheme = scheme,
                                        .choice = choice,
                                        .members = factor.members,
                                        .barriers = setting.repetitions.value_or(10)},
                                       setting);
    data.violations += point.violations;
    return point;
  }

  static figures::Series curve(const HostFactor& factor, std::uint32_t passes,
                               const figures::FigureSetting& setting, figures::FigureData& data) {
    NicSpec host{.level = factor.host}, over{.level = factor.over};
    figures::Series series{
        point_to_point(factor.host) ? fmt::format("{}:2 passes", passes) : "remote writes", {}};
    if (point_to_point(host.level)) host.data_passes = passes;
    if (point_to_point(over.level)) over.data_passes = passes;
    const double base = point(factor, "nic-dissemination", over, setting, data).latency_us;
    const double clock_ns = run::find_profile(factor.profile).clock_ns;
    for (int us = 0; us <= kMostMicroseconds; us += kApart) {
      host.host_step = static_cast<std::uint32_t>(us * 1000.0 / clock_ns);
      const double latency = point(factor, factor.host_scheme, host, setting, data).latency_us;
      series.points.push_back({static_cast<double>(us), latency / base, std::nullopt});
    }
    return series;
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_nic_host() { return std::make_unique<NicHost>(); }

}  // namespace muster::nic
