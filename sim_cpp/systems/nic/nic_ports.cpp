// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/nic_ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "muster/core/error.hpp"

namespace muster::nic {

bool PacketFaults::draw(double rate, std::uint64_t& count) {
  // Without a rate no draw, so that a kind of fault does not move the draws of another.
  if (rate == 0.0 || rng_.uniform() >= rate) return false;
  ++count;
  return true;
}

void PacketFaults::put(std::uint64_t cycle, std::vector<core::Flit> packet) {
  ++counts_.packets;
  if (draw(rates_.drop, counts_.dropped)) return;
  if (draw(rates_.corrupt, counts_.corrupted)) damage(packet);
  const bool twice = draw(rates_.duplicate, counts_.duplicated);
  if (twice) hold(cycle, packet);
  hold(cycle, std::move(packet));
}

void PacketFaults::hold(std::uint64_t cycle, std::vector<core::Flit> packet) {
  std::uint64_t due = std::max(cycle, not_before_);
  if (draw(rates_.delay, counts_.delayed))
    not_before_ = due = due + 1 + rng_.below(rates_.longest_delay);
  if (draw(rates_.reorder, counts_.reordered)) due += 1 + rng_.below(rates_.longest_delay);
  const auto place = std::upper_bound(held_.begin(), held_.end(), due,
                                      [](std::uint64_t d, const Held& h) { return d < h.due; });
  held_.insert(place, {due, std::move(packet)});
}

void PacketFaults::damage(std::vector<core::Flit>& packet) {
  constexpr std::uint64_t kBits = 16;  // those that mean something, whatever the width of a flit
  const std::uint64_t flips = 1 + rng_.below(3);
  for (std::set<std::uint64_t> flipped; flipped.size() < flips;) {
    const std::uint64_t bit = rng_.below(packet.size() * kBits);
    if (flipped.insert(bit).second) packet[bit / kBits].lo ^= std::uint64_t{1} << bit % kBits;
  }
}

std::optional<std::vector<core::Flit>> PacketFaults::take(std::uint64_t cycle) {
  if (held_.empty() || held_.front().due > cycle) return std::nullopt;
  std::vector<core::Flit> packet = std::move(held_.front().packet);
  held_.pop_front();
  return packet;
}

using core::BlockWires;
using core::Flit;

NicPorts::NicPorts(const NicPortsConfig& config)
    : NodePorts(config.nodes, 3),
      delays_(config.delays),
      launched_(config.launched),
      nodes_(config.nodes) {
  launched_.resize(config.nodes);
  for (std::uint32_t n = 0; n < config.nodes; ++n) {
    nodes_[n].credits.fill(config.depth);
    if (config.faults || config.delays.any())
      nodes_[n].link.emplace(config.faults.value_or(FaultRates{}), config.seed, n);
  }
  quiescent_.assign(config.nodes, 1);
}

void NicPorts::clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
  for (const std::uint32_t n : awake) {
    receive(cycle, n);
    send(n);
    const BlockWires& w = wires_[n];
    quiescent_[n] = w.tx_valid == 0 && w.rx_back == 0 && idle(nodes_[n]);
  }
}

/// Takes the inputs, puts what comes from the switch on its way.
void NicPorts::receive(std::uint64_t cycle, std::uint32_t n) {
  BlockWires& w = wires_[n];
  Node& node = nodes_[n];
  for (std::uint64_t back = w.tx_back & 15; back != 0; back &= back - 1)
    ++node.credits[static_cast<unsigned>(std::countr_zero(back))];
  const std::uint32_t valid = w.rx_valid;
  w = {};
  for (const std::uint32_t port : {kEndpoint, kNic}) {
    const Flit& flit = rx(n, port);
    if (valid >> port & 1) node.leaving[port - 1][flit.vc].push_back(flit);
  }
  if (valid >> kSwitch & 1) {
    const Flit flit = rx(n, kSwitch);
    w.rx_back |= std::uint64_t{1} << flit.vc;
    deliver(cycle, n, flit);
  }
  if (!node.link) return;
  if (node.coming.empty())
    if (auto packet = node.link->take(cycle)) node.coming.assign(packet->begin(), packet->end());
  if (node.coming.empty()) return;
  tx(n, kNic) = node.coming.front();
  node.coming.pop_front();
  w.tx_valid |= 1u << kNic;
}

