// SPDX-License-Identifier: Apache-2.0
#include "core/text.hpp"

#include <algorithm>
#include <bit>

namespace muster::topology {
namespace {

/// The code point of `size` bytes that begin with `first`, or 0 if a byte of them is none that may
/// follow.
std::uint32_t decode(std::string_view text, std::size_t size, std::uint32_t first) {
  if (text.size() < size) return 0;
  std::uint32_t code = first;
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte & 0x3f);
  }
  return code;
}

/// True for characters that show nothing and change how what follows them is shown: a name with one
/// could make a message read as another (Unicode, general categories Cf, Zl, Zp).
bool hidden(std::uint32_t code) {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

}  // namespace

std::size_t printable_character(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0x80) return byte >= ' ' && byte <= '~' ? 1 : 0;
  constexpr std::uint32_t kLeast[] = {0xa0, 0x800, 0x10000};  // of two, three and four bytes
  const auto size = static_cast<std::size_t>(std::countl_one(byte));
  if (size < 2 || size > 4) return 0;
  const std::uint32_t code = decode(text, size, byte & 0x7fu >> size);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= kLeast[size - 2] && code <= 0x10ffff && !surrogate && !hidden(code) ? size : 0;
}

std::string printable(std::string_view text, std::size_t characters) {
  std::string result;
  for (; !text.empty() && characters != 0; --characters) {
    const std::size_t bytes = printable_character(text);
    result += bytes == 0 ? std::string_view("?") : text.substr(0, bytes);
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return text.empty() ? result : result + "...";
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlank), text.size()));
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::string kept_name(std::string_view text) { return printable(trimmed(text), 200); }

std::string quote(std::string_view text) { return fmt::format("\"{}\"", printable(text, 60)); }

}  // namespace muster::topology
