// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/delivery.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/rng.hpp"
#include "topology/route_walk.hpp"

namespace muster::checkers {

PacketTable::Handle PacketTable::add(std::uint32_t source, std::uint32_t destination,
                                     std::uint8_t category, std::uint64_t cycle) {
  Flow& flow = flows_[source][index(destination, category)];
  const Handle h = end();
  packets_.push_back({.injected = cycle,
                      .source = source,
                      .destination = destination,
                      .sequence = flow.sent++,
                      .category = category});
  (flow.oldest == kNone ? flow.oldest : (*this)[flow.youngest].next_of_flow) = h;
  flow.youngest = h;
  ++size_;
  return h;
}

PacketTable::Handle PacketTable::oldest_of(std::uint32_t source, std::uint32_t destination,
                                           std::uint8_t category) const {
  const auto flow = flows_[source].find(index(destination, category));
  return flow == flows_[source].end() ? kNone : flow->second.oldest;
}

void PacketTable::remove_oldest(std::uint32_t source, std::uint32_t destination,
                                std::uint8_t category) {
  Flow& flow = flows_[source][index(destination, category)];
  Travelling& packet = (*this)[flow.oldest];
  flow.oldest = packet.next_of_flow;
  if (!packet.may_be_lost) --size_;
  packet.gone = true;
  leave();
}

void PacketTable::forgive(Handle h) {
  (*this)[h].may_be_lost = true;
  --size_;
  leave();
}

/// A packet is not one of the network any more.
void PacketTable::leave() {
  while (oldest_ != end() && !has(oldest_)) ++oldest_;
  for (; !packets_.empty() && packets_.front().gone; ++first_) packets_.pop_front();
}

using core::FlitEvent;
using fabric::Formats;

Delivery::Delivery(const Subject& subject)
    : LinkChecker("delivery", subject),
      first_node_channel_(subject.layout.into_switch(0)),
      leaving_(std::size_t{subject.graph.nodes()} * subject.vcs),
      arriving_(std::size_t{subject.graph.nodes()} * subject.vcs),
      table_(subject.graph.nodes(), 2 * subject.vcs),
      lost_to_(subject.graph.nodes(), 0) {}

void Delivery::add_to_hash(Passing& passing, const core::Flit& flit) {
  const std::uint64_t rest = (std::uint64_t{flit.hi} << 8) | flit.kind;
  passing.hash = mix64(mix64(passing.hash ^ flit.lo) ^ rest);
  ++passing.flits;
}

void Delivery::head(std::uint64_t cycle, const FlitEvent& event, Passing& passing) {
  const std::uint8_t opcode = Formats::opcode(event.flit);
  passing.barrier = fabric::is_barrier_opcode(opcode) || opcode == fabric::kOpcodeGroup ||
                    opcode == fabric::kOpcodeDevice;
  passing.of_switch = opcode == fabric::kOpcodeRequest || opcode == fabric::kOpcodeAnswer ||
                      (subject_.units && fabric::is_unit_opcode(opcode));
  require(passing.barrier || passing.of_switch || opcode == fabric::kOpcodeData, cycle,
          event.channel, [&] { return fmt::format("packet with the reserved opcode {}", opcode); });
}

/// A flit of a packet to or from a switch: counted until the tail, and no more.
bool Delivery::skipped(const FlitEvent& event, Passing& passing) {
  if (!passing.of_switch) return false;
  ++passing.flits;
  if (event.flit.tail()) passing = {};
  return true;
}

void Delivery::inject(std::uint64_t cycle, const FlitEvent& event, std::uint32_t node) {
  const core::Flit& flit = event.flit;
  Passing& passing = leaving_[node * subject_.vcs + flit.vc];
  if (passing.flits == 0) head(cycle, event, passing);
  if (skipped(event, passing)) return;
  if (passing.flits == 0) {
    const std::uint32_t destination = Formats::destination(flit);
    require(destination < subject_.graph.nodes(), cycle, event.channel, [&] {
      return fmt::format("packet for destination {}, which is not a node", destination);
    });
    passing.handle = table_.add(node, destination, category(flit.vc, passing.barrier), cycle);
    for (const Loss& loss : losses_)
      if (leads_through(loss, table_[passing.handle])) {
        forgive(passing.handle);
        break;
      }
  } else if (passing.flits == 1) {
    require(Formats::source(flit) == node && Formats::stream(flit) == flit.vc, cycle, event.channel,
            [&] {
              return fmt::format("packet names source n{} and stream {}, sent by n{} in {}",
                                 Formats::source(flit), Formats::stream(flit), node, flit.vc);
            });
  } else if (passing.flits == 2 && passing.barrier) {
    table_[passing.handle].sequence = Formats::sequence(flit);
  } else if (passing.flits == 2) {
    require(Formats::sequence(flit) == table_[passing.handle].sequence, cycle, event.channel, [&] {
      return fmt::format("data packet numbered {}, the next is {}", Formats::sequence(flit),
                         table_[passing.handle].sequence);
    });
  }
  add_to_hash(passing, flit);
  if (!flit.tail()) return;
  require(passing.flits >= fabric::kMinDataFlits, cycle, event.channel,
          [&] { return fmt::format("packet of {} flits", passing.flits); });
  table_[passing.handle].hash = passing.hash;
  table_[passing.handle].flits = passing.flits;
  passing = {};
}

void Delivery::eject(std::uint64_t cycle, const FlitEvent& event, std::uint32_t node) {
  const core::Flit& flit = event.flit;
  Passing& passing = arriving_[node * subject_.vcs + flit.vc];
  if (passing.flits == 0) head(cycle, event, passing);
  if (skipped(event, passing)) return;
  if (passing.flits == 0) {
    require(Formats::destination(flit) == node, cycle, event.channel, [&] {
      return fmt::format("packet for destination {} ejected at n{}", Formats::destination(flit),
                         node);
    });
  } else if (passing.flits == 1) {
    passing.source = Formats::source(flit);
  } else if (passing.flits == 2) {
    passing.sequence = Formats::sequence(flit);
  }
  add_to_hash(passing, flit);
  if (!flit.tail()) return;
  arrived(cycle, event, passing, node);
  passing = {};
}

void Delivery::arrived(std::uint64_t cycle, const FlitEvent& event, const Passing& passing,
                       std::uint32_t node) {
  const std::uint8_t vc = event.flit.vc;
  const std::uint8_t category = Delivery::category(vc, passing.barrier);
  if (lost_to_[node]) {
    if (remnant(event, passing, node)) return;
    drop_lost(passing, node, category);
  }
  require(passing.flits >= fabric::kMinDataFlits, cycle, event.channel, [&] {
    return fmt::format("a packet of {} flits has been ejected, flits are lost", passing.flits);
  });
  const PacketTable::Handle h = passing.source < subject_.graph.nodes()
                                    ? table_.oldest_of(passing.source, node, category)
                                    : PacketTable::kNone;
  const auto packet = [&] {
    return fmt::format("packet {} of n{} to n{} in virtual channel {}", passing.sequence,
                       passing.source, node, vc);
  };
  require(h != PacketTable::kNone, cycle, event.channel, [&] {
    return packet() + " is not in flight: duplicated, invented or its source changed";
  });
  const Travelling& sent = table_[h];
  const auto ahead = static_cast<std::int16_t>(passing.sequence - sent.sequence);
  require(ahead <= 0, cycle, event.channel, [&] {
    return fmt::format("{} out of order or packet {} lost", packet(), sent.sequence);
  });
  require(ahead == 0, cycle, event.channel,
          [&] { return packet() + " ejected again, or its number changed"; });
  require(sent.flits == passing.flits, cycle, event.channel, [&] {
    return sent.flits == 0
               ? packet() + " ejected before all of it was sent"
               : fmt::format("{}: {} flits sent, {} ejected", packet(), sent.flits, passing.flits);
  });
  require(sent.hash == passing.hash, cycle, event.channel,
          [&] { return packet() + " changed on its way"; });
  if (sent.may_be_lost) pass_on(h);
  table_.remove_oldest(passing.source, node, category);
  ++delivered_;
}

// ---- Losses ----------------------------------------------------------------------------------

bool Delivery::leads_through(const Loss& loss, const Travelling& packet) const {
  if (loss.node) return loss.id == packet.source || loss.id == packet.destination;
  const auto at = [&](const topology::PortRef& port) { return loss.at(subject_.layout, port); };
  bool through = at(subject_.graph.node(packet.source).at);
  topology::walk_route(subject_.graph, subject_.routes, packet.source, packet.destination,
                       [&](topology::SwitchId s, std::uint32_t port) {
                         through |= at({s, port});
                       });
  return through;
}

void Delivery::forgive(PacketTable::Handle handle) {
  lost_to_[table_[handle].destination] = 1;
  table_.forgive(handle);
}

void Delivery::lose(std::uint64_t, const Loss& loss) {
  losses_.push_back(loss);
  // What the switch was sending to its nodes has no more flits.
  for (topology::NodeId n = 0; n < subject_.graph.nodes(); ++n)
    if (loss.is_switch(subject_.graph.node(n).at.sw))
      std::fill_n(arriving_.begin() + std::ptrdiff_t{n} * subject_.vcs, subject_.vcs, Passing{});
  for (PacketTable::Handle h = table_.oldest(); h != table_.end(); ++h)
    if (table_.has(h) && leads_through(loss, table_[h])) forgive(h);
}

void Delivery::recovered() {
  std::erase_if(losses_, [](const Loss& loss) { return loss.reset; });
}

namespace {

template <class Passing>
bool same(const Travelling& sent, const Passing& passing) {
  return sent.flits == passing.flits && sent.hash == passing.hash &&
         sent.sequence == passing.sequence;
}

}  // namespace

/// A packet has come that may have been lost. If another of the flow, sent later, is the same in
/// every bit, as a NIC's that is repeated, it cannot be told which of both has come.
void Delivery::pass_on(PacketTable::Handle taken) {
  for (PacketTable::Handle h = table_[taken].next_of_flow; h != PacketTable::kNone;
       h = table_[h].next_of_flow)
    if (same(table_[h], table_[taken]) && !table_[h].may_be_lost) return forgive(h);
}

/// A cut mark ends it. Of one with fewer than three flits the source is not known.
bool Delivery::remnant(const FlitEvent& event, const Passing& passing, std::uint32_t node) const {
  if (!event.flit.cut()) return false;
  if (passing.flits < fabric::kMinDataFlits) return true;
  if (passing.source >= subject_.graph.nodes()) return false;
  const std::uint8_t category = Delivery::category(event.flit.vc, passing.barrier);
  const PacketTable::Handle h = table_.oldest_of(passing.source, node, category);
  return h != PacketTable::kNone && table_[h].may_be_lost;
}

/// Packets of the flow that were sent before this one, and may be lost, are.
void Delivery::drop_lost(const Passing& passing, std::uint32_t node, std::uint8_t category) {
  if (passing.source >= subject_.graph.nodes()) return;
  const auto oldest = [&] { return table_.oldest_of(passing.source, node, category); };
  PacketTable::Handle h = oldest();
  while (h != PacketTable::kNone && table_[h].may_be_lost && !same(table_[h], passing)) {
    table_.remove_oldest(passing.source, node, category);
    h = oldest();
  }
}

void Delivery::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  const PacketTable::Handle h = table_.oldest();
  require(h == table_.end(), cycle,
          h == table_.end() ? 0 : subject_.layout.into_switch(table_[h].source), [&] {
            const Travelling& lost = table_[h];
            return fmt::format(
                "{} packets lost, the oldest is {} of n{} to n{} in virtual channel {}, injected "
                "in cycle {}",
                table_.size(), lost.sequence, lost.source, lost.destination, vc_of(lost.category),
                lost.injected);
          });
}

