// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>

#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "support/seed.hpp"

namespace muster {

/// What tests draw: numbers of 32 bits where the bound has them.
class Random : public Rng {
 public:
  using Rng::Rng;

  std::uint64_t below(std::uint64_t bound) { return Rng::below(bound); }
  template <std::integral Bound>
  requires(sizeof(Bound) <= sizeof(std::uint32_t)) std::uint32_t below(Bound bound) {
    return static_cast<std::uint32_t>(Rng::below(static_cast<std::uint64_t>(bound)));
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(next()); }
  fabric::Payload payload() { return {next(), static_cast<std::uint16_t>(next())}; }
  /// A chance of 0 draws nothing.
  bool chance(double p) { return p > 0 && uniform() < p; }
};

}  // namespace muster
