// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/torus.hpp"

#include <algorithm>
#include <utility>

#include "topology/bfs.hpp"

namespace muster::topology {

namespace {

class TorusSearch {
 public:
  explicit TorusSearch(const Graph& graph) : switches_(graph.switches()), neighbours_(graph) {}

  /// The rings of this stride (the product of the sizes before) and all above it. The last switch
  /// of the first one is a neighbour of switch 0, which leaves few sizes to try.
  bool from(std::uint32_t stride) {
    if (stride == switches_) return every_switch_fits();
    for (const Hop& last : neighbours_.of(0)) {
      const std::uint32_t size = last.to / stride + 1;
      if (last.to % stride != 0 || size < 2 || switches_ % (stride * size) != 0) continue;
      sizes_.push_back(size);
      if (from(stride * size)) return true;
      sizes_.pop_back();
    }
    return false;
  }

  std::vector<std::uint32_t> sizes() && { return std::move(sizes_); }

 private:
  bool every_switch_fits() const {
    std::vector<SwitchId> expected;
    for (SwitchId s = 0; s < switches_; ++s) {
      expected.clear();
      std::uint32_t stride = 1;
      for (const std::uint32_t size : sizes_) {
        const std::uint32_t at = s / stride % size, first = s - at * stride;
        expected.push_back(first + (at + 1) % size * stride);
        if (size > 2) expected.push_back(first + (at + size - 1) % size * stride);
        stride *= size;
      }
      std::sort(expected.begin(), expected.end());
      const auto found = neighbours_.of(s);
      if (!std::equal(expected.begin(), expected.end(), found.begin(), found.end(),
                      [](SwitchId wanted, const Hop& hop) { return hop.to == wanted; }))
        return false;
    }
    return true;
  }

  std::uint32_t switches_;
  Neighbours neighbours_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace

std::vector<std::uint32_t> torus_sizes(const Graph& graph) {
  if (graph.switches() < 2) return {};
  TorusSearch search(graph);
  search.from(1);
  return std::move(search).sizes();
}

}  // namespace muster::topology
