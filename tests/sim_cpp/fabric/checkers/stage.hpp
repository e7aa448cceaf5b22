// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <sstream>

#include "muster/fabric/barrier_end.hpp"
#include "muster/fabric/checkers/checker.hpp"
#include "support/test.hpp"

namespace muster::checkers {

/// Two switches of 4 ports, each with two nodes, joined by a link: the stage on which checkers are
/// shown streams of events made by hand.
///
///     n0 0:1 ─┐                ┌─ 1:1 n2
///             0 ─ 0:0 ── 1:0 ─ 1
///     n1 0:2 ─┘                └─ 1:2 n3
struct Stage {
  /// Channels in the order of Layout.
  static constexpr core::ChannelId kOver = 0, kBack = 1, kFromN0 = 2, kToN0 = 3, kFromN1 = 4,
                                   kToN1 = 5, kFromN2 = 6, kToN2 = 7, kFromN3 = 8, kToN3 = 9;

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
    return {.lo = payload, .vc = vc, .kind = kind};
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

// Streams of events with one more, one less or another one.
template <class Event>
std::vector<Event> with(std::vector<Event> stream, const Event& event) {
  stream.push_back(event);
  return stream;
}
template <class Event>
std::vector<Event> without(std::vector<Event> stream, std::size_t i) {
  stream.erase(stream.begin() + static_cast<std::ptrdiff_t>(i));
  return stream;
}
template <class Event>
std::vector<Event> changed(std::vector<Event> stream, std::size_t i, const Event& event) {
  stream[i] = event;
  return stream;
}

/// A checker on the stage, told in calls one after the other what is on the links, a flit a cycle;
/// `reports` is all that it has objected to. `Self` is derived from it.
template <class Self, class Watching>
struct Watched {
  Stage stage;
  Watching checker;
  std::uint64_t cycle = 0;
  std::string reports;

  template <class... Args>
  explicit Watched(const Args&... args) : checker(Self::subject_of(stage), args...) {}
  static Subject subject_of(const Stage& stage) { return stage.subject(); }

  template <class Events>
  Self& show(Events&& events) {
    reports += report_of(events);
    return static_cast<Self&>(*this);
  }
  template <class Flits>
  Self& put(core::ChannelId channel, const Flits& flits) {
    return show([&] {
      for (const core::Flit& flit : flits) {
        checker.flit(cycle, {channel, flit});
        checker.end_cycle(cycle++);
      }
    });
  }
  Self& packet(core::ChannelId channel, const fabric::BarrierPacket& packet) {
    return put(channel, stage.formats.barrier_packet(packet, 0));
  }
  Self& finish(bool drained = true) {
    return show([&] { checker.finish(cycle, drained); });
  }
};

inline constexpr std::uint8_t kHead = core::Flit::kHead, kTail = core::Flit::kTail,
                              kSync = core::Flit::kSync, kBody = 0;

/// A flit without payload, by letter: h, b, t and x head, body, tail and head with tail of a
/// packet, p a pad, f and s the first and another flit of a message, r and e a padding request and
/// end.
inline core::Flit flit_of(char letter, std::uint8_t vc) {
  using core::Flit;
  if (letter == 'r' || letter == 'e') return fabric::control_flit({letter == 'e', vc});
  static const std::map<char, std::uint8_t> kinds{
      {'h', kHead},      {'b', kBody},        {'t', kTail}, {'x', kHead | kTail},
      {'p', Flit::kPad}, {'f', Flit::kFirst}, {'s', kSync}};
  return Stage::flit(kinds.at(letter), 0, vc);
}
/// What is on a channel, one after the other and apart from each other by a blank: a flit, its
/// letter and virtual channel; `+` and a mask, credits; `.`, nothing.
inline std::vector<std::string> events_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}
inline std::uint8_t digit_of(const std::string& event) {
  return static_cast<std::uint8_t>(event.at(1) - '0');
}

}  // namespace muster::checkers
