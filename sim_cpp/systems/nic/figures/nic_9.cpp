// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

#include "figures/printed.hpp"
#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_model.hpp"
#include "systems/nic/figures/nic_points.hpp"

namespace muster::nic {
namespace {

constexpr std::uint32_t kLargestGroup = 65'536;
constexpr std::uint32_t kFaultyBarriers = 10'000;

struct NicSystem {
  const char* profile;
  const char* name;
  std::uint32_t largest;  ///< network that we build
  const char* at_1024;    ///< row of printed.json
  const char* constants;  ///< rows of printed.json, with 1 to 3 behind it
};
constexpr NicSystem kNicSystems[] = {
    {"elan3", "Quadrics", 256, "nic-9a", "nic-9q"},
    {"lanai-xp", "Myrinet", 512, "nic-9b", "nic-9m"},
};

NicModel printed_model(const NicSystem& system) {
  const std::string row = system.constants;
  return {figures::printed_value(row + "1"), figures::printed_value(row + "2"),
          figures::printed_value(row + "3")};
}

figures::Series model_curve(const std::string& name, const NicModel& model) {
  figures::Series series{name, {}};
  for (std::uint32_t n = 2; n <= kLargestGroup; n *= 2)
    series.points.push_back({static_cast<double>(n), model.latency_us(n), std::nullopt});
  return series;
}

/// Figure 9: T = T_init + (ceil(log2 N) - 1) T_trig + T_adj, with the paper's constants and with
/// ours: T_init at two members, T_trig and T_adj by least squares over what we measure.
class Nic9 final : public figures::Figure {
 public:
  std::string id() const override { return "nic-9"; }
  std::string about() const override { return "NIC barriers by the model, up to 65 536 members"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "NIC barriers, Figure 9: dissemination, collective";
    for (const NicSystem& system : kNicSystems) {
      figures::Panel panel;
      panel.name = data.panels.empty() ? "a" : "b";
      panel.title = system.name;
      panel.x_label = "members";
      panel.y_label = "latency (us)";
      panel.log2_x = true;
      figures::Series measured{"measured", {}};
      std::vector<NicSample> samples;
      for (std::uint32_t n = 2; n <= system.largest; n *= 2) {
        const NicPoint point = measure_nic({.profile = run::find_profile(system.profile),
                                            .members = n,
                                            .barriers = setting.repetitions.value_or(5)},
                                           setting);
        data.violations += point.violations;
        samples.push_back({n, point.latency_us});
        measured.points.push_back({static_cast<double>(n), point.latency_us, std::nullopt});
      }
      const NicModel ours = nic::fit_nic_model(samples), printed = printed_model(system);
      panel.series = {std::move(measured), model_curve("model, our constants", ours),
                      model_curve("model, the paper's", printed)};
      data.notes.push_back(fmt::format(
          "{} ({}): T_init {:.2f}, T_trig {:.2f}, T_adj {:.2f} us; printed {:.2f}, {:.2f}, "
          "{:.2f}. At 1024: {:.2f} us; printed {:.2f}, by the printed constants {:.2f}.",
          system.name, system.profile, ours.init_us, ours.trigger_us, ours.adjust_us,
          printed.init_us, printed.trigger_us, printed.adjust_us, ours.latency_us(1024),
          figures::printed_value(system.at_1024), printed.latency_us(1024)));
      data.panels.push_back(std::move(panel));
    }
    figures::mark_printed(id(), data);
    return data;
  }
};

/// What lost packets cost, for a barrier of 16 on one crossbar.
class NicFaults final : public figures::Figure {
 public:
  std::string id() const override { return "nic-faults"; }
  std::string about() const override { return "latency of NIC barriers over the drop rate"; }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "NIC barriers over faulty links, 16 members";
    figures::Panel panel;
    panel.name = "a";
    panel.title = "added latency, RTL's own cycles";
    panel.x_label = "-log10 of the drop rate";
    panel.y_label = "added latency (us)";
    for (const auto& [name, level] :
         {std::pair{"collective", NicLevel::kCollective}, std::pair{"direct", NicLevel::kDirect}}) {
      NicCase what{.profile = run::find_profile("native"),
                   .choice = {.level = level, .faults = FaultRates{}},
                   .members = 16,
                   .barriers = setting.repetitions.value_or(kFaultyBarriers)};
      const double clean = measure_nic(what, setting).latency_us;
      figures::Series series{name, {}};
      for (int exponent = 1; exponent <= 6; ++exponent) {
        what.choice.faults->drop = std::pow(10.0, -exponent);
        const NicPoint point = measure_nic(what, setting);
        data.violations += point.violations;
        series.points.push_back(
            {static_cast<double>(exponent), point.latency_us - clean, std::nullopt});
      }
      panel.series.push_back(std::move(series));
      data.notes.push_back(fmt::format("{} without a loss: {:.2f} us.", name, clean));
    }
    data.notes.push_back(
        fmt::format("{} barriers a point, 64 messages each: at 1e-6 hardly a packet is lost.",
                    setting.repetitions.value_or(kFaultyBarriers)));
    data.panels = {std::move(panel)};
    return data;
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_nic_9() { return std::make_unique<Nic9>(); }
std::unique_ptr<figures::Figure> make_nic_faults() { return std::make_unique<NicFaults>(); }

}  // namespace muster::nic
