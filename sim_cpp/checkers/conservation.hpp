// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "checkers/checker.hpp"

namespace muster::checkers {

/// Data flits that entered a switch less those that left it, for each virtual channel: never
/// negative, never more than its buffers hold, 0 in an empty network. A flit counts as inside from
/// its sender's output register to the switch's own: queues and links together hold `depth` for
/// each connected port, the crossbar one for each. Barrier messages are consumed and created, and
/// not counted.
class Conservation : public Checker {
 public:
  explicit Conservation(const Subject& subject);
  void flit(std::uint64_t cycle, const network::FlitEvent& event);
  /// After all flits of the cycle, whose order means nothing.
  void end_cycle(std::uint64_t cycle);
  void finish(std::uint64_t cycle, bool drained);

 private:
  std::vector<std::int32_t> inside_;    ///< by switch and virtual channel, flits
  std::vector<std::int32_t> capacity_;  ///< by switch, flits of one virtual channel
  std::vector<std::uint32_t> touched_;  ///< slots of inside_ that changed in this cycle
};

}  // namespace muster::checkers
