// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/crossbar_one.hpp"

#include "systems/preempt/blocks/bsr_message.hpp"

namespace muster::golden {

using core::Flit;

/// A padding request or end on channel `vc` may be about `channel`.
bool CrossbarOne::may_name(std::uint32_t channel, std::uint32_t vc) const {
  if (kind_ == PreemptKind::kI) return channel < vcs_;
  return channel == (kind_ == PreemptKind::kII ? 0 : vc);
}

void CrossbarOne::steer(std::uint32_t port, const Flit& flit, Steered& steered) const {
  const std::uint64_t lane = bit(lane_of(port, flit.vc));
  const auto at = static_cast<std::uint16_t>(bit(port));
  if (!flit.sync() || flit.kind == Flit::kPad) {
    steered.data |= lane;
    return;
  }
  if (flit.kind == Flit::kControl) {
    const preempt::LinkControl control = preempt::link_control(flit);
    if (!preempt::is_control(flit) || !may_name(control.channel, flit.vc))
      steered.malformed |= at;
    else
      (control.end ? steered.disconnects : steered.connects) |= bit(lane_of(port, control.channel));
  } else if (kind_ == PreemptKind::kII && flit.vc != 0) {
    steered.malformed |= at;
  } else {
    if (has(steered.messages, port)) return;
    steered.messages |= at;
    steered.message[port] = flit;
  }
  steered.taken |= lane;
}

}  // namespace muster::golden
