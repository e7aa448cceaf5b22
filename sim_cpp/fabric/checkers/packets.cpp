// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/packets.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/fabric/checkers/checker.hpp"

namespace muster::checkers {

void Checker::violation(std::uint64_t cycle, const std::string& place,
                        const std::string& text) const {
  throw Breach(name_, fmt::format("cycle {}, {}: checker {}: {}", cycle, place, name_, text));
}

using core::Flit;
using core::FlitEvent;

Packets::Packets(const Subject& subject)
    : LinkChecker("packets", subject), links_(subject.layout.channels().size()) {
  const fabric::Payload used =
      fabric::Formats::low_bits({~std::uint64_t{0}, 0xffff}, subject.formats.flit_width());
  unused_lo_ = ~used.lo;
  unused_hi_ = 0xffffu & ~std::uint32_t{used.hi};
}

std::string Packets::no_channel(const FlitEvent& event) const {
  return fmt::format("flit in virtual channel {} of {}", event.flit.vc, subject_.vcs);
}

std::string Packets::too_wide(const FlitEvent& event) const {
  return fmt::format("payload {:x}:{:016x} is wider than {} bits", event.flit.hi, event.flit.lo,
                     subject_.formats.flit_width());
}

std::string Packets::too_soon(const FlitEvent&) const { return "two flits in one cycle"; }

std::string Packets::not_contiguous(const FlitEvent& event) const {
  return fmt::format(
      "{} in virtual channel {}",
      event.flit.head() ? "head of a packet inside another" : "body or tail without a head",
      event.flit.vc);
}

std::string Packets::not_own(const FlitEvent& event) const {
  const bool device = fabric::Formats::opcode(event.flit) == fabric::kOpcodeDevice;
  return fmt::format("{} in virtual channel {}, the last is the devices' own",
                     device ? "packet of a device" : "data", event.flit.vc);
}

std::string Packets::worm_or_not(const FlitEvent& event) const {
  const bool worm = fabric::Formats::opcode(event.flit) == fabric::kOpcodeWorm;
  return fmt::format("{} in virtual channel {}", worm ? "worm" : "packet that is not a worm",
                     event.flit.vc);
}

void Packets::message(std::uint64_t cycle, const FlitEvent& event) {
  shape(cycle, SeenFlit(event, subject_.vcs), links_[event.channel]);
  count(kShapeChecks);
  if (fabric::has_barrier_buffer(subject_.sync_credits))
    on_cut_channel(cycle, event);
  else
    single_message(cycle, event);
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
  require(sends && (links_[event.channel].open >> flit.vc & 1) != 0, cycle, event.channel, [&] {
    return fmt::format("pad in virtual channel {} {}", flit.vc,
                       sends ? "outside a packet" : "from where there are none");
  });
  require(flit.lo == 0 && flit.hi == 0, cycle, event.channel,
          [&] { return fmt::format("pad with payload {:x}:{:016x}", flit.hi, flit.lo); });
}

void Packets::head(std::uint64_t cycle, const FlitEvent& event) {
  Link& link = links_[event.channel];
  shape(cycle, SeenFlit(event, subject_.vcs), link);
  const Flit& flit = event.flit;
  const std::uint8_t opcode = fabric::Formats::opcode(flit);
  const bool last = flit.vc + 1u == subject_.vcs, worms = flit.vc == subject_.worm_channel;
  demand<&Packets::not_contiguous>((link.open >> flit.vc & 1u) == 0, kShapeChecks, cycle, event);
  demand<&Packets::not_own>(!subject_.own || (opcode == fabric::kOpcodeDevice) == last,
                            kShapeChecks + 1, cycle, event);
  demand<&Packets::worm_or_not>((opcode == fabric::kOpcodeWorm) == worms, kShapeChecks + 2, cycle,
                                event);
  if (!flit.tail()) link.open |= static_cast<std::uint8_t>(1u << flit.vc);
  count(kShapeChecks + 3);
}

void Packets::lose(std::uint64_t, const Loss& loss) {
  const auto& channels = subject_.layout.channels();
  for (core::ChannelId c = 0; c < channels.size(); ++c)
    if (loss.is(channels[c].from)) links_[c].open = 0;
}

void Packets::finish(std::uint64_t cycle, bool drained) {
  if (!drained) return;
  for (core::ChannelId c = 0; c < links_.size(); ++c)
    for (std::uint32_t vc = 0; vc < subject_.vcs; ++vc)
      require((links_[c].open >> vc & 1) == 0, cycle, c, [&] {
        return fmt::format("packet in virtual channel {} has no tail although the network is empty",
                           vc);
      });
}

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
  const auto found = std::ranges::find(heads, head_of(event.flit));
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
  // The ends of its neighbours may still have heads for one that was reset.
  if (loss.node || loss.link || loss.reset) return;
  inside_[loss.id].clear();
  dead_[loss.id] = 1;
}

void RouteLegality::end_cycle(std::uint64_t) {
  for (const Entry& entry : entered_)
    if (!dead_[entry.sw]) inside_[entry.sw].push_back(entry.head);
  entered_.clear();
}

}  // namespace muster::checkers
