// SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep_links.hpp"

#include "fabric/golden/link_bank.hpp"
#include "fabric/link_configurations.hpp"
#include "models/link_models.hpp"
#include "models/model_library.hpp"

namespace muster::verif {

std::unique_ptr<fabric::LinkBank> LockstepLinks::make_links(
    const fabric::LinkConfig& config, std::uint32_t ends,
    const fabric::BankOptions& options) const {
  return makers<LinkMakers>(load(block_of(config)))
      .lockstep(std::make_unique<golden::GoldenLinkBank>(config, ends),
                rtl_.make_links(config, ends, options));
}

}  // namespace muster::verif
