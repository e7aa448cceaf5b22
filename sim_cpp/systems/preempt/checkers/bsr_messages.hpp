// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/checkers/link_checker.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/preempt/bsr_tree.hpp"
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
  using Flit = core::Flit;

 public:
  explicit BsrLine(const preempt::BsrFormat& format = {}) : assembly_(format) {}
  /// The next flit of the link. Returns what is wrong with it; nothing if it may be there.
  std::string fault(const Subject& subject, std::uint64_t cycle, const Flit& flit) {
    message_.reset();
    if (!fabric::passes_data(flit)) return data(subject, flit);
    if (flit.kind == Flit::kControl) return control(subject, flit);
    std::string fault = flit.kind == Flit::kFirst ? first(subject, flit) : following(cycle, flit);
    if (!fault.empty()) return fault;
    message_ = assembly_.add(flit);
    channel_ = flit.vc;
    last_ = cycle;
    used_ = true;
    return {};
  }
  /// The message that this flit has completed.
  const std::optional<preempt::BsrMessage>& message() const { return message_; }
  /// Nothing is in progress and nothing is cut.
  bool idle() const { return !assembly_.in_progress() && !cut_; }

 private:
  /// Virtual channels of the link that a message may take or cut.
  static std::uint32_t usable(const Subject& subject) {
    return subject.cuttable & ((1u << subject.vcs) - 1);
  }
  /// Which of these it is depends on credits of data, which the flits do not show.
  static bool by_credits(const Subject& subject) {
    return subject.sync_credits == fabric::SyncCredits::kBoth;
  }
  /// A flit of a packet, or a pad.
  std::string data(const Subject& subject, const Flit& flit) {
    if (cut_ == flit.vc) return fmt::format("a flit in virtual channel {}, which is cut", flit.vc);
    if (assembly_.in_progress() && channel_ == flit.vc)
      return fmt::format("a flit in virtual channel {} between those of a message", flit.vc);
    if (cut_ && !used_ && !by_credits(subject))
      return fmt::format("a flit in virtual channel {} between a request and its message", flit.vc);
    if (flit.head()) under_way_ |= 1u << flit.vc;
    if (flit.tail()) under_way_ &= ~(1u << flit.vc);
    return {};
  }
  std::string control(const Subject& subject, const Flit& flit) {
    const bool known = fabric::is_control(flit) && fabric::link_control(flit).channel == flit.vc &&
                       fabric::control_flit(fabric::link_control(flit)) == flit;
    if (!known) return fmt::format("undefined link control {:#x}", flit.lo);
    const bool end = fabric::link_control(flit).end;
    const char* const name = end ? "end" : "request";
    if (assembly_.in_progress()) return fmt::format("padding {} within a message", name);
    if (end ? cut_ != flit.vc : cut_.has_value())
      return fmt::format("padding {} for virtual channel {}, of which {} is cut", name, flit.vc,
                         cut_ ? fmt::format("{}", *cut_) : "none");
    if (end && !used_) return std::string("padding end for a cut without a message");
    const std::uint32_t busy = by_credits(subject) ? 1u << flit.vc : usable(subject);
    // On a link that is held a channel is as if it had an owner, and the flits do not show it.
    if (!end && !subject.held && (under_way_ & busy) != busy)
      return fmt::format("padding request for virtual channel {}, packets are under way in {:#x}",
                         flit.vc, under_way_);
    used_ = false;
    if (end)
      cut_.reset();
    else
      cut_ = flit.vc;
    return {};
  }
  std::string first(const Subject& subject, const Flit& flit) const {
    if (!preempt::begins_bsr_message(flit))
      return fmt::format("a first flit {:#x} of no type of message", flit.lo);
    if (assembly_.in_progress()) return std::string("a message within another");
    if (cut_) {
      if (*cut_ == flit.vc) return {};
      return fmt::format("a message in virtual channel {}, but {} is cut", flit.vc, *cut_);
    }
    if (under_way_ >> flit.vc & 1)
      return fmt::format("a message in virtual channel {} within a packet that is not cut",
                         flit.vc);
    const std::uint32_t lower = usable(subject) & ((1u << flit.vc) - 1) & ~under_way_;
    if (lower != 0 && !by_credits(subject))
      return fmt::format("a message in virtual channel {}, but lower ones are free: {:#x}", flit.vc,
                         lower);
    return {};
  }
  std::string following(std::uint64_t cycle, const Flit& flit) const {
    if (!assembly_.in_progress()) return std::string("a flit without a message");
    if (flit.vc != channel_)
      return fmt::format("a message in virtual channel {} goes on in {}", channel_, flit.vc);
    if (cycle > last_ + 2)
      return fmt::format("{} cycles between two flits of a message", cycle - last_ - 1);
    return {};
  }

  preempt::BsrAssembly assembly_;
  std::optional<preempt::BsrMessage> message_;
  std::uint8_t channel_ = 0;         ///< of the message in progress
  std::uint64_t last_ = 0;           ///< cycle of its last flit so far
  std::optional<std::uint8_t> cut_;  ///< channel
  bool used_ = false;                ///< a message has gone in it since it was cut
  std::uint32_t under_way_ = 0;      ///< channels within a packet, a bit each
};

