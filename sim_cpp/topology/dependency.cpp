// SPDX-License-Identifier: Apache-2.0
#include "topology/dependency.hpp"

#include <fmt/format.h>

namespace muster::topology {

DependencyGraph::DependencyGraph(const Graph& graph, const Routes& routes) {
  std::vector<std::vector<std::uint32_t>> place(graph.switches());  // of the channel out of a port
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    place[s].resize(graph.ports(s));
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      const Peer& peer = graph.peer(s, p);
      if (peer.kind != Peer::Kind::kSwitch) continue;
      place[s][p] = static_cast<std::uint32_t>(channels_.size());
      channels_.push_back({{s, p}, {peer.id, peer.port}});
    }
  }
  successors_.resize(channels_.size());
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const auto [from, to] = channels_[c];
    std::uint32_t onward = 0;
    for (std::uint32_t d = 0; d < routes.destinations(); ++d)
      if ((routes.mask(from.sw, d) >> from.port & 1) != 0) onward |= routes.mask(to.sw, d);
    for (std::uint32_t p = 0; p < graph.ports(to.sw); ++p)
      if ((onward >> p & 1) != 0 && graph.peer(to.sw, p).kind == Peer::Kind::kSwitch)
        successors_[c].push_back(place[to.sw][p]);
  }
}

std::vector<Channel> DependencyGraph::cycle() const {
  // Depth first, with the path kept: meeting a channel of the path again closes a cycle.
  enum class State : std::uint8_t { kNew, kOnPath, kDone };
  struct Step {
    std::uint32_t channel;
    std::size_t next;  // place in successors_[channel]
  };
  std::vector<State> state(channels_.size(), State::kNew);
  std::vector<Step> path;
  const auto enter = [&](std::uint32_t channel) {
    state[channel] = State::kOnPath;
    path.push_back({channel, 0});
  };
  for (std::uint32_t start = 0; start < channels_.size(); ++start) {
    if (state[start] != State::kNew) continue;
    enter(start);
    while (!path.empty()) {
      const std::uint32_t at = path.back().channel;
      if (path.back().next == successors_[at].size()) {
        state[at] = State::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = successors_[at][path.back().next++];
      if (state[to] == State::kNew) {
        enter(to);
      } else if (state[to] == State::kOnPath) {
        auto first = path.begin();
        while (first->channel != to) ++first;
        std::vector<Channel> result;
        for (; first != path.end(); ++first) result.push_back(channels_[first->channel]);
        return result;
      }
    }
  }
  return {};
}

std::string describe(const std::vector<Channel>& channels) {
  std::string text;
  for (const Channel& c : channels)
    text += fmt::format("{}{}:{} -> {}:{}", text.empty() ? "" : ", ", c.from.sw, c.from.port,
                        c.to.sw, c.to.port);
  return text;
}

}  // namespace muster::topology
