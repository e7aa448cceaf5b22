// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "topology/routes/fat_tree.hpp"
#include "topology/routes/switch_rule.hpp"

namespace muster::topology {

/// The up*/down* routes of a fat tree, entry for entry those of up_down_routes(), from the digits
/// of both switches.
///
/// The second is below the first if its digits of the first kind begin with those of the first, and
/// what is left of the first's digits of the second kind on its level are its own: each step down
/// appends a digit of the one and drops one of the other, so there is one link down to take.
/// Otherwise packets go up, to the lowest level on which the digits of the first kind agree. On
/// levels below the second any link up leads there, and SwitchRule takes one by the destination;
/// from its level on each step up sets a digit that the second has, so there is one link. Where the
/// digits of the second kind that neither way can set differ, which is so between switches without
/// nodes only, there is no way up and then down, and no entry. No packet goes up after it went
/// down, so there is no cycle of channels with any number of virtual channels, and each step
/// shortens what is left.
class FatTreeRule : public SwitchRule {
 public:
  FatTreeRule(const Graph& graph, FatTree tree);

 private:
  std::uint16_t towards(SwitchId s, SwitchId t) const override;
  SwitchId run_towards(SwitchId s, SwitchId t) const override;

  FatTree tree_;
  std::vector<FatTree::Place> place_;  // by switch
  std::vector<std::uint16_t> links_;   // by switch: ports down by digit, then up by digit
  std::vector<std::uint16_t> up_;      // by switch: all ports up
};

}  // namespace muster::topology
