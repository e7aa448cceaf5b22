// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <functional>

#include "systems/preempt/figures/preempt_figures.hpp"
#include "systems/preempt/figures/preempt_latency.hpp"

namespace muster::preempt {
namespace {

struct Curve {
  PreemptScheme scheme;
  const char* name;  // the paper's
};
constexpr std::array<Curve, 4> kCurves = {{{PreemptScheme::kSwitch1, "BS_I, equation (1)"},
                                           {PreemptScheme::kSwitch2, "BS_II, equation (2)"},
                                           {PreemptScheme::kSwitch3, "BS_III, equation (3)"},
                                           {PreemptScheme::kTree, "Tree, equation (4)"}}};

struct Range {
  std::uint32_t first, last, step;
};
constexpr Range kLevels{4, 20, 1}, kCongestion{0, 1000, 50};

/// Figure 11: the equations of section 4.1, over the size of the system and the time that data
/// stand. The text names no more than the variables; which of them the two lost panels hold fixed,
/// and where, is ours.
class Pre11 final : public figures::Figure {
 public:
  std::string id() const override { return "pre-11"; }
  std::string about() const override { return "barrier latency by equations (1) to (4)"; }

  figures::FigureData measure(const figures::FigureSetting&) override {
    figures::FigureData data;
    data.title =
        "Preempting barriers, Figure 11: Ts = 100, Tb = 16, Tp = 6, p = 0.8, pf = 0.2, k = 16";
    data.panels.push_back(panel("a", "irregular, tau = 100", "L (levels of the tree)", kLevels,
                                [](PreemptModel& model, std::uint32_t x) { model.levels = x; }));
    data.panels.push_back(
        panel("b", "irregular, L = 9", "tau (cycles)", kCongestion,
              [](PreemptModel& model, std::uint32_t x) { model.congestion_cycles = x; }));
    data.panels.push_back(panel(
        "c", "n x n mesh, tau = 100", "n (L = n - 1)", {kLevels.first + 1, kLevels.last + 1, 1},
        [](PreemptModel& model, std::uint32_t x) { model.levels = x - 1; }));
    data.panels.push_back(panel("d", "20 x 20 mesh, L = 19", "tau (cycles)", kCongestion,
                                [](PreemptModel& model, std::uint32_t x) {
                                  model.levels = 19;
                                  model.congestion_cycles = x;
                                }));
    describe(data);
    return data;
  }

 private:
  static figures::Panel panel(const char* name, const char* title, const char* x_label, Range range,
                              const std::function<void(PreemptModel&, std::uint32_t)>& set) {
    figures::Panel result;
    result.name = name;
    result.title = title;
    result.x_label = x_label;
    result.y_label = "latency (cycles)";
    for (const Curve& curve : kCurves) {
      figures::Series series{curve.name, {}};
      for (std::uint32_t x = range.first; x <= range.last; x += range.step) {
        PreemptModel model;
        set(model, x);
        series.points.push_back(
            {static_cast<double>(x), preempt::preempt_latency(curve.scheme, model), std::nullopt});
      }
      result.series.push_back(std::move(series));
    }
    return result;
  }

  static void describe(figures::FigureData& data) {
    const PreemptModel model;
    data.parameters["Ts"] = fmt::format("{} cycles", model.startup_cycles);
    data.parameters["Tb"] = fmt::format("{} cycles", model.hop_cycles);
    data.parameters["Tp"] = fmt::format("{} cycles", model.preempting_cycles);
    data.parameters["p"] = fmt::format("{}", model.occupied);
    data.parameters["pf"] = fmt::format("{}", model.blocked);
    data.parameters["k"] = fmt::format("{}", model.ports);
    std::string values;
    for (const Curve& curve : kCurves)
      values += fmt::format("{}{} {:.1f}", values.empty() ? "" : ", ", curve.name,
                            preempt::preempt_latency(curve.scheme, model));
    data.notes.push_back(
        fmt::format("At L = {}, tau = {}: {}.", model.levels, model.congestion_cycles, values));
    data.notes.push_back(
        "The equations are the paper's as printed. Without data each is Ts + 4 (L - 1) Tb: twice "
        "the bound 2 Tb (L - 1) of its Theorem 2, since they count the hops of both phases twice.");
    for (const figures::Point& below : data.panels[1].series[2].points)
      if (*below.y > *data.panels[1].series[1].points[0].y) {
        data.notes.push_back(fmt::format(
            "p^k takes the k ports of a switch for its virtual channels, so it is small, and "
            "BS_III "
            "comes out below BS_II while p^k ((1 - pf) Tp + pf tau) < p Tp: up to tau = {} at "
            "least, no longer at {}.",
            below.x - kCongestion.step, below.x));
        break;
      }
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_pre_11() { return std::make_unique<Pre11>(); }

}  // namespace muster::preempt
