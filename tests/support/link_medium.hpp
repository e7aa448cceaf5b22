// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "fabric/golden/link_crc.hpp"
#include "fabric/link_frame.hpp"
#include "muster/core/rng.hpp"

namespace muster::testing {

/// What the wires of one direction do to a frame; chances.
struct LinkFaults {
  double lost = 0;
  double doubled = 0;    ///< comes again in the next cycle, in place of what is there
  double corrupted = 0;  ///< 1 to 5 bits flip
  double forged = 0;     ///< fields are replaced by others under a right CRC: no wires do that
  double dead = 0;       ///< in a cycle: the wires carry nothing for up to `dead_cycles`
  std::uint32_t dead_cycles = 0;
};

/// The wires of one direction. A latency of 1 is a plain wire.
class LinkMedium {
 public:
  LinkMedium(const fabric::LinkConfig& config, std::uint32_t latency, const LinkFaults& faults,
             std::uint64_t seed)
      : config_(config), format_(config), pipe_(latency - 1), faults_(faults), rng_(seed) {}

  LinkFaults& faults() { return faults_; }

  /// What is at the far end in the cycle in which `frame` is at the near end.
  std::optional<core::Flit> carry(std::optional<core::Flit> frame) {
    if (dead_ == 0 && chance(faults_.dead)) dead_ = 1 + rng_.below(faults_.dead_cycles);
    if (again_) {
      frame = again_;
      again_.reset();
    } else if (frame && chance(faults_.doubled)) {
      again_ = frame;
    }
    if (frame && chance(faults_.lost)) frame.reset();
    if (frame && chance(faults_.corrupted)) corrupt(*frame);
    if (frame && chance(faults_.forged)) forge(*frame);
    if (dead_ != 0) {
      --dead_;
      frame.reset();
    }
    pipe_.push_back(frame);
    frame = pipe_.front();
    pipe_.pop_front();
    return frame;
  }

 private:
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(rng_.below(n)); }
  bool chance(double p) { return p > 0 && rng_.uniform() < p; }
  void corrupt(core::Flit& frame) {
    const core::Flit before = frame;
    const std::uint64_t bits = 1 + rng_.below(5);
    while (frame == before)
      for (std::uint64_t i = 0; i < bits; ++i)
        format_.flip(frame, static_cast<unsigned>(rng_.below(format_.width())));
  }

  void forge(core::Flit& packed) {
    fabric::LinkFrame frame = format_.unpack(packed);
    const std::uint32_t numbers = 2 * config_.slots;
    switch (below(8)) {
      case 0:
        frame.ack = (frame.ack + below(4)) % numbers;
        break;
      case 1:
        frame.ack = below(numbers);
        break;
      case 2:
        frame.seq = below(numbers);
        frame.flit = true;
        frame.vc = static_cast<std::uint8_t>(below(config_.vcs));
        break;
      case 3:
        frame.count[below(config_.backs())] = below(1u << config_.count_w());
        break;
      case 4:
        frame.news = !frame.news;
        break;
      case 5:
        frame.echo = !frame.echo;
        break;
      case 6:
        frame.ask = !frame.ask;
        break;
      default:
        frame.init = !frame.init;
    }
    packed = format_.pack(frame);
    packed.hi = golden::link_crc(format_, packed);
  }

  fabric::LinkConfig config_;
  fabric::LinkFormat format_;
  std::deque<std::optional<core::Flit>> pipe_;
  LinkFaults faults_;
  Rng rng_;
  std::optional<core::Flit> again_;  ///< comes a second time, in place of what follows it
  std::uint64_t dead_ = 0;           ///< cycles to go
};

}  // namespace muster::testing
