// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/tree/paper_latency.hpp"

#include "systems/btin/tree/btin_latency.hpp"

namespace muster::btin {

double paper_latency_us(const BarrierTree& tree) {
  if (tree.alone()) return 0;
  // Whole nanoseconds until here, so that 7.16 is printed as 7.16.
  return static_cast<double>(btin::btin_latency_ns(tree.height)) / 1000.0;
}

}  // namespace muster::btin
