// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace muster {

/// One step of the SplitMix64 output function: a bijective mix of 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// A small random stream whose numbers are the same on every machine and library, which the
/// distributions of the standard library are not. Streams of different `stream` numbers are
/// independent.
class Rng {
 public:
  /// The beginning of a stream; equal arguments give equal numbers.
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mix64(seed) ^ mix64(~stream)) {}

  /// Uniform in 0..2^64 - 1.
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    return mix64(state_);
  }

  /// Uniform in [0, bound), bound >= 1, without modulo bias.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % bound + 1) % bound;
    std::uint64_t draw = next();
    while (draw > limit) draw = next();
    return draw % bound;
  }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace muster
