// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <muster/system.hpp>

/// A rule of this project: on all links together at most `kAllowed` flits leave in any kWindow
/// consecutive cycles, as more would exceed what the board may dissipate.
class PowerBudget : public muster::checkers::LinkChecker {
 public:
  static constexpr std::size_t kWindow = 16;     ///< cycles
  static constexpr std::uint32_t kAllowed = 48;  ///< flits

  explicit PowerBudget(const muster::checkers::Subject& subject)
      : LinkChecker("power budget", subject) {}

  muster::checkers::Sees sees() const override {
    return {.sync = true, .heads = true, .bodies = true, .cycles = true};
  }
  void flit(std::uint64_t cycle, const muster::core::FlitEvent& event) override;
  void end_cycle(std::uint64_t cycle) override;

 private:
  std::array<std::uint32_t, kWindow> in_cycle_{};  ///< flits, by cycle modulo kWindow
  std::uint32_t in_window_ = 0;                    ///< their sum
  muster::core::ChannelId last_ = 0;               ///< channel of the last flit
};
