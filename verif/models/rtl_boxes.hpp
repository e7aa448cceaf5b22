// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/esc/blocks/box_factory.hpp"

namespace muster::verif {

/// Verilated boxes and policies. `skip_idle` as in BoxModel.
class RtlBoxes final : public esc::BoxFactory {
 public:
  explicit RtlBoxes(bool skip_idle) : skip_idle_(skip_idle) {}
  bool supports(const esc::BoxConfig& config) const override;
  std::vector<esc::BoxConfig> built() const override;
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override;
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override;

 private:
  bool skip_idle_;
};

}  // namespace muster::verif
