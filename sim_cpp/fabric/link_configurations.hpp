// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "fabric/block_list.hpp"
#include "fabric/link_config.hpp"

namespace muster::fabric {

/// What block lists call link ends.
inline constexpr std::string_view kLinkKind = "link";

// Between block lists and configurations.
/// Throws InputError if a parameter is out of range.
LinkConfig link_config(const BlockEntry& entry);
Block block_of(const LinkConfig& config);

/// The link ends of rtl/configurations.json, in its order.
const std::vector<LinkConfig>& link_configurations();

/// Those that scripts/model built.
const std::vector<LinkConfig>& own_link_configurations();

}  // namespace muster::fabric
