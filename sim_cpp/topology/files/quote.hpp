// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster::topology {

/// Bytes of the character that `text` begins with, if that is well-formed UTF-8 and neither a
/// control character nor one that hides or reverses what follows; 0 otherwise, and for no text.
std::size_t printable_character(std::string_view text);

/// Text from outside as part of a one-line message: at most `characters` of it, then "...", with
/// '?' for each byte that belongs to no printable character.
std::string printable(std::string_view text, std::size_t characters);

/// The name of a switch or node as it is kept: printable, of up to 200 characters, without blanks
/// at its ends. What this gives stays the same when it is read again.
std::string kept_name(std::string_view text);

/// Text from outside in double quotes, of up to 60 characters.
std::string quote(std::string_view text);

}  // namespace muster::topology