/// Of a packet of the engine; damage comes later.
std::uint32_t NicPorts::delay(std::uint32_t n, const std::vector<Flit>& packet) const {
  const auto message = nic::nic_message(packet);
  if (!message) return 0;
  if (message->type == NicType::kData) return delays_.data;
  if (message->type == NicType::kAck) return delays_.ack;
  const bool launched =
      message->type == NicType::kStep &&
      std::binary_search(launched_[n].begin(), launched_[n].end(),
                         NicSender{.group = message->group, .node = message->source});
  return launched ? delays_.launched : delays_.step;
}

void NicPorts::deliver(std::uint64_t cycle, std::uint32_t n, const Flit& flit) {
  Node& node = nodes_[n];
  bool& to_nic = node.to_nic[flit.vc];
  if (flit.head() && !flit.sync()) to_nic = fabric::Formats::opcode(flit) == fabric::kOpcodeDevice;
  if (!to_nic || flit.sync()) {
    tx(n, kEndpoint) = flit;
    wires_[n].tx_valid |= 1u << kEndpoint;
  } else if (!node.link) {
    tx(n, kNic) = flit;
    wires_[n].tx_valid |= 1u << kNic;
  } else {
    node.gathered.push_back(flit);
    if (!flit.tail()) return;
    const std::uint32_t held = delay(n, node.gathered);
    node.link->put(cycle + held, std::move(node.gathered));
    node.gathered.clear();
  }
}

/// One flit to the switch: of the NIC, else of the endpoint, on a virtual channel that is its own
/// or free and has a credit.
void NicPorts::send(std::uint32_t n) {
  Node& node = nodes_[n];
  for (const std::uint32_t port : {kNic, kEndpoint}) {
    for (unsigned vc = 0; vc < kVcs; ++vc) {
      std::deque<Flit>& queue = node.leaving[port - 1][vc];
      if (queue.empty() || node.credits[vc] == 0 || node.owner[vc].value_or(port) != port) continue;
      // The endpoint starts none itself, and ends what it has begun.
      if (held_ && port == kNic && !node.owner[vc]) continue;
      const Flit flit = queue.front();
      queue.pop_front();
      --node.credits[vc];
      node.owner[vc] = flit.tail() ? std::nullopt : std::optional(port);
      tx(n, kSwitch) = flit;
      wires_[n].tx_valid |= 1u << kSwitch;
      wires_[n].rx_back |= std::uint64_t{1} << (4 * port + vc);
      ++flits_sent_;
      return;
    }
  }
}

bool NicPorts::idle(const Node& node) const {
  for (const auto& source : node.leaving)
    for (const auto& queue : source)
      if (!queue.empty()) return false;
  return node.coming.empty() && (!node.link || node.link->empty());
}

bool NicPorts::between_packets() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return std::none_of(node.owner.begin(), node.owner.end(),
                        [](const auto& owner) { return owner.has_value(); });
  });
}

FaultCounts NicPorts::faults() const {
  FaultCounts sum;
  for (const Node& node : nodes_)
    if (node.link) sum += node.link->counts();
  return sum;
}

std::string NicPorts::describe(std::uint32_t block) const {
  const Node& node = nodes_[block];
  std::string text = fmt::format("link of n{}: credits", block);
  for (const std::uint32_t c : node.credits) text += fmt::format(" {}", c);
  return text + fmt::format(", {} flits for the NIC", node.coming.size());
}

}  // namespace muster::nic
