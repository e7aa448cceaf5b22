// SPDX-License-Identifier: Apache-2.0
#include "topology/bfs.hpp"

#include <bitset>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"

namespace muster::topology {

Neighbours::Neighbours(const Graph& graph) {
  begin_.reserve(graph.switches() + 1);
  begin_.push_back(0);
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::vector<Hop> found;
    graph.each_link(s, [&](std::uint32_t port, const Peer& peer) {
      found.push_back({peer.id, port, peer.port});
    });
    std::ranges::sort(found, [](const Hop& a, const Hop& b) {
      return std::tie(a.to, a.port) < std::tie(b.to, b.port);
    });
    const auto end = std::unique(found.begin(), found.end(),
                                 [](const Hop& a, const Hop& b) { return a.to == b.to; });
    hops_.insert(hops_.end(), found.begin(), end);
    begin_.push_back(static_cast<std::uint32_t>(hops_.size()));
  }
}

namespace {

constexpr std::uint32_t kTogether = 256;  // roots of a search, a bit each
using Roots = std::bitset<kTogether>;

/// All switches; kTogether of them, from each multiple on, are near each other.
std::vector<SwitchId> neighbourhoods(const Neighbours& neighbours) {
  std::vector<SwitchId> order, queue;
  std::vector<std::uint8_t> queued(neighbours.switches(), 0);
  SwitchId lowest = 0;
  for (std::size_t head = 0; order.size() < neighbours.switches(); ++head) {
    if (order.size() % kTogether == 0) {
      for (; head < queue.size(); ++head) queued[queue[head]] = 0;
      head = lowest = 0;
      queue.clear();
    }
    if (head == queue.size()) {
      while (queued[lowest] != 0) ++lowest;
      queued[lowest] = 1;
      queue.push_back(lowest);
    }
    order.push_back(queue[head]);
    for (const Hop& hop : neighbours.of(queue[head]))
      if (std::exchange(queued[hop.to], 1) == 0) queue.push_back(hop.to);
  }
  return order;
}

/// Searches from roots that are near each other meet most switches at the same time, so they are
/// one search with a bit for each.
class ManySearches {
 public:
  explicit ManySearches(const Neighbours& neighbours)
      : neighbours_(neighbours),
        met_(neighbours.switches()),
        at_level_(neighbours.switches()),
        next_(neighbours.switches()),
        is_reached_(neighbours.switches(), 0) {}

  /// From kTogether roots at most; writes the distance to the farthest switch of each.
  void from(std::span<const SwitchId> roots, std::vector<std::uint32_t>& farthest) {
    std::ranges::fill(met_, Roots());
    level_.assign(roots.begin(), roots.end());
    for (std::size_t i = 0; i < roots.size(); ++i)
      met_[roots[i]] = at_level_[roots[i]] = Roots().set(i);
    for (std::uint32_t links = 1; !level_.empty(); ++links) {
      const Roots further = next_level(links);
      for (std::size_t i = 0; i < roots.size(); ++i)
        if (further[i]) farthest[roots[i]] = links;
    }
  }
  std::uint64_t total() const { return total_; }  ///< of all distances so far

 private:
  /// The roots that have a switch so many links away.
  Roots next_level(std::uint32_t links) {
    reached_.clear();
    for (const SwitchId s : level_) {
      for (const Hop& hop : neighbours_.of(s)) {
        next_[hop.to] |= at_level_[s];
        if (std::exchange(is_reached_[hop.to], 1) == 0) reached_.push_back(hop.to);
      }
      at_level_[s].reset();
    }
    level_.clear();
    Roots further;
    for (const SwitchId s : reached_) {
      is_reached_[s] = 0;
      const Roots found = std::exchange(next_[s], Roots()) & ~met_[s];
      if (found.none()) continue;
      total_ += links * found.count();
      met_[s] |= found;
      further |= found;
      at_level_[s] = found;
      level_.push_back(s);
    }
    return further;
  }

  const Neighbours& neighbours_;
  std::vector<Roots> met_, at_level_, next_;  // by switch
  std::vector<SwitchId> level_, reached_;
  std::vector<std::uint8_t> is_reached_;
  std::uint64_t total_ = 0;
};

}  // namespace

SwitchDistances switch_distances(const Graph& graph, const Steps& steps) {
  const Neighbours neighbours(graph);
  const std::uint32_t count = graph.switches();
  const std::vector<SwitchId> order = neighbourhoods(neighbours);
  SwitchDistances result{std::vector<std::uint32_t>(count, 0)};
  std::vector<ManySearches> searches(core::threads_for(count), ManySearches(neighbours));
  core::run_jobs(
      (count + kTogether - 1) / kTogether, core::threads_for(count),
      [&](std::uint32_t job, unsigned worker) {
        const std::size_t first = std::size_t{job} * kTogether;
        searches[worker].from(
            std::span(order).subspan(first, std::min<std::size_t>(kTogether, count - first)),
            result.farthest);
      },
      [&](std::uint32_t done) {
        if (steps)
          steps("distances", "switches", std::min<std::uint32_t>(done * kTogether, count), count);
      });
  for (const ManySearches& some : searches) result.total += some.total();
  return result;
}

}  // namespace muster::topology
