// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_points.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kUnitNetworks = 10;
constexpr std::uint32_t kUnitMembers[] = {60, 240, 480, 600, 720, 840, 960, 1080, 1200};
constexpr std::uint32_t kUnitBuffers[] = {1, 2, 4};  // messages

struct UnitCase {
  bool waits, apart;
};
constexpr UnitCase kUnitCases[] = {{false, true}, {false, false}, {true, false}, {true, true}};

double stopped(const PreemptSample& sample) { return sample.stands_still ? 1.0 : 0.0; }

/// Whether [4] with barrier units in the switches saturates past 720 of 1200 members (section 4.2),
/// for the sizes of input buffers and for units that take messages at any time or not.
class PreUnits final : public figures::Figure {
 public:
  std::string id() const override { return "pre-units"; }
  std::string about() const override { return "barrier units in switches with short buffers"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "Baseline [4] with barrier units in the switches, N = 1200, Ts = 100";
    std::vector<PreemptCase> cases;
    for (const UnitCase& unit : kUnitCases)
      for (const std::uint32_t buffer : kUnitBuffers)
        for (const std::uint32_t members : kUnitMembers)
          cases.push_back({.baseline = {.name = "units",
                                        .scheme = "tree-units",
                                        .unit_buffer = buffer,
                                        .unit_waits = unit.waits},
                           .members = members,
                           .profile = "ts-100",
                           .apart = unit.apart});
    const PreemptSamples samples =
        measure_cases(PreemptSystem{.size = 1200}, cases, kUnitNetworks, setting, data);
    constexpr std::size_t kPoints = std::size(kUnitMembers);
    const auto panel = [&](const char* title, const char* unit, std::size_t c, auto point) {
      figures::Panel p;
      p.name = std::string(1, static_cast<char>('a' + data.panels.size()));
      p.title = title;
      p.x_label = "members";
      p.y_label = unit;
      for (std::size_t b = 0; b < std::size(kUnitBuffers); ++b) {
        figures::Series series{
            fmt::format("{} message{}", kUnitBuffers[b], kUnitBuffers[b] == 1 ? "" : "s"), {}};
        const std::size_t first = (c * std::size(kUnitBuffers) + b) * kPoints;
        for (std::size_t i = 0; i < kPoints; ++i)
          series.points.push_back(point(kUnitMembers[i], samples[first + i]));
        p.series.push_back(std::move(series));
      }
      data.panels.push_back(std::move(p));
    };
    const auto later = [](double x, const std::vector<PreemptSample>& at) {
      if (std::any_of(at.begin(), at.end(), [](const auto& s) { return s.stands_still; }))
        return figures::Point{x, std::nullopt, std::nullopt};
      return mean_point(x, at, later_rounds);
    };
    panel("absorb, far apart: later rounds", "latency (cycles)", 0, later);
    panel("absorb, back to back: later rounds", "latency (cycles)", 1, later);
    panel("wait, back to back: later rounds", "latency (cycles)", 2, later);
    panel(
        "wait, back to back: networks that deadlock", "share", 2,
        [](double x, const std::vector<PreemptSample>& at) { return mean_point(x, at, stopped); });
    panel(
        "wait, far apart: networks that deadlock", "share", 3,
        [](double x, const std::vector<PreemptSample>& at) { return mean_point(x, at, stopped); });
    data.parameters["networks"] =
        fmt::format("{} a point", setting.repetitions.value_or(kUnitNetworks));
    data.parameters["arrivals"] =
        "4 barriers, all members at once and far apart, or each as soon as it is released";
    data.notes.push_back("Printed: past 720 of 1200 members [4] enters saturation.");
    data.notes.push_back("A point is missing where a network deadlocks.");
    return data;
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_pre_units() { return std::make_unique<PreUnits>(); }

}  // namespace muster::preempt
