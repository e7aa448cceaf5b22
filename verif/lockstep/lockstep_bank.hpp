// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "lockstep/lockstep.hpp"
#include "muster/core/bank.hpp"

namespace muster::verif {

/// Takes any values; stands for the functions that a frame passes to blocks.
using TakesAll = decltype([](const auto&...) {});

/// "hold (0x006)"
inline std::string addressed(const std::string& register_name, std::uint32_t address) {
  return fmt::format("{} ({:#05x})", register_name, address);
}

/// Blocks with registered outputs and a register port.
template <class Outputs>
concept ComparedBank = Compared<Outputs> && std::derived_from<Outputs, core::Bank> &&
    requires(Outputs& outputs, typename Outputs::Side& side, std::uint32_t b, std::uint64_t cycle,
             TakesAll see, TakesAll same) {
  outputs.give(b, side);           // this cycle's inputs to one side
  outputs.consume(b, cycle, see);  // see(message) for what comes in; clears the inputs
  // same(output, golden's value, RTL's) for all outputs but quiescent and irq, which every
  // block has; then RTL's are those of this bank, with see(message) for what leaves.
  outputs.compare(b, side, side, same);
  outputs.take(b, cycle, side, see);
  { outputs.register_name(std::uint32_t{}) } -> std::same_as<std::string>;
};

/// Lockstep of those blocks. After every clock all outputs of every clocked block are compared;
/// register reads as well. A difference throws BlockError with cycle, instance, port, both values,
/// both states and the last messages.
template <ComparedBank Outputs>
class LockstepBank final : public Lockstep<Outputs>, public core::Divisible {
 public:
  using Side = typename Outputs::Side;

  /// REQUIRES: both have the same number of blocks and ports and are in their reset state.
  LockstepBank(std::unique_ptr<Side> reference, std::unique_ptr<Side> device)
      : Lockstep<Outputs>(std::move(reference), std::move(device)) {
    for (std::uint32_t b = 0; b < this->blocks(); ++b) tell_host(b);
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clocked_ = cycle;
    clock_both(cycle, awake, [&](Side& side) { side.clock(cycle, awake); });
  }

  /// If both sides are.
  core::Divisible* divisible() override {
    return this->reference_->divisible() && this->device_->divisible() ? this : nullptr;
  }
  void begin_clock(std::uint64_t cycle) override {
    clocked_ = cycle;
    this->both([&](Side& side) { side.divisible()->begin_clock(cycle); });
  }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_both(cycle, awake, [&](Side& side) { side.divisible()->clock_some(cycle, awake); });
  }
  void end_clock(std::uint64_t cycle) override {
    this->both([&](Side& side) { side.divisible()->end_clock(cycle); });
  }

  void reset(std::uint32_t b) override {
    this->both([&](Side& side) { side.reset(b); });
    outputs(b);
  }
  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    this->both([&](Side& side) { side.write_register(b, address, value); });
    tell_host(b);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    const std::uint32_t want = this->reference_->read_register(b, address);
    const std::uint32_t have = this->device_->read_register(b, address);
    this->count(b, 1);
    if (want != have)
      this->differ(b, clocked_, addressed(Outputs::register_name(address), address),
                   Outputs::show(want), Outputs::show(have));
    return have;
  }
  /// Of the reference.
  std::uint32_t memory_word(std::uint32_t b, std::uint32_t group,
                            std::uint32_t word) const override {
    return this->reference_->memory_word(b, group, word);
  }
  void request(const core::RegisterRequest& request) override {
    this->both([&](Side& side) { side.request(request); });
  }

  std::string describe(std::uint32_t b) const override {
    return "golden " + this->reference_->describe(b) + "; RTL " + this->device_->describe(b);
  }

 private:
  void clock_both(std::uint64_t cycle, std::span<const std::uint32_t> awake, auto&& clock) {
    for (const std::uint32_t b : awake) {
      this->both([&](Side& side) { this->give(b, side); });
      this->consume(b, cycle, [&](const auto& message) { this->seen(b, message); });
    }
    this->both(clock);
    for (const std::uint32_t b : awake) outputs(b);
  }
  void outputs(std::uint32_t b) {
    Side &golden = *this->reference_, &rtl = *this->device_;
    const auto same = [&](Output output, const auto& want, const auto& have) {
      this->count(b, 1);
      if (want != have)
        this->differ(b, clocked_, output.text(), Outputs::show(want), Outputs::show(have));
    };
    this->compare(b, golden, rtl, same);
    same(Output{"quiescent"}, golden.quiescent(b), rtl.quiescent(b));
    same(Output{"irq"}, golden.irq(b), rtl.irq(b));
    this->take(b, clocked_, rtl, [&](const auto& message) { this->seen(b, message); });
    tell_host(b);
  }
  /// What every block tells its host.
  void tell_host(std::uint32_t b) {
    this->quiescent_[b] = this->device_->quiescent(b);
    this->irq_[b] = this->device_->irq(b);
  }

  std::uint64_t clocked_ = 0;  ///< the last cycle
};

}  // namespace muster::verif
