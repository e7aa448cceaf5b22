// SPDX-License-Identifier: Apache-2.0
#include "scheme/ring_scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <muster/core/error.hpp>

#include "registers.hpp"

namespace token_ring {

using namespace muster;
using fabric::MessageType;

RingScheme::RingScheme(const Ring& ring, const run::SchemeParts& parts)
    : ring_(ring),
      network_(parts.network),
      formats_(parts.formats()),
      listener_(parts.members),
      traffic_(parts.spec.barriers, parts.network.channels(), parts.formats()) {
  core::Bank& switches = network_.switches();
  for (const Ring::Stop& stop : ring.stops) {
    switches.write_register(stop.sw, kMembers, stop.members);
    const bool home = &stop == &ring.stops.front();
    switches.write_register(stop.sw, kControl, control_word(home, stop.previous, stop.next));
  }
}

void RingScheme::arrive(std::uint64_t, std::uint32_t group, std::uint32_t member) {
  const core::Flit flit = formats_.barrier_flit({MessageType::kReduction, group, {}}, 0);
  network_.endpoints().send_sync(ring_.members[member], flit);
}

void RingScheme::receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) {
  const auto at = std::lower_bound(ring_.members.begin(), ring_.members.end(), node);
  if (at == ring_.members.end() || *at != node ||
      formats_.barrier_message(flit).type != MessageType::kDistribution)
    throw InternalError(fmt::format("cycle {}, node {}: unexpected message", cycle, node));
  listener_.released(cycle, 0, static_cast<std::uint32_t>(at - ring_.members.begin()));
}

/// Whose message has not come to its switch.
std::string RingScheme::explain(const run::Members&, std::uint32_t) const {
  std::string text = "the token waits for:";
  for (const topology::NodeId n : ring_.members) {
    const topology::PortRef at = network_.graph().node(n).at;
    if ((network_.switches().read_register(at.sw, kProgress) >> at.port & 1) == 0)
      text += " " + topology::node_name(network_.graph(), n);
  }
  return text;
}

}  // namespace token_ring
