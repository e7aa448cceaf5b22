// SPDX-License-Identifier: Apache-2.0
#include "core/deflate.hpp"

#include <zlib.h>

#include <array>
#include <cstdint>

#include "muster/core/error.hpp"

namespace muster {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63];
  }
  return text;
}

/// Empty if a digit is none.
std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t word = 0;
  unsigned bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    word = word << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xff);
  }
  return bytes;
}

}  // namespace

std::string packed(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw InternalError("zlib does not compress");
  bytes.resize(size);
  return to_base64(bytes);
}

std::string unpacked(std::string_view base64, std::size_t most, const std::string& what) {
  std::string bytes = from_base64(base64);
  std::string text;
  std::array<char, 65536> buffer;
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit(&stream) != Z_OK) throw InternalError("zlib does not start");
  int state = Z_OK;
  while (state == Z_OK && text.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (text.size() > most) throw InputError(what + ": its data are too long");
  if (state != Z_STREAM_END) throw InputError(what + ": its data are damaged");
  return text;
}

}  // namespace muster
