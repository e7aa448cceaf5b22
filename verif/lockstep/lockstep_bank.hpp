// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/bank.hpp"
#include "lockstep/difference.hpp"

namespace muster::verif {

/// Two banks of the same blocks, given the same inputs; what the network sees is the device's
/// outputs. After every clock all outputs of every clocked block are compared: valid flits,
/// returned credits, quiescence; register reads as well. A difference throws InternalError with
/// cycle, instance, port, both values, both states and the last messages that came in.
class LockstepBank final : public core::Bank {
 public:
  /// REQUIRES: both have the same number of blocks and ports and are in their reset state.
  LockstepBank(std::unique_ptr<core::Bank> reference, std::unique_ptr<core::Bank> device);

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override;
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override;
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override;
  void request(const core::RegisterRequest& request) override;
  std::string describe(std::uint32_t block) const override;

  /// Output words compared so far: a block and cycle counts 3, a flit 1 more.
  std::uint64_t comparisons() const override { return comparisons_; }

 private:
  static constexpr unsigned kRemembered = 8;
  struct Seen {
    std::uint64_t cycle;
    std::uint32_t port;
    core::Flit flit;
  };

  void give_inputs(std::uint32_t block, std::uint64_t cycle);
  void compare(std::uint32_t block, std::uint64_t cycle);
  [[noreturn]] void differ(std::uint32_t block, std::uint64_t cycle, const std::string& what) const;

  std::unique_ptr<core::Bank> reference_, device_;
  std::vector<LastInputs<Seen, kRemembered>> history_;
  std::uint64_t comparisons_ = 0;
};

}  // namespace muster::verif
