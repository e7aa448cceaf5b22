// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/plan_difference.hpp"

#include <map>

namespace muster::btin {

std::vector<SwitchDifference> plan_difference(std::span<const RegisterImage> before,
                                              std::span<const RegisterImage> after) {
  std::map<topology::SwitchId, SwitchDifference> by_switch;
  for (const RegisterImage& image : before) by_switch[image.sw].before = image;
  for (const RegisterImage& image : after) by_switch[image.sw].after = image;
  std::vector<SwitchDifference> differences;
  for (auto& [sw, difference] : by_switch) {
    difference.sw = sw;
    if (difference.before != difference.after) differences.push_back(difference);
  }
  return differences;
}

}  // namespace muster::btin
