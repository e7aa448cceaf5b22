// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/core/flit.hpp"
#include "systems/preempt/golden/preempt_kind.hpp"

namespace muster::golden {

/// Crossbar I of a preempting switch (docs/systems/preempting-switches.md): what is data goes to
/// the input buffers, flits of barrier messages go to the barrier buffers, and the padding
/// generator is connected to the input buffers whose channel the neighbour has cut. Switch III has
/// no such crossbar; what it does with the heads of its input buffers follows the same table.
class CrossbarOne {
 public:
  /// What it does with the flits of a cycle.
  struct Steered {
    std::uint64_t data = 0;                       ///< lanes: for the input buffer
    std::uint64_t taken = 0;                      ///< lanes: all others, except for those that wait
    std::uint16_t messages = 0;                   ///< ports: message[p] goes to the barrier buffer
    std::uint16_t malformed = 0;                  ///< ports
    std::uint64_t connects = 0, disconnects = 0;  ///< lanes: padding requests and ends
    std::array<core::Flit, kMaxPorts> message;
  };

  CrossbarOne(PreemptKind kind, std::uint32_t vcs) : kind_(kind), vcs_(vcs) {}

  /// A flit of this cycle, on its channel of `port`. Channels of a port in ascending order: flits
  /// of messages, but the first, wait.
  void steer(std::uint32_t port, const core::Flit& flit, Steered& steered) const;
  /// The edge. `data`: lanes that data or pads of the neighbour have passed; its sender has gone
  /// on, so the padding end has been lost if the generator is still connected.
  void edge(const Steered& steered, std::uint64_t data) {
    generator_ = (generator_ | steered.connects) & ~(steered.disconnects | data);
  }

  /// Lanes of the input buffers that the generator is connected to.
  std::uint64_t generator() const { return generator_; }

 private:
  bool may_name(std::uint32_t channel, std::uint32_t vc) const;

  PreemptKind kind_;
  std::uint32_t vcs_;
  std::uint64_t generator_ = 0;
};

}  // namespace muster::golden
