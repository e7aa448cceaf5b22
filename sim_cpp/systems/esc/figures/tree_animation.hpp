// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "systems/esc/figures/occupancy.hpp"

namespace muster::esc {

/// One network of an animation.
struct AnimatedTree {
  std::string title;
  const esc::Spec* spec;
  const Occupancy* occupancy;
  std::size_t frames;
  long first;  ///< cycle that the first frame shows
};

/// One HTML page without anything from elsewhere: all networks side by side, a column for each
/// stage in the order in which packets meet them, a row for each link, coloured by the packets in
/// its output buffer; play, pause, a slider over cycles.
std::string tree_animation(const std::vector<AnimatedTree>& trees);

}  // namespace muster::esc
