// SPDX-License-Identifier: Apache-2.0
#include "muster/fabric/endpoints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "muster/core/bits.hpp"
#include "muster/core/error.hpp"

namespace muster::fabric {

EndpointBank::EndpointBank(const EndpointConfig& config, Formats formats)
    : core::Bank(config.nodes, 1),
      config_(config),
      formats_(formats),
      data_vcs_(config.first_vc_only
                    ? 1u
                    : (1u << (config.last_vc_reserved ? config.vcs - 1 : config.vcs)) - 1),
      nodes_(config.nodes),
      out_(std::size_t{config.nodes} * config.vcs),
      in_(out_.size()),
      queued_(config.nodes),
      busy_((config.nodes + core::kFlags - 1) / core::kFlags * core::kFlags, 0),
      heard_(busy_.size(), 0),
      neighbours_((config.nodes + core::kFlags - 1) / core::kFlags) {
  quiescent_.assign(config.nodes, 1);
  const bool extra = has_extra_credit(config.barrier.credits);
  if (config.vcs < (config.last_vc_reserved ? 2u : 1u) || config.vcs > kVcs - extra) {
    throw InputError("{} virtual channels for a node{}", config.vcs,
                     config.last_vc_reserved ? " whose data stay off the last" : "");
  }
  for (Node& node : nodes_) {
    node.credits.fill(static_cast<std::uint8_t>(config.depth));
    if (extra) node.credits[config.vcs] = static_cast<std::uint8_t>(config.barrier.buffers);
  }
  if (config.barrier.buffered()) ends_.resize(config.nodes);
}

void EndpointBank::attach(SyncClient* sync, PacketClient* packets) {
  sync_ = sync;
  packets_ = packets;
  for (std::uint32_t n = 0; n < blocks(); ++n) wake(n);
}

void EndpointBank::wake(std::uint32_t node) {
  if (packets_ != nullptr) nodes_[node].next_packet = packets_->ready(node);
  set_busy(node);
}

void EndpointBank::kill(std::uint32_t node) {
  nodes_[node] = {.dead = true};
  queued_[node] = {};
  if (!ends_.empty()) ends_[node] = {};
  busy_[node] = 0;
  std::erase_if(received_, [node](const Received& received) { return received.node == node; });
}

void EndpointBank::send_sync(std::uint32_t node, const core::Flit& flit) {
  if (nodes_[node].dead) return;
  queued_[node].sync.push_back({now_ + config_.send_delay, flit});
  wake_queued(node);
}

void EndpointBank::send_packet(std::uint32_t node, std::vector<core::Flit> flits) {
  if (nodes_[node].dead) return;
  queued_[node].packets.push_back({now_ + config_.send_delay, std::move(flits)});
  wake_queued(node);
}

/// When its host is done with what has just been queued.
void EndpointBank::wake_queued(std::uint32_t n) {
  nodes_[n].queued = true;
  if (config_.send_delay == 0)
    set_busy(n);
  else
    expect(now_, n);
}

void EndpointBank::hold_packets(bool held) {
  held_ = held;
  if (held) return;
  for (std::uint32_t n = 0; n < blocks(); ++n) set_busy(n);
}

bool EndpointBank::between_packets() const {
  return std::ranges::all_of(nodes_, [](const Node& node) { return node.sending == 0; }) &&
         std::ranges::all_of(queued_, [](const Queued& queued) { return queued.next_flit == 0; });
}

bool EndpointBank::drained() const {
  return received_.empty() &&
         std::ranges::all_of(nodes_,
                             [](const Node& node) { return node.sending == 0 && !node.queued; }) &&
         std::ranges::all_of(ends_, [](const BarrierEnd& end) { return end.out.idle(); });
}

void EndpointBank::clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t n : awake) receive(cycle, n);
}

void EndpointBank::end_clock(std::uint64_t cycle) {
  core::for_each_flag(heard_, [&](std::uint32_t n) { pass_on(cycle, n); });
  hand_over_due(cycle);
  if (sync_ != nullptr) sync_->clock(cycle);
}

