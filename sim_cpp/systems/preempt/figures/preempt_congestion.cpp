// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/figures/preempt_congestion.hpp"

#include <fmt/format.h>

namespace muster::preempt {
namespace {

constexpr std::uint32_t kCongestionNetworks = 10;
constexpr std::uint64_t kDurations[] = {10, 100, 200, 400, 600, 800, 1000};  // cycles
constexpr std::uint64_t kDuration = 500;  // cycles, over the number of congested members
constexpr std::uint32_t kShare = 5;       // one member in five, over the duration
constexpr std::uint32_t kSteps = 5;
struct CongestionTiming {
  const char* profile;
  const char* suffix;  // of a panel's title
};
constexpr CongestionTiming kCongestionTimings[] = {{"ts-100", ""}, {"ts-100-tb-16", ", Tb = 16"}};

/// First and last point of each curve, and how many channels were cut in all its runs.
std::string ends_of(const figures::Panel& panel, const std::vector<std::uint64_t>& cuts) {
  std::string text = panel.title + ":";
  for (std::size_t r = 0; r < panel.series.size(); ++r) {
    const figures::Series& series = panel.series[r];
    text += fmt::format("{} {} {:.0f} to {:.0f}", r == 0 ? "" : ";", series.name,
                        *series.points.front().y, *series.points.back().y);
    if (cuts[r] != 0) text += fmt::format(" ({} channels cut)", cuts[r]);
  }
  return text + " cycles.";
}

}  // namespace

std::vector<PreemptCongestion::Step> PreemptCongestion::durations(std::uint32_t members) {
  std::vector<Step> steps;
  for (const std::uint64_t cycles : kDurations)
    steps.push_back({static_cast<double>(cycles), {members / kShare, cycles}});
  return steps;
}

std::vector<PreemptCongestion::Step> PreemptCongestion::shares(std::uint32_t members) {
  std::vector<Step> steps;
  for (std::uint32_t s = 0; s < kSteps; ++s) {
    const std::uint32_t congested = std::max(1u, members * s / (kSteps - 1));
    steps.push_back({static_cast<double>(congested), {congested, kDuration}});
  }
  return steps;
}

figures::Panel PreemptCongestion::panel(std::uint32_t members, const std::vector<Step>& steps,
                                        const char* profile, const figures::FigureSetting& setting,
                                        figures::FigureData& data,
                                        std::vector<std::uint64_t>& cuts) const {
  std::vector<PreemptCase> cases;
  for (const PreemptBaseline& baseline : baselines_)
    for (const Step& step : steps)
      cases.push_back({.baseline = baseline,
                       .members = members,
                       .profile = profile,
                       .congestion = step.congestion});
  const PreemptSamples samples = measure_cases(system_, cases, kCongestionNetworks, setting, data);
  figures::Panel panel;
  panel.y_label = "latency (cycles)";
  cuts.assign(baselines_.size(), 0);
  for (std::size_t r = 0; r < baselines_.size(); ++r) {
    figures::Series series{baselines_[r].name, {}};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::vector<PreemptSample>& point = samples[r * steps.size() + i];
      series.points.push_back(mean_point(steps[i].x, point, later_rounds));
      for (const PreemptSample& sample : point) cuts[r] += sample.cuts;
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

figures::FigureData PreemptCongestion::measure(const figures::FigureSetting& setting) {
  figures::FigureData data;
  data.title = fmt::format("Preempting barriers, Figure {}: {}, {}, Ts = 100", id_.substr(4),
                           about_, system_.name());
  for (const CongestionTiming& timing : kCongestionTimings)
    for (const bool over_duration : {true, false})
      for (const std::uint32_t members : sizes_) {
        const std::vector<Step> steps = over_duration ? durations(members) : shares(members);
        std::vector<std::uint64_t> cuts;  // by baseline
        figures::Panel panel = this->panel(members, steps, timing.profile, setting, data, cuts);
        panel.name = std::string(1, static_cast<char>('a' + data.panels.size()));
        panel.title = over_duration
                          ? fmt::format("{} members, {} congested", members, members / kShare)
                          : fmt::format("{} members, congestion of {} cycles", members, kDuration);
        panel.title += timing.suffix;
        panel.x_label = over_duration ? "duration of congestion (cycles)" : "congested members";
        data.notes.push_back(ends_of(panel, cuts));
        data.panels.push_back(std::move(panel));
      }
  data.parameters["networks"] =
      fmt::format("{} a point", setting.repetitions.value_or(kCongestionNetworks));
  data.parameters["arrivals"] = "all members at once, 4 barriers far apart, the first not counted";
  data.parameters["congestion"] =
      "links of the congested members' switches to other switches are held from the first arrival";
  data.notes.push_back(
      "Printed: the baseline's latency rises with the duration of congestion, ours stays flat; "
      "neither depends much on the number of congested members.");
  return data;
}

}  // namespace muster::preempt
