// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_points.hpp"

namespace muster::preempt {
namespace {

constexpr std::uint32_t kLoadNetworks = 3;
constexpr std::uint32_t kLoadVcs = 2, kLoadMembers = 40, kLoadBarriers = 60;
constexpr std::uint64_t kLoadCycles =
    12'000;  // at least, so that throughput is that of a steady state
constexpr double kLoads[] = {0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.95};

const std::vector<PreemptBaseline>& load_baselines() {
  static const std::vector<PreemptBaseline> all{{"bsr-1", "bsr-1"},   {"bsr-2", "bsr-2"},
                                                {"bsr-3", "bsr-3"},   {"btin", "btin"},
                                                {"tree [4]", "tree"}, {"star", "star"}};
  return all;
}

/// Latencies of a point, of all networks; the share is in the range 0 to 1.
std::vector<double> latencies(const std::vector<PreemptSample>& samples) {
  std::vector<double> all;
  for (const PreemptSample& sample : samples)
    all.insert(all.end(), sample.latency.begin() + (sample.latency.empty() ? 0 : 1),
               sample.latency.end());
  std::sort(all.begin(), all.end());
  return all;
}
double load_quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::lround(share * last))];
}

/// What data traffic and barriers do to each other; of the paper's text, not among its figures.
class PreLoad final : public figures::Figure {
 public:
  std::string id() const override { return "pre-load"; }
  std::string about() const override { return "barriers among data, and what they cost it"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = fmt::format("Barriers of {} members among data of 32-flit packets", kLoadMembers);
    add(PreemptSystem{.size = 100}, setting, data);
    add(PreemptSystem{.mesh = true, .size = 10}, setting, data);
    data.parameters["networks"] =
        fmt::format("{} a point", setting.repetitions.value_or(kLoadNetworks));
    data.parameters["switches"] = fmt::format("{} virtual channels of depth 4", kLoadVcs);
    data.parameters["run"] = fmt::format(
        "{} barriers back to back, at least {} cycles; the first barrier is not counted",
        kLoadBarriers, kLoadCycles);
    return data;
  }

 private:
  static void add(const PreemptSystem& system, const figures::FigureSetting& setting,
                  figures::FigureData& data) {
    std::vector<PreemptCase> cases;
    for (const PreemptBaseline& baseline : load_baselines())
      for (const bool barriers : {true, false})
        for (const double load : kLoads) {
          const bool reference = !barriers;
          cases.push_back({.baseline = baseline,
                           .members = reference ? 0 : kLoadMembers,
                           .barriers = kLoadBarriers,
                           .apart = false,
                           .vcs = kLoadVcs,
                           .load = load,
                           .cycles = kLoadCycles});
        }
    const PreemptSamples samples = measure_cases(system, cases, kLoadNetworks, setting, data);
    constexpr std::size_t kPoints = std::size(kLoads);
    const auto panel = [&](const char* what, const char* unit, bool log, auto value) {
      figures::Panel p;
      p.name = std::string(1, static_cast<char>('a' + data.panels.size()));
      p.title = fmt::format("{}, {}", system.name(), what);
      p.x_label = "data load, share of the busiest channel";
      p.y_label = unit;
      p.log10_y = log;
      for (std::size_t r = 0; r < load_baselines().size(); ++r) {
        figures::Series series{load_baselines()[r].name, {}};
        for (std::size_t i = 0; i < kPoints; ++i)
          series.points.push_back(
              value(kLoads[i], samples[2 * r * kPoints + i], samples[(2 * r + 1) * kPoints + i]));
        p.series.push_back(std::move(series));
      }
      data.panels.push_back(std::move(p));
    };
    const auto latency = [&](const char* what, auto of_sorted) {
      panel(
          what, "latency (cycles)", true,
          [&](double x, const std::vector<PreemptSample>& with, const std::vector<PreemptSample>&) {
            const bool slow =
                std::any_of(with.begin(), with.end(), [](const auto& s) { return s.stands_still; });
            const std::vector<double> all = latencies(with);
            return figures::Point{
                x, slow || all.empty() ? std::nullopt : std::optional(of_sorted(all)),
                std::nullopt};
          });
    };
    latency("mean", [](const std::vector<double>& all) {
      return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
    });
    latency("99th percentile", [](const auto& all) { return load_quantile(all, 0.99); });
    latency("maximum", [](const auto& all) { return all.back(); });
    panel("data lost to barriers", "throughput lost (%)", false,
          [](double x, const std::vector<PreemptSample>& with,
             const std::vector<PreemptSample>& without) {
            double ours = 0.0, alone = 0.0;
            for (const PreemptSample& s : with) ours += s.throughput;
            for (const PreemptSample& s : without) alone += s.throughput;
            if (alone == 0.0) return figures::Point{x, 0.0, std::nullopt};
            return figures::Point{x, 100.0 * (1.0 - ours / alone), std::nullopt};
          });
    note(system, samples, data);
  }

  /// Where a barrier took longer than the run waits, and what data alone get through.
  static void note(const PreemptSystem& system, const PreemptSamples& samples,
                   figures::FigureData& data) {
    constexpr std::size_t kPoints = std::size(kLoads);
    for (std::size_t r = 0; r < load_baselines().size(); ++r) {
      std::string text;
      for (std::size_t i = 0; i < kPoints; ++i) {
        const auto& with = samples[2 * r * kPoints + i];
        const auto slow = std::count_if(with.begin(), with.end(),
                                        [](const PreemptSample& s) { return s.stands_still; });
        if (slow != 0) text += fmt::format(" {} ({} of {})", kLoads[i], slow, with.size());
      }
      if (!text.empty())
        data.notes.push_back(fmt::format(
            "{}, {}: no point where a barrier or the draining took more than 40000 cycles, load{}.",
            system.name(), load_baselines()[r].name, text));
      double accepted = 0.0;
      const auto& alone = samples[(2 * r + 1) * kPoints + kPoints - 1];
      for (const PreemptSample& s : alone)
        accepted += s.throughput / static_cast<double>(alone.size());
      data.notes.push_back(
          fmt::format("{}, switches of {}: data alone get {:.4f} flits a node and "
                      "cycle at load {}.",
                      system.name(), load_baselines()[r].name, accepted, kLoads[kPoints - 1]));
    }
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_pre_load() { return std::make_unique<PreLoad>(); }

}  // namespace muster::preempt
