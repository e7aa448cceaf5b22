// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/fair_service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace muster::checkers {

using fabric::Formats;

FairService::FairService(const Subject& subject)
    : LinkChecker("fair service", subject),
      ordinary_(static_cast<std::uint8_t>((1u << subject.vcs) - 1)),
      queues_(subject.layout.channels().size() * subject.vcs),
      heads_(queues_.size() * subject.depth),
      waiting_(queues_.size(), 0),
      sides_(subject.layout.channels().size()),
      ports_(std::size_t{subject.graph.switches()} * subject.graph.max_ports()) {
  if (subject.worm_channel != kNoWorms)
    ordinary_ &= static_cast<std::uint8_t>(~(1u << subject.worm_channel));
  const auto& channels = subject.layout.channels();
  const auto first = [&](const fabric::End& end) { return end.id * subject.graph.max_ports(); };
  std::vector<std::uint32_t> inputs(subject.graph.switches(), 0);
  for (core::ChannelId c = 0; c < channels.size(); ++c) {
    const fabric::End& from = channels[c].from;
    const fabric::End& to = channels[c].to;
    if (!from.node) ports_[first(from) + from.port].out = c;
    if (to.node) continue;
    ++inputs[to.id];
    ports_[first(to) + to.port].in = c;
    sides_[c].to = first(to);
    sides_[c].port = static_cast<std::uint16_t>(1u << to.port);
  }
  for (core::ChannelId c = 0; c < channels.size(); ++c) {
    const fabric::End& from = channels[c].from;
    if (from.node) continue;
    sides_[c].from = first(from);
    sides_[c].limit = inputs[from.id] + 1;
  }
}

void FairService::enter(std::uint64_t cycle, const core::FlitEvent& event) {
  const std::uint32_t queue = SeenFlit(event, subject_.vcs).place;
  Queue& q = queues_[queue];
  const std::uint32_t number = q.sent++;
  const Sides& sides = sides_[event.channel];
  if (sides.to == kNone) return;
  const fabric::Channel& channel = subject_.layout.channels()[event.channel];
  const std::uint16_t routes =
      subject_.routes.mask(channel.to.id, Formats::destination(event.flit));
  const core::ChannelId leads =
      routes == 0 ? kNone : ports_[sides.to + static_cast<unsigned>(std::countr_zero(routes))].out;
  const std::uint32_t out = leads == kNone ? kNone : leads * subject_.vcs + event.flit.vc;
  const std::uint64_t arrival = cycle + (subject_.pipe == 0 ? channel.latency : 1);
  head_at(queue, q.oldest + q.held) = {arrival, number, out};
  if (q.held++ == 0) q.number = number;
  if (q.head_is_next()) wait(event.channel, queue, arrival);
}

void FairService::pass(std::uint64_t cycle, const core::FlitEvent& event) {
  const Sides& sides = sides_[event.channel];
  if (sides.from == kNone || event.flit.tail()) return;
  // An answer of the switch, or a message of its unit, goes before those that wait, and is counted
  // for none of them.
  if (begins_in_switch(subject_, event.flit)) return;
  const auto queue_at = [&](std::uint32_t port) -> Queue& {
    return queues_[ports_[sides.from + port].in * subject_.vcs + event.flit.vc];
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

void FairService::lose(std::uint64_t, const Loss& loss) {
  const auto& channels = subject_.layout.channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c) {
    const auto first = std::ptrdiff_t{c} * subject_.vcs;
    if (!channels[c].to.node && loss.is(channels[c].to))
      std::fill_n(queues_.begin() + first, subject_.vcs, Queue{});
    if (!channels[c].from.node && loss.is(channels[c].from))
      std::fill_n(waiting_.begin() + first, subject_.vcs, std::uint16_t{0});
  }
}

/// The packet of the oldest head of the queue is in front, `since` this cycle or its arrival.
void FairService::wait(core::ChannelId channel, std::uint32_t queue, std::uint64_t since) {
  Queue& q = queues_[queue];
  const Head& waits = head_at(queue, q.oldest);
  if (waits.out == kNone) return;
  waiting_[waits.out] |= sides_[channel].port;
  q.since = std::max(since, waits.arrival);
  q.passed = 0;
}

/// That head has been taken.
void FairService::serve(core::ChannelId channel, std::uint32_t queue) {
  Queue& q = queues_[queue];
  const Head& served = head_at(queue, q.oldest);
  if (served.out != kNone)
    waiting_[served.out] &= static_cast<std::uint16_t>(~sides_[channel].port);
  q.oldest = static_cast<std::uint16_t>(in_ring(q.oldest + 1u));
  --q.held;
  q.number = head_at(queue, q.oldest).number;
}

}  // namespace muster::checkers
