// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_points.hpp"

#include <fmt/format.h>

#include "systems/esc/scheme/result_io.hpp"

namespace muster::esc {

const esc::BatchResult& EscPoints::at(esc::Spec spec, const figures::FigureSetting& setting) {
  spec.seed = setting.seed;
  spec.threads = setting.threads;
  spec.sessions = sessions(spec, setting);
  std::string point = fmt::format("{}, gamma {}, sigma {}, S {}", policy_name(spec), spec.rate,
                                  spec.sigma, spec.box.depth);
  if (spec.rate_change)
    point +=
        fmt::format(", gamma {} from cycle {} on", spec.rate_change->rate, spec.rate_change->cycle);
  const std::string key = fmt::format("{} {} {} {} {} {} {}", point, spec.pes, spec.box.size,
                                      spec.mean, spec.sessions, spec.seed, setting.engine->name());
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  const auto progress = [&](std::uint32_t done, std::uint64_t) {
    if (setting.progress)
      setting.progress(fmt::format("measuring {}: session {} of {}", point, done, spec.sessions));
  };
  return known_.emplace(key, esc::run_batch(spec, *setting.engine, progress)).first->second;
}

std::string average_name(Average average) {
  switch (average) {
    case Average::kSyn:
      return "mu_SYN";
    case Average::kTotal:
      return "mu_BG(Tot)";
    case Average::kHot:
      return "mu_BG(HS)";
  }
  return {};
}

esc::Spec paper_spec(const std::string& policy) {
  esc::Spec spec;
  esc::set_policy(spec, policy);
  return spec;
}

std::uint32_t sessions(const esc::Spec& spec, const figures::FigureSetting& setting) {
  return setting.repetitions.value_or(spec.sessions);
}

std::map<std::string, std::string> parameters(const esc::Spec& spec,
                                              const figures::FigureSetting& setting) {
  return {{"N", fmt::format("{}", spec.pes)},
          {"n", fmt::format("{}", spec.box.size)},
          {"S", fmt::format("{} packets", spec.box.depth)},
          {"sigma", fmt::format("{} cycles", spec.sigma)},
          {"mean", fmt::format("cycle {}", spec.mean)},
          {"gamma", fmt::format("{} messages per PE and cycle", spec.rate)},
          {"sessions", fmt::format("{} a point", sessions(spec, setting))}};
}

figures::Panel esc_panel(Average average, const std::vector<EscCurve>& curves,
                         const std::vector<double>& xs, const figures::FigureSetting& setting,
                         EscPoints& points) {
  figures::Panel panel;
  panel.name.assign(1, static_cast<char>('a' + static_cast<int>(average)));
  panel.title = average_name(average);
  panel.y_label = "delay (cycles, traversal excluded)";
  for (const EscCurve& curve : curves) {
    figures::Series series{curve.name, {}};
    for (const double x : xs) {
      const esc::BatchResult& result = points.at(curve.spec(x), setting);
      const esc::Estimate& e = average == Average::kSyn     ? result.mu_syn
                               : average == Average::kTotal ? result.mu_bg_total
                                                            : result.mu_bg_hot;
      series.points.push_back({x, e.mean, e.half_width});
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

figures::Series least_of(const std::string& name, std::span<const figures::Series> curves) {
  figures::Series least{name, curves.front().points};
  for (const figures::Series& curve : curves) {
    for (std::size_t k = 0; k < least.points.size(); ++k) {
      const figures::Point& point = curve.points[k];
      if (point.y && (!least.points[k].y || *point.y < *least.points[k].y)) least.points[k] = point;
    }
  }
  return least;
}

void add_remarks(const std::vector<EscCurve>& curves, const std::vector<double>& xs,
                 const figures::FigureSetting& setting, EscPoints& points,
                 figures::FigureData& data) {
  for (const EscCurve& curve : curves) {
    for (const double x : xs) {
      const esc::Spec spec = curve.spec(x);
      data.violations += points.at(spec, setting).violations;
      const std::string warning = esc::capacity_warning(spec);
      if (!warning.empty()) data.notes.push_back(warning + ".");
    }
  }
}

void add_averages(const std::vector<EscCurve>& curves, const std::vector<double>& xs,
                  const std::string& x_label, const figures::FigureSetting& setting,
                  EscPoints& points, figures::FigureData& data) {
  add_remarks(curves, xs, setting, points, data);
  for (const Average average : {Average::kSyn, Average::kTotal, Average::kHot}) {
    data.panels.push_back(esc_panel(average, curves, xs, setting, points));
    data.panels.back().x_label = x_label;
  }
}

}  // namespace muster::esc
