// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <tuple>

#include "muster/core/rng.hpp"
#include "verif/generated/packed.hpp"

namespace muster::test {

/// What packets of each sender, receiver and virtual channel have been sent and received.
struct PacketLog {
  using Way = std::tuple<unsigned, unsigned, unsigned>;
  std::map<Way, unsigned> sent, received;
};

/// The streams of a node: packets of 1 to 6 beats to the others at random, and beats that are taken
/// in three of four cycles. The first beat of a packet is {sender, channel, number}, each that
/// follows is one more.
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
      beat_ = node_ << 12 | vc_ << 11 | (log_.sent[{node_, to_, vc_}]++ % 256) << 3;
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
  Top& top_;
  unsigned node_, nodes_, vcs_;
  PacketLog& log_;
  Rng rng_;
  bool going_ = true, ready_ = false, first_ = true;
  unsigned left_ = 0, to_ = 0, vc_ = 0;
  std::uint32_t beat_ = 0, expected_ = 0;
};

}  // namespace muster::test
