// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "muster/figures/figure.hpp"
#include "systems/esc/figures/esc_points.hpp"

namespace muster::esc {

/// The figures of the Extra Stage Cube's paper; each is in the file of its name.
std::unique_ptr<figures::Figure> make_esc_5(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_6();
std::unique_ptr<figures::Figure> make_esc_8(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_13(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_14(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_15(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_16(std::shared_ptr<EscPoints> points);
std::unique_ptr<figures::Figure> make_esc_17(std::shared_ptr<EscPoints> points);
/// Not in the paper: the saturation tree, as a heat map and an animation.
std::unique_ptr<figures::Figure> make_esc_tree();
/// Not in the paper: pairs of PEs that several random faults leave connected.
std::unique_ptr<figures::Figure> make_esc_faults();
/// Not in the paper: its policies beside schemes of others.
std::unique_ptr<figures::Figure> make_esc_references(std::shared_ptr<EscPoints> points);
/// Not in the paper: K of its hot section chosen at run time.
std::unique_ptr<figures::Figure> make_esc_sections(std::shared_ptr<EscPoints> points);

void add_esc_figures(figures::FigureList& list);

}  // namespace muster::esc
