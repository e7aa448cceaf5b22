// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_points.hpp"
#include "systems/nic/profiles.hpp"
#include "systems/nic/scheme/broadcast_plan.hpp"

namespace muster::nic {
namespace {

constexpr std::uint32_t kMyrinetMembers = 16, kQuadricsMembers = 8;  ///< of the clusters

run::Profile without_passes(run::Profile profile) {
  profile.interface_pass = profile.interface_launch = 0;
  return profile;
}

struct PartCurve {
  const char* name;
  run::Profile profile;
};

/// What a barrier takes if a part of it took another time, or none: the experiments behind what
/// differs from printed values, or depends on what is not printed.
class NicParts final : public figures::Figure {
 public:
  std::string id() const override { return "nic-parts"; }
  std::string about() const override {
    return "NIC barriers with another bus or without passes, over the members";
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = "NIC barriers, part by part";
    const run::Profile old = run::find_profile("lanai9"), elan = run::find_profile("elan3");
    data.panels.push_back(latency(
        "a", "LANai 9.1, dissemination", "nic-dissemination", kMyrinetMembers,
        {{"a crossing takes its time on lanai-xp", old},
         {"a crossing takes its cycles of a bus half as fast", with_crossing(old, 2 * old.bus)}},
        setting, data));
    data.panels.push_back(
        latency("b", "Elan3, hardware broadcast", kBroadcastScheme, kQuadricsMembers,
                {{"all parts", elan},
                 {"no bus", with_crossing(elan, 0)},
                 {"no passes", without_passes(elan)},
                 {"no bus, no passes: the switches", without_passes(with_crossing(elan, 0))}},
                setting, data));
    data.panels.push_back(
        pairwise({{"all parts", elan}, {"no passes", without_passes(elan)}}, setting, data));
    data.parameters["profiles"] = "lanai9; elan3; elan3";
    return data;
  }

 private:
  static double point(const run::Profile& profile, const char* scheme, std::uint32_t members,
                      const figures::FigureSetting& setting, figures::FigureData& data) {
    const NicPoint point = measure_nic({.profile = profile,
                                        .scheme = scheme,
                                        .members = members,
                                        .barriers = setting.repetitions.value_or(20)},
                                       setting);
    data.violations += point.violations;
    return point.latency_us;
  }

  static figures::Panel panel(const char* name, const char* title) {
    figures::Panel panel;
    panel.name = name;
    panel.title = title;
    panel.x_label = "members";
    panel.y_label = "latency (us)";
    return panel;
  }

  static figures::Panel latency(const char* name, const char* title, const char* scheme,
                                std::uint32_t members, std::initializer_list<PartCurve> curves,
                                const figures::FigureSetting& setting, figures::FigureData& data) {
    figures::Panel result = panel(name, title);
    for (const PartCurve& curve : curves) {
      figures::Series series{curve.name, {}};
      for (std::uint32_t n = 2; n <= members; ++n)
        series.points.push_back(
            {static_cast<double>(n), point(curve.profile, scheme, n, setting, data), std::nullopt});
      result.series.push_back(std::move(series));
    }
    return result;
  }

  /// Pairwise exchange less dissemination, where their steps differ.
  static figures::Panel pairwise(std::initializer_list<PartCurve> curves,
                                 const figures::FigureSetting& setting, figures::FigureData& data) {
    figures::Panel result = panel("c", "Elan3, pairwise exchange less dissemination");
    for (const PartCurve& curve : curves) {
      figures::Series series{curve.name, {}};
      for (std::uint32_t n = 3; n < kQuadricsMembers; ++n)
        if (!std::has_single_bit(n))
          series.points.push_back({static_cast<double>(n),
                                   point(curve.profile, "nic-pairwise", n, setting, data) -
                                       point(curve.profile, "nic-dissemination", n, setting, data),
                                   std::nullopt});
      result.series.push_back(std::move(series));
    }
    return result;
  }
};

}  // namespace

std::unique_ptr<figures::Figure> make_nic_parts() { return std::make_unique<NicParts>(); }

}  // namespace muster::nic
