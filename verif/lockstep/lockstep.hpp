// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/report.hpp"
#include "muster/core/error.hpp"

namespace muster::verif {

/// An output of a block: its name, and its port where it is one of several.
struct Output {
  static constexpr std::uint32_t kNoPort = ~0u;
  const char* name;
  std::uint32_t port = kNoPort;
  std::string text() const {
    return port == kNoPort ? name : fmt::format("{} port {}", name, port);
  }
};

/// Blocks that are compared: a class derived from their contract that knows their inputs and
/// outputs, and shows the values of an output by show(value).
template <class Outputs>
concept Compared =
    std::derived_from<Outputs, typename Outputs::Side> &&  // the contract: core::Bank, esc::BoxBank
    requires(const Outputs& outputs, typename Outputs::Side& side, std::uint32_t b,
             const typename Outputs::Message& message) {  // that came or left
  { outputs.name(b) } -> std::same_as<std::string>;       // of the instance
  // Outputs and registers of one side, and its description.
  { outputs.state(b, side) } -> std::same_as<std::vector<StateWord>>;
  { outputs.text(b, side) } -> std::same_as<std::string>;
  // A function that tells messages, one after the other.
  { outputs.teller(b, side)(message) } -> std::same_as<std::string>;
};

/// Two banks of the same blocks, given the same inputs; what the network sees is the device's
/// outputs. What LockstepBank and LockstepSettledBank have in common.
template <Compared Outputs>
class Lockstep : public Outputs {
 public:
  /// Output words compared so far.
  std::uint64_t comparisons() const override {
    return std::accumulate(comparisons_.begin(), comparisons_.end(), std::uint64_t{0});
  }

 protected:
  using Side = typename Outputs::Side;

  /// Outputs is made of the device and `shape`. REQUIRES: both have the same shape and are in their
  /// reset state.
  template <class... Shape>
  Lockstep(std::unique_ptr<Side> reference, std::unique_ptr<Side> device, Shape&&... shape)
      : Outputs(*device, std::forward<Shape>(shape)...),
        reference_(std::move(reference)),
        device_(std::move(device)),
        history_(this->blocks()),
        comparisons_(this->blocks(), 0) {}

  /// Calls f(side) for golden, then for the RTL.
  void both(auto&& f) {
    f(*reference_);
    f(*device_);
  }
  void seen(std::uint32_t b, const typename Outputs::Message& message) { history_[b].add(message); }
  void forget() { history_.assign(this->blocks(), {}); }
  /// Of a block: others may be compared by other threads.
  void count(std::uint32_t b, std::uint64_t comparisons) { comparisons_[b] += comparisons; }

  /// Throws BlockError. `golden` and `rtl` are the values of the output.
  [[noreturn]] void differ(std::uint32_t b, std::uint64_t cycle, const std::string& output,
                           const std::string& golden, const std::string& rtl,
                           bool settled = false) {
    const auto side = [&](const std::string& value, Side& bank) {
      return Difference::Side{value, this->state(b, bank), this->text(b, bank)};
    };
    std::vector<std::string> lines;
    auto tell = this->teller(b, *reference_);
    for (const auto& message : history_[b].all()) lines.push_back(tell(message));
    const Difference d{.cycle = cycle,
                       .settled = settled,
                       .instance = this->name(b),
                       .output = output,
                       .golden = side(golden, *reference_),
                       .rtl = side(rtl, *device_),
                       .messages = std::move(lines)};
    if constexpr (requires { device_->run_on(cycle); }) device_->run_on(cycle);
    throw BlockError(report(d), cycle, d.instance);
  }

  std::unique_ptr<Side> reference_, device_;

 private:
  static constexpr std::uint32_t kRemembered = 16;

  std::vector<LastMessages<typename Outputs::Message, kRemembered>> history_;
  std::vector<std::uint64_t> comparisons_;  ///< by block
};

}  // namespace muster::verif
