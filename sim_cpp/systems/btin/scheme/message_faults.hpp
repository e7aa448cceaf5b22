// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/disturbance.hpp"
#include "muster/core/rng.hpp"
#include "muster/systems/btin.hpp"

namespace muster::btin {

/// Links that lose and double barrier messages, and nothing else. The fate of one depends on
/// seed, wire and cycle only, so it is the same on every engine.
class MessageFaults final : public core::Disturbance {
 public:
  MessageFaults(const RetrySpec& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}

  core::Arriving pass(std::uint32_t wire, std::uint64_t cycle, const core::Flit& flit) override {
    core::Arriving arriving{.count = 1, .flits = {flit, flit}};
    if (!flit.sync()) return arriving;
    Rng rng(seed_ ^ mix64(cycle), kStream | wire);
    if (rng.uniform() < spec_.drop) {
      ++dropped_;
      arriving.count = 0;
    } else if (rng.uniform() < spec_.duplicate) {
      ++duplicated_;
      arriving.count = 2;
    }
    return arriving;
  }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t duplicated() const { return duplicated_; }

 private:
  /// Sets these numbers apart from those of other uses of the seed.
  static constexpr std::uint64_t kStream = std::uint64_t{0x6d657373} << 32;
  RetrySpec spec_;
  std::uint64_t seed_, dropped_ = 0, duplicated_ = 0;
};

}  // namespace muster::btin
