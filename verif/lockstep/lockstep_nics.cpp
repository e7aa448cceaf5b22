// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_nics.hpp"

#include "models/model_library.hpp"
#include "models/nic_models.hpp"
#include "systems/nic/golden/nic_bank.hpp"
#include "systems/nic/nic_configurations.hpp"

namespace muster::verif {

std::unique_ptr<nic::NicBank> LockstepNics::make_nics(const nic::NicConfig& config,
                                                      std::uint32_t nics,
                                                      const fabric::BankOptions& options) const {
  return makers<NicMakers>(load(block_of(config)))
      .lockstep(std::make_unique<golden::GoldenNicBank>(config, nics),
                rtl_.make_nics(config, nics, options));
}

}  // namespace muster::verif
