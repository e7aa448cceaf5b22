// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "bindings.hpp"
#include "muster/run/result.hpp"
#include "muster/run/run.hpp"

namespace muster::python {

/// What came out of a run, and what is needed to write it down. Nothing of it changes.
class Result {
 public:
  Result(const run::ResolvedRun& run, run::RunResult result, Provenance origin);

  std::string json() const;
  std::string text() const;
  /// A NumPy array for each field of a barrier, in the order of the barriers.
  nb::dict columns() const;
  bool ok() const { return result_.ok(); }
  bool interrupted() const { return result_.end == run::End::kInterrupted; }
  double clock_ns() const { return spec_.profile.clock_ns; }

 private:
  run::RunSpec spec_;  ///< without what belongs to the caller
  run::RunResult result_;
  Provenance origin_;
};

}  // namespace muster::python
