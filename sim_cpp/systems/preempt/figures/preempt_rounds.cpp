// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::preempt {
namespace {

constexpr std::uint32_t kRoundNetworks = 10;
struct RoundTiming {
  const char* profile;
  const char* name;
  double startup;  // cycles
};
constexpr RoundTiming kRoundTimings[] = {{"ts-100", "Ts = 100", 100.0},
                                         {"ts-1000", "Ts = 1000", 1000.0},
                                         {"ts-100-tb-16", "Ts = 100, Tb = 16", 100.0},
                                         {"ts-1000-tb-16", "Ts = 1000, Tb = 16", 1000.0}};

/// What the curves of a panel say of the paper's sentences, at the group sizes measured.
std::string in_words(const figures::Panel& panel) {
  const auto& first = panel.series[0].points;
  const auto& later = panel.series[1].points;
  double most = 0.0, at = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (*first[i].y / *later[i].y > most) {
      most = *first[i].y / *later[i].y;
      at = first[i].x;
    }
  std::string text = fmt::format(
      "{}: first round up to {:.2f} times a later one, at {:.0f} members", panel.title, most, at);
  for (std::size_t s = 2; s < panel.series.size(); ++s)
    if (panel.series[s].points.back().y)
      text += fmt::format(
          "; at {:.0f} members {} takes {:.0f}, the first round {:.0f}, a later one "
          "{:.0f}",
          later.back().x, panel.series[s].name, *panel.series[s].points.back().y, *first.back().y,
          *later.back().y);
  return text + ".";
}

}  // namespace

figures::Panel PreemptRounds::panel(const Part& part, std::size_t timing,
                                    const figures::FigureSetting& setting,
                                    figures::FigureData& data) const {
  const RoundTiming& time = kRoundTimings[timing];
  std::vector<PreemptCase> cases;
  const auto add = [&](const PreemptBaseline& baseline) {
    for (const std::uint32_t size : part.sizes)
      cases.push_back({.baseline = baseline, .members = size, .profile = time.profile});
  };
  add({"bsr-1", "bsr-1"});
  for (const PreemptBaseline& baseline : baselines_) add(baseline);
  const PreemptSamples samples = measure_cases(part.system, cases, kRoundNetworks, setting, data);

  figures::Panel panel;
  panel.title = fmt::format("{}, {}", part.system.name(), time.name);
  panel.x_label = "members";
  panel.y_label = "latency (cycles)";
  const auto curve = [&](const std::string& name, std::size_t baseline, auto value) {
    figures::Series series{name, {}};
    for (std::size_t i = 0; i < part.sizes.size(); ++i) {
      const auto& at = samples[baseline * part.sizes.size() + i];
      const auto stuck =
          std::count_if(at.begin(), at.end(), [](const auto& s) { return s.stands_still; });
      if (stuck == 0) {
        series.points.push_back(mean_point(part.sizes[i], at, value));
        continue;
      }
      series.points.push_back({static_cast<double>(part.sizes[i]), std::nullopt, std::nullopt});
      data.notes.push_back(fmt::format("{}: {} with {} members deadlocks on {} of {} networks.",
                                       panel.title, name, part.sizes[i], stuck, at.size()));
    }
    panel.series.push_back(std::move(series));
  };
  curve("bsr-1, first round", 0, first_round);
  curve("bsr-1, later rounds", 0, later_rounds);
  for (std::size_t r = 0; r < baselines_.size(); ++r)
    curve(baselines_[r].name, r + 1, later_rounds);
  curve("Theorem 2, and Ts", 0, [&](const PreemptSample& s) { return s.theorem_2 + time.startup; });
  return panel;
}

figures::FigureData PreemptRounds::measure(const figures::FigureSetting& setting) {
  figures::FigureData data;
  data.title = fmt::format("Preempting barriers, Figure {}: {}", id_.substr(4), about_);
  for (const Part& part : parts_)
    for (std::size_t timing = 0; timing < std::size(kRoundTimings); ++timing) {
      data.panels.push_back(panel(part, timing, setting, data));
      data.panels.back().name = std::string(1, static_cast<char>('a' + data.panels.size() - 1));
      data.notes.push_back(in_words(data.panels.back()));
    }
  data.parameters["networks"] =
      fmt::format("{} a point", setting.repetitions.value_or(kRoundNetworks));
  data.parameters["arrivals"] = "all members at once, 4 barriers far apart";
  data.parameters["switches"] = "2 virtual channels of depth 4, all of data";
  data.parameters["hops"] =
      "the RTL's cycles, or Tb = 16 of each barrier message and packet's head with every scheme";
  data.notes.push_back(
      "Printed: the first round is at most about twice a later one and below the baseline; the "
      "star "
      "is worse than later rounds; the baseline saturates past 720 of 1200 members, ours does "
      "not.");
  return data;
}

}  // namespace muster::preempt
