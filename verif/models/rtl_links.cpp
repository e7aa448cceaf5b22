// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_links.hpp"

#include "fabric/link_configurations.hpp"
#include "models/link_models.hpp"
#include "models/model_library.hpp"

namespace muster::verif {

bool RtlLinks::supports(const fabric::LinkConfig& config) const { return knows(block_of(config)); }

std::unique_ptr<fabric::LinkBank> RtlLinks::make_links(const fabric::LinkConfig& config,
                                                       std::uint32_t ends,
                                                       const fabric::BankOptions& options) const {
  return makers<LinkMakers>(load(block_of(config))).rtl(config, ends, options);
}

}  // namespace muster::verif
