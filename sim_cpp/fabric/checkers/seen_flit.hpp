// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// A checker that CheckerList shows the run by its name, and asks for nothing.
class NamedChecker : public LinkChecker {
 public:
  using LinkChecker::LinkChecker;
  Sees sees() const override { return {}; }
};

/// A flit as the checkers of links look at it: read once for all of them.
struct SeenFlit {
  SeenFlit(const core::FlitEvent& shown, std::uint32_t vcs)
      : event(shown),
        channel(shown.channel),
        place(shown.channel * vcs + shown.flit.vc),
        vc(shown.flit.vc),
        kind(shown.flit.kind) {}

  const core::FlitEvent& event;
  core::ChannelId channel;
  std::uint32_t place;    ///< of its virtual channel, those of all channels counted through
  std::uint8_t vc, kind;  ///< see core::Flit
};

/// The packet with this head may begin in a switch.
inline bool begins_in_switch(const Subject& subject, const core::Flit& head) {
  const std::uint8_t opcode = fabric::Formats::opcode(head);
  return opcode == fabric::kOpcodeAnswer || (subject.units && fabric::is_unit_opcode(opcode));
}

/// Which flits on the links belong to packets that end in a switch or begin in one: register
/// requests and their answers (docs/systems/groups.md), messages of barrier units. To be shown
/// every flit once, heads first.
class LocalPackets {
 public:
  explicit LocalPackets(const Subject& subject)
      : subject_(subject), now_(subject.layout.channels().size() * subject.vcs, 0) {}

  /// What a flit is part of, of these bits; 0: a packet between nodes.
  static constexpr unsigned kEnds = 1;    ///< it is for the switch at the end of this channel
  static constexpr unsigned kAnswer = 2;  ///< of a switch or unit; may begin at one and pass others
  unsigned of(const SeenFlit& seen) {
    if (seen.event.flit.head()) begin(seen);
    return of_body(seen);
  }
  /// The same of a flit that is not a head.
  unsigned of_body(const SeenFlit& seen) const { return now_[seen.place]; }
  /// What comes there without a head ends in the switch: it is dropped.
  void close(std::size_t place) { now_[place] = kEnds; }

 private:
  void begin(const SeenFlit& seen) {
    const fabric::End& to = subject_.layout.channels()[seen.channel].to;
    const std::uint32_t nodes = subject_.graph.nodes();
    const bool ends = !to.node && fabric::Formats::destination(seen.event.flit) == nodes + to.id;
    const bool answer = begins_in_switch(subject_, seen.event.flit);
    now_[seen.place] = static_cast<std::uint8_t>((ends ? kEnds : 0) | (answer ? kAnswer : 0));
  }

  Subject subject_;
  std::vector<std::uint8_t> now_;  ///< by place: those bits
};

}  // namespace muster::checkers
