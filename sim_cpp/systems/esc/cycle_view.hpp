// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "systems/esc/box_bank.hpp"
#include "systems/esc/sources.hpp"

namespace muster::esc {

/// Everything that is on the links in one cycle, after all readies have settled and before the
/// rising edge. Boxes are in the order of their bank: enabled stages only, block
/// (stage - last stage) * N/n + box, port p of a block at [block * n + p].
struct CycleView {
  std::uint64_t cycle = 0;
  std::span<const BoxPacket> offers;    ///< by PE, with the tag it travels with; 0: none
  std::span<const std::uint8_t> taken;  ///< by PE: the offer leaves the queue
  std::span<const std::uint8_t> flags;  ///< by PE: local hot spot flag; empty for bypass
  std::span<const BoxPacket> arrivals;  ///< by PE; always accepted
  std::span<const BoxPacket> rx, tx;    ///< of the boxes
  std::span<const std::uint8_t> rx_ready, tx_ready;
};

/// Sees every cycle of a session. It sees no model.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void start(const SessionPlan& /*plan*/) {}
  virtual void observe(const CycleView& view) = 0;
  /// After the last cycle, when the network has been drained.
  virtual void finish() {}
};

/// A property of the links, over any number of sessions.
class Check : public Observer {
 public:
  virtual std::string name() const = 0;

  std::uint64_t passed() const { return passed_; }
  std::uint64_t violations() const { return violations_; }
  const std::vector<std::string>& texts() const { return texts_; }  ///< of the first violations

 protected:
  static constexpr std::size_t kTexts = 5;
  void violation(const std::string& text) {
    ++violations_;
    if (texts_.size() < kTexts) texts_.push_back(name() + ": " + text);
  }
  std::uint64_t passed_ = 0;

 private:
  std::uint64_t violations_ = 0;
  std::vector<std::string> texts_;
};

}  // namespace muster::esc