void EndpointBank::clock_rest(std::uint64_t cycle, std::uint32_t first, std::uint32_t end) {
  for (std::uint32_t of = first; of < end; of += core::kFlags) {
    Neighbours& neighbours = neighbours_[of / core::kFlags];
    if (neighbours.due <= cycle) {
      neighbours.due = kNever;
      for (std::uint32_t n = of; n < std::min(of + core::kFlags, end); ++n) {
        if (has_more(cycle - 1, n)) set_busy(n);
        expect(cycle, n);
      }
    }
    core::for_each_flag(std::span(busy_).subspan(of, core::kFlags), [&](std::uint32_t i) {
      const std::uint32_t n = of + i;
      if (send(cycle, n)) {
        wires_[n].tx_valid = 1;
        quiescent_[n] = 0;
        ++neighbours.flits_sent;
        if (has_more(cycle, n)) return;
      }
      busy_[n] = 0;
      expect(cycle, n);
    });
  }
}

/// Takes the inputs of a node and leaves its outputs idle except for the credit it returns.
void EndpointBank::receive(std::uint64_t cycle, std::uint32_t n) {
  core::BlockWires& w = wires_[n];
  w.tx_valid = 0;
  w.rx_back = 0;
  if (w.tx_back != 0) {
    Node& node = nodes_[n];
    for (unsigned vc = 0; vc < kVcs; ++vc) node.credits[vc] += w.tx_back >> vc & 1;
    busy_[n] |= !node.dead & has_more(cycle, n);
  }
  if (w.rx_valid != 0) {
    const core::Flit flit = rx_[n];
    if (!ends_.empty() && flit.sync()) {
      w.rx_back = receive_barrier(n, flit);
    } else {
      w.rx_back = credits_taken(config_.barrier.credits, config_.vcs, flit);
      if (flit.sync())
        heard_[n] = 1;
      else
        receive_data(n, flit);
    }
  }
  w.rx_valid = 0;
  w.tx_back = 0;
  quiescent_[n] = w.rx_back == 0;
}

void EndpointBank::receive_data(std::uint32_t n, const core::Flit& flit) {
  if (flit.vc >= config_.vcs)
    throw InternalError("node {}: a flit on virtual channel {} of {}", n, flit.vc, config_.vcs);
  Incoming& in = in_[lane(n, flit.vc)];
  in.next = flit.head() ? 0 : in.next;
  in.words[std::min(in.next++, kMinDataFlits)] = static_cast<std::uint32_t>(flit.lo);
  if (Formats::opcode(in.words[0]) != kOpcodeData) {
    std::vector<core::Flit>& flits = queued_[n].coming[flit.vc];
    if (flit.head()) flits.clear();
    flits.push_back(flit);
  }
  heard_[n] = flit.tail() && !flit.cut();
}

/// A client hears of the message or packet whose last flit has come.
void EndpointBank::pass_on(std::uint64_t cycle, std::uint32_t n) {
  heard_[n] = 0;
  const core::Flit& flit = rx_[n];
  if (flit.sync()) {
    if (sync_ == nullptr) return;
    return ends_.empty() ? hand_over(cycle, n, {&flit, 1})
                         : hand_over(cycle, n, ends_[n].in.flits());
  }
  const Incoming& in = in_[lane(n, flit.vc)];
  if (Formats::opcode(in.words[0]) != kOpcodeData) {
    if (sync_ != nullptr) hand_over(cycle, n, queued_[n].coming[flit.vc]);
  } else if (packets_ != nullptr && in.next >= kMinDataFlits) {
    const Packet packet{.source = address_of(in.words[1]),
                        .destination = address_of(in.words[0]),
                        .length = in.next,
                        .sequence = static_cast<std::uint16_t>(in.words[2]),
                        .vc = Formats::stream(in.words[1]),
                        .way = static_cast<std::uint16_t>(Formats::way(in.words[0]))};
    packets_->deliver(cycle, n, packet);
  }
}

/// To the client, now or when the host is done with it.
void EndpointBank::hand_over(std::uint64_t cycle, std::uint32_t n,
                             std::span<const core::Flit> flits) {
  if (config_.receive_delay == 0)
    tell(cycle, n, flits);
  else
    received_.push_back({cycle + config_.receive_delay, n, {flits.begin(), flits.end()}});
}