BoundedWaits::BoundedWaits(const Subject& subject, const Bounds& bounds, const Delivery& delivery)
    : LinkChecker("bounded waits", subject), bounds_(bounds), delivery_(delivery) {}

void BoundedWaits::end_cycle(std::uint64_t cycle) {
  const PacketTable& table = delivery_.travelling();
  if (const PacketTable::Handle h = table.oldest(); h != table.end()) {
    const Travelling& packet = table[h];
    const std::uint64_t age = cycle - packet.injected;
    require(age <= bounds_.packet, cycle, subject_.layout.into_switch(packet.source), [&] {
      return fmt::format(
          "packet {} to n{} in virtual channel {} in flight for {} cycles, at most {}",
          packet.sequence, packet.destination, Delivery::vc_of(packet.category), age,
          bounds_.packet);
    });
    longest_packet_ = std::max(longest_packet_, age);
  }
  for (OwedMessages* owed : owed_) {
    const std::optional<OwedMessage> oldest = owed->oldest_owed();
    if (!oldest) continue;
    const std::uint64_t age = cycle - oldest->since;
    require_at(age <= bounds_.barrier, cycle, oldest->sw, [&] {
      return owed->describe_oldest() +
             fmt::format(" for {} cycles, at most {}", age, bounds_.barrier);
    });
    longest_barrier_ = std::max(longest_barrier_.value_or(0), age);
  }
}

}  // namespace muster::checkers
