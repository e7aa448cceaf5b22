// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::run {

/// A whole number from `least` to `most`, in decimal digits. Throws InputError, "WHAT: ...", where
/// `what` is an option, and the value typed if `text` is only a part of it.
inline std::uint64_t number(const std::string& text, const std::string& what,
                            std::uint64_t least = 0,
                            std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    throw InputError(
        fmt::format("{}: '{}' is not a whole number from {} to {}", what, text, least, most));
  return value;
}

/// The same for a number of 32 bits.
inline std::uint32_t number32(const std::string& text, const std::string& what,
                              std::uint32_t least = 0,
                              std::uint32_t most = std::numeric_limits<std::uint32_t>::max()) {
  return static_cast<std::uint32_t>(number(text, what, least, most));
}

/// "WHAT@N" into WHAT and what stands behind.
inline std::pair<std::string, std::string> cut_at(const std::string& text,
                                                  const std::string& option) {
  const auto at = text.find('@');
  if (at == std::string::npos)
    throw InputError(fmt::format("{} '{}': needs '@' and a number at its end", option, text));
  return {text.substr(0, at), text.substr(at + 1)};
}

/// "WHAT@N" into its parts; N is at most `most`.
inline std::pair<std::string, std::uint64_t> split_at(
    const std::string& text, const std::string& option,
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  const auto [what, value] = cut_at(text, option);
  return {what, number(value, fmt::format("{} '{}'", option, text), 0, most)};
}

}  // namespace muster::run
