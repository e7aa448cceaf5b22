// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fabric/checkers/seen_flit.hpp"
#include "muster/core/bits.hpp"

namespace muster::checkers {

/// No packet is passed over for long: while one that goes to output channel (p, v) of a switch is
/// in front of its input queue, at most k + 1 packets get their first flit onto (p, v) before it, k
/// being the number of connected inputs of the switch (docs/systems/barrier-switch.md, "Owner and
/// next"): the channel's owner, its next, and one of each other input that is picked before.
///
/// The input queues are rebuilt from the links. A flit that a link of latency L carries in cycle t
/// is in its queue from t + L on; its credit is on the wire one cycle after it was taken. So a
/// packet is in front from cycle h on, the later of the arrival of its head and the credit of the
/// flit before it, and what is taken in a cycle is on the wires of (p, v) two cycles later. Hence
/// exactly the heads on those wires from h + 2 on, until the credit of the waiting head shows that
/// it is served, have been preferred to it, and the count needs no slack for the pipeline.
///
/// Switches whose outputs choose among queues (docs/systems/data-path.md) keep to it too: a packet
/// waits there from h + 1 on, at most k go before it from then, and one in h. But a packet of one
/// flit leaves their channels without owner and next, so that for each of them another packet may
/// go out of turn: they are not counted. (A data packet has 3 flits or more.)
class FairService final : public NamedChecker {
 public:
  explicit FairService(const Subject& subject)
      : NamedChecker("fair service", subject),
        ordinary_(static_cast<std::uint8_t>((1u << subject.vcs) - 1)),
        queues_(subject.layout.channels().size() * subject.vcs),
        heads_(queues_.size() * subject.depth),
        waiting_(queues_.size(), 0),
        sides_(subject.layout.channels().size()),
        ports_(std::size_t{subject.graph.switches()} * subject.graph.max_ports()) {
    if (subject.worm_channel != kNoWorms)
      ordinary_ &= static_cast<std::uint8_t>(~(1u << subject.worm_channel));
    const auto& channels = subject.layout.channels();
    const std::uint32_t ports = subject.graph.max_ports();
    const auto first = [&](const fabric::End& end) { return end.id * ports; };
    std::vector<std::uint32_t> inputs(subject.graph.switches(), 0);
    for (core::ChannelId c = 0; c < channels.size(); ++c) {
      const fabric::End& from = channels[c].from;
      const fabric::End& to = channels[c].to;
      if (!from.node) ports_[first(from) + from.port].out = c;
      if (to.node) continue;
      ++inputs[to.id];
      ports_[first(to) + to.port].in = c;
      sides_[c].to = first(to);
      sides_[c].port = core::port_bit(to.port);
      sides_[c].raise = ports_[first(to) + to.port].raise = subject.raise(c);
    }
    for (core::ChannelId c = 0; c < channels.size(); ++c) {
      const fabric::End& from = channels[c].from;
      if (from.node || !subject.sends(c)) continue;
      sides_[c].from = first(from);
      sides_[c].limit = inputs[from.id] + 1;
    }
  }

