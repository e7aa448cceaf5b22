// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_points.hpp"

namespace muster::nic {
namespace {

struct NicCurve {
  const char* name;
  const char* scheme;
  NicLevel level;
};
constexpr NicCurve kNicCurves[] = {
    {"NIC-DS", "nic-dissemination", NicLevel::kCollective},
    {"NIC-PE", "nic-pairwise", NicLevel::kCollective},
    {"direct-DS", "nic-dissemination", NicLevel::kDirect},
    {"host-DS", "nic-dissemination", NicLevel::kHost},
    {"host-PE", "nic-pairwise", NicLevel::kHost},
    {"host-GB", "nic-gather", NicLevel::kHost},
};

/// What the paper prints of a figure.
struct Printed6to8 {
  const char* id;
  const char* profile;
  const char* network;
  std::uint32_t members;
  double latency_us;
  const char* over;  ///< the curve that the factor is over
  double factor;
};
constexpr Printed6to8 kNicFigures[] = {
    {"nic-6", "lanai9", "Myrinet, LANai 9.1", 16, 25.72, "host-DS", 3.38},
    {"nic-7", "lanai-xp", "Myrinet, LANai-XP", 8, 14.20, "host-DS", 2.64},
    {"nic-8", "elan3", "Quadrics, Elan3", 8, 5.60, "host-GB", 2.48},
};

double value_at(const figures::Panel& panel, const std::string& name, double x) {
  for (const figures::Series& series : panel.series)
    if (series.name == name)
      for (const figures::Point& point : series.points)
        if (point.x == x) return point.y.value_or(0.0);
  return 0.0;
}

figures::Panel nic_panel(const char* name, const char* title, const char* y_label) {
  figures::Panel result;
  result.name = name;
  result.title = title;
  result.x_label = "members";
  result.y_label = y_label;
  return result;
}

/// Figures 6, 7, 8: consecutive barriers over the members, 2 to as many as the cluster had.
class NicLatency final : public figures::Figure {
 public:
  explicit NicLatency(const Printed6to8& printed) : printed_(printed) {}
  std::string id() const override { return printed_.id; }
  std::string about() const override {
    return fmt::format("{}: barrier latency and packets over the members", printed_.network);
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = fmt::format("NIC barriers, {}", printed_.network);
    figures::Panel latency = nic_panel("a", "latency", "latency (us)");
    figures::Panel packets = nic_panel("b", "packets", "packets a barrier");
    for (const NicCurve& curve : kNicCurves) {
      figures::Series us{curve.name, {}}, sent{curve.name, {}};
      for (std::uint32_t n = 2; n <= printed_.members; ++n) {
        const NicPoint point = measure_nic({.profile = printed_.profile,
                                            .scheme = curve.scheme,
                                            .level = curve.level,
                                            .members = n,
                                            .barriers = setting.repetitions.value_or(20)},
                                           setting);
        us.points.push_back({static_cast<double>(n), point.latency_us, std::nullopt});
        sent.points.push_back({static_cast<double>(n), point.packets, std::nullopt});
        data.violations += point.violations;
      }
      latency.series.push_back(std::move(us));
      packets.series.push_back(std::move(sent));
    }
    const auto n = static_cast<double>(printed_.members);
    latency.printed = {{"NIC-based, paper", n, printed_.latency_us, "NIC-DS"},
                       {fmt::format("{}, paper", printed_.over), n,
                        printed_.latency_us * printed_.factor, printed_.over}};
    const double nic = value_at(latency, "NIC-DS", n);
    data.notes = {
        fmt::format("{} over NIC-DS at {}: printed {:.2f}, ours {:.2f}.", printed_.over, n,
                    printed_.factor, value_at(latency, printed_.over, n) / nic),
        fmt::format("host-DS over direct-DS at {}: {:.2f} (printed 1.86 for 16 nodes and LANai "
                    "7.2); direct-DS over NIC-DS: {:.2f} (nothing printed).",
                    n, value_at(latency, "host-DS", n) / value_at(latency, "direct-DS", n),
                    value_at(latency, "direct-DS", n) / nic),
        fmt::format("Packets at {}: collective {:.0f}, direct {:.0f}.", n,
                    value_at(packets, "NIC-DS", n), value_at(packets, "direct-DS", n))};
    data.parameters["profile"] = printed_.profile;
    data.panels = {std::move(latency), std::move(packets)};
    return data;
  }

 private:
  Printed6to8 printed_;
};

}  // namespace

void add_nic_figures(figures::FigureList& list) {
  for (const Printed6to8& printed : kNicFigures) list.add(std::make_unique<NicLatency>(printed));
  list.add(make_nic_9());
  list.add(make_nic_faults());
}

}  // namespace muster::nic
