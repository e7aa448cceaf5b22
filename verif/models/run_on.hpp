// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster::verif {

/// Cycles that a waveform goes on after a failure, with idle links at its blocks.
inline constexpr std::uint64_t kRunOnCycles = 8;

/// A bank whose blocks may be in a waveform.
class RunsOn {
 public:
  virtual ~RunsOn() = default;
  /// After a failure in `cycle`, clocked by all: goes on with the waveform, if there is one. The
  /// bank is of no use afterwards.
  virtual void run_on(std::uint64_t cycle) = 0;
};

}  // namespace muster::verif
