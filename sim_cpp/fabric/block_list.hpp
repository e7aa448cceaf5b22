// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

/// Reads the text of such a list (schema muster-configurations-1). Throws InputError.
std::vector<BlockEntry> read_blocks(const std::string& text, const std::string& file);

/// rtl/configurations.json, in its order. The file is compiled into the library.
const std::vector<BlockEntry>& listed_blocks();

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
/// REQUIRES: the entry's top module is that of `kind`. Throws InputError if a parameter is out of
/// range.
SwitchConfig switch_config(const BlockEntry& entry, const SwitchKind& kind);
Block block_of(const SwitchConfig& config);

}  // namespace muster::fabric
