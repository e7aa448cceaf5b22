// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/layout.hpp"
#include "muster/systems/preempt.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::preempt {

/// What equations (1) to (3) of the paper assume of the links between switches, measured on their
/// wires (docs/systems/preempting-switches.md, The equations).
class ChannelUse {
 public:
  /// Links of `vcs` channels with `depth` credits; `all_pay`: flits that are no data take them too.
  ChannelUse(const fabric::Layout& layout, std::uint32_t vcs, std::uint32_t depth, bool all_pay)
      : all_pay_(all_pay), links_(layout.channels().size()) {
    for (std::size_t c = 0; c < links_.size(); ++c)
      if (!layout.channels()[c].from.node && !layout.channels()[c].to.node)
        links_[c].channels.assign(vcs, {.credits = depth});
  }
  /// All of a cycle.
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) {
    for (; !returned_.empty() && returned_.front().first <= cycle; returned_.pop_front())
      give_back(returned_.front().first, returned_.front().second);
    // Channels behind those of the layout are between a pipe and its link.
    for (const core::CreditEvent& event : credits)
      if (event.channel < links_.size()) returned_.emplace_back(cycle + kAhead, event);
    for (const core::FlitEvent& event : flits)
      if (event.channel < links_.size() && !links_[event.channel].channels.empty())
        flit(cycle, links_[event.channel], event.flit);
  }
  Model model() const {
    Model m;
    double owned = 0, blocked = 0, squares = 0;
    std::uint64_t cuts = 0, cycles = 0, vcs = 0;
    for (const Link& link : links_) {
      if (link.messages == 0) continue;
      const double weight = static_cast<double>(link.messages) / static_cast<double>(link.seen);
      m.hops += link.messages;
      owned += weight * static_cast<double>(link.then.owned);
      blocked += weight * static_cast<double>(link.then.blocked);
      squares += weight * static_cast<double>(link.then.squares);
      cuts += link.cuts;
      cycles += link.preempting;
      vcs = link.channels.size();
    }
    if (m.hops == 0) return m;
    const auto hops = static_cast<double>(m.hops);
    m.occupied = owned / (hops * static_cast<double>(vcs));
    m.cut = static_cast<double>(cuts) / hops;
    if (owned > 0) m.blocked = blocked / owned;
    if (blocked > 0) m.blocked_cycles = squares / blocked / 2;
    if (cuts > 0) m.preemption_cycles = static_cast<double>(cycles) / static_cast<double>(cuts);
    return m;
  }

 private:
  /// A sender has spent the credit of a flit of data so many cycles before the flit's, and has one
  /// that comes back in the next cycle.
  static constexpr std::uint64_t kAhead = 2;

  struct Time {
    std::uint64_t owned = 0, blocked = 0;  ///< cycles of all channels
    std::uint64_t squares = 0;             ///< of the cycles for which one was blocked each time
  };
  struct Channel {
    std::uint32_t credits = 0;
    bool owned = false;                        ///< a packet has begun and not ended
    std::uint64_t since = 0, empty_since = 0;  ///< in `Time` up to here; without credit
  };
  struct Link {
    std::vector<Channel> channels;  ///< none of a node's link
    Time time, then;                ///< so far, at the last message
    std::uint64_t seen = 0;         ///< cycle of that
    std::uint64_t messages = 0, cuts = 0, preempting = 0;
    std::optional<std::uint64_t> request = {};  ///< cycle of a padding request without message yet
  };
  static void pass(std::uint64_t cycle, Link& link, Channel& channel) {
    const std::uint64_t cycles = channel.owned ? cycle - channel.since : 0;
    link.time.owned += cycles;
    if (channel.credits == 0) link.time.blocked += cycles;
    channel.since = cycle;
  }
  void give_back(std::uint64_t cycle, const core::CreditEvent& event) {
    Link& link = links_[event.channel];
    for (std::uint32_t v = 0; v < link.channels.size(); ++v) {
      if (!(event.credits >> v & 1)) continue;
      Channel& channel = link.channels[v];
      pass(cycle, link, channel);
      const std::uint64_t cycles = cycle - channel.empty_since;
      if (channel.owned && channel.credits == 0) link.time.squares += cycles * cycles;
      ++channel.credits;
    }
  }
  void flit(std::uint64_t cycle, Link& link, const core::Flit& flit) {
    if (flit.kind == core::Flit::kControl && is_control(flit) && !link_control(flit).end) {
      ++link.cuts;
      link.request = cycle;
    } else if (flit.kind == core::Flit::kFirst) {
      ++link.messages;
      if (link.request) link.preempting += cycle - *std::exchange(link.request, {});
      for (Channel& channel : link.channels) pass(cycle, link, channel);
      link.then = link.time;
      link.seen = cycle;
    }
    if (fabric::passes_data(flit) && !all_pay_) return;
    Channel& channel = link.channels[flit.vc];
    pass(cycle, link, channel);
    if (!flit.sync()) channel.owned = !flit.tail();
    if (--channel.credits == 0) channel.empty_since = cycle;
  }

  bool all_pay_;
  std::vector<Link> links_;  ///< by channel of the layout
  std::deque<std::pair<std::uint64_t, core::CreditEvent>> returned_;
};

}  // namespace muster::preempt
