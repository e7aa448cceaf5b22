// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/rng.hpp"

namespace muster::run {

/// Where the packets of background traffic go.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// A destination for a packet of `source`; all randomness from `rng`.
  virtual std::uint32_t destination(std::uint32_t source, Rng& rng) const = 0;
};

/// Any other node with equal probability. Needs two nodes.
class Uniform : public Pattern {
 public:
  explicit Uniform(std::uint32_t nodes) : nodes_(nodes) {}
  std::uint32_t destination(std::uint32_t source, Rng& rng) const override {
    const auto draw = static_cast<std::uint32_t>(rng.below(nodes_ - 1));
    return draw < source ? draw : draw + 1;
  }

 private:
  std::uint32_t nodes_;
};

}  // namespace muster::run
