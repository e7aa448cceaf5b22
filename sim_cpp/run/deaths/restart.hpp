// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "run/deaths/reroute.hpp"

namespace muster::run {

namespace ends = fabric::link_registers;

/// The hosts' part after a reset (docs/reliability.md, Reset): the ends at the other side of the
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
  Restart(const RunSpec& spec, fabric::Network& network, const Health& health)
      : network_(network),
        health_(health),
        restarting_(spec.graph->switches(), 0),
        patience_(4 * network.longest_hold()) {}
  /// These switches have been reset now, and are restarted together with those under way.
  void begin(std::uint64_t cycle, topology::SwitchId sw) {
    restarting_[sw] = 1;
    under_way_ = true;
    silent_since_.assign(network_.channels(), cycle);
  }
  /// Before every cycle. True if in this one all switches that were reset are taken back.
  bool step(std::uint64_t cycle) {
    if (!under_way_ || !all_started(cycle)) return false;
    under_way_ = false;
    restarting_.assign(restarting_.size(), 0);
    return true;
  }
  /// Some are not yet.
  bool under_way() const { return under_way_; }
  /// The end is of a link of a switch that is being restarted.
  bool concerns(core::ChannelId end) const {
    const fabric::Channel& channel = network_.layout().channels()[end];
    return (!channel.from.node && restarting_[channel.from.id]) ||
           (!channel.to.node && restarting_[channel.to.id]);
  }

 private:
  /// Asks those that are down to restart. One that the host has put down has a dead block behind
  /// it, or a link that is cut. All are read before any is written: a port has one access a cycle.
  bool all_started(std::uint64_t cycle) {
    std::vector<std::uint32_t> words(network_.channels(), 0);  // 0 of those that do not matter
    for (core::ChannelId c = 0; c < words.size(); ++c)
      if (concerns(c) && network_.end_alive(c))
        words[c] = network_.link_ends()->read_register(c, ends::kStatus);
    const auto waits = [&](core::ChannelId c) {  // for a pause of its block
      return ends::state(words[c]) == ends::LinkState::kDown &&
             ends::kStatusRestart.of(words[c]) != 0;
    };
    bool all = true;
    for (core::ChannelId c = 0; c < words.size(); ++c) {
      if (!concerns(c) || !network_.end_alive(c)) continue;
      const bool down = ends::state(words[c]) == ends::LinkState::kDown;
      const bool calls = !down && ends::state(words[c]) != ends::LinkState::kUp;
      if (!calls || waits(c ^ 1u)) silent_since_[c] = cycle;
      if (!calls && (!down || ends::reason(words[c]) == ends::LinkReason::kKilled)) continue;
      all = false;
      if (calls && cycle - silent_since_[c] >= patience_)
        network_.write_to_end(c, ends::kStatus, ends::kCommandKill.mask());
      if (down && !waits(c) && health_.is_down(c))
        network_.write_to_end(c, ends::kStatus, ends::kCommandRestart.mask());
    }
    return all;
  }

  fabric::Network& network_;
  const Health& health_;
  std::vector<std::uint8_t> restarting_;  ///< by switch
  bool under_way_ = false;
  std::uint64_t patience_;  ///< cycles for an end to find the other one
  /// By end: the last cycle in which it did not call, or the other end was waiting.
  std::vector<std::uint64_t> silent_since_;
};

/// The manager of the network polls: now and then it reads a register of each switch and asks
/// the host of each node. Of a block that has not answered twice it has the ends at the other side
/// of its links put down, if they are not; and the other end of a link of which one is down. An end
/// whose flits are all acknowledged waits for nothing, and would not notice, even if its block
/// waits for credits.
class Polling {
 public:
  /// `network` and `restart` outlive this. REQUIRES: link ends.
  Polling(fabric::Network& network, const Restart& restart)
      : network_(network),
        restart_(restart),
        period_(std::max(512u, network.longest_hold())),
        missed_(network.graph().switches() + network.graph().nodes(), 0),
        calling_(network.channels(), 0) {}
  /// Before every cycle.
  void step(std::uint64_t cycle) {
    if (cycle % period_ == 0) poll();
  }
  /// Cycles from a death until all ends behind its links are down, at the latest.
  std::uint64_t longest() const { return 2 * period_; }

 private:
  void poll() {
    for (core::ChannelId c = 0; c < network_.channels(); ++c) {
      const fabric::End& behind = network_.layout().channels()[c].to;
      if (!network_.end_alive(c) || state(c) == ends::LinkState::kDown) continue;
      // One that is down says so; an end that is still up has not heard it, so the link is cut.
      const core::ChannelId other = c ^ 1u;
      const bool alone = state(c) == ends::LinkState::kUp && network_.end_alive(other) &&
                         state(other) == ends::LinkState::kDown;
      if (missed(behind) || alone || calls_in_vain(c))
        network_.write_to_end(c, ends::kStatus, ends::kCommandKill.mask());
    }
    for (topology::SwitchId s = 0; s < network_.graph().switches(); ++s)
      missed({false, s, 0}) = !network_.switch_alive(s);
    for (topology::NodeId n = 0; n < network_.graph().nodes(); ++n)
      missed({true, n, 0}) = !network_.node_alive(n);
  }
  ends::LinkState state(core::ChannelId end) const {
    return ends::state(network_.link_ends()->read_register(end, ends::kStatus));
  }
  std::uint8_t& missed(const fabric::End& block) {
    return missed_[block.node ? network_.graph().switches() + block.id : block.id];
  }

  /// Of a link that was cut before its first session; a session that is restarted takes its time.
  bool calls_in_vain(core::ChannelId end) {
    const bool calls = state(end) != ends::LinkState::kUp && !restart_.concerns(end);
    const bool before = calling_[end] != 0;
    calling_[end] = calls;
    return calls && before;
  }

  fabric::Network& network_;
  const Restart& restart_;
  std::uint64_t period_;               ///< cycles; longer than an end takes to notice
  std::vector<std::uint8_t> missed_;   ///< by switch, then by node: silent the last time
  std::vector<std::uint8_t> calling_;  ///< by channel: the end looked for the other the last time
};

}  // namespace muster::run
