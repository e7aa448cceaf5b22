// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/ranges.h>

#include "muster/run/scheme.hpp"
#include "systems/btin/spill_nodes.hpp"

namespace muster::btin {

/// Links that lose and double barrier messages, and nothing else. The fate of one depends on
/// seed, wire and cycle only, so it is the same on every engine.
class MessageFaults final : public core::Disturbance {
 public:
  MessageFaults(const RetrySpec& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}

  core::Arriving pass(std::uint32_t wire, std::uint64_t cycle, const core::Flit& flit) override {
    core::Arriving arriving{.count = 1, .flits = {flit, flit}};
    if (!flit.sync()) return arriving;
    Rng rng(seed_ ^ mix64(cycle), kStream | wire);
    if (rng.uniform() < spec_.drop) {
      ++dropped_;
      arriving.count = 0;
    } else if (rng.uniform() < spec_.duplicate) {
      ++duplicated_;
      arriving.count = 2;
    }
    return arriving;
  }
  std::uint64_t dropped() const { return dropped_; }
  std::uint64_t duplicated() const { return duplicated_; }

 private:
  /// Sets these numbers apart from those of other uses of the seed.
  static constexpr std::uint64_t kStream = std::uint64_t{0x6d657373} << 32;
  RetrySpec spec_;
  std::uint64_t seed_, dropped_ = 0, duplicated_ = 0;
};

/// The messages of barrier trees. The n-th message of a kind and group on a channel belongs to the
/// n-th barrier, whatever else is going on, because a channel carries at most one of each for a
/// barrier and keeps them in order. Where messages are repeated, those of one phase in a row are of
/// one barrier.
class TreeTraffic : public run::BarrierTraffic {
 public:
  enum class Messages : std::uint8_t { kOnce, kRepeat };
  TreeTraffic(const std::vector<PlannedGroup>& groups, std::uint32_t barriers, std::size_t channels,
              fabric::Formats formats, Messages messages = Messages::kOnce)
      : run::BarrierTraffic(groups.size(), barriers),
        formats_(formats),
        kind_(messages),
        channels_(channels),
        first_(groups.size(), 0),
        group_of_gid_(std::size_t{1} << formats.gid_width(), kNone) {
    for (const PlannedGroup& group : groups) {
      group_of_gid_.at(group.gid) = static_cast<std::uint32_t>(seen_.size());
      seen_.emplace_back(2 * channels);
    }
  }

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync()) continue;
      const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
      const std::uint32_t g = group_of(event.channel, message.gid);
      if (g == kNone || message.type > fabric::MessageType::kDistribution) continue;
      if (event.channel >= channels_) {
        ++arrived_;
        continue;
      }
      const bool down = message.type == fabric::MessageType::kDistribution;
      std::uint32_t& seen = seen_[g][2 * event.channel + (down ? 1 : 0)];
      bool repeated = false;
      if (kind_ == Messages::kRepeat) {
        ++messages_;
        const fabric::RetryMessage retry = fabric::retry_message(formats_, message);
        if (retry.fail) continue;  // it is of no barrier that will be done
        // Of the last barrier that has been seen on the channel; the first of an epoch has phase 0.
        repeated = retry.phase != (((seen - first_[g]) & 1) != 0);
        repeated_ += repeated;
      }
      count(cycle, g, repeated ? seen - 1 : seen++, down);
    }
  }

  /// The group has another tree, or epoch, from this barrier on; none of its messages is on any
  /// link.
  void begin_tree(std::uint32_t group, std::uint32_t barrier) {
    seen_[group].assign(seen_[group].size(), barrier);
    first_[group] = barrier;
  }
  /// Switches have labels: with these registers of the groups messages are told apart.
  void name_registers(const fabric::Network& network, const RegisterPlan& plan) {
    group_of_label_.assign(kLabels * network.graph().switches(), kNone);
    for (const RegisterSlot& slot : plan.slots)
      group_of_label_[kLabels * slot.image.sw + slot.slot] = slot.group;
    for (const fabric::Channel& channel : network.layout().channels())
      switch_of_.push_back(channel.to.node ? channel.from.id : channel.to.id);
  }
  /// Of a message on this channel with this identifier, or label; ~0 if there is none.
  std::uint32_t group_of(core::ChannelId channel, std::uint32_t name) const {
    if (group_of_label_.empty()) return group_of_gid_[name];
    return name < kLabels ? group_of_label_[kLabels * switch_of_[channel % channels_] + name]
                          : kNone;
  }
  /// With this identifier; ~0 if there is none.
  std::uint32_t group_of(std::uint32_t gid) const { return group_of_gid_[gid]; }
  /// Messages on all channels, and those of them that had been on their channel before.
  std::uint64_t messages() const { return messages_; }
  std::uint64_t repeated() const { return repeated_; }
  /// Those that have come out of a link whose ends retry, or of a delay pipe.
  std::uint64_t arrived() const { return arrived_; }
  /// Barriers of a group of which a message has been seen on a channel so far, as if its tree had
  /// always been the same.
  std::uint32_t reductions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel];
  }
  std::uint32_t distributions(std::uint32_t group, core::ChannelId channel) const {
    return seen_[group][2 * channel + 1];
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0}, kLabels = 16;

  fabric::Formats formats_;
  Messages kind_;
  std::uint64_t messages_ = 0, repeated_ = 0, arrived_ = 0;
  std::size_t channels_;  ///< behind them those out of link ends and delay pipes
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by group, channel and type
  std::vector<std::uint32_t> first_;              ///< barrier of the epoch, by group
  std::vector<std::uint32_t> group_of_gid_;
  std::vector<std::uint32_t> group_of_label_;  ///< by switch and label; empty without labels
  std::vector<topology::SwitchId>
      switch_of_;  ///< by channel: where it leads, or begins at a node's
};

