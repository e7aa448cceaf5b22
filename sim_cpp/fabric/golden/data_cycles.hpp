// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fabric/golden/lanes.hpp"
#include "muster/core/bits.hpp"

namespace muster::golden {

/// A cycle of some switches that have data only to move, step by step for all of them: the flits
/// of all switches are one loop in each step. How many a switch has, and whether it gives channels
/// to packets, cannot be predicted; a loop for each switch would spend its time on that.
///
/// `Switch` has the steps: drive() and begin(), arriving(); take(port); gives_channels() and
/// give_channels(); enter(port), and with what it returns begin_packet(); end().
///
/// `kWidth`: see core::with_port_width().
template <class Switch, unsigned kWidth>
class DataCycles {
 public:
  /// The ports of so many switches are a word.
  bool full() const { return count_ == Ports::kBlocks; }
  /// Begins the cycle of a switch. REQUIRES: not full().
  void add(Switch& at, std::uint32_t block) {
    at.drive();
    taking_ |= at.begin() << Ports::apart(count_);
    arriving_ |= std::uint64_t{at.arriving()} << Ports::together(count_);
    blocks_[count_] = block;
    switches_[count_++] = &at;
  }
  /// The rest of the cycle of those that were added, which then are no more; done(block, quiescent)
  /// for each. `block`: what it is at if something throws.
  template <class Done>
  void run(std::uint32_t& block, Done&& done) {
    for_each_bit(taking_, [&](std::uint32_t number) {
      switches_[Ports::apart_block(number)]->take(Ports::apart_port(number));
    });
    give_channels();
    enter(block);
    for (std::uint32_t i = 0; i < count_; ++i) {
      block = blocks_[i];
      done(block, switches_[i]->end());
    }
    taking_ = arriving_ = 0;
    count_ = 0;
  }

 private:
  using Ports = core::PortWords<kWidth>;
  using Entered = typename Switch::Entered;
  static constexpr std::size_t kMost = Ports::kBlocks, kPorts = 64;  // in a word

  void give_channels() {
    std::array<Switch*, kMost + 1> giving;
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      giving[count] = switches_[i];
      count += switches_[i]->gives_channels();
    }
    for (std::size_t i = 0; i < count; ++i) giving[i]->give_channels();
  }
  void enter(std::uint32_t& block) {
    std::array<Switch*, kPorts + 1> beginning;
    std::array<Entered, kPorts + 1> firsts;
    std::size_t count = 0;
    for_each_bit(arriving_, [&](std::uint32_t number) {
      const std::uint32_t i = Ports::together_block(number);
      block = blocks_[i];
      beginning[count] = switches_[i];
      firsts[count] = switches_[i]->enter(Ports::together_port(number));
      count += firsts[count].first;
    });
    for (std::size_t i = 0; i < count; ++i) beginning[i]->begin_packet(firsts[i]);
  }

  std::uint32_t count_ = 0;
  std::uint64_t taking_ = 0, arriving_ = 0;  // ports
  std::array<Switch*, kMost> switches_;
  std::array<std::uint32_t, kMost> blocks_;
};

}  // namespace muster::golden
