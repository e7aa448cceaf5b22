// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::checkers {

using core::Flit;
using core::FlitEvent;

Packets::Packets(const Subject& subject)
    : LinkChecker("packets", subject),
      mask_(fabric::Formats::low_bits({~std::uint64_t{0}, 0xffff}, subject.formats.flit_width())),
      open_(subject.layout.channels().size() * subject.vcs, 0),
      last_cycle_(subject.layout.channels().size(), kNever) {}

void Packets::shape(std::uint64_t cycle, const FlitEvent& event) {
  const Flit& flit = event.flit;
  require(flit.vc < subject_.vcs, cycle, event.channel,
          [&] { return fmt::format("flit in virtual channel {} of {}", flit.vc, subject_.vcs); });
  require(((flit.lo & ~mask_.lo) | (flit.hi & ~mask_.hi & 0xffff)) == 0, cycle, event.channel, [&] {
    return fmt::format("payload {:x}:{:016x} is wider than {} bits", flit.hi, flit.lo,
                       subject_.formats.flit_width());
  });
  require(last_cycle_[event.channel] != cycle, cycle, event.channel,
          [&] { return std::string("two flits in one cycle"); });
  last_cycle_[event.channel] = cycle;
}

void Packets::single_message(std::uint64_t cycle, const FlitEvent& event) {
  require(event.flit.kind == Flit::kSync, cycle, event.channel,
          [&] { return std::string("barrier message with a head or tail bit"); });
  require(event.flit.vc == 0, cycle, event.channel, [&] {
    return fmt::format("barrier message of virtual channel {}, it is of none, which is written 0",
                       event.flit.vc);
  });
}

/// A barrier message, link control or a pad, on a link with a barrier buffer.
void Packets::on_cut_channel(std::uint64_t cycle, const FlitEvent& event) {
  const Flit& flit = event.flit;
  const bool pad = flit.kind == Flit::kPad;
  require(subject_.cuttable >> flit.vc & 1, cycle, event.channel, [&] {
    return fmt::format("{} in virtual channel {}, which is not cut",
                       pad ? "pad" : "barrier message", flit.vc);
  });
  if (!pad) return;
  const bool sends = subject_.pads && !subject_.layout.channels()[event.channel].from.node;
  require(sends && open_[event.channel * subject_.vcs + flit.vc] != 0, cycle, event.channel, [&] {
    return fmt::format("pad in virtual channel {} {}", flit.vc,
                       sends ? "outside a packet" : "from where there are none");
  });
  require(flit.lo == 0 && flit.hi == 0, cycle, event.channel,
          [&] { return fmt::format("pad with payload {:x}:{:016x}", flit.hi, flit.lo); });
}

void Packets::flit(std::uint64_t cycle, const FlitEvent& event) {
  shape(cycle, event);
  const Flit& flit = event.flit;
  if (flit.sync()) {
    if (fabric::has_barrier_buffer(subject_.sync_credits))
      on_cut_channel(cycle, event);
    else
      single_message(cycle, event);
    return;
  }
  std::uint8_t& open = open_[event.channel * subject_.vcs + flit.vc];
  require(flit.head() != (open != 0), cycle, event.channel, [&] {
    return fmt::format("{} in virtual channel {}",
                       open ? "head of a packet inside another" : "body or tail without a head",
                       flit.vc);
  });
  if (flit.head()) {
    const bool device = fabric::Formats::opcode(flit) == fabric::kOpcodeDevice;
    const bool last = flit.vc + 1u == subject_.vcs;
    require(!subject_.own || device == last, cycle, event.channel, [&] {
      return fmt::format("{} in virtual channel {}, the last is the devices' own",
                         device ? "packet of a device" : "data", flit.vc);
    });
    const bool worm = fabric::Formats::opcode(flit) == fabric::kOpcodeWorm;
    require(worm == (flit.vc == subject_.worm_channel), cycle, event.channel, [&] {
      return fmt::format("{} in virtual channel {}", worm ? "worm" : "packet that is no worm",
                         flit.vc);
    });
  }
  open = !flit.tail();
}

void Packets::lose(std::uint64_t, const Loss& loss) {
  const auto& channels = subject_.layout.channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c)
    if (loss.is(channels[c].from))
      std::fill_n(open_.begin() + std::ptrdiff_t{c} * subject_.vcs, subject_.vcs, std::uint8_t{0});
}

void Packets::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (std::size_t i = 0; i < open_.size(); ++i)
    require(!open_[i], cycle, static_cast<core::ChannelId>(i / subject_.vcs), [&] {
      return fmt::format("packet in virtual channel {} has no tail although the network is empty",
                         i % subject_.vcs);
    });
}

}  // namespace muster::checkers
