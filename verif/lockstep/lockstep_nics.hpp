// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/rtl_nics.hpp"

namespace muster::verif {

/// Golden and Verilated NICs side by side.
class LockstepNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig& config) const override { return rtl_.supports(config); }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions& options) const override;

 private:
  RtlNics rtl_;
};

}  // namespace muster::verif
