// SPDX-License-Identifier: Apache-2.0
#include "checkers/ring_checker.hpp"

#include <algorithm>

namespace token_ring {

using namespace muster;
using fabric::MessageType;

RingChecker::RingChecker(const checkers::Subject& subject, const Ring& ring)
    : LinkChecker("token ring", subject), channels_(subject.layout.channels().size()) {
  for (const topology::NodeId n : ring.members) {
    of_members_.push_back(subject.layout.into_switch(n));
    channels_[subject.layout.into_switch(n)].arrivals = true;
    channels_[subject.layout.into_node(n)].releases = true;
  }
  for (const Ring::Stop& stop : ring.stops)
    for (std::size_t c = 0; c < channels_.size(); ++c)
      if (subject.layout.channels()[c].from == fabric::End{false, stop.sw, stop.next})
        channels_[c].arrivals = channels_[c].releases = true;
}

/// How often the member has arrived that has done so least often.
std::uint32_t RingChecker::barriers_of_slowest() const {
  std::uint32_t least = ~0u;
  for (const core::ChannelId c : of_members_) least = std::min(least, channels_[c].arrived);
  return least;
}

void RingChecker::flit(std::uint64_t cycle, const core::FlitEvent& event) {
  Channel& channel = channels_[event.channel];
  const bool releases =
      subject_.formats.barrier_message(event.flit).type == MessageType::kDistribution;
  require(releases ? channel.releases : channel.arrivals, cycle, event.channel,
          [] { return std::string("a message that does not belong on this link"); });
  if (releases) {
    ++channel.released;
    require(channel.released <= barriers_of_slowest(), cycle, event.channel,
            [] { return std::string("released before all members have arrived"); });
  } else {
    ++channel.arrived;
    require(!channel.releases || channel.arrived == channel.released + 1, cycle, event.channel,
            [] { return std::string("a second token in one barrier"); });
  }
}

void RingChecker::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (std::size_t c = 0; c < channels_.size(); ++c)
    if (channels_[c].arrivals && channels_[c].releases)
      require(channels_[c].arrived == channels_[c].released, cycle, static_cast<core::ChannelId>(c),
              [] { return std::string("a token that released no member"); });
}

}  // namespace token_ring
