// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "muster/core/error.hpp"

namespace muster {

/// Of a name that is none of those known: "WHAT 'NAME': unknown name; known are ...".
inline InputError unknown_name(std::string_view what, std::string_view name,
                               const std::vector<std::string>& known) {
  return InputError(
      fmt::format("{} '{}': unknown name; known are {}", what, name, fmt::join(known, ", ")));
}

}  // namespace muster
