// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/plot/curves.hpp"
#include "muster/figures/figure.hpp"

namespace muster::app::plot {

/// What is not in the curves.
struct Drawing {
  Axes axes;
  std::string title;
  std::string command;  ///< as typed
  bool log_x = false, log_y = false;
};

/// One panel, points with saturated rows in rings. Throws InputError if a logarithmic axis would
/// have a value of 0 or below.
figures::FigureData figure_of(const std::vector<Curve>& curves, const Drawing& drawing);

/// For gnuplot and other programs: a block a curve with columns x, mean, half-width, least,
/// greatest, rows, saturated rows.
std::string curves_to_dat(const std::vector<Curve>& curves, const Drawing& drawing);

}  // namespace muster::app::plot
