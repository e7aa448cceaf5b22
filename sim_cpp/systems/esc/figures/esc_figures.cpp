// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/figures/esc_figures.hpp"

namespace muster::esc {

void add_esc_figures(figures::FigureList& list) {
  const auto points = std::make_shared<EscPoints>();
  list.add(make_esc_5(points));
  list.add(make_esc_6());
  list.add(make_esc_8(points));
  list.add(make_esc_13(points));
  list.add(make_esc_14(points));
  list.add(make_esc_15(points));
  list.add(make_esc_16(points));
  list.add(make_esc_17(points));
  list.add(make_esc_tree());
  list.add(make_esc_faults());
  list.add(make_esc_references(points));
  list.add(make_esc_sections(points));
}

}  // namespace muster::esc
