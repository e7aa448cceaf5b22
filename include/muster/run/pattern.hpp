// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/core/rng.hpp"

namespace muster::run {

/// Where the packets of background traffic go.
class Pattern {
 public:
  virtual ~Pattern() = default;
  /// The node that a packet of node `source` goes to; all randomness from `rng`, so that a run can
  /// be repeated. It may be `source`.
  virtual std::uint32_t destination(std::uint32_t source, Rng& rng) const = 0;
};

/// Any other node with equal probability. Needs two nodes.
class Uniform : public Pattern {
 public:
  /// Of a network of `nodes`, 2 or more.
  explicit Uniform(std::uint32_t nodes) : nodes_(nodes) {}
  std::uint32_t destination(std::uint32_t source, Rng& rng) const override {
    const auto draw = static_cast<std::uint32_t>(rng.below(nodes_ - 1));
    return draw < source ? draw : draw + 1;
  }

 private:
  std::uint32_t nodes_;
};

}  // namespace muster::run
