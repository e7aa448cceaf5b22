// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fabric/checkers/seen_flit.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// What is on the wires is well formed (docs/reference/formats.md), and packets are contiguous: in
/// each virtual channel of each channel the flits between a head and its tail are that packet's.
/// Barrier messages may lie between them and are not counted; pads, which carry nothing, may lie
/// inside a packet and nowhere else. Where there are barrier buffers both keep to the channels that
/// may be cut.
class Packets final : public LinkChecker {
 public:
  explicit Packets(const Subject& subject);
  Sees sees() const override {
    return {.sync = true,
            .heads = true,
            .bodies = true,
            .virtual_channels = Sees::VirtualChannels::kBoth};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.flit.sync())
      message(cycle, event);
    else if (event.flit.head())
      head(cycle, event);
    else
      body(cycle, SeenFlit(event, subject_.vcs));
  }
  void message(std::uint64_t cycle, const core::FlitEvent& event);  ///< a flit that is sync
  void head(std::uint64_t cycle, const core::FlitEvent& event);     ///< one that is a head
  /// One that is neither.
  void body(std::uint64_t cycle, const SeenFlit& seen) {
    Link& link = links_[seen.channel];
    shape(cycle, seen, link);
    demand<&Packets::not_contiguous>(link.open >> seen.vc & 1u, kShapeChecks, cycle, seen.event);
    link.open ^= static_cast<std::uint8_t>((seen.kind & core::Flit::kTail) << seen.vc);
    count(kShapeChecks + 1);
  }
  /// What the block was sending has no more flits.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void finish(std::uint64_t cycle, bool drained) override;

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
  void single_message(std::uint64_t cycle, const core::FlitEvent& event);
  void on_cut_channel(std::uint64_t cycle, const core::FlitEvent& event);
  std::string no_channel(const core::FlitEvent& event) const;
  std::string too_wide(const core::FlitEvent& event) const;
  std::string too_soon(const core::FlitEvent& event) const;
  std::string not_contiguous(const core::FlitEvent& event) const;
  std::string not_own(const core::FlitEvent& event) const;
  std::string worm_or_not(const core::FlitEvent& event) const;

  // The bits that no payload may use.
  std::uint64_t unused_lo_;
  std::uint32_t unused_hi_;
  std::vector<Link> links_;  ///< by channel
};

/// Every head that leaves a switch leaves by a port of its route mask, in the virtual channel in
/// which it came, with the destination and opcode with which it came. (That the masks themselves
/// are legal and free of deadlock is the business of topology/.)
class RouteLegality final : public LinkChecker {
 public:
  explicit RouteLegality(const Subject& subject);
  Sees sees() const override { return {.heads = true, .cycles = true}; }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// The heads in a dead switch are gone.
  void lose(std::uint64_t cycle, const Loss& loss) override;
  /// After all flits of the cycle: those that came in it can not leave in it.
  void end_cycle(std::uint64_t cycle) override;

 private:
  /// A head inside a switch: bits 20..0 of its payload, destination and opcode; virtual channel
  /// above.
  using Head = std::uint32_t;
  static constexpr unsigned kVcShift = 21;
  static Head head_of(const core::Flit& flit) {
    return static_cast<Head>(flit.lo & ((1u << kVcShift) - 1)) | Head{flit.vc} << kVcShift;
  }
  /// A packet for this very switch ends there; its answers begin there.
  bool ends(const fabric::End& to, const core::Flit& head) const {
    return !to.node && fabric::Formats::destination(head) == subject_.graph.nodes() + to.id;
  }
  void leave(std::uint64_t cycle, const core::FlitEvent& event);

  struct Entry {
    topology::SwitchId sw;
    Head head;
  };
  std::vector<std::vector<Head>> inside_;  ///< by switch, in no order
  std::vector<std::uint8_t> dead_;         ///< by switch
  std::vector<Entry> entered_;             ///< in this cycle
};

}  // namespace muster::checkers
