// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/figures/figure.hpp"
#include "systems/btin/figures/btin_points.hpp"

namespace muster::btin {

/// The figures of the BTIN paper; each is in the file of its name.
std::unique_ptr<figures::Figure> make_btin_6(std::shared_ptr<BtinPoints> points);
std::unique_ptr<figures::Figure> make_btin_7(std::shared_ptr<BtinPoints> points);
std::unique_ptr<figures::Figure> make_btin_8(std::shared_ptr<BtinPoints> points);
/// Theorem 1 against trees.
std::unique_ptr<figures::Figure> make_btin_t1(std::shared_ptr<BtinPoints> points);
/// Table 2, counted and measured.
std::unique_ptr<figures::Figure> make_btin_t2(std::shared_ptr<BtinPoints> points);

void add_btin_figures(figures::FigureList& list);

/// A panel over the group size.
figures::Panel btin_panel(const std::string& name, const std::string& title,
                          const std::string& y_label);

/// What holds for all points of a system.
void describe(const BtinSystem& system, const figures::FigureSetting& setting,
              figures::FigureData& data);

/// Parameter `occupied inputs` of figures that have curves with them.
inline constexpr const char* kOccupiedInputs =
    "btin-occupied: the same, an input of a switch takes a header every t_r + t_p";

/// Latencies of a system over the group size, us: measured in all ways ("btin, measured"), BTIN by
/// the paper's formula, the multicast scheme by formula in its cases.
std::vector<figures::Series> latency_curves(const BtinPoints::Result& result);

/// The latency of multicast by that of BTIN, a panel of a system: "measured", with occupied inputs
/// on both kinds of routes, and by formula in the cases of contention.
figures::Panel ratio_panel(const std::string& name, const std::string& system,
                           const BtinPoints::Result& result);

/// Every curve of a panel at a group size, as text.
std::string values_at(const figures::Panel& panel, double size);

/// The y of a curve at a group size. Throws InternalError if there is none.
double value_at(const figures::Series& series, double size);

}  // namespace muster::btin
