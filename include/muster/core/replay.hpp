// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace muster::core {

/// The inputs of all blocks of a bank in successive cycles, in the bank's own form.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual std::uint64_t cycles() const = 0;  ///< recorded
};

/// What a bank of generated models implements beside Bank (Bank::replayable()), so that `muster
/// bench` can tell the time of the models from that of everything around them.
class Replayable {
 public:
  virtual ~Replayable() = default;
  /// From now on every clock() keeps the inputs it gives to its models. It must be given all
  /// blocks.
  virtual void start_recording() = 0;
  /// What was kept since. REQUIRES: start_recording() before.
  virtual std::unique_ptr<Recording> stop_recording() = 0;
  /// Sets the recorded inputs of cycles first <= c < last on the models and evaluates them, no
  /// more. If the bank was in the state in which the recording began, and is given all cycles in
  /// order, it goes through the same states. REQUIRES: a recording of a bank of the same type and
  /// size.
  virtual void replay(const Recording& recording, std::uint64_t first, std::uint64_t last) = 0;
};

}  // namespace muster::core
