// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// The whole content of a file of text. Throws InputError "path: reason" if it cannot be read, is
/// no regular file, begins with a byte order mark or is larger than `max_bytes`; reads no more than
/// that.
std::string read_file(const std::string& path, std::size_t max_bytes);

/// The same of standard input.
std::string read_standard_input(std::size_t max_bytes);

/// Writes all or nothing: a temporary file beside `path` takes its place when it is complete, so a
/// reader sees the old content or the new. What is no regular file (/dev/stdout) is written in
/// place. Throws InputError "path: reason", or with `shown` in place of the path if that is given.
void write_file(const std::string& path, std::string_view content, const std::string& shown = {});

/// For a result that comes later: throws InputError as write_file would, as far as can be told
/// without writing, or if an existing file is read-only. Leaves nothing behind.
void check_writable(const std::string& path);

/// What a result file says about where it comes from, so that it can be made again.
struct Provenance {
  std::string command;     ///< as typed
  std::string version;     ///< of muster
  std::uint64_t seed = 0;  ///< of everything random
};

/// The files that one command writes: all of them take their places, or none does; and none takes
/// the place of a file that the command reads, or of another. No name, and "-" for standard output,
/// are no files.
///
/// Every file is written beside its place first. What is no regular file (/dev/full) is written in
/// place by commit(), before the others move.
class Outputs {
 public:
  Outputs() = default;
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  /// Removes what has not been committed.
  ~Outputs();

  /// The command reads this file.
  void reads(const std::string& path);
  /// An option of the command names a file to write. Throws InputError if that cannot be written,
  /// as far as can be told without writing, is a file that is read or written already, or does not
  /// end in `suffix`.
  void writes(const std::string& option, const std::string& path, const std::string& suffix = "");

  /// Where another writer puts what becomes the file `path` of writes().
  std::string part(const std::string& path);
  /// What the file `path` of writes() will hold.
  void put(const std::string& path, std::string_view content);

  /// All that has been written takes its place. Throws InputError "path: reason".
  void commit();

 private:
  struct File {
    std::string path;
    std::string part;     ///< the file that becomes `path`; empty if that is not a regular file
    std::string content;  ///< of what is no regular file
  };
  File& file(const std::string& path);

  std::vector<std::string> inputs_;
  std::vector<File> files_;
};

}  // namespace muster
