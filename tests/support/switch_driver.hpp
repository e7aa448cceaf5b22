// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/core/bank.hpp"
#include "muster/fabric/switch_config.hpp"
#include "support/test.hpp"

namespace muster::testing {

/// Some groups of a switch that keeps them in block RAM, the first and last ones among them.
inline std::vector<std::uint32_t> exercised_groups(const fabric::SwitchConfig& config) {
  const std::uint32_t all = fabric::group_memory(config);
  std::vector<std::uint32_t> groups;
  for (const std::uint32_t g : {0u, 1u, all / 2, all / 2 + 1, all - 2, all - 1})
    if (g < all && (groups.empty() || groups.back() < g)) groups.push_back(g);
  return groups;
}

/// A switch with the words of "Counters" in docs/systems/barrier-switch.md.
bool has_counters(const fabric::SwitchConfig& config);
/// One that a host writes: the interrupt's mask, its causes or a count.
std::uint32_t word_of_counters(Random& rng, std::uint32_t ports);

/// How a random test treats one switch. Probabilities per port and cycle.
struct DriverMix {
  double data = 0.3;     ///< send a data flit
  double sync = 0.1;     ///< send a barrier message
  double credit = 0.5;   ///< return one of the credits owed, each virtual channel
  double forged = 0.2;   ///< share of barrier messages that are random bits
  double pause = 0.02;   ///< a port starts to stall for a while
  double request = 0.3;  ///< share of packets that are register requests
  double volley = 0.0;   ///< in a cycle: all ports send arrivals of one group at once
  double hostile = 0.0;  ///< without a credit: send nevertheless; share of writes that break rules
  double broken = 0.0;   ///< a flit of a packet is lost, or its head bit is wrong
  double worms = 0.0;    ///< a worm begins, on the last channel of a multicast switch
};

/// Plays all neighbours of one switch of a bank at random, but keeps the rules of a link: never a
/// flit without the credit it takes, packets contiguous per virtual channel. Barrier messages come
/// at any time, whatever the queues hold, and now and then name a virtual channel, which is
/// ignored. Loads the routing table (some
/// destinations without a route, most with several ports), the permits and the barrier registers at
/// random. Destination 0 is the switch itself, and so are some others. Requests that write keep the
/// rules for hosts: they make a register invalid, change its mark or leave out children. Of groups
/// in block RAM it has the first and last ones, and packets select others too. Where registers
/// repeat, messages are mostly of the register's epoch and phase, and few fail. Most
/// switches that can have a spill port have one, where every other barrier message is a half of an
/// answer. With `hostile`, for switches that guard themselves, it keeps no rule of a link or for
/// writers: it sends without credits and on channels that are not there, stops in the middle of
/// requests, and asks for any write; the ports have groups, and the access unit and the spill
/// little patience. On the last channel of a multicast switch there are worms, and packets of other
/// opcodes.
class SwitchDriver {
 public:
  SwitchDriver(core::Bank& bank, std::uint32_t block, const fabric::SwitchConfig& config,
               const DriverMix& mix, std::uint64_t seed);

  /// Sets the inputs of this cycle from the outputs of the last edge.
  void drive();
  /// Ends the packets that are open, returns all credits, sends nothing new. True once all is
  /// quiet.
  bool drain();
  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }
  std::uint64_t worms() const { return worms_; }            ///< sent
  std::uint64_t worm_heads() const { return worm_heads_; }  ///< received, by any output

 private:
  struct Lane {
    std::uint32_t credits = 0;  ///< to send
    std::uint32_t owed = 0;     ///< to return
    bool in_packet = false;
    bool open = false;               ///< as the switch sees it: a head has come and no tail since
    bool leaving = false;            ///< a packet has begun to come out here, its tail has not
    std::deque<core::Flit> request;  ///< the rest of one that has begun
  };
  Lane& lane(std::uint32_t port, std::uint32_t vc) { return lanes_[port * config_.vcs + vc]; }
  core::BlockWires& row_of(std::uint32_t port) {
    return bank_.wires(block_, port / core::kRowPorts);
  }
  void take_outputs();
  void return_credits(bool all);
  void send(std::uint32_t port, bool draining);
  bool may_send(const Lane& on, bool draining);
  /// Takes a credit, if there is one.
  void pay(Lane& from);
  void guard_ports();
  std::uint32_t hostile_word(bool control);
  void send_sync(std::uint32_t port);
  void put(std::uint32_t port, const core::Flit& flit);
  void aim(core::Flit& head);
  core::Flit random_payload();
  core::Flit message(std::uint32_t port);
  core::Flit retry_message(std::uint32_t gid, fabric::MessageType type);
  core::Flit answer_half();
  std::deque<core::Flit> request();
  std::deque<core::Flit> worm();
  core::Flit worm_flit(std::uint64_t opcode);
  bool for_worms(std::uint32_t vc) const;

  core::Bank& bank_;
  std::uint32_t block_;
  fabric::SwitchConfig config_;
  DriverMix mix_;
  Random rng_;
  std::vector<Lane> lanes_;
  std::vector<Lane> pockets_;  ///< by port; none without pockets
  bool queued_ = false;        ///< barrier messages are in the queues of data
  bool returned_ = false;      ///< credits, in this cycle
  std::vector<std::uint32_t> paused_;
  std::vector<std::uint32_t> gids_;
  std::uint32_t spill_port_;
  bool place_sent_ = false;                ///< of an answer
  std::optional<std::uint32_t> together_;  ///< group of this cycle's volley
  std::uint64_t sent_ = 0, received_ = 0, worms_ = 0, worm_heads_ = 0;
};

}  // namespace muster::testing
