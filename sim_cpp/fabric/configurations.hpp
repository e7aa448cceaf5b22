// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/requirement.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::fabric {

/// It is of the kind needed, serial or not, with a spill port or without, with registers that
/// repeat or without. One that guards itself is never chosen, only named.
bool is_variant(const SwitchConfig& config, const Requirement& need);

/// It is of the variant needed and large enough.
bool fits(const SwitchConfig& config, const Requirement& need);

/// The smallest of `choices` that is of the kind needed, that `engine` supports and that fits:
/// fewest ports, then destinations, registers, virtual channels, depth. One with fewer than the
/// usual virtual channels is taken only if none has them. If none fits, the golden engine gets one
/// made to measure; another engine throws InputError naming the nearest and what it lacks.
SwitchConfig choose(std::span<const SwitchConfig> choices, const Requirement& need,
                    const BankFactory& engine);

/// Throws InputError if `config` is of another kind.
void require_kind(const SwitchConfig& config, const SwitchKind& kind);

/// Throws InputError naming what `config` lacks, if anything, or that it is of another kind.
void require(const SwitchConfig& config, const Requirement& need);

}  // namespace muster::fabric
