// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <optional>
#include <vector>

#include "fabric/golden/lanes.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/reduce_op.hpp"
#include "muster/fabric/switch_config.hpp"
#include "systems/btin/golden/barrier_register.hpp"

/// The surroundings of a single switch: they send legal traffic and check what comes out. They know
/// the order in which things must come, and nothing of cycles.
namespace muster::golden {

/// Packets of 1 to 6 flits from every lane to random destinations: delivered once, whole, in order
/// of their lane and unmixed on an output channel.
class DataTraffic {
 public:
  DataTraffic(std::vector<std::uint16_t> routes, Rng& rng)
      : routes_(std::move(routes)), rng_(rng) {}

  /// Another packet for an input lane.
  void generate(std::uint32_t lane) {
    const auto destination = static_cast<std::uint32_t>(rng_.below(routes_.size()));
    const auto length = 1 + static_cast<std::uint32_t>(rng_.below(6));
    const bool routed = routes_[destination] != 0;
    unroutable_ += !routed;
    for (std::uint32_t i = 0; i < length; ++i) {
      core::Flit flit;
      // The opcode names the input; bodies are random.
      flit.lo =
          i == 0 ? destination | port_of(lane) << fabric::kDestinationWidth : rng_.below(0x10000);
      flit.vc = static_cast<std::uint8_t>(vc_of(lane));
      if (i == 0) flit.kind |= core::Flit::kHead;
      if (i + 1 == length) flit.kind |= core::Flit::kTail;
      waiting_[lane].push_back(flit);
      if (routed) expected_[lane].push_back(flit);
    }
  }

  std::deque<core::Flit>& waiting(std::uint32_t lane) { return waiting_[lane]; }

  void receive(std::uint32_t port, const core::Flit& flit) {
    std::optional<std::uint32_t>& sender = sender_[lane_of(port, flit.vc)];
    if (!sender) {
      REQUIRE(flit.head());
      REQUIRE(lowest(routes_.at(fabric::Formats::destination(flit))) == port);
      sender = lane_of(fabric::Formats::opcode(flit), flit.vc);
    }
    REQUIRE_FALSE(expected_[*sender].empty());
    REQUIRE(flit == expected_[*sender].front());
    expected_[*sender].pop_front();
    if (flit.tail()) sender.reset();
    ++delivered_;
  }

  bool drained() const {
    for (const auto& lane : waiting_) {
      if (!lane.empty()) return false;
    }
    for (const auto& lane : expected_) {
      if (!lane.empty()) return false;
    }
    return true;
  }
  std::uint32_t unroutable() const { return unroutable_; }
  std::uint64_t delivered() const { return delivered_; }

 private:
  std::vector<std::uint16_t> routes_;
  Rng& rng_;
  std::array<std::deque<core::Flit>, kMaxLanes> waiting_, expected_;
  std::array<std::optional<std::uint32_t>, kMaxLanes> sender_;  // by output channel
  std::uint32_t unroutable_ = 0;
  std::uint64_t delivered_ = 0;
};

/// One barrier group through the switch: its children arrive again as soon as they were released,
/// its parent answers each reduction. No release before all have arrived, each exactly once, the
/// right data upwards and downwards.
class BarrierGroup {
 public:
  BarrierGroup(std::uint32_t gid, std::uint32_t children, std::uint32_t parent, bool reflect)
      : gid_(gid), children_(children), parent_(parent), reflect_(reflect) {}

  /// True if the child at `port` may arrive now; `start` allows it to open another barrier.
  bool may_arrive(std::uint32_t port, bool start) const {
    if (!has(children_, port) || arrivals_[port] != releases_[port]) return false;
    return start || arrivals_[port] < *std::max_element(arrivals_.begin(), arrivals_.end());
  }
  fabric::BarrierMessage arrive(std::uint32_t port, fabric::Payload data) {
    Round& round = rounds_[arrivals_[port]++ % 2];
    ++round.arrived;
    round.up = fabric::reduce(fabric::ReduceOp::kOr, round.up, data, 74);
    return {fabric::MessageType::kReduction, gid_, data};
  }

  /// A message came out at `port`. Returns the parent's answer if it was the reduction.
  std::optional<fabric::BarrierMessage> receive(std::uint32_t port,
                                                const fabric::BarrierMessage& message,
                                                fabric::Payload answer) {
    const auto all = static_cast<std::uint32_t>(std::popcount(children_));
    if (message.type == fabric::MessageType::kReduction) {
      REQUIRE_FALSE(reflect_);
      REQUIRE(port == parent_);
      Round& round = rounds_[reductions_++ % 2];
      REQUIRE(round.arrived == all);
      REQUIRE(message.data == round.up);
      round.answer = answer;
      return fabric::BarrierMessage{fabric::MessageType::kDistribution, gid_, answer};
    }
    REQUIRE(has(children_, port));
    REQUIRE(releases_[port] < arrivals_[port]);
    Round& round = rounds_[releases_[port]++ % 2];
    REQUIRE(round.arrived == all);
    REQUIRE(message.data == (reflect_ ? round.up : *round.answer));
    if (++round.released == all) {
      round = {};
      ++completed_;
    }
    return std::nullopt;
  }

  bool drained() const { return arrivals_ == releases_; }
  std::uint32_t completed() const { return completed_; }

 private:
  struct Round {
    std::uint32_t arrived = 0, released = 0;
    fabric::Payload up;
    std::optional<fabric::Payload> answer;
  };
  std::uint32_t gid_, children_, parent_;
  bool reflect_;
  std::array<Round, 2> rounds_;  // a child released from round n may be in n + 1, none in n + 2
  std::array<std::uint32_t, kMaxPorts> arrivals_{}, releases_{};
  std::uint32_t reductions_ = 0, completed_ = 0;
};

}  // namespace muster::golden
