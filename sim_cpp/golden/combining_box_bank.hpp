// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "network/box_factory.hpp"

namespace muster::golden {

/// Interchange boxes that combine synchronization messages, as docs/esc-references.md describes
/// them; policies are the golden ones. REQUIRES: boxes as in golden/box_bank.hpp.
class CombiningBoxes final : public network::BoxFactory {
 public:
  bool supports(const network::BoxConfig&) const override { return true; }
  std::unique_ptr<network::BoxBank> make_boxes(const network::BoxConfig& config,
                                               std::vector<std::uint8_t> stages) const override;
  std::unique_ptr<network::PolicyBank> make_policies(const network::PolicyConfig& config,
                                                     std::uint32_t pes) const override;
};

}  // namespace muster::golden
