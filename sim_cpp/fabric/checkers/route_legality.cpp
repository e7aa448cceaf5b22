// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/route_legality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/checkers/local_packets.hpp"

namespace muster::checkers {

using fabric::Formats;

RouteLegality::RouteLegality(const Subject& subject)
    : LinkChecker("routes", subject), inside_(subject.graph.switches()), dead_(inside_.size(), 0) {
  for (topology::SwitchId s = 0; s < subject.graph.switches(); ++s)
    inside_[s].reserve(std::size_t{subject.graph.ports(s)} * (subject.depth * subject.vcs + 1));
  entered_.reserve(subject.layout.channels().size());
}

void RouteLegality::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  if (event.flit.sync() || !event.flit.head()) return;
  const fabric::Channel& channel = subject_.layout.channels()[event.channel];
  const std::uint32_t destination = Formats::destination(event.flit);
  require(destination < subject_.routes.destinations(), cycle, event.channel, [&] {
    return fmt::format("head with destination {} of {}", destination,
                       subject_.routes.destinations());
  });
  if (!channel.to.node && !ends(channel.to, event.flit))
    entered_.push_back({channel.to.id, head_of(event.flit)});
  if (!channel.from.node) leave(cycle, event);
}

void RouteLegality::leave(std::uint64_t cycle, const core::FlitEvent& event) {
  const fabric::End& from = subject_.layout.channels()[event.channel].from;
  const std::uint32_t destination = Formats::destination(event.flit);
  std::vector<Head>& heads = inside_[from.id];
  const auto found = std::find(heads.begin(), heads.end(), head_of(event.flit));
  const bool begins = found == heads.end() && begins_in_switch(subject_, event.flit);
  require(found != heads.end() || begins, cycle, event.channel, [&] {
    for (const Head other : heads)
      if (((other ^ head_of(event.flit)) & ((1u << kVcShift) - 1)) == 0)
        return fmt::format("head for destination {} came in virtual channel {} and leaves in {}",
                           destination, other >> kVcShift, event.flit.vc);
    return fmt::format("head for destination {}, opcode {}, virtual channel {} has never come in",
                       destination, Formats::opcode(event.flit), event.flit.vc);
  });
  if (!begins) {
    *found = heads.back();
    heads.pop_back();
  }
  const std::uint16_t mask = subject_.routes.mask(from.id, destination);
  require((mask >> from.port) & 1, cycle, event.channel, [&] {
    return fmt::format("head for destination {} leaves by port {}, its routes are {:#x}",
                       destination, from.port, mask);
  });
}

void RouteLegality::lose(std::uint64_t, const Loss& loss) {
  if (loss.node || loss.link) return;
  // The ends of its neighbours may still have heads for one that was reset.
  if (loss.reset) return;
  inside_[loss.id].clear();
  dead_[loss.id] = 1;
}

void RouteLegality::end_cycle(std::uint64_t) {
  for (const Entry& entry : entered_)
    if (!dead_[entry.sw]) inside_[entry.sw].push_back(entry.head);
  entered_.clear();
}

}  // namespace muster::checkers
