// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

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
      : subject_(subject), now_(subject.layout.channels().size() * subject.vcs) {}

  struct Part {
    bool ends = false;    ///< the packet is for the switch at the end of this channel
    bool answer = false;  ///< of a switch or unit; it may begin at one and pass others
  };
  Part of(const core::FlitEvent& event) {
    Part& part = now_[event.channel * subject_.vcs + event.flit.vc];
    if (event.flit.head()) {
      const fabric::End& to = subject_.layout.channels()[event.channel].to;
      const std::uint32_t nodes = subject_.graph.nodes();
      part.ends = !to.node && fabric::Formats::destination(event.flit) == nodes + to.id;
      part.answer = begins_in_switch(subject_, event.flit);
    }
    return part;
  }

 private:
  Subject subject_;
  std::vector<Part> now_;  ///< by channel and virtual channel
};

}  // namespace muster::checkers
