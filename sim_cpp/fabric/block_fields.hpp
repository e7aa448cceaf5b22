// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fabric/block_list.hpp"

namespace muster::fabric {

/// A parameter of the RTL and the member of a configuration that holds it.
template <class Config>
struct BlockField {
  const char* param;
  std::uint32_t Config::*member;
};

/// Sets the members of `config` to the parameters of the entry.
template <class Config, std::size_t N>
void take_fields(Config& config, const BlockField<Config> (&fields)[N], const BlockEntry& entry) {
  for (const BlockField<Config>& field : fields)
    config.*field.member = entry.block.param(field.param);
}

/// The block with this top module whose parameters are the members of `config`.
template <class Config, std::size_t N>
Block give_fields(std::string_view top, const Config& config,
                  const BlockField<Config> (&fields)[N]) {
  Block block{std::string(top), {}};
  for (const BlockField<Config>& field : fields) block.params[field.param] = config.*field.member;
  return block;
}

}  // namespace muster::fabric