/// What a report is made from; everything outlives it.
struct Scene {
  const std::vector<PlannedGroup>& groups;
  const RegisterPlan& plan;
  fabric::Network& network;
  const run::Members& members;
  const TreeTraffic& messages;
  const std::vector<topology::NodeId>& nodes;  ///< of the group, by member
  const SpillNodes* spill = nullptr;           ///< if groups may be spilled
  bool many = false;                           ///< groups are in block RAM
};

/// Why a group makes no progress: where in its tree messages are missing, and whose arrival. Reads
/// the barrier registers of the group through the register ports and compares them with the
/// messages seen on the links. REQUIRES: the group is not done.
class Investigation {
  using ChannelId = core::ChannelId;
  using Peer = topology::Peer;

 public:
  Investigation(const Scene& scene, std::uint32_t group)
      : s_(scene), group_(group), b_(scene.members.current(group)) {
    const auto& channels = s_.network.layout().channels();
    out_.resize(s_.network.graph().switches());
    for (ChannelId c = 0; c < channels.size(); ++c) {
      const fabric::End& from = channels[c].from;
      if (from.node) continue;
      out_[from.id].resize(s_.network.graph().ports(from.id));
      out_[from.id][from.port] = c;
    }
    for (const std::uint32_t m : s_.members.missing(group, b_)) missing_.push_back(s_.nodes[m]);
  }

  std::string text() {
    for (const RegisterSlot& slot : s_.plan.slots)
      if (slot.group == group_) examine(slot);
    if (lines_.empty()) {
      std::vector<std::string> names;
      for (const topology::NodeId n : missing_) names.push_back(node_text(n));
      lines_ = {fmt::format("members that have not arrived: {}", fmt::join(names, ", "))};
    }
    constexpr std::size_t kLines = 12;
    const std::size_t more = lines_.size() > kLines ? lines_.size() - kLines : 0;
    lines_.resize(lines_.size() - more);
    if (more != 0) lines_.push_back(fmt::format("and {} places more", more));
    return fmt::format("group '{}' makes no progress at barrier {} since cycle {}: {}",
                       s_.groups[group_].name, b_, s_.members.last_event(group_),
                       fmt::join(lines_, "; "));
  }

 private:
  /// The reverse of a channel, see Layout.
  static ChannelId reverse(ChannelId c) { return c ^ 1u; }
  std::string node_text(topology::NodeId n) const {
    return fmt::format("{} (n{})", topology::node_text(s_.network.graph(), n), n);
  }
  bool missing(topology::NodeId n) const {
    return std::ranges::find(missing_, n) != missing_.end();
  }
  bool went_up(ChannelId c) const { return s_.messages.reductions(group_, c) > b_; }
  bool went_down(ChannelId c) const { return s_.messages.distributions(group_, c) > b_; }
  std::string name(ChannelId c) const { return s_.network.layout().name(c); }
  template <class... Args>
  void say(topology::SwitchId sw, fmt::format_string<const Args&...> line, const Args&... args) {
    lines_.push_back(fmt::format("{} {}", topology::switch_text(s_.network.graph(), sw),
                                 fmt::format(line, args...)));
  }

