// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/rtl_boxes.hpp"

namespace muster::verif {

/// Golden and Verilated boxes and policies side by side; no box is skipped.
class LockstepBoxes final : public esc::BoxFactory {
 public:
  LockstepBoxes();
  bool supports(const esc::BoxConfig& config) const override;
  std::vector<esc::BoxConfig> built() const override;
  std::unique_ptr<esc::BoxBank> make_boxes(const esc::BoxConfig& config,
                                           std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<esc::PolicyBank> make_policies(const esc::PolicyConfig& config,
                                                 std::uint32_t pes) const override;
  std::unique_ptr<esc::InjectionBank> make_injections(const esc::InjectionConfig& config,
                                                      std::uint32_t pes) const override;

 private:
  std::shared_ptr<const esc::BoxFactory> golden_;
  RtlBoxes rtl_{false};
};

}  // namespace muster::verif
