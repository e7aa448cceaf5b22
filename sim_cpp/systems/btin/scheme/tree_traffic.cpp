// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/scheme/tree_traffic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace muster::btin {

namespace {

using core::ChannelId;
using topology::Peer;

/// The reverse of a channel, see Layout.
ChannelId reverse(ChannelId c) { return c ^ 1u; }

/// Walks the registers of one group. `b` is the barrier at which it stands.
class Investigation {
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

  std::string run() {
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
  std::uint32_t group_, b_;
  std::vector<std::vector<ChannelId>> out_;  ///< by switch and port
  std::vector<std::string> lines_;
  std::vector<topology::NodeId> missing_;  ///< members that have not arrived
};

}  // namespace

std::string explain_hang(const Scene& scene, std::uint32_t group) {
  return Investigation(scene, group).run();
}

}  // namespace muster::btin
