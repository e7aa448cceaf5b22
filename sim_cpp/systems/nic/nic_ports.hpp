// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "muster/core/flit.hpp"
#include "muster/core/rng.hpp"
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

  void put(std::uint64_t cycle, std::vector<core::Flit> packet);
  /// The next packet that has come through by this cycle.
  std::optional<std::vector<core::Flit>> take(std::uint64_t cycle);
  bool empty() const { return held_.empty(); }
  const FaultCounts& counts() const { return counts_; }

 private:
  struct Held {
    std::uint64_t due;
    std::vector<core::Flit> packet;
  };
  bool draw(double rate, std::uint64_t& count);
  void damage(std::vector<core::Flit>& packet);
  void hold(std::uint64_t cycle, std::vector<core::Flit> packet);

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
  std::uint32_t nodes = 0;
  std::uint32_t vcs = 1, depth = 4;  ///< of all links
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

  explicit NicPorts(const NicPortsConfig& config);

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  std::string describe(std::uint32_t block) const override;

  FaultCounts faults() const;  ///< of all links
  std::uint64_t flits_sent() const override { return flits_sent_; }
  void hold_packets(bool held) override { held_ = held; }
  bool between_packets() const override;
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
  void receive(std::uint64_t cycle, std::uint32_t n);
  void deliver(std::uint64_t cycle, std::uint32_t n, const core::Flit& flit);
  std::uint32_t delay(std::uint32_t n, const std::vector<core::Flit>& packet) const;
  void send(std::uint32_t n);
  bool idle(const Node& node) const;

  NicDelays delays_;
  std::vector<std::vector<NicSender>> launched_;  ///< by node
  std::vector<Node> nodes_;
  std::uint64_t flits_sent_ = 0;
  bool held_ = false;  ///< NICs start no packet
};

}  // namespace muster::nic
