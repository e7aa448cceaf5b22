// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::fabric {

/// A block of the RTL with its size: top module and parameters, which are called as in the RTL.
struct Block {
  std::string top;
  std::map<std::string, std::uint32_t> params;

  /// 0 for a parameter that the block does not have.
  std::uint32_t param(const std::string& name) const;
};

/// The same top module and parameters, where a missing parameter is 0.
bool same(const Block& a, const Block& b);

/// An entry of rtl/configurations.json, or the description of a model that scripts/model built.
struct BlockEntry {
  std::string name, kind;
  Block block;
};

/// Reads a list of such a text (schema muster-configurations-1). Throws InputError.
std::vector<BlockEntry> read_blocks(const std::string& text, const std::string& file,
                                    const char* list = "configurations");

/// rtl/configurations.json, in its order. The file is compiled into the library.
const std::vector<BlockEntry>& listed_blocks();
/// Its sizes that are only mapped to FPGAs.
const std::vector<BlockEntry>& mapped_blocks();

/// The descriptions NAME.json in model_folders(), read once. Throws InputError.
const std::vector<BlockEntry>& own_blocks();

/// Where models and their descriptions are looked for, in this order: the folders of the variable
/// MUSTER_MODELS, `models` beside the program, `models` and `muster/models` beside this library.
/// Some may not exist.
std::vector<std::filesystem::path> model_folders();

/// What `cmake --build` calls the folder in which this library was built: relative to the working
/// directory, `build` for an installed library.
std::string build_folder();

// Between the lists and the configurations of switches.
/// REQUIRES: is_of(entry.block, kind). Throws InputError if a parameter is out of
/// range.
SwitchConfig switch_config(const BlockEntry& entry, const SwitchKind& kind);
/// The block is a switch of this kind.
bool is_of(const Block& block, const SwitchKind& kind);
Block block_of(const SwitchConfig& config);

/// A parameter of the RTL and the member of a configuration that holds it.
template <class Config>
struct BlockField {
  const char* param;
  std::uint32_t Config::*member;
};

/// Sets the members of `config` to the parameters of the entry.
template <class Config, std::size_t N>
void take_fields(Config& config, const BlockField<Config> (&fields)[N], const BlockEntry& entry) {
  for (const auto& field : fields) config.*field.member = entry.block.param(field.param);
}

/// The block with this top module whose parameters are the members of `config`.
template <class Config, std::size_t N>
Block give_fields(std::string_view top, const Config& config,
                  const BlockField<Config> (&fields)[N]) {
  Block block{std::string(top), {}};
  for (const auto& field : fields) block.params[field.param] = config.*field.member;
  return block;
}

/// It is of the kind needed and has the variants needed, no others.
bool is_variant(const SwitchConfig& config, const Requirement& need);

/// Makes it a switch of the variant needed; its name says what it did not have, "sw8-spill". In a
/// memory of groups it has a place for each identifier. REQUIRES: it is of the kind needed.
void take_variant(SwitchConfig& config, const Requirement& need);

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
