// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "muster/run/scheme.hpp"
#include "systems/preempt/channel_use.hpp"

namespace muster::preempt {

/// The barrier messages of groups 0, 1, ... on preempting switches, and what the links tell of
/// preemption. A message is counted on each channel when its last flit stands there; *free*, which
/// is of no barrier, is counted apart.
class BsrTraffic : public run::BarrierTraffic {
 public:
  /// `nodes`: of the network; `config`: of its switches; `routes`: in force, of which the detours
  /// are.
  BsrTraffic(std::size_t groups, std::uint32_t barriers, const fabric::Layout& layout,
             std::uint32_t nodes, const fabric::SwitchConfig& config,
             const topology::Routes& routes)
      : run::BarrierTraffic(groups, barriers),
        layout_(layout),
        groups_(groups),
        nodes_(nodes),
        vcs_(config.vcs),
        routes_(&routes),
        use_(layout, config.vcs, config.depth, config.kind == &kBsr3),
        passing_(layout.channels().size(), BsrAssembly(BsrFormat(fabric::formats(config)))),
        taken_(layout.channels().size()) {}
  /// From now on these are in force. They outlive the last cycle.
  void follow(const topology::Routes& routes) { routes_ = &routes; }
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override {
    use_.observe(cycle, flits, credits);
    for (const core::CreditEvent& event : credits)
      if (event.channel < taken_.size() && event.credits >> vcs_ & 1 &&
          !taken_[event.channel].empty())
        taken_[event.channel].pop_front();
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync() || event.channel >= passing_.size()) continue;
      if (event.flit.kind == core::Flit::kFirst) taken_[event.channel].push_back(cycle);
      if (event.flit.kind == core::Flit::kPad) {
        ++pads_;
      } else if (event.flit.kind == core::Flit::kControl) {
        preemptions_ += is_control(event.flit) && !link_control(event.flit).end;
      } else if (const auto m = passing_[event.channel].add(event.flit)) {
        message(cycle, layout_.channels()[event.channel], *m);
      }
    }
  }

  Model model() const { return use_.model(); }
  std::uint64_t preemptions() const { return preemptions_; }  ///< padding requests
  std::uint64_t pads() const { return pads_; }                ///< on all links, each on each
  /// Messages after the first that left a switch by another port than the deterministic one.
  std::uint64_t detours() const { return detours_; }
  /// *Free* of a group on the wires into a switch, so far.
  std::uint32_t frees(std::uint32_t gid, std::uint32_t into) const {
    const auto found = frees_.find({gid, into});
    return found == frees_.end() ? 0 : found->second;
  }

  /// Messages that have gone on a channel and whose barrier buffer has not become free since: cycle
  /// of the first flit, channel; ascending.
  std::vector<std::pair<std::uint64_t, core::ChannelId>> unreturned() const {
    std::vector<std::pair<std::uint64_t, core::ChannelId>> list;
    for (core::ChannelId c = 0; c < taken_.size(); ++c)
      if (!taken_[c].empty()) list.emplace_back(taken_[c].front(), c);
    std::ranges::sort(list);
    return list;
  }

 private:
  /// A message from one to another: of those there is one at a time.
  using Way = std::tuple<std::uint32_t, BsrType, std::uint32_t, std::uint32_t>;
  void message(std::uint64_t cycle, const fabric::Channel& channel, const BsrMessage& m) {
    if (m.gid >= groups_) return;
    if (m.bnt == Bnt::kFree) {
      if (!channel.to.node) ++frees_[{m.gid, channel.to.id}];
      return;
    }
    std::uint32_t barrier = 0;  // of first messages
    if (m.type != BsrType::kFirst) {
      const std::uint32_t to = channel.to.node ? channel.to.id : m.destination;
      const bool ends = channel.to.node || channel.to.id + nodes_ == m.destination;
      std::uint32_t& ended = ended_[{m.gid, m.type, m.source, to}];
      // There is no reduction of the first barrier.
      barrier = ended + (m.type == BsrType::kReduction);
      ended += ends;
      if (!channel.from.node && !channel.to.node && m.destination < routes_->destinations())
        detours_ += channel.from.port != routes_->next_port(channel.from.id, m.destination);
    }
    count(cycle, m.gid, barrier, m.type == BsrType::kDistribution);
  }

  const fabric::Layout& layout_;
  std::size_t groups_;
  std::uint32_t nodes_, vcs_;
  const topology::Routes* routes_;
  ChannelUse use_;
  std::vector<BsrAssembly> passing_;              ///< by channel
  std::vector<std::deque<std::uint64_t>> taken_;  ///< barrier buffers by channel, since when
  std::map<Way, std::uint32_t> ended_;            ///< messages that have come to their end
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> frees_;
  std::uint64_t preemptions_ = 0, pads_ = 0, detours_ = 0;
};

}  // namespace muster::preempt