void EndpointBank::hand_over_due(std::uint64_t cycle) {
  while (!received_.empty() && received_.front().due <= cycle) {
    const Received received = std::move(received_.front());
    received_.pop_front();
    tell(cycle, received.node, received.flits);
  }
}

void EndpointBank::tell(std::uint64_t cycle, std::uint32_t n, std::span<const core::Flit> flits) {
  if (!flits.front().sync())
    sync_->receive_packet(cycle, n, flits);
  else if (ends_.empty())
    sync_->receive_sync(cycle, n, flits.front());
  else
    sync_->receive_message(cycle, n, flits);
}

/// True if the node has put a flit on its output register.
bool EndpointBank::send(std::uint64_t cycle, std::uint32_t n) {
  const bool queued = nodes_[n].queued;
  if (ends_.empty() ? queued && send_single(cycle, n) : send_message_flit(cycle, n)) return true;
  if (!ends_.empty() && ends_[n].out.alone()) return false;
  return (queued && send_client_packet(cycle, n)) || send_data(cycle, n);
}

/// A barrier message that is one flit.
bool EndpointBank::send_single(std::uint64_t cycle, std::uint32_t n) {
  Node& node = nodes_[n];
  Queued& queued = queued_[n];
  if (queued.sync.empty() || queued.sync.front().due > cycle) return false;
  const core::Flit& flit = queued.sync.front().flit;
  const std::uint32_t taken = credits_taken(config_.barrier.credits, config_.vcs, flit);
  if (taken != 0) {
    const auto kind = static_cast<std::uint32_t>(std::countr_zero(taken));
    if (node.credits[kind] == 0) return false;
    // Queued messages go between packets.
    if (node.sending >> kind & 1) return false;
    if (queued.next_flit != 0 && queued.packets.front().flits.front().vc == kind) return false;
    --node.credits[kind];
  }
  tx_[n] = flit;
  queued.sync.pop_front();
  node.queued = !queued.empty();
  return true;
}

/// One flit of the client's first packet, unless data is in progress on its virtual channel.
bool EndpointBank::send_client_packet(std::uint64_t cycle, std::uint32_t n) {
  Node& node = nodes_[n];
  Queued& queued = queued_[n];
  if (queued.packets.empty() || queued.packets.front().due > cycle) return false;
  const std::vector<core::Flit>& flits = queued.packets.front().flits;
  const std::uint8_t vc = flits.front().vc;
  if (((node.sending | cut(n)) >> vc & 1) || node.credits[vc] == 0) return false;
  if (held_ && queued.next_flit == 0) return false;
  tx_[n] = flits[queued.next_flit];
  --node.credits[vc];
  if (++queued.next_flit == flits.size()) {
    queued.packets.pop_front();
    queued.next_flit = 0;
    node.queued = !queued.empty();
  }
  return true;
}

bool EndpointBank::send_data(std::uint64_t cycle, std::uint32_t n) {
  Node& node = nodes_[n];
  const bool waiting = node.next_packet <= cycle && !packets_stopped_ && !held_;
  std::uint32_t able = (waiting ? data_vcs_ : node.sending) & ~cut(n);
  // No new data where a packet of the client's waits or is under way.
  if (node.queued) {
    const std::deque<ClientPacket>& packets = queued_[n].packets;
    if (!packets.empty() && packets.front().due <= cycle)
      able &= ~(1u << packets.front().flits.front().vc) | node.sending;
  }
  for (unsigned vc = 0; vc < kVcs; ++vc)
    if (node.credits[vc] == 0) able &= ~(1u << vc);
  if (able == 0) return false;
  const std::uint32_t after = able & ~((2u << node.last_vc) - 1);  // those beyond the last served
  const auto vc = static_cast<std::uint8_t>(std::countr_zero(after != 0 ? after : able));
  Outgoing& out = out_[lane(n, vc)];
  if (!(node.sending >> vc & 1)) {
    out.packet = packets_->take(cycle, n, vc);
    out.next = 0;
    node.sending |= static_cast<std::uint8_t>(1u << vc);
    node.next_packet = packets_->ready(n);
  }
  tx_[n] = formats_.packet_flit(out.packet, out.next);
  if (++out.next == out.packet.length) node.sending &= static_cast<std::uint8_t>(~(1u << vc));
  --node.credits[vc];
  node.last_vc = vc;
  return true;
}

