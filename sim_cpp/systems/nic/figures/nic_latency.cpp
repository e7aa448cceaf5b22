// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <span>

#include "figures/printed.hpp"
#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_points.hpp"
#include "systems/nic/scheme/broadcast_plan.hpp"

namespace muster::nic {
namespace {

struct NicCurve {
  const char* name;
  const char* scheme;
  NicLevel level;
};
constexpr NicCurve kMyrinetCurves[] = {
    {"NIC-DS", "nic-dissemination", NicLevel::kCollective},
    {"NIC-PE", "nic-pairwise", NicLevel::kCollective},
    {"direct-DS", "nic-dissemination", NicLevel::kDirect},
    {"host-DS", "nic-dissemination", NicLevel::kHost},
    {"host-PE", "nic-pairwise", NicLevel::kHost},
    {"host-GB", "nic-gather", NicLevel::kHost},
};
constexpr NicCurve kQuadricsCurves[] = {
    {"NIC-DS", "nic-dissemination", NicLevel::kCollective},
    {"NIC-PE", "nic-pairwise", NicLevel::kCollective},
    {"rdma-DS", "nic-dissemination", NicLevel::kRdma},
    {"rdma-PE", "nic-pairwise", NicLevel::kRdma},
    {"rdma-GB", "nic-gather", NicLevel::kRdma},
    {"broadcast", kBroadcastScheme, NicLevel::kCollective},
};

/// A figure of the paper. In printed.json row `a` of it is the latency of NIC-DS, row `b` the
/// factor of another curve over that.
struct NicFigure {
  const char* id;
  const char* profile;
  const char* network;
  std::uint32_t members;
  const char* over;  ///< the curve that the factor is of
  std::span<const NicCurve> curves;
};
constexpr NicFigure kNicFigures[] = {
    {"nic-6", "lanai9", "Myrinet, LANai 9.1", 16, "host-DS", kMyrinetCurves},
    {"nic-7", "lanai-xp", "Myrinet, LANai-XP", 8, "host-DS", kMyrinetCurves},
    {"nic-8", "elan3", "Quadrics, Elan3", 8, "rdma-GB", kQuadricsCurves},
};
constexpr const char* kDirectFactor = "nic-6c";  ///< row, of another card

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

/// Pairwise exchange less dissemination where their steps differ: off powers of two.
figures::Panel off_powers(const figures::Panel& latency, std::uint32_t members) {
  figures::Panel panel = nic_panel("c", "pairwise exchange", "latency (us)");
  panel.series = {{"NIC-PE less NIC-DS", {}}};
  for (std::uint32_t n = 3; n < members; ++n)
    if (!std::has_single_bit(n))
      panel.series[0].points.push_back(
          {static_cast<double>(n), value_at(latency, "NIC-PE", n) - value_at(latency, "NIC-DS", n),
           std::nullopt});
  return panel;
}

/// Figures 6, 7, 8: consecutive barriers over the members, 2 to as many as the cluster had.
class NicLatency final : public figures::Figure {
 public:
  explicit NicLatency(const NicFigure& figure) : figure_(figure) {}
  std::string id() const override { return figure_.id; }
  std::string about() const override {
    return fmt::format("{}: barrier latency and packets over the members", figure_.network);
  }

  figures::FigureData measure(const figures::FigureSetting& setting) override {
    figures::FigureData data;
    data.title = fmt::format("NIC barriers, {}", figure_.network);
    figures::Panel latency = nic_panel("a", "latency", "latency (us)");
    figures::Panel packets = nic_panel("b", "packets", "packets a barrier");
    for (const NicCurve& curve : figure_.curves) {
      figures::Series us{curve.name, {}}, sent{curve.name, {}};
      for (std::uint32_t n = 2; n <= figure_.members; ++n) {
        const NicPoint point = measure_nic(of(curve, n, setting), setting);
        us.points.push_back({static_cast<double>(n), point.latency_us, std::nullopt});
        sent.points.push_back({static_cast<double>(n), point.packets, std::nullopt});
        data.violations += point.violations;
      }
      latency.series.push_back(std::move(us));
      if (curve.scheme != std::string_view(kBroadcastScheme))
        packets.series.push_back(std::move(sent));
    }
    const auto n = static_cast<double>(figure_.members);
    const double factor = figures::printed_value(id() + "b");
    const double nic = value_at(latency, "NIC-DS", n);
    data.notes = {fmt::format("{} over NIC-DS at {}: printed {:.2f}, ours {:.2f}.", figure_.over, n,
                              factor, value_at(latency, figure_.over, n) / nic)};
    if (!quadrics())
      data.notes.push_back(fmt::format(
          "host-DS over direct-DS at {}: {:.2f} (printed {:.2f} for 16 nodes and LANai 7.2); "
          "direct-DS over NIC-DS: {:.2f} (nothing printed).",
          n, value_at(latency, "host-DS", n) / value_at(latency, "direct-DS", n),
          figures::printed_value(kDirectFactor), value_at(latency, "direct-DS", n) / nic));
    std::string sent = fmt::format("Packets at {}:", n);
    for (const figures::Series& series : packets.series)
      sent += fmt::format("{} {} {:.0f}", &series == &packets.series.front() ? "" : ",",
                          series.name, series.points.back().y.value_or(0.0));
    data.notes.push_back(sent + ".");
    data.parameters["profile"] = figure_.profile;
    figures::Panel pairwise = off_powers(latency, figure_.members);
    data.panels = {std::move(latency), std::move(packets), std::move(pairwise)};
    figures::mark_printed(id(), data);
    // Of hosts on Myrinet the factor alone is printed.
    if (!quadrics())
      data.panels[0].printed.push_back({fmt::format("{}, paper", figure_.over), n,
                                        figures::printed_value(id() + "a") * factor, figure_.over});
    return data;
  }

 private:
  bool quadrics() const { return figure_.curves.data() == kQuadricsCurves; }
  NicCase of(const NicCurve& curve, std::uint32_t members,
             const figures::FigureSetting& setting) const {
    return {.profile = run::find_profile(figure_.profile),
            .scheme = curve.scheme,
            .choice = {.level = curve.level},
            .members = members,
            .barriers = setting.repetitions.value_or(20)};
  }

  NicFigure figure_;
};

}  // namespace

void add_nic_figures(figures::FigureList& list) {
  for (const NicFigure& figure : kNicFigures) list.add(std::make_unique<NicLatency>(figure));
  list.add(make_nic_9());
  list.add(make_nic_host());
  list.add(make_nic_parts());
  list.add(make_nic_faults());
}

}  // namespace muster::nic