  void examine(const RegisterSlot& slot) {
    const RegisterImage& image = slot.image;
    const Progress progress = this->progress(slot);
    bool served_some = false;
    core::for_each_bit(image.child_mask,
                       [&](std::uint32_t port) { served_some |= went_down(out_[image.sw][port]); });
    if (served_some || progress.serve != 0)
      examine_downward(image);
    else if (image.reflect || !went_up(out_[image.sw][image.parent_port]))
      examine_upward(image, progress.arrived);
    else
      examine_parent(image);
  }

  /// Masks of ports.
  struct Progress {
    core::PortMask arrived = 0, serve = 0;
  };
  /// As the register has it; a spill node serves at once.
  Progress progress(const RegisterSlot& slot) const {
    const topology::SwitchId sw = slot.image.sw;
    core::Bank& switches = s_.network.switches();
    if (slot.spilled) {
      const SpillRegister* spilled = s_.spill->find(sw, slot.image.gid);
      return {spilled != nullptr ? spilled->arrived() : 0u, 0};
    }
    if (s_.many) switches.write_register(sw, fabric::window_registers::kSelect, slot.slot);
    const std::uint32_t r = s_.many ? 0 : slot.slot;
    const auto mask = [&](std::uint32_t address) {
      return regs::read_mask(address, switches.ports(),
                             [&](std::uint32_t word) { return switches.read_register(sw, word); });
    };
    return {mask(regs::arrived(r)), mask(regs::serve(r))};
  }

  /// The switch has not yet passed the barrier upwards.
  void examine_upward(const RegisterImage& image, core::PortMask arrived) {
    const core::PortMask absent = image.child_mask & ~arrived;
    if (absent == 0 && image.reflect) say(image.sw, "has all arrivals and has not reflected");
    if (absent == 0 && !image.reflect)
      say(image.sw, "has all arrivals and has not sent its message on {}",
          name(out_[image.sw][image.parent_port]));
    core::for_each_bit(absent, [&](std::uint32_t port) {
      const Peer& peer = s_.network.graph().peer(image.sw, port);
      const ChannelId in = reverse(out_[image.sw][port]);
      if (went_up(in))
        say(image.sw, "has not taken the reduction message sent on {}", name(in));
      else if (peer.kind == Peer::Kind::kNode)
        say(image.sw, "waits for member {}, {}", node_text(peer.id),
            missing(peer.id) ? "which has not arrived" : "whose message waits in the node");
      // a child switch has a line of its own
    });
  }

  /// The switch has sent its message up and no answer has come.
  void examine_parent(const RegisterImage& image) {
    const ChannelId up = out_[image.sw][image.parent_port];
    const Peer& peer = s_.network.graph().peer(image.sw, image.parent_port);
    if (went_down(reverse(up)))
      say(image.sw, "has not taken the distribution message sent on {}", name(reverse(up)));
    else if (peer.kind == Peer::Kind::kNode && missing(peer.id))
      say(image.sw, "waits for root node {}, which has not arrived", node_text(peer.id));
    else if (peer.kind == Peer::Kind::kNode)
      say(image.sw, "waits for root node {}, notified on {}", node_text(peer.id), name(up));
  }

  void examine_downward(const RegisterImage& image) {
    core::for_each_bit(image.child_mask, [&](std::uint32_t port) {
      const ChannelId out = out_[image.sw][port];
      const Peer& peer = s_.network.graph().peer(image.sw, port);
      if (!went_down(out))
        say(image.sw, "has still to send its distribution message on {}", name(out));
      else if (peer.kind == Peer::Kind::kNode && waits(peer.id))
        say(image.sw, "sent a distribution message on {} that member {} has not got", name(out),
            node_text(peer.id));
    });
  }

  bool waits(topology::NodeId n) const {
    const auto at = std::ranges::find(s_.nodes, n) - s_.nodes.begin();
    return s_.members.released_from(group_, static_cast<std::uint32_t>(at)) <= b_;
  }

  const Scene& s_;
  std::uint32_t group_, b_;                  ///< the barrier at which it stands
  std::vector<std::vector<ChannelId>> out_;  ///< by switch and port
  std::vector<std::string> lines_;
  std::vector<topology::NodeId> missing_;  ///< members that have not arrived
};

}  // namespace muster::btin
