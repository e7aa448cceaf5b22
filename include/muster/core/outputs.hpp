// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

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
  /// as far as can be told without writing, or is a file that is read or written already.
  void writes(const std::string& option, const std::string& path);

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

  std::string input_;
  std::vector<File> files_;
};

}  // namespace muster