/// Barrier messages of preempting switches on the links, each of which carries what BsrLine says.
/// They leave a switch by a legal port, first messages by the deterministic one; where tables are
/// rewritten, of the routes in force or of those before. No member is
/// released before all have arrived, each arrives and is released once per barrier; what it sends
/// is due. An empty network owes no release and has nothing cut.
class BsrMessages : public LinkChecker {
  using BsrMessage = preempt::BsrMessage;
  using BsrType = preempt::BsrType;
  using ChannelId = core::ChannelId;

 public:
  /// `trees`: of groups 0, 1, ...
  BsrMessages(const Subject& subject, const std::vector<preempt::BsrTree>& trees)
      : LinkChecker("bsr messages", subject),
        lines_(subject.layout.channels().size(), BsrLine(preempt::BsrFormat(subject.formats))) {
    for (const preempt::BsrTree& tree : trees)
      groups_.push_back(
          {tree, std::vector<Member>(tree.members.size()), topology::Places(tree.members), {}});
  }
  Sees sees() const override {
    return {.sync = true, .heads = true, .bodies = true, .cycles = true};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    BsrLine& line = lines_[event.channel];
    std::string fault = line.fault(subject_, cycle, event.flit);
    require(fault.empty(), cycle, event.channel, "{}", fault);
    if (line.message()) message(cycle, event.channel, *line.message());
  }
  /// After all flits of the cycle, whose order is arbitrary.
  void end_cycle(std::uint64_t cycle) override {
    for (const Release& release : releases_) {
      Group& group = groups_[release.group];
      Member& who = group.members[release.member];
      const std::uint32_t have = group.arrived[who.released];
      require(have == group.members.size(), cycle, release.channel,
              "released from barrier {} of group {} after {} of {} arrivals", who.released,
              release.group, have, group.members.size());
      ++who.released;
    }
    releases_.clear();
  }
  void finish(std::uint64_t cycle, bool drained) override {
    if (!drained || !subject_.pads) return;
    for (ChannelId c = 0; c < lines_.size(); ++c)
      require(lines_[c].idle(), cycle, c, "half a message or a cut channel in an empty network");
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::uint32_t m = 0; m < groups_[g].members.size(); ++m) {
        const Group& group = groups_[g];
        const Member& who = group.members[m];
        const bool all = who.arrived == 0 || group.arrived[who.arrived - 1] == group.members.size();
        require(who.released == who.arrived || !all, cycle,
                subject_.layout.into_node(group.tree.members[m]),
                "a release from barrier {} of group {} is owed", who.released, g);
      }
  }
  /// Messages under way may have read masks of these routes too. They outlive the last cycle.
  void allow(const topology::Routes& older) { older_ = &older; }

 private:
  struct Member {
    std::uint32_t arrived = 0, released = 0;  ///< barriers
  };
  struct Group {
    preempt::BsrTree tree;
    std::vector<Member> members;
    topology::Places places;
    std::vector<std::uint32_t> arrived;  ///< by barrier: members
  };
  struct Release {
    ChannelId channel;
    std::uint32_t group, member;
  };
  void message(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
    require(m.gid < groups_.size(), cycle, channel, "a message of group {}, which does not exist",
            m.gid);
    const fabric::Channel& at = subject_.layout.channels()[channel];
    if (at.from.node) {
      from_node(cycle, channel, m);
    } else if (at.to.node) {
      into_node(cycle, channel, m);
    } else {
      std::uint32_t ports = legal(subject_.routes, at.from.id, m);
      if (older_ != nullptr) ports |= legal(*older_, at.from.id, m);
      require(ports >> at.from.port & 1, cycle, channel,
              "a message of type {} for destination {} leaves by port {}, legal are {:#x}",
              static_cast<int>(m.type), m.destination, at.from.port, ports);
    }
  }
  /// An arrival.
  void from_node(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
    const fabric::Channel& at = subject_.layout.channels()[channel];
    Group& group = groups_[m.gid];
    Member& who = group.members[member(cycle, channel, at.from.id, m.gid)];
    const std::uint32_t nodes = subject_.graph.nodes(), own = nodes + at.to.id;
    const bool first = who.arrived == 0;
    const bool due =
        first ? m.type == BsrType::kFirst && m.bnt == preempt::Bnt::kSource && m.source == own &&
                    m.new_node == own && !m.refused &&
                    m.destination == nodes + group.tree.center_switch
              : m.type == BsrType::kReduction && m.source == at.from.id && m.destination == own;
    require(due && who.arrived == who.released, cycle, channel,
            "n{} sends a message of type {} of group {} that is not due, barrier {}", at.from.id,
            static_cast<int>(m.type), m.gid, who.arrived);
    if (group.arrived.size() == who.arrived) group.arrived.push_back(0);
    ++group.arrived[who.arrived++];
  }
  /// A release, or the news that the group is refused.
  void into_node(std::uint64_t cycle, ChannelId channel, const BsrMessage& m) {
    const std::uint32_t node = subject_.layout.channels()[channel].to.id;
    const std::uint32_t place = member(cycle, channel, node, m.gid);
    const Member& who = groups_[m.gid].members[place];
    if (m.type == BsrType::kFirst && m.refused) return;
    require(m.type == BsrType::kDistribution && who.released < who.arrived, cycle, channel,
            "a message of type {} of group {} that n{} does not wait for", static_cast<int>(m.type),
            m.gid, node);
    releases_.push_back({channel, m.gid, place});
  }
  /// The place of the node, which has to be a member.
  std::uint32_t member(std::uint64_t cycle, ChannelId channel, std::uint32_t node,
                       std::uint32_t gid) {
    const std::uint32_t place = groups_[gid].places[node];
    require(place != topology::Places::kNone, cycle, channel, "n{} is not a member of group {}",
            node, gid);
    return place;
  }

  /// Ports by which a message may leave a switch, by some routes.
  static std::uint32_t legal(const topology::Routes& routes, topology::SwitchId s,
                             const BsrMessage& m) {
    if (m.destination >= routes.destinations()) return 0;
    const core::PortMask mask = routes.mask(s, m.destination);
    return m.type == BsrType::kFirst ? mask & -mask : mask;
  }

  const topology::Routes* older_ = nullptr;
  std::vector<BsrLine> lines_;  ///< by channel
  std::vector<Group> groups_;
  std::vector<Release> releases_;  ///< of this cycle
};

}  // namespace muster::checkers
