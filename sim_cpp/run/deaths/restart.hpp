// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/run/spec.hpp"
#include "run/deaths/health.hpp"
#include "run/links/drain_watch.hpp"

namespace muster::run {

/// The hosts' part after a reset (docs/systems/deaths.md, Reset): the ends at the other side of the
/// switch's links have gone down. Packets are held until none is in the network, since a session
/// must not begin in the middle of one; then the ends are asked to restart, and when all are up
/// packets go again. Hosts know what registers and interrupts of link ends say.
///
/// An end that has not found the other one in four times the longest hold of a link end is put down
/// by its host: it would call for ever, its link is cut.
class Restart {
 public:
  /// `network` and `health` outlive this. REQUIRES: before the first cycle.
  Restart(const RunSpec& spec, fabric::Network& network, const Health& health);
  /// These switches have been reset now, and are restarted together with those under way.
  void begin(std::uint64_t cycle, topology::SwitchId sw);
  /// Before every cycle. True if in this one packets may go again.
  bool step(std::uint64_t cycle);
  /// Packets are to be held.
  bool under_way() const { return step_ != Step::kNone; }
  /// The end is of a link of a switch that is being restarted.
  bool concerns(core::ChannelId end) const;

 private:
  enum class Step : std::uint8_t { kNone, kEmptying, kStarting };
  bool all_started(bool in_time);

  fabric::Network& network_;
  const Health& health_;
  DrainWatch drain_;
  std::vector<std::uint8_t> restarting_;  ///< by switch
  Step step_ = Step::kNone;
  std::uint64_t patience_;   ///< cycles for ends to find each other
  std::uint64_t asked_ = 0;  ///< the cycle in which they were first asked
};

}  // namespace muster::run
