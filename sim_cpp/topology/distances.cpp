// SPDX-License-Identifier: Apache-2.0
#include "topology/distances.hpp"

#include <algorithm>
#include <bit>

#include "topology/bfs.hpp"

namespace muster::topology {

namespace {

constexpr std::uint32_t kSearches = 64;  // at a time, one bit each

/// Breadth-first searches from 64 switches of consecutive numbers at once: bit i of a word is the
/// search from the i-th of them.
class ParallelSearch {
 public:
  explicit ParallelSearch(const Neighbours& neighbours)
      : neighbours_(neighbours),
        met_(neighbours.switches()),
        fresh_(neighbours.switches()),
        coming_(neighbours.switches()) {}

  void run(SwitchId first, std::uint32_t count, Distances* result) {
    std::fill(met_.begin(), met_.end(), 0);
    front_.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      met_[first + i] = fresh_[first + i] = std::uint64_t{1} << i;
      front_.push_back(first + i);
    }
    for (std::uint32_t level = 1; !front_.empty(); ++level) {
      step();
      for (const SwitchId s : front_)
        for (std::uint64_t bits = fresh_[s]; bits != 0; bits &= bits - 1) {
          Distances& of = result[std::countr_zero(bits)];
          of.farthest = level;
          of.total += level;
        }
    }
  }

 private:
  /// From what one level has met to what the next one meets.
  void step() {
    touched_.clear();
    for (const SwitchId s : front_)
      for (const Hop& hop : neighbours_.of(s)) {
        if (coming_[hop.to] == 0) touched_.push_back(hop.to);
        coming_[hop.to] |= fresh_[s];
      }
    front_.clear();
    for (const SwitchId s : touched_) {
      fresh_[s] = coming_[s] & ~met_[s];
      coming_[s] = 0;
      met_[s] |= fresh_[s];
      if (fresh_[s] != 0) front_.push_back(s);
    }
  }

  const Neighbours& neighbours_;
  std::vector<std::uint64_t> met_;     // by switch, the searches that have met it
  std::vector<std::uint64_t> fresh_;   // those that met it in this level
  std::vector<std::uint64_t> coming_;  // those that come to it in the next one, met or not
  std::vector<SwitchId> front_;        // switches with a fresh bit
  std::vector<SwitchId> touched_;      // switches with a coming bit
};

}  // namespace

std::vector<Distances> switch_distances(const Graph& graph, const Steps& steps) {
  const Neighbours neighbours(graph);
  ParallelSearch search(neighbours);
  std::vector<Distances> result(graph.switches());
  for (SwitchId first = 0; first < graph.switches(); first += kSearches) {
    const std::uint32_t count = std::min(kSearches, graph.switches() - first);
    search.run(first, count, &result[first]);
    if (steps) steps("distances", "switches", first + count, graph.switches());
  }
  return result;
}

SwitchId central_switch(const std::vector<Distances>& distances) {
  const auto nearer = [](const Distances& a, const Distances& b) {
    return a.farthest < b.farthest;
  };
  return static_cast<SwitchId>(std::min_element(distances.begin(), distances.end(), nearer) -
                               distances.begin());
}

}  // namespace muster::topology
