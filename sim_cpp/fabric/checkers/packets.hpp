// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fabric/checkers/seen_flit.hpp"

namespace muster::checkers {

/// What is on the wires is well formed (docs/reference/formats.md), and packets are contiguous: in
/// each virtual channel of each channel the flits between a head and its tail are that packet's.
/// Barrier messages may lie between them and are not counted; pads, which carry nothing, may lie
/// inside a packet and nowhere else. Where there are barrier buffers both keep to the channels that
/// may be cut.
class Packets final : public NamedChecker {
 public:
  explicit Packets(const Subject& subject)
      : NamedChecker("packets", subject), links_(subject.layout.channels().size()) {
    const fabric::Payload used =
        fabric::Formats::low_bits({~std::uint64_t{0}, 0xffff}, subject.formats.flit_width());
    unused_lo_ = ~used.lo;
    unused_hi_ = 0xffffu & ~std::uint32_t{used.hi};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.sync())
      message(cycle, event);
    else if (event.flit.head())
      head(cycle, event);
    else
      body(cycle, SeenFlit(event, subject_.vcs));
  }
  /// A flit that is sync.
  void message(std::uint64_t cycle, const core::FlitEvent& event) {
    shape(cycle, SeenFlit(event, subject_.vcs), links_[event.channel]);
    count(kShapeChecks);
    if (fabric::has_barrier_buffer(subject_.sync_credits))
      on_cut_channel(cycle, event);
    else
      single_message(cycle, event);
  }
  /// One that is a head.
  void head(std::uint64_t cycle, const core::FlitEvent& event) {
    Link& link = links_[event.channel];
    shape(cycle, SeenFlit(event, subject_.vcs), link);
    const core::Flit& flit = event.flit;
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
  /// One that is neither.
  void body(std::uint64_t cycle, const SeenFlit& seen) {
    Link& link = links_[seen.channel];
    shape(cycle, seen, link);
    demand<&Packets::not_contiguous>(link.open >> seen.vc & 1u, kShapeChecks, cycle, seen.event);
    link.open ^= static_cast<std::uint8_t>((seen.kind & core::Flit::kTail) << seen.vc);
    count(kShapeChecks + 1);
  }
  /// What the block was sending has no more flits.
  void lose(std::uint64_t, const Loss& loss) override {
    const auto& channels = subject_.layout.channels();
    for (core::ChannelId c = 0; c < channels.size(); ++c)
      if (loss.is(channels[c].from)) links_[c].open = 0;
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained) return;
    for (core::ChannelId c = 0; c < links_.size(); ++c)
      for (std::uint32_t vc = 0; vc < subject_.vcs && subject_.receives(c); ++vc)
        require((links_[c].open >> vc & 1) == 0, cycle, c,
                "packet in virtual channel {} has no tail although the network is empty", vc);
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  static constexpr unsigned kShapeChecks = 3;
  struct Link {
    std::uint64_t last_cycle = kNever;  ///< when it last carried a flit
    std::uint8_t open = 0;              ///< virtual channels inside a packet, a bit each
  };
  /// The first kShapeChecks checks of a flit.
  void shape(std::uint64_t cycle, const SeenFlit& seen, Link& link) {
    const core::Flit& flit = seen.event.flit;
    demand<&Packets::no_channel>(seen.vc < subject_.vcs, 0, cycle, seen.event);
    demand<&Packets::too_wide>(((flit.lo & unused_lo_) | (flit.hi & unused_hi_)) == 0, 1, cycle,
                               seen.event);
    demand<&Packets::too_soon>(link.last_cycle != cycle, 2, cycle, seen.event);
    link.last_cycle = cycle;
  }
  void single_message(std::uint64_t cycle, const core::FlitEvent& event) {
    require(event.flit.kind == core::Flit::kSync, cycle, event.channel,
            "barrier message with a head or tail bit");
    require(event.flit.vc == 0, cycle, event.channel,
            "barrier message of virtual channel {}, it is of none, which is written 0",
            event.flit.vc);
    const bool queued = subject_.sync_credits == fabric::SyncCredits::kQueued;
    require(!queued || (links_[event.channel].open & 1) == 0, cycle, event.channel,
            "barrier message inside a packet of virtual channel 0");
  }
  /// A barrier message, link control or a pad, on a link with a barrier buffer.
  void on_cut_channel(std::uint64_t cycle, const core::FlitEvent& event) {
    const core::Flit& flit = event.flit;
    const bool pad = flit.kind == core::Flit::kPad;
    require(subject_.cuttable >> flit.vc & 1, cycle, event.channel,
            "{} in virtual channel {}, which is not cut", pad ? "pad" : "barrier message", flit.vc);
    if (!pad) return;
    const bool sends = subject_.pads && !subject_.layout.channels()[event.channel].from.node;
    require(sends && (links_[event.channel].open >> flit.vc & 1) != 0, cycle, event.channel,
            "pad in virtual channel {} {}", flit.vc,
            sends ? "outside a packet" : "from where there are none");
    require(flit.lo == 0 && flit.hi == 0, cycle, event.channel, "pad with payload {:x}:{:016x}",
            flit.hi, flit.lo);
  }
  std::string no_channel(const core::FlitEvent& event) const {
    return fmt::format("flit in virtual channel {} of {}", event.flit.vc, subject_.vcs);
  }
  std::string too_wide(const core::FlitEvent& event) const {
    return fmt::format("payload {:x}:{:016x} is wider than {} bits", event.flit.hi, event.flit.lo,
                       subject_.formats.flit_width());
  }
  std::string too_soon(const core::FlitEvent&) const { return "two flits in one cycle"; }
  std::string not_contiguous(const core::FlitEvent& event) const {
    return fmt::format(
        "{} in virtual channel {}",
        event.flit.head() ? "head of a packet inside another" : "body or tail without a head",
        event.flit.vc);
  }
  std::string not_own(const core::FlitEvent& event) const {
    const bool device = fabric::Formats::opcode(event.flit) == fabric::kOpcodeDevice;
    return fmt::format("{} in virtual channel {}, the last is the devices' own",
                       device ? "packet of a device" : "data", event.flit.vc);
  }
  std::string worm_or_not(const core::FlitEvent& event) const {
    const bool worm = fabric::Formats::opcode(event.flit) == fabric::kOpcodeWorm;
    return fmt::format("{} in virtual channel {}", worm ? "worm" : "packet that is not a worm",
                       event.flit.vc);
  }

  // The bits that no payload may use.
  std::uint64_t unused_lo_;
  std::uint32_t unused_hi_;
  std::vector<Link> links_;  ///< by channel
};

/// Every head that leaves a switch leaves by a port of its route mask, in the virtual channel in
/// which it came, or the next higher one behind a raising link (topology::Phases), with the
/// destination and opcode with which it came. (That the masks themselves are legal and free of
/// deadlock is the business of topology/.)
class RouteLegality final : public NamedChecker {
 public:
  explicit RouteLegality(const Subject& subject)
      : NamedChecker("routes", subject),
        inside_(subject.graph.switches()),
        dead_(inside_.size(), 0) {
    entered_.reserve(subject.layout.channels().size());
    for (core::ChannelId c = 0; c < subject.layout.channels().size(); ++c) {
      raise_.push_back(subject.raise(c));
      const fabric::End& to = subject.layout.channels()[c].to;
      if (!to.node && subject.receives(c))
        inside_[to.id].reserve(subject.graph.ports(to.id) *
                               (std::size_t{subject.depth} * subject.vcs + 1));
    }
    if (const topology::Phases* const phases = subject.routes.phases()) ways_ = phases->ways();
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.sync() || !event.flit.head()) return;
    names(cycle, event);
    count(ways_ == 0 ? 1 : 2);
    const fabric::Channel& channel = subject_.layout.channels()[event.channel];
    if (!channel.to.node && !ends(channel.to, event.flit))
      entered_.push_back({channel.to.id, head_of(event.flit, raise_[event.channel])});
    if (!channel.from.node && subject_.sends(event.channel)) leave(cycle, event, channel.from);
  }
  /// A head that leaves for another partition, where the rest of it is checked.
  void leaving(std::uint64_t cycle, const core::FlitEvent& event) {
    names(cycle, event);
    const fabric::End& from = subject_.layout.channels()[event.channel].from;
    if (!from.node) leave(cycle, event, from);
  }
  /// The heads in a dead switch are gone.
  void lose(std::uint64_t, const Loss& loss) override {
    // The ends of its neighbours may still have heads for one that was reset.
    if (loss.node || loss.link || loss.reset) return;
    inside_[loss.id].clear();
    dead_[loss.id] = 1;
  }
  /// After all flits of the cycle: those that came in it can not leave in it.
  void end_cycle(std::uint64_t) override {
    for (const Entry& entry : entered_)
      if (!dead_[entry.sw]) inside_[entry.sw].push_back(entry.head);
    entered_.clear();
  }

