// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "app/sweep/rows_text.hpp"
#include "app/sweep/runs.hpp"

namespace muster::app::sweep {

/// Which rows of a file a sweep goes on with.
struct Reuse {
  bool failed = true;  ///< those of a status other than 0 too
  bool mixed = false;  ///< those of other builds of the program too
};

/// A file of rows while it is written, locked against other sweeps. It always has its header and
/// whole rows, except for a last line that was cut by the end of the program or of the disk.
class RowsFile {
 public:
  /// Opens or makes it. What is there is kept, except for what is not to be reused; the rest of
  /// `header` comes from the caller, whose machine is the only one there. Throws InputError if the
  /// file is of another kind, version, or shard, is written by another sweep, or has rows that are
  /// not among `runs`, keep other fields, or are another build's and not to be mixed.
  RowsFile(const std::string& path, Json header, const Runs& runs, Reuse reuse);

  bool has(std::uint64_t row) const { return there_.contains(row); }
  /// Rows that it had when it was opened.
  std::uint64_t found() const { return found_; }
  /// Of this process, in machines of the header.
  std::size_t machine() const { return machine_; }
  /// Adds a row, with one write. Throws InputError; the file has no part of the row then.
  void append(const Json& row);
  /// Sorts the file by rows.
  void sort();

 private:
  RowsText take_over(Json& header, const Runs& runs, Reuse reuse);
  /// The file becomes this text, in one step.
  void replace(const std::string& text);
  [[noreturn]] void fail(const std::string& what, int error) const;
  void lock() const;

  /// An open file, which is closed, and with that unlocked, when the object goes.
  struct Descriptor {
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor();
    int fd = -1;
  };

  std::string path_;
  Descriptor file_;
  std::set<std::uint64_t> there_;
  std::uint64_t found_ = 0;
  std::size_t machine_ = 0;
};

}  // namespace muster::app::sweep
