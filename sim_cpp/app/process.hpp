// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <functional>
#include <iterator>
#include <memory>
#include <string>

#include "muster/core/ranks.hpp"

namespace muster::app {

/// SIGINT, SIGTERM and SIGHUP as a request: while the object lives, the first of them is kept, so
/// that a command ends where its results are whole. A second one ends the program at once, as
/// without the object. What follows within kSameRequest is no second one: `timeout` sends its
/// signal to the process and to its group.
///
/// A signal that the program was started to ignore (nohup, a background job of a script) stays
/// ignored. One object at a time; the process has but one set of handlers. Those of before come
/// back when the object goes.
class Interruption {
 public:
  static constexpr long kSameRequest = 500;  ///< ms

  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Any thread may ask.
  bool requested() const;
  /// The exit status of a command: 1 if it has `failed`, 128 and the number of the signal if it was
  /// `interrupted` (129, 130 or 143, which is also that of a signal to another rank), else 0. Says
  /// on standard error by which signal, and `what` is left of the work.
  int end(bool interrupted, bool failed, const std::string& what) const;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction before_[std::size(kSignals)]{};
};

/// A file that grows beyond its limit (ulimit -f) is an error of the write and not the end of the
/// program.
void ignore_file_size_signal();

/// The processes that `mpirun` has started with this one; nullptr if it is alone. Throws InputError
/// if there are several and libmuster_mpi, which knows MPI, is not beside the program.
std::shared_ptr<core::Ranks> process_ranks();

/// Does `work`, and throws in all ranks what it throws in the first in which it does: all begin a
/// run or none. Without ranks it is `work` alone.
void together(core::Ranks* ranks, const std::function<void()>& work);

}  // namespace muster::app
