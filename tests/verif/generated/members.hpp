// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/run/spec.hpp"
#include "verif/generated/host.hpp"

namespace muster::test {

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
      if (std::count(groups[g].members.begin(), groups[g].members.end(), node) != 0)
        mine_.push_back(g);
  }
  bool done() const { return barrier_ == barriers_ && host.idle(); }

  /// Before host.drive().
  void step() {
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

  Host<Top> host;

 private:
  enum State { kArrive, kWait, kCheck };
  unsigned node_;
  const std::vector<run::RunGroup>& groups_;
  std::uint32_t barriers_, barrier_ = 0;
  Rng rng_;
  std::vector<std::uint32_t> mine_;
  std::uint32_t set_up_ = 0, turn_ = 0;
  std::uint64_t work_ = 0;
  State state_ = kArrive;
};

}  // namespace muster::test
