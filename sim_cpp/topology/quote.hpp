// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace muster::topology {

/// Text from outside as part of a one-line message: in double quotes, cut after 60 characters, with
/// '?' for all that is not printable ASCII.
inline std::string quote(std::string_view text) {
  std::string result = "\"";
  for (const char c : text.substr(0, 60)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > 60 ? "...\"" : "\"");
}

}  // namespace muster::topology
