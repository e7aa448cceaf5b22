// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/switch_config.hpp"

namespace muster::testing {

/// A host that uses the register port of one switch at random while traffic flows, within the rules
/// of docs/reference/registers.md: valid registers have different groups and no parent in their
/// child mask, the barrier channel stays as it is. Groups in block RAM may be anything at any time.
/// Bits and addresses without a meaning get random writes too. One that is hostile keeps no rules:
/// it is for switches that guard themselves.
class RegisterHost {
 public:
  /// `rate`: requests a cycle, 0 to 1; `polling`: reads in each of the other cycles. Begins with
  /// the registers as they are now.
  RegisterHost(core::Bank& bank, std::uint32_t block, const fabric::SwitchConfig& config,
               double rate, double polling, std::uint64_t seed, bool hostile = false);

  /// Reads some registers, and perhaps puts a request on the port for the coming clock().
  void act();
  std::uint64_t writes() const { return writes_; }
  /// Barriers under way that a write has cleared: their progress word was not 0 before it.
  std::uint64_t interrupted() const { return interrupted_; }

 private:
  struct Register {
    bool valid = false, reflect = false;
    std::uint32_t parent = 0, gid = 0, children = 0;
  };
  std::uint32_t random_word() { return static_cast<std::uint32_t>(rng_.next()); }
  bool legal(std::uint32_t r, const Register& candidate) const;
  Register control_change(std::uint32_t r);
  Register children_change(std::uint32_t r);
  void poll();
  void write(std::uint32_t address, std::uint32_t value);
  void write_control(std::uint32_t r);
  void write_children(std::uint32_t r);
  bool may_add(std::uint32_t r, std::uint32_t children);
  void write_retry();
  void write_group();
  void write_anything(std::uint32_t r);
  void write_guard();
  void write_without_meaning();

  core::Bank& bank_;
  core::Bank& port_;
  std::uint32_t block_;
  fabric::SwitchConfig config_;
  double rate_, polling_;
  bool hostile_;
  Rng rng_;
  std::vector<Register> registers_;
  std::uint64_t writes_ = 0, interrupted_ = 0;
};

}  // namespace muster::testing
