// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fabric/engine_registry.hpp"
#include "fabric/switch_config.hpp"
#include "systems/nic/blocks/nic_config.hpp"

namespace muster::fabric {

/// What the largest switch of a run needs.
struct Requirement {
  std::uint32_t ports = 0, regs = 0, dests = 0;
  std::uint32_t vcs = 1;  ///< 2 if barrier messages or worms have a virtual channel of their own
  SwitchKind kind = SwitchKind::kBarrier;
  bool serial = false;  ///< switches that take one barrier message a cycle
};

/// The switches of rtl/configurations.json, in its order. The file is compiled into the library.
const std::vector<SwitchConfig>& configurations();

/// Those that scripts/model built: block_list.hpp says where they are looked for. A run takes one
/// only if it is named, so that what a run chooses does not depend on what was built.
const std::vector<SwitchConfig>& own_configurations();

/// By name, of both lists, or InputError listing the names.
SwitchConfig configuration(const std::string& name);

/// It is of the kind needed, serial or not, and large enough.
bool fits(const SwitchConfig& config, const Requirement& need);

/// The smallest of `choices` that is of the kind needed, that `engine` supports and that fits:
/// fewest ports, then destinations, registers, virtual channels, depth. If none fits, the golden
/// engine gets one made to measure; another engine throws InputError naming the nearest and what it
/// lacks.
SwitchConfig choose(std::span<const SwitchConfig> choices, const Requirement& need,
                    const BankFactory& engine);

/// Throws InputError if `config` is of another kind.
void require_kind(const SwitchConfig& config, SwitchKind kind);

/// Throws InputError naming what `config` lacks, if anything, or that it is of another kind.
void require(const SwitchConfig& config, const Requirement& need);

/// The NIC barrier engines of rtl/configurations.json (kind `nic`), in its order.
const std::vector<nic::NicConfig>& nic_configurations();

/// Those that scripts/model built.
const std::vector<nic::NicConfig>& own_nic_configurations();

/// The smallest of nic_configurations() that `engine` supports, with the link of `need` (vcs,
/// depth, flit_w), its seq_w, and at least its contexts, steps, connections, records. If none does,
/// golden makes `need` itself, another engine the smallest of own_nic_configurations() that does;
/// without any it throws InputError naming what is needed.
nic::NicConfig choose_nic(const nic::NicConfig& need, const BankFactory& engine);

/// The switches in the text of a configurations file (schema muster-configurations-1). Throws
/// InputError.
std::vector<SwitchConfig> read_configurations(const std::string& text, const std::string& file);

}  // namespace muster::fabric
