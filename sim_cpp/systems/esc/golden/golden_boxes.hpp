// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/block_random.hpp"
#include "systems/esc/box_factory.hpp"

namespace muster::golden {

/// Golden boxes, those that combine synchronization messages too, input policies and injection
/// blocks as docs/systems/interchange-box.md describes them.
class GoldenBoxes final : public esc::BoxFactory {
 public:
  bool supports(const esc::BoxConfig&) const override { return true; }
  /// REQUIRES: size 2, 4 or 8, depth 1 to 64, stages below esc::kBoxStages.
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override;
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override;
};

}  // namespace muster::golden
