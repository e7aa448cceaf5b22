// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_points.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kGridNetworks = 10;
constexpr std::uint32_t kHops[] = {5, 8, 12, 16, 24, 32};  // T_b, cycles; 5 are the RTL's own
constexpr std::uint32_t kGaps[] = {0, 1, 2, 4, 8};         // cycles

/// Cycles for which a first message of `flits` flits has its link.
constexpr std::uint32_t held(std::uint32_t flits, std::uint32_t gap) { return flits + gap + 1; }

double first_over_later(const PreemptSample& sample) {
  return first_round(sample) / later_rounds(sample);
}

/// How far the first round is above later ones, over what the paper and this project choose apart:
/// T_b and the pace of first messages on a link, which the gap and the length of a message make.
class PreTb final : public figures::Figure {
 public:
  std::string id() const override { return "pre-tb"; }
  std::string about() const override { return "first and later rounds over T_b and the gap"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "Preempting barriers: first and later rounds over T_b and the gap, Ts = 100";
    add(PreemptSystem{.size = 300}, 300, setting, data);
    add(PreemptSystem{.mesh = true, .size = 20}, 400, setting, data);
    data.parameters["networks"] =
        fmt::format("{} a point", setting.repetitions.value_or(kGridNetworks));
    data.parameters["arrivals"] = "all members at once, 4 barriers far apart";
    data.parameters["scheme"] = "bsr-1, 2 virtual channels of depth 4, no data";
    data.notes.push_back(
        "Printed: in the worst case the first round takes twice as long as others.");
    return data;
  }

 private:
  static void add(const PreemptSystem& system, std::uint32_t members,
                  const figures::FigureSetting& setting, figures::FigureData& data) {
    std::vector<PreemptCase> cases;
    for (const std::uint32_t gap : kGaps)
      for (const std::uint32_t hop : kHops)
        cases.push_back({.baseline = {"bsr-1", "bsr-1"},
                         .members = members,
                         .profile = "ts-100",
                         .hop = hop,
                         .gap = gap});
    const PreemptSamples samples = measure_cases(system, cases, kGridNetworks, setting, data);
    const auto panel = [&](const char* what, const char* unit, auto value) {
      figures::Panel p;
      p.name = std::string(1, static_cast<char>('a' + data.panels.size()));
      p.title = fmt::format("{}, {} members, {}", system.name(), members, what);
      p.x_label = "Tb (cycles)";
      p.y_label = unit;
      for (std::size_t g = 0; g < std::size(kGaps); ++g) {
        figures::Series series{
            fmt::format("gap {}: {} cycles a message", kGaps[g], held(kFirstFlits, kGaps[g])), {}};
        for (std::size_t h = 0; h < std::size(kHops); ++h)
          series.points.push_back(mean_point(kHops[h], samples[g * std::size(kHops) + h], value));
        p.series.push_back(std::move(series));
      }
      data.panels.push_back(std::move(p));
    };
    panel("first round over later ones", "ratio", first_over_later);
    panel("first round", "latency (cycles)", first_round);
    panel("later rounds", "latency (cycles)", later_rounds);
  }

  static constexpr std::uint32_t kFirstFlits = 3;
};

}  // namespace

std::unique_ptr<figures::Figure> make_pre_tb() { return std::make_unique<PreTb>(); }

}  // namespace muster::preempt
