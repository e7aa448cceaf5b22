// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "network/box_bank.hpp"

namespace muster::golden {

/// Interchange boxes that combine synchronization messages, as docs/esc-references.md describes
/// them. REQUIRES: as in golden/box_bank.hpp.
std::unique_ptr<network::BoxBank> make_combining_box_bank(const network::BoxConfig& config,
                                                          std::vector<std::uint8_t> stages);

}  // namespace muster::golden
