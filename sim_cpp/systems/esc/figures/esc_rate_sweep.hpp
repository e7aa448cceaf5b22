// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "systems/esc/figures/esc_points.hpp"

namespace muster::esc {

/// The three averages over gamma, a curve for each policy: Figures 5 and 8 and their like.
figures::FigureData esc_rate_sweep(const std::string& title,
                                   const std::vector<std::string>& policies,
                                   const std::vector<double>& rates,
                                   const figures::FigureSetting& setting, EscPoints& points);

/// The rates of Figures 5 and 8; the paper's own are lost.
std::vector<double> paper_rates();

}  // namespace muster::esc
