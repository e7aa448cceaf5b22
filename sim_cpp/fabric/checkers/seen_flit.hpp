// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

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

}  // namespace muster::checkers
