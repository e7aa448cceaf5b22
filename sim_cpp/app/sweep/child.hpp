// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace muster::app::sweep {

/// The outcome of a child process.
struct ChildOutcome {
  int status = 0;  ///< 128 and the signal, if one ended it
  std::string out, err;
  double seconds = 0.0;
};

/// This program once more, with other words. It runs in `folder`, in a process group of its own, so
/// that Ctrl-C is the parent's alone; it ends with its parent, whatever ends that.
///
/// REQUIRES: the thread that starts it lives as long as the parent; no other thread holds a lock.
class Child {
 public:
  /// Throws InputError if no process can be had.
  Child(const std::string& program, const std::vector<std::string>& words,
        const std::filesystem::path& folder);
  /// Kills it if it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Its standard output and standard error, to wait for with poll; -1 when they are closed.
  const std::array<int, 2>& pipes() const { return pipes_; }
  /// Reads what there is in pipe 0 or 1; does not wait.
  void read(std::size_t pipe);
  bool at_end() const { return pipes_[0] < 0 && pipes_[1] < 0; }
  /// REQUIRES: at_end().
  ChildOutcome finish();

 private:
  pid_t process_ = -1;
  std::array<int, 2> pipes_{-1, -1};
  std::array<std::string, 2> texts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace muster::app::sweep
