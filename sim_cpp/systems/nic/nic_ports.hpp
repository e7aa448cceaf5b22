// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <compare>
#include <set>

#include "muster/fabric/network.hpp"
#include "muster/systems/nic.hpp"
#include "systems/nic/nic_bank.hpp"

namespace muster::nic {

/// The packets on one faulty link: what is put in comes out, or not, or twice, or later, or with 1
/// to 3 bits of its payload flipped.
class PacketFaults {
 public:
  /// `stream`: number of the link, so that each has draws of its own.
  PacketFaults(const FaultRates& rates, std::uint64_t seed, std::uint64_t stream)
      : rates_(rates), rng_(seed, stream) {}

  void put(std::uint64_t cycle, std::vector<core::Flit> packet) {
    ++counts_.packets;
    if (draw(rates_.drop, counts_.dropped)) return;
    if (draw(rates_.corrupt, counts_.corrupted)) damage(packet);
    const bool twice = draw(rates_.duplicate, counts_.duplicated);
    if (twice) hold(cycle, packet);
    hold(cycle, std::move(packet));
  }
  /// The next packet that has come through by this cycle.
  std::optional<std::vector<core::Flit>> take(std::uint64_t cycle) {
    if (held_.empty() || held_.front().due > cycle) return std::nullopt;
    std::vector<core::Flit> packet = std::move(held_.front().packet);
    held_.pop_front();
    return packet;
  }
  bool empty() const { return held_.empty(); }
  const FaultCounts& counts() const { return counts_; }

 private:
  struct Held {
    std::uint64_t due;
    std::vector<core::Flit> packet;
  };
  bool draw(double rate, std::uint64_t& count) {
    // Without a rate no draw, so that a kind of fault does not move the draws of another.
    if (rate == 0.0 || rng_.uniform() >= rate) return false;
    ++count;
    return true;
  }
  void damage(std::vector<core::Flit>& packet) {
    constexpr std::uint64_t kBits = 16;  // those that mean something, whatever the width of a flit
    const std::uint64_t flips = 1 + rng_.below(3);
    for (std::set<std::uint64_t> flipped; flipped.size() < flips;) {
      const std::uint64_t bit = rng_.below(packet.size() * kBits);
      if (flipped.insert(bit).second) packet[bit / kBits].lo ^= std::uint64_t{1} << bit % kBits;
    }
  }
  void hold(std::uint64_t cycle, std::vector<core::Flit> packet) {
    std::uint64_t due = std::max(cycle, not_before_);
    if (draw(rates_.delay, counts_.delayed))
      not_before_ = due = due + 1 + rng_.below(rates_.longest_delay);
    if (draw(rates_.reorder, counts_.reordered)) due += 1 + rng_.below(rates_.longest_delay);
    held_.insert(std::ranges::upper_bound(held_, due, {}, &Held::due), {due, std::move(packet)});
  }

  FaultRates rates_;
  Rng rng_;
  std::deque<Held> held_;         ///< ascending by due
  std::uint64_t not_before_ = 0;  ///< a delayed packet holds up those that come after it
  FaultCounts counts_;
};

/// Latency that a packet has in the NICs at both its ends, beside the RTL's own
/// (docs/systems/nic-link.md): an elastic delay before the NIC that it comes to. Cycles.
struct NicDelays {
  std::uint32_t launched = 0;  ///< STEP that a doorbell sets off
  std::uint32_t step = 0;      ///< all else past the point-to-point path: STEP, NACK, NOT-YET
  std::uint32_t data = 0;      ///< through it: DATA
  std::uint32_t ack = 0;

  bool any() const { return launched + step + data + ack != 0; }
};

/// Who sends a STEP. A member sends one at most to each other member in a barrier.
struct NicSender {
  std::uint8_t group = 0;
  std::uint32_t node = 0;
  friend auto operator<=>(const NicSender&, const NicSender&) = default;
};

struct NicPortsConfig {
  std::uint32_t depth = 4;  ///< of all links
  NicDelays delays;
  /// By node: those whose STEPs a doorbell of theirs sets off, ascending.
  std::vector<std::vector<NicSender>> launched;
  std::optional<FaultRates> faults;  ///< on the way to the NICs
  std::uint64_t seed = 1;            ///< of the faults
};

/// Where the NIC and the rest of a node share the node's link: block n port 0 is the switch, port 1
/// the endpoint (background data), port 2 the NIC. A flit passes in one cycle.
///
/// From the switch, packets of the engine go to the NIC, all else to the endpoint; both drain a
/// flit a cycle, so credits return at once. With delays or faults, packets for the NIC are
/// gathered first and go on, whole, when their link lets them. To the switch goes one flit a cycle,
/// the NIC's before data that has not begun; a packet keeps its virtual channel to its tail.
///
/// Harness, no hardware: the same bank on every engine.
class NicPorts : public fabric::NodePorts {
 public:
  static constexpr std::uint32_t kSwitch = 0, kEndpoint = 1, kNic = 2;

