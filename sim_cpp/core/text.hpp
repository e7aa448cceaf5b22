// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "muster/core/error.hpp"

namespace muster::topology {

/// Bytes of the character that `text` begins with, if that is well-formed UTF-8 and neither a
/// control character nor one that hides or reverses what follows; 0 otherwise, and for no text.
std::size_t printable_character(std::string_view text);

/// Text from outside as part of a one-line message: at most `characters` of it, then "...", with
/// '?' for each byte that belongs to no printable character.
std::string printable(std::string_view text, std::size_t characters);

/// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// Takes the first line off `text`, and returns it without its end.
std::string_view take_line(std::string_view& text);

/// The name of a switch or node as it is kept: printable, of up to 200 characters, without blanks
/// at its ends. What this gives stays the same when it is read again.
std::string kept_name(std::string_view text);

/// Text from outside in double quotes, of up to 60 characters.
std::string quote(std::string_view text);

/// The number of which `text` is the decimal digits; none of other text and above what it can be.
template <class Number = std::uint32_t>
std::optional<Number> whole_number(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

/// Throws InputError "line N: " and the text as fmt::format() has it.
template <class... Args>
[[noreturn]] void fail_at(std::size_t line, fmt::format_string<Args...> text, Args&&... args) {
  throw InputError("line {}: {}", line, fmt::format(text, std::forward<Args>(args)...));
}

/// What `action` returns; the message of an InputError that it throws then begins with the place: a
/// file, an option.
template <class Action>
auto at_place(const std::string& place, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError("{}: {}", place, error.what());
  }
}

}  // namespace muster::topology

namespace muster {

/// "1 barrier", "2 barriers".
inline std::string counted(std::uint64_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

/// Of a name that is none of those known: "WHAT 'NAME': unknown name; known are ...".
inline InputError unknown_name(std::string_view what, std::string_view name,
                               const std::vector<std::string>& known) {
  return InputError("{} '{}': unknown name; known are {}", what, name, fmt::join(known, ", "));
}

}  // namespace muster
