// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/fair_service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fabric/checkers/local_packets.hpp"

namespace muster::checkers {

using fabric::Formats;

FairService::FairService(const Subject& subject)
    : LinkChecker("fair service", subject),
      ports_(subject.graph.max_ports()),
      ordinary_(static_cast<std::uint8_t>((1u << subject.vcs) - 1)) {
  if (subject.worm_channel != kNoWorms)
    ordinary_ &= static_cast<std::uint8_t>(~(1u << subject.worm_channel));
  const std::uint32_t nodes_place = subject.graph.switches() * ports_ * subject.vcs;
  const auto place = [&](const fabric::End& e) { return (e.id * ports_ + e.port) * subject.vcs; };
  queues_.resize(nodes_place + subject.vcs);
  heads_.resize(std::size_t{nodes_place} * subject.depth);
  waiting_.resize(nodes_place, 0);
  std::vector<std::uint32_t> inputs(subject.graph.switches(), 0);
  for (const fabric::Channel& channel : subject.layout.channels())
    if (!channel.to.node) ++inputs[channel.to.id];
  for (const fabric::Channel& channel : subject.layout.channels()) {
    Sides sides;
    sides.to = channel.to.node ? nodes_place : place(channel.to);
    if (!channel.from.node) {
      sides.from = place(channel.from);
      sides.first = place({false, channel.from.id, 0});
      sides.limit = inputs[channel.from.id] + 1;
    }
    sides_.push_back(sides);
  }
}

void FairService::enter(std::uint64_t cycle, const core::FlitEvent& event) {
  const fabric::Channel& channel = subject_.layout.channels()[event.channel];
  const std::uint32_t queue = sides_[event.channel].to + event.flit.vc;
  Queue& q = queues_[queue];
  const std::uint32_t number = q.sent++;
  if (channel.to.node) return;
  const std::uint16_t routes =
      subject_.routes.mask(channel.to.id, Formats::destination(event.flit));
  const auto port = static_cast<std::uint32_t>(std::countr_zero(routes));
  const std::uint32_t out =
      routes == 0 ? kNone : (channel.to.id * ports_ + port) * subject_.vcs + event.flit.vc;
  const std::uint64_t arrival = cycle + (subject_.pipe == 0 ? channel.latency : 1);
  head(queue, q.oldest + q.held) = {arrival, number, out};
  if (q.held++ == 0) q.number = number;
  if (q.head_is_next()) wait(queue, arrival);
}

void FairService::pass(std::uint64_t cycle, const core::FlitEvent& event) {
  const Sides& sides = sides_[event.channel];
  if (sides.from == kNone || event.flit.tail()) return;
  // An answer of the switch, or a message of its unit, goes before those that wait, and is counted
  // by nobody.
  if (begins_in_switch(subject_, event.flit)) return;
  std::uint32_t late = kNone;
  for (unsigned left = waiting_[sides.from + event.flit.vc]; left != 0; left &= left - 1) {
    const auto port = static_cast<std::uint32_t>(std::countr_zero(left));
    Queue& q = queues_[sides.first + port * subject_.vcs + event.flit.vc];
    if (cycle >= q.since + kPipeline && ++q.passed > sides.limit) late = port;
  }
  require(late == kNone, cycle, event.channel, [&] {
    const Queue& q = queues_[sides.first + late * subject_.vcs + event.flit.vc];
    return fmt::format(
        "{} packets in virtual channel {} have passed the one in front at input port {} since "
        "cycle {}, at most {}",
        q.passed, event.flit.vc, late, q.since, sides.limit);
  });
}

void FairService::credit(std::uint64_t cycle, const core::CreditEvent& event) {
  for (unsigned left = event.credits & ordinary_; left != 0; left &= left - 1) {
    const std::uint32_t queue =
        sides_[event.channel].to + static_cast<std::uint32_t>(std::countr_zero(left));
    Queue& q = queues_[queue];
    if (q.head_is_next()) serve(queue);
    ++q.taken;
    if (q.head_is_next()) wait(queue, cycle);
  }
}

void FairService::lose(std::uint64_t, const Loss& loss) {
  if (loss.node || loss.link) return;
  const std::size_t first = std::size_t{loss.id} * ports_ * subject_.vcs;
  std::fill_n(queues_.begin() + first, ports_ * subject_.vcs, Queue{});
  std::fill_n(waiting_.begin() + first, ports_ * subject_.vcs, std::uint16_t{0});
}

/// The packet of the oldest head of the queue is in front, `since` this cycle or its arrival.
void FairService::wait(std::uint32_t queue, std::uint64_t since) {
  Queue& q = queues_[queue];
  const Head& waits = head(queue, q.oldest);
  if (waits.out == kNone) return;
  waiting_[waits.out] |= port_bit(queue);
  q.since = std::max(since, waits.arrival);
  q.passed = 0;
}

/// That head has been taken.
void FairService::serve(std::uint32_t queue) {
  Queue& q = queues_[queue];
  const Head& served = head(queue, q.oldest);
  if (served.out != kNone) waiting_[served.out] &= static_cast<std::uint16_t>(~port_bit(queue));
  q.oldest = static_cast<std::uint16_t>((q.oldest + 1u) % subject_.depth);
  --q.held;
  q.number = head(queue, q.oldest).number;
}

}  // namespace muster::checkers
