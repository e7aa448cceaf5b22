// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "network/box_factory.hpp"

namespace muster::verif {

/// Verilated boxes and policies. `skip_idle` as in BoxModel.
class RtlBoxes final : public network::BoxFactory {
 public:
  explicit RtlBoxes(bool skip_idle) : skip_idle_(skip_idle) {}
  bool supports(const network::BoxConfig& config) const override;
  std::vector<network::BoxConfig> built() const override;
  std::unique_ptr<network::BoxBank> make_boxes(const network::BoxConfig& config,
                                               std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<network::PolicyBank> make_policies(const network::PolicyConfig& config,
                                                     std::uint32_t pes) const override;

 private:
  bool skip_idle_;
};

}  // namespace muster::verif
