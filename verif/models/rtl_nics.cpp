// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_nics.hpp"

#include "models/model_library.hpp"
#include "models/nic_models.hpp"
#include "systems/nic/nic_configurations.hpp"

namespace muster::verif {

bool RtlNics::supports(const nic::NicConfig& config) const {
  return config.addr_w == nic::NicConfig{}.addr_w && knows(block_of(config));
}

std::unique_ptr<nic::NicBank> RtlNics::make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                                 const fabric::BankOptions& options) const {
  return makers<NicMakers>(load(block_of(config))).rtl(nics, options);
}

}  // namespace muster::verif
