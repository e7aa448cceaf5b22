// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/rtl_boxes.hpp"
#include "network/engine_registry.hpp"

namespace muster::verif {

/// Golden and Verilated boxes and policies side by side; no box is passed over.
class LockstepBoxes final : public network::BoxFactory {
 public:
  LockstepBoxes();
  bool supports(const network::BoxConfig& config) const override;
  std::vector<network::BoxConfig> built() const override;
  std::unique_ptr<network::BoxBank> make_boxes(const network::BoxConfig& config,
                                               std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<network::PolicyBank> make_policies(const network::PolicyConfig& config,
                                                     std::uint32_t pes) const override;

 private:
  std::unique_ptr<network::BankFactory> golden_;
  RtlBoxes rtl_{false};
};

}  // namespace muster::verif
