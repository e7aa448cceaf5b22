// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster {

/// Compressed by zlib, its header and checksum included: what a browser's DecompressionStream calls
/// "deflate". In base64.
std::string packed(std::string_view text);

/// The text of packed(). Throws InputError "what: reason" if it is none, or longer than `most`.
std::string unpacked(std::string_view base64, std::size_t most, const std::string& what);

}  // namespace muster
