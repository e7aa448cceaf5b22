// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>

/// Seed of a random test: MUSTER_SEED from the environment, else a fixed one. A test that fails
/// tells it (main.cpp).
inline std::uint64_t muster_seed() {
  const char* text = std::getenv("MUSTER_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 20261120;
}
