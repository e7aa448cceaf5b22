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
class Conservation final : public LinkChecker {
 public:
  explicit Conservation(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .behind_pipe = subject_.pipe != 0, .cycles = true};
  }
  void flit(std::uint64_t, const core::FlitEvent& event) override {
    if (event.flit.sync()) return;
    const SeenFlit seen(event, subject_.vcs);
    event.flit.head() ? head(seen) : body(seen);
  }
  void head(const SeenFlit& seen) { pass(seen, local_.of(seen)); }
  /// A flit of a packet, not its head.
  void body(const SeenFlit& seen) { pass(seen, local_.of_body(seen)); }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// What was inside is gone, and of a dead switch nothing is counted any more.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;

 private:
  /// A virtual channel of a switch, all ports together: flits.
  struct Slot {
    std::int32_t inside = 0;
    std::uint32_t capacity = 0;
  };
  /// The slots (of virtual channel 0) that the flits of a channel leave and enter.
  struct Sides {
    std::uint32_t from, to;
  };
  std::uint32_t left_by(const fabric::End& from) const {
    return from.node ? outside_ + subject_.vcs : from.id * subject_.vcs;
  }
  std::uint32_t entered_by(const fabric::End& to) const {
    return to.node ? outside_ : to.id * subject_.vcs;
  }
  void pass(const SeenFlit& seen, unsigned part) {
    const Sides& sides = sides_[seen.channel];
    enter(sides.to, seen, part);
    if ((part & LocalPackets::kAnswer) == 0) change(sides.from + seen.vc, -1);
  }
  void enter(std::uint32_t slots, const SeenFlit& seen, unsigned part) {
    if (part == 0) change(slots + seen.vc, 1);
  }
  void change(std::uint32_t place, std::int32_t by) {
    Slot& slot = slots_[place];
    slot.inside += by;
    if (static_cast<std::uint32_t>(slot.inside) > slot.capacity) [[unlikely]]
      suspect_ = true;
    touched_.push_back(place);
  }
  void judge(std::uint64_t cycle);

  LocalPackets local_, behind_;  ///< of what leaves a block, and a pipe
  /// By switch and virtual channel. Behind them from `outside_` on those of all nodes: entered
  /// ones, then left ones, which count the changes of the cycle that are none of a switch.
  std::vector<Slot> slots_;
  std::uint32_t outside_;
  std::vector<std::uint8_t> dead_;      ///< by switch
  std::vector<Sides> sides_;            ///< by channel; with pipes flits enter behind them
  std::vector<std::uint32_t> touched_;  ///< slots that changed in this cycle
  bool suspect_ = false;                ///< one of them was out of bounds, or may be dead
  bool any_dead_ = false;
};

}  // namespace muster::checkers
