// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "systems/esc/blocks/box_bank.hpp"

namespace muster::golden {

/// Interchange boxes that combine synchronization messages, as docs/systems/esc-references.md
/// describes them. REQUIRES: as in systems/esc/golden/box_bank.hpp.
std::unique_ptr<esc::BoxBank> make_combining_box_bank(const esc::BoxConfig& config,
                                                      std::vector<std::uint8_t> stages);

}  // namespace muster::golden
