// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "bindings.hpp"

namespace muster::python {

/// Gives other Python threads the interpreter while it lives; a guard of calls. A thread that asks
/// for the interpreter when that has begun to end is stopped in the middle of C++, which aborts the
/// process. So end_all() waits until all have come back, and later ones keep the interpreter.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  std::optional<nb::gil_scoped_release> release_;
};

/// The interpreter ends, and so do runs: they call no Python any more.
bool all_end();
/// Ends the runs under way, as a Stop does, and waits for all that is unlocked.
void end_all();

}  // namespace muster::python
