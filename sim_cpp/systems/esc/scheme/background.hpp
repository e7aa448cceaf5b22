// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/rng.hpp"
#include "systems/esc/scheme/cube.hpp"
#include "systems/esc/scheme/session_plan.hpp"

namespace muster::esc {

/// The background messages of a session, as a function: what PE `pe` generates in cycle `cycle`
/// can be asked at any time, in any order, and is stored nowhere.
class Background {
 public:
  Background(const Cube& cube, const Spec& spec)
      : cube_(cube),
        pattern_(spec.pattern),
        threshold_(threshold(spec.rate)),
        changes_(spec.rate_change ? spec.rate_change->cycle : kNever),
        threshold_then_(spec.rate_change ? threshold(spec.rate_change->rate) : threshold_),
        keys_(cube.pes()) {}

  void start(std::uint64_t session_seed) {
    for (std::uint32_t pe = 0; pe < keys_.size(); ++pe) keys_[pe] = mix64(mix64(session_seed) ^ pe);
  }

  static constexpr std::uint32_t kNone = ~0u;
  /// Destination of the message, or kNone.
  std::uint32_t at(std::uint32_t pe, std::uint64_t cycle) const {
    const std::uint64_t draw = mix64(keys_[pe] + cycle);
    if ((draw >> 32) >= (cycle < changes_ ? threshold_ : threshold_then_)) return kNone;
    return pattern_ == Pattern::kUniform ? static_cast<std::uint32_t>(draw) & (cube_.pes() - 1)
                                         : fixed_destination(pe);
  }

 private:
  static std::uint64_t threshold(double rate) {
    return static_cast<std::uint64_t>(rate * 0x1.0p32);
  }
  std::uint32_t fixed_destination(std::uint32_t pe) const {
    const unsigned bits = cube_.address_bits();
    if (pattern_ == Pattern::kTranspose)
      return (pe >> (bits / 2)) | (pe << (bits / 2) & (cube_.pes() - 1));
    std::uint32_t reversed = 0;
    for (unsigned b = 0; b < bits; ++b) reversed |= (pe >> b & 1u) << (bits - 1 - b);
    return reversed;
  }

  Cube cube_;
  Pattern pattern_;
  std::uint64_t threshold_;       ///< of the upper 32 bits of a draw
  std::uint64_t changes_;         ///< cycle from which another holds
  std::uint64_t threshold_then_;  ///< that one
  std::vector<std::uint64_t> keys_;
};

}  // namespace muster::esc
