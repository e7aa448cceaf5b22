// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "systems/nic/blocks/nic_factory.hpp"

namespace muster::verif {

/// Verilated NIC barrier engines.
class RtlNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig& config) const override;
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override;
};

}  // namespace muster::verif
