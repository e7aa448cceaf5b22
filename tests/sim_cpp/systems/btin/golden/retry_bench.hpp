// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "fabric/register_map.hpp"
#include "muster/fabric/retry_message.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// A switch of 4 ports whose registers repeat, with 4 bits of data in a message.
class RetryBench : public SwitchBench {
 public:
  static constexpr std::uint32_t kGroup = 9;
  static fabric::SwitchConfig config() {
    fabric::SwitchConfig config = sw(4, 1);
    config.flit_w = 18;
    config.retry = true;
    return config;
  }
  RetryBench() : SwitchBench(config()) {}

  /// A register with children 1 and 2, whose parent is port 0.
  void load_inner(std::uint32_t op = 0) { load_with(op << 26, 0b0110); }
  /// The same as the top of its tree.
  void load_turn(std::uint32_t op = 0) { load_with(op << 26 | 1u << 30, 0b0110); }

  core::Flit up(bool phase, std::uint64_t data = 0, bool fail = false, std::uint8_t epoch = 0) {
    return flit({fabric::MessageType::kReduction, kGroup, phase, fail, epoch, {data, 0}});
  }
  core::Flit down(bool phase, std::uint64_t data = 0, bool fail = false, std::uint8_t epoch = 0) {
    return flit({fabric::MessageType::kDistribution, kGroup, phase, fail, epoch, {data, 0}});
  }
  /// `flit` on the wires of the port in this cycle; then the clock edge.
  void take(std::uint32_t port, const core::Flit& flit) {
    send(port, flit);
    step();
  }
  fabric::RetryMessage seen(std::uint32_t port) {
    return fabric::retry_message(formats, message(port));
  }
  bool phase() { return (read(0x043) & fabric::registers::kBarrierStatePhase.mask()) != 0; }
  bool failed() { return (read(0x043) & fabric::registers::kBarrierStateFailed.mask()) != 0; }
  bool suspect() { return (read(0x043) & fabric::registers::kBarrierStateSuspect.mask()) != 0; }

 private:
  core::Flit flit(const fabric::RetryMessage& message) {
    return formats.barrier_flit(fabric::barrier_message(formats, message), 0);
  }
  void load_with(std::uint32_t fields, std::uint32_t children) {
    write(0x041, children);
    write(0x040, 1u << 31 | fields | kGroup);
  }
};

}  // namespace muster::golden
