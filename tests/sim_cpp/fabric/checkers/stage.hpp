// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "muster/core/error.hpp"
#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

/// Two switches of 4 ports, each with two nodes, joined by a link: the stage on which checkers are
/// shown streams of events made by hand.
///
///     n0 0:1 ─┐                ┌─ 1:1 n2
///             0 ─ 0:0 ── 1:0 ─ 1
///     n1 0:2 ─┘                └─ 1:2 n3
struct Stage {
  /// Channels in the order of Layout.
  enum : core::ChannelId {
    kOver,
    kBack,
    kFromN0,
    kToN0,
    kFromN1,
    kToN1,
    kFromN2,
    kToN2,
    kFromN3,
    kToN3
  };

  topology::Graph graph = make_graph();
  fabric::Layout layout{graph};
  topology::Routes routes = topology::routes_for(graph);
  fabric::Formats formats{16, 8};

  Subject subject() const { return {graph, layout, routes, 2, 2, formats}; }

  static topology::Graph make_graph() {
    topology::Graph graph;
    graph.add_switch(4);
    graph.add_switch(4);
    graph.add_link({0, 0}, {1, 0});
    for (topology::SwitchId s = 0; s < 2; ++s)
      for (std::uint32_t port = 1; port < 3; ++port) graph.add_node({s, port});
    return graph;
  }

  static core::Flit flit(std::uint8_t kind, std::uint64_t payload = 0, std::uint8_t vc = 0) {
    core::Flit flit;
    flit.kind = kind;
    flit.lo = payload;
    flit.vc = vc;
    return flit;
  }
  core::Flit message(fabric::MessageType type, std::uint32_t gid, std::uint64_t data) const {
    return formats.barrier_flit({type, gid, {data, 0}}, 0);
  }
};

/// What the checker reports about `events()`, empty if it has nothing to say.
template <class Events>
std::string report_of(Events&& events) {
  try {
    events();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

inline constexpr std::uint8_t kHead = core::Flit::kHead, kTail = core::Flit::kTail,
                              kSync = core::Flit::kSync, kBody = 0;

}  // namespace muster::checkers
