// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/block_random.hpp"
#include "systems/esc/box_factory.hpp"

namespace muster::golden {

/// Interchange boxes as docs/systems/interchange-box.md describes them, or those that combine
/// synchronization messages, as that page describes. REQUIRES: size 2, 4 or 8, depth 1 to
/// 64, stages below esc::kBoxStages.
std::unique_ptr<esc::BoxBank> make_box_bank(const esc::BoxConfig& config,
                                            std::vector<std::uint8_t> stages);

/// Input-stage policies as docs/systems/interchange-box.md describes them.
std::unique_ptr<esc::PolicyBank> make_policy_bank(const esc::PolicyConfig& config,
                                                  std::uint32_t pes);

/// Injection blocks as docs/systems/interchange-box.md describes them, of the scheme of `config`.
std::unique_ptr<esc::InjectionBank> make_injection_bank(const esc::InjectionConfig& config,
                                                        std::uint32_t pes);

/// Makes golden boxes and input policies of every legal configuration.
std::shared_ptr<const esc::BoxFactory> make_golden_boxes();

}  // namespace muster::golden