 private:
  /// A head inside a switch: bits 20..0 of its payload, destination and opcode; virtual channel
  /// above.
  using Head = std::uint32_t;
  static constexpr unsigned kVcShift = 21;
  static Head head_of(const core::Flit& flit, std::uint32_t raise = 0) {
    return static_cast<Head>(flit.lo & ((1u << kVcShift) - 1)) | (flit.vc + raise) << kVcShift;
  }
  /// There are such a destination and way.
  void names(std::uint64_t cycle, const core::FlitEvent& event) {
    demand<&RouteLegality::no_destination>(
        fabric::Formats::destination(event.flit) < subject_.routes.destinations(), 0, cycle, event);
    if (ways_ != 0)
      demand<&RouteLegality::no_way>(fabric::Formats::way(event.flit) <= ways_, 1, cycle, event);
  }
  std::string no_destination(const core::FlitEvent& event) const {
    return fmt::format("head with destination {} of {}", fabric::Formats::destination(event.flit),
                       subject_.routes.destinations());
  }
  std::string no_way(const core::FlitEvent& event) const {
    return fmt::format("head that names way {} of {}", fabric::Formats::way(event.flit), ways_);
  }
  /// A packet for this very switch ends there; its answers begin there.
  bool ends(const fabric::End& to, const core::Flit& head) const {
    return !to.node && fabric::Formats::destination(head) == subject_.graph.nodes() + to.id;
  }
  void leave(std::uint64_t cycle, const core::FlitEvent& event, const fabric::End& from) {
    const std::uint32_t destination = fabric::Formats::destination(event.flit);
    std::vector<Head>& heads = inside_[from.id];
    const auto found = std::ranges::find(heads, head_of(event.flit));
    const bool begins = found == heads.end() && begins_in_switch(subject_, event.flit);
    require(found != heads.end() || begins, cycle, event.channel, [&] {
      std::optional<Head> lowest;  // whatever the order
      for (const Head other : heads)
        if (((other ^ head_of(event.flit)) & ((1u << kVcShift) - 1)) == 0)
          lowest = std::min(lowest.value_or(other), other);
      if (lowest)
        return fmt::format("head for destination {} came in virtual channel {} and leaves in {}",
                           destination, *lowest >> kVcShift, event.flit.vc);
      return fmt::format("head for destination {}, opcode {}, virtual channel {} has never come in",
                         destination, fabric::Formats::opcode(event.flit), event.flit.vc);
    });
    if (!begins) {
      *found = heads.back();
      heads.pop_back();
    }
    const core::PortMask mask = subject_.route(from.id, event.flit, event.flit.vc);
    require((mask >> from.port) & 1, cycle, event.channel,
            "head for destination {} leaves by port {}, its routes are {:#x}", destination,
            from.port, mask);
  }

  struct Entry {
    topology::SwitchId sw;
    Head head;
  };
  std::vector<std::vector<Head>> inside_;  ///< by switch, in no order
  std::vector<std::uint8_t> dead_;         ///< by switch
  std::vector<Entry> entered_;             ///< in this cycle
  std::vector<std::uint8_t> raise_;        ///< by channel, see Subject
  std::uint32_t ways_ = 0;                 ///< that heads may name
};

}  // namespace muster::checkers
