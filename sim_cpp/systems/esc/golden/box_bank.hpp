// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "systems/esc/blocks/box_bank.hpp"

namespace muster::golden {

/// Interchange boxes as docs/systems/interchange-box.md describes them. REQUIRES: size 2, 4 or 8,
/// depth 1 to 64, stages below esc::kBoxStages.
std::unique_ptr<esc::BoxBank> make_box_bank(const esc::BoxConfig& config,
                                            std::vector<std::uint8_t> stages);

}  // namespace muster::golden
