// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/checkers/spill_channels.hpp"

#include <utility>

namespace muster::checkers {

SpillChannels::SpillChannels(const Subject& subject, SpillPorts ports)
    : formats_(subject.formats),
      ports_(std::move(ports)),
      spill_(subject.layout.channels().size(), 0) {
  for (std::size_t c = 0; c < spill_.size(); ++c) {
    const fabric::Channel& channel = subject.layout.channels()[c];
    if (ports_.masks.empty() || channel.from.node == channel.to.node) continue;
    const fabric::End& sw = channel.from.node ? channel.to : channel.from;
    spill_[c] = ports_.masks[sw.id] >> sw.port & 1;
    any_ = any_ || spill_[c] != 0;
  }
}

}  // namespace muster::checkers
