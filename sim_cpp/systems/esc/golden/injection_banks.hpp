// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "systems/esc/blocks/injection_bank.hpp"

namespace muster::golden {

/// Injection blocks as docs/systems/injection.md describes them, of one scheme. Each is
/// in the file of its name.
std::unique_ptr<esc::InjectionBank> make_throttle_bank(const esc::InjectionConfig& config,
                                                       std::uint32_t pes);
std::unique_ptr<esc::InjectionBank> make_adaptive_bank(const esc::InjectionConfig& config,
                                                       std::uint32_t pes);
std::unique_ptr<esc::InjectionBank> make_section_bank(const esc::InjectionConfig& config,
                                                      std::uint32_t pes);

}  // namespace muster::golden
