// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "fabric/checkers/packet_table.hpp"
#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// Every packet of data, of a barrier or about a group that a node injects is ejected exactly once,
/// at its destination, as it was sent, and in order for each source, destination, virtual channel
/// and of the two kinds (data or not); nothing else is ejected but register packets and messages of
/// barrier units; nothing is missing from an empty network. Sees the channels of the nodes only.
///
/// After a loss a packet may be missing, or be ejected as far as it came and with a tail that a
/// link end has made, if its deterministic route leads through what was lost: one that is under way
/// at the loss, or that begins before the loss is recovered. All others are checked as before.
class Delivery final : public LinkChecker {
 public:
  explicit Delivery(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.channel < first_node_channel_ || event.flit.sync()) return;
    const std::uint32_t node = (event.channel - first_node_channel_) / 2;
    if ((event.channel - first_node_channel_) & 1)
      eject(cycle, event, node);
    else
      inject(cycle, event, node);
  }
  void lose(std::uint64_t cycle, const Loss& loss) override;
  void recovered() override;
  void finish(std::uint64_t cycle, bool drained) override;

  std::uint64_t delivered() const { return delivered_; }  ///< packets
  const PacketTable& travelling() const { return table_; }
  /// Of a category of travelling().
  static std::uint32_t vc_of(std::uint8_t category) { return category / 2u; }

 private:
  /// A packet that is on its way through the channel of a node in one virtual channel.
  struct Passing {
    std::uint64_t hash = 0;
    std::uint32_t flits = 0;                          ///< so far; 0 between packets
    std::uint32_t source = 0;                         ///< as its flit 1 says
    bool barrier = false;                             ///< a barrier's or group's, not data
    bool of_switch = false;                           ///< to or from one; not checked here
    PacketTable::Handle handle = PacketTable::kNone;  ///< injection only
    std::uint16_t sequence = 0;                       ///< as its flit 2 says
  };
  /// Packets of data and of barriers are numbered apart.
  static std::uint8_t category(std::uint8_t vc, bool barrier) {
    return static_cast<std::uint8_t>(2 * vc + (barrier ? 1 : 0));
  }
  static bool skipped(const core::FlitEvent& event, Passing& passing);
  static void add_to_hash(Passing& passing, const core::Flit& flit);
  void head(std::uint64_t cycle, const core::FlitEvent& event, Passing& passing);
  void inject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node);
  void eject(std::uint64_t cycle, const core::FlitEvent& event, std::uint32_t node);
  void arrived(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
               std::uint32_t node);
  bool leads_through(const Loss& loss, const Travelling& packet) const;
  void pass_on(PacketTable::Handle taken);
  void forgive(PacketTable::Handle handle);
  bool remnant(const core::FlitEvent& event, const Passing& passing, std::uint32_t node) const;
  void drop_lost(const Passing& passing, std::uint32_t node, std::uint8_t category);

  core::ChannelId first_node_channel_;
  std::vector<Passing> leaving_, arriving_;  ///< by node and virtual channel
  PacketTable table_;
  std::uint64_t delivered_ = 0;
  std::vector<Loss> losses_;           ///< not recovered
  std::vector<std::uint8_t> lost_to_;  ///< by node: a packet to it has been forgiven
};

}  // namespace muster::checkers
