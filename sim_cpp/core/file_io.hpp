// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace muster {

/// The whole content of a file of text. Throws InputError "path: reason" if it cannot be read, is
/// no regular file, begins with a byte order mark or is larger than `max_bytes`; reads no more than
/// that.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// Writes all or nothing: a temporary file beside `path` takes its place when it is complete, so a
/// reader sees the old content or the new. What is no regular file (/dev/stdout) is written in
/// place. Throws InputError "path: reason", or with `shown` in place of the path if that is given.
void write_file(const std::string& path, std::string_view content, const std::string& shown = {});

/// For a result that comes later: throws InputError as write_file would, as far as can be told
/// without writing, or if an existing file is read-only. Leaves nothing behind.
void check_writable(const std::string& path);

}  // namespace muster
