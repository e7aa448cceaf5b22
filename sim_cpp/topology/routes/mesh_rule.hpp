// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "topology/routes/switch_rule.hpp"

namespace muster::topology {

/// X-Y routes: first along the row to the column of the destination, then along the column. A
/// packet never turns from a column into a row and never back, so there is no cycle of channels.
class MeshRule : public SwitchRule {
 public:
  /// REQUIRES: mesh_fault(graph) finds none.
  explicit MeshRule(const Graph& graph);

 private:
  enum Way : std::uint8_t { kLeft, kRight, kBefore, kAfter, kHere };
  std::uint16_t towards(SwitchId s, SwitchId t) const override { return links_[s][way(s, t)]; }
  SwitchId run_towards(SwitchId s, SwitchId t) const override;
  Way way(SwitchId s, SwitchId t) const;

  std::uint32_t width_;
  std::vector<std::array<std::uint16_t, 5>> links_;  // by switch: ports to each way; to itself 0
};

}  // namespace muster::topology