  explicit NicPorts(const NicPortsConfig& config)
      : NodePorts(static_cast<std::uint32_t>(config.launched.size()), 3),
        config_(config),
        nodes_(config.launched.size()) {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      nodes_[n].credits.fill(config.depth);
      if (config.faults || config.delays.any())
        nodes_[n].link.emplace(config.faults.value_or(FaultRates{}), config.seed, n);
    }
    quiescent_.assign(nodes_.size(), 1);
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t n : awake) {
      receive(cycle, n);
      send(n);
      const core::BlockWires& w = wires_[n];
      quiescent_[n] = w.tx_valid == 0 && w.rx_back == 0 && idle(nodes_[n]);
    }
  }
  std::string describe(std::uint32_t block) const override {
    const Node& node = nodes_[block];
    std::string text = fmt::format("link of n{}: credits", block);
    for (const std::uint32_t c : node.credits) text += fmt::format(" {}", c);
    return text + fmt::format(", {} flits for the NIC", node.coming.size());
  }

  FaultCounts faults() const {
    FaultCounts sum;
    for (const Node& node : nodes_)
      if (node.link) sum += node.link->counts();
    return sum;
  }  ///< of all links
  std::uint64_t flits_sent() const override { return flits_sent_; }
  void hold_packets(bool held) override { held_ = held; }
  bool between_packets() const override {
    return std::ranges::all_of(nodes_, [](const Node& node) {
      return std::ranges::none_of(node.owner, [](const auto& owner) { return owner.has_value(); });
    });
  }
  void kill(std::uint32_t node) override { nodes_[node] = {}; }

 private:
  static constexpr unsigned kVcs = 4;
  struct Node {
    std::array<std::uint32_t, kVcs> credits{};  ///< to the switch
    /// What waits for the switch, by source (endpoint, NIC) and virtual channel.
    std::array<std::array<std::deque<core::Flit>, kVcs>, 2> leaving;
    std::array<std::optional<unsigned>, kVcs> owner;  ///< source of the packet in progress
    std::array<bool, kVcs> to_nic{};                  ///< the packet that comes is the NIC's
    std::vector<core::Flit> gathered;                 ///< of it, if it is to be held
    std::deque<core::Flit> coming;                    ///< to the NIC, behind its faults
    std::optional<PacketFaults> link;
  };
  /// Takes the inputs, puts what comes from the switch on its way.
  void receive(std::uint64_t cycle, std::uint32_t n) {
    core::BlockWires& w = wires_[n];
    Node& node = nodes_[n];
    for (std::uint64_t back = w.tx_back & 15; back != 0; back &= back - 1)
      ++node.credits[static_cast<unsigned>(std::countr_zero(back))];
    const std::uint32_t valid = w.rx_valid;
    w = {};
    for (const std::uint32_t port : {kEndpoint, kNic}) {
      const core::Flit& flit = rx(n, port);
      if (valid >> port & 1) node.leaving[port - 1][flit.vc].push_back(flit);
    }
    if (valid >> kSwitch & 1) {
      const core::Flit flit = rx(n, kSwitch);
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
  void deliver(std::uint64_t cycle, std::uint32_t n, const core::Flit& flit) {
    Node& node = nodes_[n];
    bool& to_nic = node.to_nic[flit.vc];
    if (flit.head() && !flit.sync())
      to_nic = fabric::Formats::opcode(flit) == fabric::kOpcodeDevice;
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
  /// Of a packet of the engine; damage comes later.
  std::uint32_t delay(std::uint32_t n, const std::vector<core::Flit>& packet) const {
    const auto message = nic::nic_message(packet);
    if (!message) return 0;
    if (message->type == NicType::kData) return config_.delays.data;
    if (message->type == NicType::kAck) return config_.delays.ack;
    const bool launched =
        message->type == NicType::kStep &&
        std::ranges::binary_search(config_.launched[n],
                                   NicSender{.group = message->group, .node = message->source});
    return launched ? config_.delays.launched : config_.delays.step;
  }
  /// One flit to the switch: of the NIC, else of the endpoint, on a virtual channel that is its own
  /// or free and has a credit.
  void send(std::uint32_t n) {
    Node& node = nodes_[n];
    for (const std::uint32_t port : {kNic, kEndpoint}) {
      for (unsigned vc = 0; vc < kVcs; ++vc) {
        std::deque<core::Flit>& queue = node.leaving[port - 1][vc];
        if (queue.empty() || node.credits[vc] == 0 || node.owner[vc].value_or(port) != port)
          continue;
        // The endpoint starts none itself, and ends what it has begun.
        if (held_ && port == kNic && !node.owner[vc]) continue;
        const core::Flit flit = queue.front();
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
  bool idle(const Node& node) const {
    for (const auto& source : node.leaving)
      for (const auto& queue : source)
        if (!queue.empty()) return false;
    return node.coming.empty() && (!node.link || node.link->empty());
  }

  NicPortsConfig config_;
  std::vector<Node> nodes_;
  std::uint64_t flits_sent_ = 0;
  bool held_ = false;  ///< NICs start no packet
};

}  // namespace muster::nic
