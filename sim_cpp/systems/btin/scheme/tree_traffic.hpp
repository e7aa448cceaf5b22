// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  /// Groups have their numbers as identifiers.
  TreeTraffic(std::size_t groups, std::uint32_t barriers, const fabric::Layout& layout,
              fabric::Formats formats, Messages messages)
      : run::BarrierTraffic(groups, barriers),
        layout_(layout),
        formats_(formats),
        kind_(messages),
        seen_(groups, std::vector<std::uint32_t>(2 * layout.channels().size())),
        first_(groups, 0) {}

  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> /*credits*/) override {
    for (const core::FlitEvent& event : flits) {
      if (!event.flit.sync()) continue;
      const fabric::BarrierMessage message = formats_.barrier_message(event.flit);
      const std::uint32_t g = group_of(event.channel, message.gid);
      if (g == kNone || message.type > fabric::MessageType::kDistribution) continue;
      if (event.channel >= layout_.channels().size()) {
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
  void name_registers(const RegisterPlan& plan) {
    for (const RegisterSlot& slot : plan) group_of_label_[{slot.image.sw, slot.slot}] = slot.group;
  }
  /// Of a message on this channel with this identifier, or label; ~0 if there is none.
  std::uint32_t group_of(core::ChannelId channel, std::uint32_t name) const {
    if (group_of_label_.empty()) return group_of(name);
    const fabric::Channel& at = layout_.channels()[channel % layout_.channels().size()];
    const auto found = group_of_label_.find({at.to.node ? at.from.id : at.to.id, name});
    return found == group_of_label_.end() ? kNone : found->second;
  }
  /// With this identifier; ~0 if there is none.
  std::uint32_t group_of(std::uint32_t gid) const { return gid < seen_.size() ? gid : kNone; }
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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  const fabric::Layout& layout_;  ///< channels behind its own are out of link ends and delay pipes
  fabric::Formats formats_;
  Messages kind_;
  std::uint64_t messages_ = 0, repeated_ = 0, arrived_ = 0;
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by group, channel and type
  std::vector<std::uint32_t> first_;              ///< barrier of the epoch, by group
  /// With labels, by switch and label; a message from a node or to it has that of its switch.
  std::map<std::pair<topology::SwitchId, std::uint32_t>, std::uint32_t> group_of_label_;
};

}  // namespace muster::btin
