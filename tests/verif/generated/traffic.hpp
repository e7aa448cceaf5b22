// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/run/spec.hpp"
#include "networks/axi_host.hpp"
#include "support/test.hpp"
#include "sw/muster_registers.h"

namespace muster::test {
using verif::element;
using verif::set_element;

/// What node n brings to a barrier of a group, 6 bits.
inline std::uint32_t operand(std::uint32_t n, std::uint32_t group, std::uint32_t barrier) {
  return static_cast<std::uint32_t>(mix64(n + 100 * group + 10000 * barrier)) & 63;
}

/// The program of a node: the barriers of its groups in turn, each with some cycles of work before;
/// at each it arrives by a store, waits for the interrupt and reads the result.
template <class Top>
class Program {
 public:
  Program(Top& top, unsigned node, const std::vector<run::RunGroup>& groups, std::uint32_t barriers,
          std::uint64_t seed)
      : host(top, node), node_(node), groups_(groups), barriers_(barriers), rng_(seed, node) {
    for (std::uint32_t g = 0; g < groups.size(); ++g)
      if (std::ranges::count(groups[g].members, node) != 0) mine_.push_back(g);
  }
  bool done() const { return barrier_ == barriers_ && host.idle(); }

  /// Before host.drive().
  void step() {
    REQUIRE_FALSE(host.refused());
    if (!host.idle() || barrier_ == barriers_) return;
    if (set_up_ < mine_.size()) {
      // Place i of the endpoint has the i-th of its groups.
      host.write(MUSTER_ENDPOINT_GROUPS_CONTROL(set_up_),
                 MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_MEMBER, 1) |
                     MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_IRQ, 1) |
                     MUSTER_PUT(MUSTER_ENDPOINT_GROUPS_CONTROL_GID, mine_[set_up_]));
      ++set_up_;
      return;
    }
    if (work_ > 0) {
      --work_;
      return;
    }
    switch (state_) {
      case kArrive:
        host.write(MUSTER_ENDPOINT_GROUPS_ARRIVE(turn_), operand(node_, mine_[turn_], barrier_));
        state_ = kWait;
        return;
      case kWait:
        if (!host.irq()) return;
        host.read(MUSTER_ENDPOINT_GROUPS_RESULT(turn_));
        state_ = kCheck;
        return;
      case kCheck: {
        std::uint32_t all = 0;
        for (const topology::NodeId n : groups_[mine_[turn_]].members)
          all |= operand(n, mine_[turn_], barrier_);
        REQUIRE(host.word() == all);
        host.write(MUSTER_ENDPOINT_GROUPS_STATUS(turn_),
                   MUSTER_ENDPOINT_GROUPS_STATUS_RELEASED_MASK);
        state_ = kArrive;
        if (++turn_ == mine_.size()) {
          turn_ = 0;
          ++barrier_;
        }
        work_ = rng_.below(40);
        return;
      }
    }
  }

  verif::AxiHost<Top> host;

 private:
  enum State { kArrive, kWait, kCheck };
  unsigned node_;
  const std::vector<run::RunGroup>& groups_;
  std::uint32_t barriers_, barrier_ = 0;
  Random rng_;
  std::vector<std::uint32_t> mine_;
  std::uint32_t set_up_ = 0, turn_ = 0;
  std::uint64_t work_ = 0;
  State state_ = kArrive;
};

/// What packets of each sender, receiver and virtual channel have been sent and received, and how
/// many a sender has sent to no destination.
struct PacketLog {
  using Way = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Way, unsigned> sent, received;
  std::map<unsigned, unsigned> discarded;
};

/// The streams of a node: packets of 1 to 6 beats to the others or nowhere at random, and beats
/// that are taken in three of four cycles. The first beat of a packet is {sender, channel, number},
/// each that follows is one more.
template <class Top>
class Traffic {
 public:
  Traffic(Top& top, unsigned node, unsigned nodes, unsigned vcs, PacketLog& log, std::uint64_t seed)
      : top_(top), node_(node), nodes_(nodes), vcs_(vcs), log_(log), rng_(seed + 1, node) {}

  void stop() { going_ = false; }
  bool between() const { return left_ == 0; }

  void drive() {
    if (left_ == 0 && going_ && rng_.below(12) == 0) {
      left_ = 1 + static_cast<unsigned>(rng_.below(6));
      to_ = (node_ + 1 + static_cast<unsigned>(rng_.below(nodes_ - 1))) % nodes_;
      vc_ = static_cast<unsigned>(rng_.below(vcs_));
      const bool nowhere = rng_.below(8) == 0;
      unsigned& count = nowhere ? log_.discarded[node_] : log_.sent[{node_, to_, vc_}];
      if (nowhere) to_ = kDests + static_cast<unsigned>(rng_.below(4000));
      beat_ = node_ << 12 | vc_ << 11 | (count++ % 256) << 3;
    }
    ready_ = rng_.below(4) != 0;
    set_element(top_.s_axis_tvalid_i, node_, 1, left_ != 0);
    set_element(top_.s_axis_tdata_i, node_, 16, beat_);
    set_element(top_.s_axis_tlast_i, node_, 1, left_ == 1);
    set_element(top_.s_axis_tid_i, node_, 1, vc_);
    set_element(top_.s_axis_tdest_i, node_, 16, to_);
    set_element(top_.s_axis_tuser_i, node_, 5, 0);
    set_element(top_.m_axis_tready_i, node_, 1, ready_);
  }
  void see() {
    if (left_ != 0 && element(top_.s_axis_tready_o, node_, 1) != 0) {
      --left_;
      ++beat_;
    }
    if (ready_ && element(top_.m_axis_tvalid_o, node_, 1) != 0) {
      const std::uint32_t got = element(top_.m_axis_tdata_o, node_, 16);
      if (first_) {
        const unsigned vc = element(top_.m_axis_tid_o, node_, 1);
        unsigned& count = log_.received[{got >> 12, node_, vc}];
        REQUIRE(got == (got >> 12 << 12 | vc << 11 | count++ % 256 << 3));
        REQUIRE(element(top_.m_axis_tdest_o, node_, 16) == node_);
      } else {
        REQUIRE(got == expected_);
      }
      expected_ = got + 1;
      first_ = element(top_.m_axis_tlast_o, node_, 1) != 0;
    }
  }

 private:
  static constexpr unsigned kDests = 64;  // of the configurations of the modules

  Top& top_;
  unsigned node_, nodes_, vcs_;
  PacketLog& log_;
  Random rng_;
  bool going_ = true, ready_ = false, first_ = true;
  unsigned left_ = 0, to_ = 0, vc_ = 0;
  std::uint32_t beat_ = 0, expected_ = 0;
};

}  // namespace muster::test
