// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/topology/graph.hpp"

namespace muster::run {

/// A link, by its two ends, that is declared dead in `cycle`: drained and taken out.
struct KilledLink {
  topology::PortRef a;      ///< of one switch
  topology::PortRef b;      ///< of the other
  std::uint64_t cycle = 0;  ///< at most run::kMostCycles
};

/// A link that was declared dead. Cycles; 0: not yet.
struct LinkResult {
  KilledLink link;             ///< as asked
  bool quiesced = false;       ///< packets were held while the tables were written
  bool groups_held = false;    ///< so were groups whose messages the tables lead, at a barrier
  bool acyclic = false;        ///< old and new routes together have no cycle of dependencies
  std::uint64_t narrowed = 0;  ///< masks from which the link was taken at once, others being left
  std::uint64_t entries = 0;   ///< words that the host has written, those of `narrowed` too
  std::uint64_t empty = 0;     ///< no packet was in the network
  std::uint64_t routed = 0;    ///< the new tables stand, packets go again
  std::uint64_t out = 0;       ///< the link was unused, and it was taken out
};

}  // namespace muster::run
