// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "muster/core/rng.hpp"
#include "muster/topology/random_model.hpp"

namespace muster::topology {

/// Least and most links of every vertex.
struct DegreeBounds {
  std::vector<std::uint32_t> least, most;
};

using EdgeList = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A random connected simple graph with `edges` edges (at least one less than vertices) within the
/// bounds. Throws InputError if none was found. The uniform model walks a Markov chain from an
/// attachment graph: an edge moves to another pair of vertices, or two edges exchange ends,
/// whenever the result is a connected simple graph within the bounds. Both proposals are symmetric,
/// so its stationary distribution is uniform.
EdgeList random_connected_graph(const DegreeBounds& bounds, std::uint32_t edges, RandomModel model,
                                Rng& rng);

}  // namespace muster::topology
