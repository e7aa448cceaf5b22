// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <utility>

#include "muster/core/error.hpp"

namespace muster::run {

/// Throws InputError naming the option.
inline std::uint64_t number(const std::string& text, const std::string& option) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty())
    throw InputError(fmt::format("{}: '{}' is not a number", option, text));
  return value;
}

/// The same for a number of 32 bits.
inline std::uint32_t number32(const std::string& text, const std::string& option) {
  const std::uint64_t value = number(text, option);
  if (value > 0xffffffff) throw InputError(fmt::format("{}: {} is too large", option, text));
  return static_cast<std::uint32_t>(value);
}

/// "WHAT@N" into WHAT and what stands behind.
inline std::pair<std::string, std::string> cut_at(const std::string& text,
                                                  const std::string& option) {
  const auto at = text.find('@');
  if (at == std::string::npos)
    throw InputError(fmt::format("{} '{}': needs '@' and a number at its end", option, text));
  return {text.substr(0, at), text.substr(at + 1)};
}

/// "WHAT@N" into its parts.
inline std::pair<std::string, std::uint64_t> split_at(const std::string& text,
                                                      const std::string& option) {
  const auto [what, value] = cut_at(text, option);
  return {what, number(value, option)};
}

}  // namespace muster::run
