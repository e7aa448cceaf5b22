// SPDX-License-Identifier: Apache-2.0
#include "checkers/ring_checker.hpp"

#include <algorithm>
#include <vector>

namespace token_ring {

using namespace muster;
using fabric::MessageType;

namespace {

class RingChecker final : public checkers::LinkChecker {
 public:
  RingChecker(const checkers::Subject& subject, const Ring& ring)
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

  checkers::Sees sees() const override { return {.sync = true}; }

  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
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

  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (std::size_t c = 0; c < channels_.size(); ++c)
      if (channels_[c].arrivals && channels_[c].releases)
        require(channels_[c].arrived == channels_[c].released, cycle,
                static_cast<core::ChannelId>(c),
                [] { return std::string("a token that released no member"); });
  }

 private:
  /// What a channel may carry, and what it has carried.
  struct Channel {
    bool arrivals = false, releases = false;
    std::uint32_t arrived = 0, released = 0;
  };

  /// How often the member has arrived that has done so least often.
  std::uint32_t barriers_of_slowest() const {
    std::uint32_t least = ~0u;
    for (const core::ChannelId c : of_members_) least = std::min(least, channels_[c].arrived);
    return least;
  }

  std::vector<Channel> channels_;
  std::vector<core::ChannelId> of_members_;  ///< into their switches
};

}  // namespace

std::unique_ptr<checkers::LinkChecker> make_ring_checker(const checkers::Subject& subject,
                                                         const Ring& ring) {
  return std::make_unique<RingChecker>(subject, ring);
}

}  // namespace token_ring
