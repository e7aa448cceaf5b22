// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "muster/fabric/checkers/checker.hpp"
#include "muster/fabric/checkers/link_checker.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "topology/places.hpp"

namespace muster::checkers {

/// What one direction of a link between preempting switches may carry
/// (docs/systems/preempting-switches.md, The link), as far as its flits show it:
///
/// - A message is in one virtual channel, the one that is cut or, if none is, a free one; where
///   credits do not decide, the lowest that is free. At most one cycle is between two of its
///   flits, and nothing of its channel.
/// - A channel is cut in the middle of a packet, if none is free and none is cut. (On links that
///   are held at times, which is as if each channel had an owner, also outside of one.) It is
///   handed back behind at least one message. In between it carries only messages.
/// - Where messages take no credits of data, no data are between a request and its message.
class BsrLine {
 public:
  /// The next flit of the link. Returns what is wrong with it; nothing if it may be there.
  std::string fault(const Subject& subject, std::uint64_t cycle, const core::Flit& flit);
  /// The message that this flit has completed.
  const std::optional<preempt::BsrMessage>& message() const { return message_; }
  /// Nothing is in progress and nothing is cut.
  bool idle() const { return !assembly_.in_progress() && !cut_; }

 private:
  std::string data(const Subject& subject, const core::Flit& flit);
  std::string control(const Subject& subject, const core::Flit& flit);
  std::string first(const Subject& subject, const core::Flit& flit) const;
  std::string following(std::uint64_t cycle, const core::Flit& flit) const;

  preempt::BsrAssembly assembly_;
  std::optional<preempt::BsrMessage> message_;
  std::uint8_t channel_ = 0;         ///< of the message in progress
  std::uint64_t last_ = 0;           ///< cycle of its last flit so far
  std::optional<std::uint8_t> cut_;  ///< channel
  bool used_ = false;                ///< a message has gone in it since it was cut
  std::uint32_t under_way_ = 0;      ///< channels within a packet, a bit each
};

/// A group whose barrier messages build their own tree (docs/systems/bsr-tree.md).
struct BsrGroup {
  std::uint32_t gid = 0;
  std::vector<topology::NodeId> members;
  topology::SwitchId center_switch = 0;
  std::vector<std::uint8_t> bsr_nodes = {};  ///< by switch, 1: it is one
};

/// Barrier messages of preempting switches on the links, each of which carries what BsrLine says.
/// They leave a switch by a legal port, first messages by the deterministic one; where tables are
/// rewritten, of the routes in force or of those before. No member is
/// released before all have arrived, each arrives and is released once per barrier; what it sends
/// is due. An empty network owes no release and has nothing cut.
class BsrMessages : public LinkChecker {
 public:
  BsrMessages(const Subject& subject, const std::vector<BsrGroup>& groups);
  Sees sees() const override {
    return {.sync = true, .heads = true, .bodies = true, .cycles = true};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override;
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override;
  void finish(std::uint64_t cycle, bool drained) override;
  /// Messages under way may have read masks of these routes too. They outlive the last cycle.
  void allow(const topology::Routes& older) { older_ = &older; }

 private:
  struct Member {
    std::uint32_t arrived = 0, released = 0;  ///< barriers
  };
  struct Group {
    BsrGroup group;
    std::vector<Member> members;
    topology::Places places;
    std::vector<std::uint32_t> arrived;  ///< by barrier: members
  };
  struct Release {
    core::ChannelId channel;
    std::uint32_t group, member;
  };
  void message(std::uint64_t cycle, core::ChannelId channel, const preempt::BsrMessage& m);
  void from_node(std::uint64_t cycle, core::ChannelId channel, const preempt::BsrMessage& m);
  void into_node(std::uint64_t cycle, core::ChannelId channel, const preempt::BsrMessage& m);
  /// The place of the node, which has to be a member.
  std::uint32_t member(std::uint64_t cycle, core::ChannelId channel, std::uint32_t node,
                       std::uint32_t gid);

  /// Ports by which a message may leave a switch, by some routes.
  static std::uint32_t legal(const topology::Routes& routes, topology::SwitchId s,
                             const preempt::BsrMessage& m);

  const topology::Routes* older_ = nullptr;
  std::vector<BsrLine> lines_;  ///< by channel
  std::vector<Group> groups_;
  std::vector<Release> releases_;  ///< of this cycle
};

}  // namespace muster::checkers
