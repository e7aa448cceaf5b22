// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/checkers/local_packets.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// Data flits that entered a switch less those that left it, for each virtual channel: never
/// negative, never more than its buffers hold, 0 in an empty network. A flit counts as inside from
/// its sender's output register to the switch's own: queues and links together hold `depth` for
/// each connected port, the crossbar one for each. With pipes or link ends it counts from their
/// output on, so that what they lose or add is not counted. Barrier messages are consumed and
/// created, and not counted.
class Conservation : public LinkChecker {
 public:
  explicit Conservation(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .behind_pipe = subject_.pipe != 0, .cycles = true};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// What was inside is gone, and of a dead switch nothing is counted any more.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// After all flits of the cycle, whose order means nothing.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  void enter(std::uint32_t slots, const core::FlitEvent& event, const LocalPackets::Part& part);

  /// A virtual channel of a switch, all ports together.
  struct Slot {
    std::int32_t inside = 0, capacity = 0;  ///< flits
    topology::SwitchId sw = 0;
    std::uint32_t vc = 0;
    bool dead = false;  ///< the switch
  };
  /// The slots (of virtual channel 0) on both sides of a channel, kNone at a node.
  struct Sides {
    std::uint32_t from, to;
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LocalPackets local_, behind_;         ///< of what leaves a block, and a pipe
  std::vector<Slot> slots_;             ///< by switch and virtual channel
  std::vector<Sides> sides_;            ///< by channel
  std::vector<std::uint32_t> touched_;  ///< slots that changed in this cycle
};

}  // namespace muster::checkers
