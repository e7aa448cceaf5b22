// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/rng.hpp"

namespace muster::topology {

/// Least and most links of every vertex.
struct DegreeBounds {
  std::vector<std::uint32_t> least, most;
};

enum class RandomModel : std::uint8_t {
  kUniform,     ///< every connected simple graph (nearly) equally likely
  kAttachment,  ///< each vertex joins a random earlier one, then random links are added
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
