// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/spec.hpp"
#include "run/deaths/health.hpp"

namespace muster::run {

/// The hosts' part after a reset (docs/systems/deaths.md, Reset): the ends at the other side of the
/// switch's links go down, and are asked to restart until all are up. Hosts know what registers and
/// interrupts of link ends say.
///
/// An end restarts in the first pause of what its block sends, inside a packet or not; meanwhile
/// nodes start no packet, so that there is one soon. An end that has not found the other
/// one in four times the longest hold of a link end is put down by its host: it would call for
/// ever, its link is cut.
class Restart {
 public:
  /// `network` and `health` outlive this. REQUIRES: before the first cycle.
  Restart(const RunSpec& spec, fabric::Network& network, const Health& health);
  /// These switches have been reset now, and are restarted together with those under way.
  void begin(std::uint64_t cycle, topology::SwitchId sw);
  /// Before every cycle. True if in this one all switches that were reset are taken back.
  bool step(std::uint64_t cycle);
  /// Some are not yet.
  bool under_way() const { return under_way_; }
  /// The end is of a link of a switch that is being restarted.
  bool concerns(core::ChannelId end) const;

 private:
  bool all_started(std::uint64_t cycle);

  fabric::Network& network_;
  const Health& health_;
  std::vector<std::uint8_t> restarting_;  ///< by switch
  bool under_way_ = false;
  std::uint64_t patience_;  ///< cycles for an end to find the other one
  /// By end: the last cycle in which it did not call, or the other end was waiting.
  std::vector<std::uint64_t> silent_since_;
};

}  // namespace muster::run
