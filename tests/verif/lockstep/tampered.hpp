// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "muster/core/divisible.hpp"

namespace muster::testing {

/// A golden bank of blocks with a register port, one of whose outputs is changed after the edge of
/// one cycle. One register reads as one more.
template <class Golden>
class Tampered final : public Golden {
 public:
  using Tamper = void (*)(Tampered&);
  static constexpr std::uint64_t kCycle = 4;

  template <class... Shape>
  Tampered(Tamper tamper, std::uint32_t wrong_register, Shape&&... shape)
      : Golden(std::forward<Shape>(shape)...), tamper_(tamper), wrong_register_(wrong_register) {}
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    Golden::clock(cycle, awake);
    if (cycle == kCycle && tamper_ != nullptr) tamper_(*this);
  }
  core::Divisible* divisible() override { return nullptr; }  // the change is one of clock()
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return Golden::read_register(b, address) + (address == wrong_register_);
  }
  std::string describe(std::uint32_t) const override { return "tampered"; }
  void quiet(bool value) { this->quiescent_[0] = value; }
  void interrupt() { this->irq_[0] = 1; }

 private:
  Tamper tamper_;
  std::uint32_t wrong_register_;
};

}  // namespace muster::testing