  /// All flits of a cycle are given before its credits, and none that Packets, Credits or
  /// RouteLegality reject. With delay pipes a flit leaves a switch before the pipe and comes into
  /// the next behind it, and credits are those behind it.
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (!event.flit.sync() && event.flit.head()) return head(cycle, event);
    if (subject_.pipe != 0) return;
    event.flit.sync() ? message(event) : body(SeenFlit(event, subject_.vcs));
  }
  void head(std::uint64_t cycle, const core::FlitEvent& event) {
    if (subject_.pipe == 0) enter(cycle, event);
    leave(cycle, event);
  }
  /// A head that may leave one of its switches; another partition may reject it in this cycle.
  void leave(std::uint64_t cycle, const core::FlitEvent& event) {
    const Sides& sides = sides_[event.channel];
    if (sides.from == kNone || event.flit.tail()) return;
    // An answer of the switch, or a message of its unit, goes before those that wait, and is
    // counted for none of them.
    if (begins_in_switch(subject_, event.flit)) return;
    const auto queue_at = [&](std::uint32_t port) -> Queue& {
      const Port& input = ports_[sides.from + port];
      return queues_[input.in * subject_.vcs + event.flit.vc - input.raise];
    };
    std::uint32_t late = kNone;
    core::for_each_bit(waiting_[SeenFlit(event, subject_.vcs).place], [&](std::uint32_t port) {
      Queue& q = queue_at(port);
      if (cycle >= q.since + kPipeline && ++q.passed > sides.limit) late = port;
    });
    require(late == kNone, cycle, event.channel, [&] {
      const Queue& q = queue_at(late);
      return fmt::format(
          "{} packets in virtual channel {} have passed the one in front at input port {} since "
          "cycle {}, at most {}",
          q.passed, event.flit.vc, late, q.since, sides.limit);
    });
  }
  /// A flit that is sync. REQUIRES, as for body(): it sees such flits.
  void message(const core::FlitEvent& event) {
    if (credits_taken(subject_.sync_credits, subject_.vcs, event.flit) >> event.flit.vc & 1)
      body(SeenFlit(event, subject_.vcs));
  }
  /// A flit that only takes room in a queue.
  void body(const SeenFlit& seen) { ++queues_[seen.place].sent; }
  void credit(std::uint64_t cycle, const core::CreditEvent& event) override {
    core::for_each_bit(event.credits & ordinary_, [&](std::uint32_t vc) {
      returned(cycle, event.channel, event.channel * subject_.vcs + vc);
    });
  }
  /// Its credits are of these virtual channels, a bit each.
  std::uint8_t ordinary() const { return ordinary_; }
  /// The credit of one of them, which is at this place of its channel.
  void returned(std::uint64_t cycle, core::ChannelId channel, std::uint32_t place) {
    Queue& q = queues_[place];
    if (q.head_is_next()) serve(channel, place);
    ++q.taken;
    if (q.head_is_next()) wait(channel, place, cycle);
  }
  void flit_behind_pipe(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.vc == subject_.worm_channel) return;
    if (event.flit.sync())
      message(event);
    else if (event.flit.head())
      enter(cycle, event);
    else
      body(SeenFlit(event, subject_.vcs));
  }
  void credit_behind_pipe(std::uint64_t cycle, const core::CreditEvent& event) override {
    credit(cycle, event);
  }

  /// Its queues are empty.
  void lose(std::uint64_t, const Loss& loss) override {
    const auto& channels = subject_.layout.channels();
    for (core::ChannelId c = 0; c < channels.size(); ++c) {
      const auto first = std::ptrdiff_t{c} * subject_.vcs;
      if (!channels[c].to.node && loss.is(channels[c].to))
        std::fill_n(queues_.begin() + first, subject_.vcs, Queue{});
      if (!channels[c].from.node && loss.is(channels[c].from))
        std::fill_n(waiting_.begin() + first, subject_.vcs, core::PortMask{0});
    }
  }

 private:
  /// What a virtual channel leads into, an input queue of a switch, and what waits at its head.
  /// Flits are counted modulo 2^32.
  struct Queue {
    std::uint32_t sent = 0, taken = 0;   ///< flits
    std::uint16_t oldest = 0, held = 0;  ///< of its heads: place in the ring, how many
    std::uint32_t number = 0;            ///< of the oldest, if there is one
    std::uint64_t since = 0;             ///< cycle from which on its oldest packet is in front: h
    std::uint32_t passed = 0;            ///< packets preferred to that one

    bool head_is_next() const { return number == taken && held != 0; }
  };
  /// A head in a queue, or on the link to it.
  struct Head {
    std::uint64_t arrival;  ///< first cycle in the queue
    std::uint32_t number;   ///< flits sent into the queue before it
    std::uint32_t out;      ///< place of its output channel; kNone if no route
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// What a channel joins.
  struct Sides {
    std::uint32_t from = kNone;  ///< port 0 of the switch that sends, all counted; kNone at a node
    std::uint32_t limit = 0;     ///< k + 1 of that switch
    std::uint32_t to = kNone;    ///< port 0 of the switch that receives; kNone at a node
    core::PortMask port = 0;     ///< its port, as a bit
    std::uint8_t raise = 0;      ///< see Subject
  };
  /// The channels of a port of a switch, or kNone.
  struct Port {
    core::ChannelId in = kNone, out = kNone;
    std::uint8_t raise = 0;  ///< of `in`, see Subject
  };
  static constexpr std::uint64_t kPipeline = 2;  ///< from h to the first head that counts, cycles

  void enter(std::uint64_t cycle, const core::FlitEvent& event) {
    const std::uint32_t queue = SeenFlit(event, subject_.vcs).place;
    Queue& q = queues_[queue];
    const std::uint32_t number = q.sent++;
    const Sides& sides = sides_[event.channel];
    if (sides.to == kNone) return;
    const fabric::Channel& channel = subject_.layout.channels()[event.channel];
    const std::uint32_t vc = event.flit.vc + sides.raise;
    const core::PortMask routes = subject_.route(channel.to.id, event.flit, vc);
    const core::ChannelId leads =
        routes == 0 ? kNone
                    : ports_[sides.to + static_cast<unsigned>(std::countr_zero(routes))].out;
    const std::uint32_t out = leads == kNone ? kNone : leads * subject_.vcs + vc;
    const std::uint64_t arrival = cycle + (subject_.pipe == 0 ? channel.latency : 1);
    head_at(queue, q.oldest + q.held) = {arrival, number, out};
    if (q.held++ == 0) q.number = number;
    if (q.head_is_next()) wait(event.channel, queue, arrival);
  }
  /// The packet of the oldest head of the queue is in front, `since` this cycle or its arrival.
  void wait(core::ChannelId channel, std::uint32_t queue, std::uint64_t since) {
    Queue& q = queues_[queue];
    const Head& waits = head_at(queue, q.oldest);
    if (waits.out == kNone) return;
    waiting_[waits.out] |= sides_[channel].port;
    q.since = std::max(since, waits.arrival);
    q.passed = 0;
  }
  /// That head has been taken.
  void serve(core::ChannelId channel, std::uint32_t queue) {
    Queue& q = queues_[queue];
    const Head& served = head_at(queue, q.oldest);
    if (served.out != kNone) waiting_[served.out] &= ~sides_[channel].port;
    q.oldest = static_cast<std::uint16_t>(in_ring(q.oldest + 1u));
    --q.held;
    q.number = head_at(queue, q.oldest).number;
  }
  Head& head_at(std::uint32_t queue, std::uint32_t place) {
    return heads_[std::size_t{queue} * subject_.depth + in_ring(place)];
  }
  std::uint32_t in_ring(std::uint32_t place) const {
    return place < subject_.depth ? place : place % subject_.depth;
  }

  std::uint8_t ordinary_;      ///< the virtual channels without worms
  std::vector<Queue> queues_;  ///< by channel and virtual channel, as SeenFlit::place
  std::vector<Head> heads_;    ///< a ring of `depth` for each queue
  std::vector<core::PortMask>
      waiting_;               ///< by output channel and virtual channel: ports that wait for it
  std::vector<Sides> sides_;  ///< by channel
  std::vector<Port> ports_;   ///< of all switches, each with as many as the largest
};

}  // namespace muster::checkers
