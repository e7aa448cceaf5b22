// SPDX-License-Identifier: Apache-2.0
#include "topology/routes/find_cycle.hpp"

#include <cstddef>

namespace muster::topology {

std::vector<std::uint32_t> find_cycle(const std::vector<std::vector<std::uint32_t>>& successors) {
  // Depth first, with the path kept: meeting a vertex of the path again closes a cycle.
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint32_t vertex;
    std::size_t next;  // place in successors[vertex]
  };
  std::vector<State> state(successors.size(), State::kNew);
  std::vector<Step> path;
  const auto enter = [&](std::uint32_t vertex) {
    state[vertex] = State::kOnPath;
    path.push_back({vertex, 0});
  };
  for (std::uint32_t start = 0; start < successors.size(); ++start) {
    if (state[start] != State::kNew) continue;
    enter(start);
    while (!path.empty()) {
      const std::uint32_t at = path.back().vertex;
      if (path.back().next == successors[at].size()) {
        state[at] = State::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = successors[at][path.back().next++];
      if (state[to] == State::kNew) {
        enter(to);
      } else if (state[to] == State::kOnPath) {
        auto first = path.begin();
        while (first->vertex != to) ++first;
        std::vector<std::uint32_t> cycle;
        for (; first != path.end(); ++first) cycle.push_back(first->vertex);
        return cycle;
      }
    }
  }
  return {};
}

}  // namespace muster::topology
