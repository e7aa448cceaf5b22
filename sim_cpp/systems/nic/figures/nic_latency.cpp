// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <span>

#include "systems/nic/figures/nic_figures.hpp"
#include "systems/nic/figures/nic_points.hpp"
#include "systems/nic/profiles.hpp"
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

/// What the paper prints of a figure.
struct Printed6to8 {
  const char* id;
  const char* profile;
  const char* network;
  std::uint32_t members;
  double latency_us;
  const char* over;  ///< the curve that the factor is over
  double factor;
  std::span<const NicCurve> curves;
};
constexpr Printed6to8 kNicFigures[] = {
    {"nic-6", "lanai9", "Myrinet, LANai 9.1", 16, 25.72, "host-DS", 3.38, kMyrinetCurves},
    {"nic-7", "lanai-xp", "Myrinet, LANai-XP", 8, 14.20, "host-DS", 2.64, kMyrinetCurves},
    {"nic-8", "elan3", "Quadrics, Elan3", 8, 5.60, "rdma-GB", 2.48, kQuadricsCurves},
};
constexpr double kPrintedBroadcast = 4.20;

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

/// Pairwise exchange less dissemination where their steps differ.
std::string off_powers(const figures::Panel& latency, std::uint32_t members) {
  std::string text = "NIC-PE less NIC-DS off powers of two, us:";
  for (std::uint32_t n = 3; n < members; ++n)
    if (!std::has_single_bit(n))
      text += fmt::format(
          " {} at {}{}",
          fmt::format("{:.2f}", value_at(latency, "NIC-PE", n) - value_at(latency, "NIC-DS", n)), n,
          n + 1 == members ? "." : ",");
  return text;
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
    for (const NicCurve& curve : printed_.curves) {
      figures::Series us{curve.name, {}}, sent{curve.name, {}};
      for (std::uint32_t n = 2; n <= printed_.members; ++n) {
        const NicPoint point = measure_nic(of(curve, n, setting), setting);
        us.points.push_back({static_cast<double>(n), point.latency_us, std::nullopt});
        sent.points.push_back({static_cast<double>(n), point.packets, std::nullopt});
        data.violations += point.violations;
      }
      latency.series.push_back(std::move(us));
      if (curve.scheme != std::string_view(kBroadcastScheme))
        packets.series.push_back(std::move(sent));
    }
    const auto n = static_cast<double>(printed_.members);
    latency.printed = {{"NIC-based, paper", n, printed_.latency_us, "NIC-DS"},
                       {fmt::format("{}, paper", printed_.over), n,
                        printed_.latency_us * printed_.factor, printed_.over}};
    if (quadrics())
      latency.printed.push_back({"broadcast, paper", n, kPrintedBroadcast, "broadcast"});
    const double nic = value_at(latency, "NIC-DS", n);
    data.notes = {fmt::format("{} over NIC-DS at {}: printed {:.2f}, ours {:.2f}.", printed_.over,
                              n, printed_.factor, value_at(latency, printed_.over, n) / nic)};
    if (!quadrics())
      data.notes.push_back(fmt::format(
          "host-DS over direct-DS at {}: {:.2f} (printed 1.86 for 16 nodes and LANai 7.2); "
          "direct-DS over NIC-DS: {:.2f} (nothing printed).",
          n, value_at(latency, "host-DS", n) / value_at(latency, "direct-DS", n),
          value_at(latency, "direct-DS", n) / nic));
    std::string sent = fmt::format("Packets at {}:", n);
    for (const figures::Series& series : packets.series)
      sent += fmt::format("{} {} {:.0f}", &series == &packets.series.front() ? "" : ",",
                          series.name, series.points.back().y.value_or(0.0));
    data.notes.push_back(sent + ".");
    data.notes.push_back(off_powers(latency, printed_.members));
    if (printed_.profile == std::string_view("lanai9")) add_bus_clock(setting, data);
    data.parameters["profile"] = printed_.profile;
    data.panels = {std::move(latency), std::move(packets)};
    return data;
  }

 private:
  bool quadrics() const { return printed_.curves.data() == kQuadricsCurves; }
  NicCase of(const NicCurve& curve, std::uint32_t members,
             const figures::FigureSetting& setting) const {
    return {.profile = run::find_profile(printed_.profile),
            .scheme = curve.scheme,
            .choice = {.level = curve.level},
            .members = members,
            .barriers = setting.repetitions.value_or(20)};
  }
  /// The other end of what a crossing may take on a bus of half the clock.
  void add_bus_clock(const figures::FigureSetting& setting, figures::FigureData& data) const {
    NicCase what = of(kMyrinetCurves[0], printed_.members, setting);
    what.profile = with_crossing(what.profile, 2 * what.profile.bus);
    const NicPoint point = measure_nic(what, setting);
    data.violations += point.violations;
    data.notes.push_back(fmt::format(
        "NIC-DS at {}, a crossing twice as long as that of lanai-xp (66 for 133 MHz): {:.2f} us.",
        printed_.members, point.latency_us));
  }

  Printed6to8 printed_;
};

}  // namespace

void add_nic_figures(figures::FigureList& list) {
  for (const Printed6to8& printed : kNicFigures) list.add(std::make_unique<NicLatency>(printed));
  list.add(make_nic_9());
  list.add(make_nic_host());
  list.add(make_nic_faults());
}

}  // namespace muster::nic