bool EndpointBank::has_queued(std::uint64_t cycle, std::uint32_t n) const {
  const Queued& queued = queued_[n];
  const bool sync = !queued.sync.empty() && queued.sync.front().due <= cycle + 1;
  const bool packet = !queued.packets.empty() && queued.packets.front().due <= cycle + 1;
  const bool barrier = !ends_.empty() && !ends_[n].out.idle();
  return sync || packet || barrier;
}

/// What the node has to send later. What it has now waits for a credit.
void EndpointBank::expect(std::uint64_t cycle, std::uint32_t n) {
  std::uint64_t& due = neighbours_[n / core::kFlags].due;
  const auto at = [&](std::uint64_t when) {
    if (when > cycle) due = std::min(due, when);
  };
  at(nodes_[n].next_packet);
  if (!nodes_[n].queued) return;
  if (const auto& sync = queued_[n].sync; !sync.empty()) at(sync.front().due);
  if (const auto& packets = queued_[n].packets; !packets.empty()) at(packets.front().due);
}

std::uint64_t EndpointBank::flits_sent() const {
  std::uint64_t sum = 0;
  for (const Neighbours& neighbours : neighbours_) sum += neighbours.flits_sent;
  return sum;
}

std::string EndpointBank::describe(std::uint32_t block) const {
  const Node& node = nodes_[block];
  std::string text = fmt::format("node {}: {} barrier messages and {} packets waiting, credits",
                                 block, queued_[block].sync.size(), queued_[block].packets.size());
  for (std::uint32_t v = 0; v < config_.vcs; ++v) text += fmt::format(" {}", node.credits[v]);
  if (!ends_.empty())
    text +=
        fmt::format(", barrier buffer {}", node.credits[config_.vcs]) + ends_[block].out.describe();
  else if (has_extra_credit(config_.barrier.credits))
    text += fmt::format(", pocket {}", node.credits[config_.vcs]);
  for (std::uint32_t v = 0; v < config_.vcs; ++v) {
    if (node.sending >> v & 1) {
      const Outgoing& out = out_[lane(block, v)];
      text += fmt::format(", sending flit {} of {} to {} on channel {}", out.next,
                          out.packet.length, out.packet.destination, v);
    }
  }
  return text;
}

// EndpointBank on links with a barrier buffer.

void EndpointBank::send_message(std::uint32_t node, std::span<const core::Flit> flits) {
  for (const core::Flit& flit : flits)
    queued_[node].sync.push_back({now_ + config_.send_delay, flit});
  wake_queued(node);
}

/// A flit of a link with a barrier buffer. Gives the credits that are returned for it.
std::uint32_t EndpointBank::receive_barrier(std::uint32_t n, const core::Flit& flit) {
  const std::uint32_t buffer = 1u << config_.vcs;
  const std::uint32_t back =
      credits_taken(config_.barrier.credits, config_.vcs, flit) & (buffer - 1);
  if (flit.kind == core::Flit::kPad || flit.kind == core::Flit::kControl) return back;
  BarrierReceiver& in = ends_[n].in;
  if (!in.add(config_.barrier, flit)) return back;
  heard_[n] = 1;
  return back | buffer;
}

/// A flit of a barrier message, or of link control for one.
bool EndpointBank::send_message_flit(std::uint64_t cycle, std::uint32_t n) {
  Node& node = nodes_[n];
  std::optional<BarrierSender::Next> next;
  Queued& queued = queued_[n];
  std::deque<Message>& sync = queued.sync;
  if (!sync.empty() && sync.front().due <= cycle)
    next = {.flit = sync.front().flit,
            .last = sync.size() == 1 || sync[1].flit.kind == core::Flit::kFirst};
  std::uint32_t under_way = node.sending;
  if (queued.next_flit != 0) under_way |= 1u << queued.packets.front().flits.front().vc;
  const std::optional<core::Flit> flit =
      ends_[n].out.send(config_.barrier, {config_.vcs, node.credits, under_way}, next);
  if (!flit) return false;
  tx_[n] = *flit;
  if (flit->kind != core::Flit::kControl) {
    sync.pop_front();
    node.queued = !queued.empty();
  }
  return true;
}

}  // namespace muster::fabric
