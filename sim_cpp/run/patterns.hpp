// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "muster/run/pattern.hpp"

namespace muster::run {

/// Patterns by name: `uniform`, every other node alike; `opposite`, node n sends to n + N / 2
/// (modulo N); `reverse`, to N - 1 - n. Where the last two make a node send to itself, it does.
const std::vector<std::string>& pattern_names();

/// One of them for a network of `nodes`, 2 or more. REQUIRES: the name is one of pattern_names().
std::shared_ptr<const Pattern> find_pattern(const std::string& name, std::uint32_t nodes);

}  // namespace muster::run
