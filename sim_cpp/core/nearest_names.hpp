// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// Of the names `known`, up to `count` that are most like `name`, the nearest first: those with the
/// fewest letters to insert, drop, replace or exchange with the next, where a name that `name` is a
/// part of counts as one letter away. Equally near ones keep their order.
std::vector<std::string> nearest_names(std::string_view name, const std::vector<std::string>& known,
                                       std::size_t count = 3);

}  // namespace muster
