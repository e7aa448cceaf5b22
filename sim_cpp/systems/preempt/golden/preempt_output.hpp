// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/lanes.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::golden {

/// The three switches of the paper (docs/systems/preempting-switches.md).
enum class PreemptKind : std::uint8_t { kI = 1, kII, kIII };

/// Crossbar I of a preempting switch (docs/systems/preempting-switches.md): what is data goes to
/// the input buffers, flits of barrier messages go to the barrier buffers, and the padding
/// generator is connected to the input buffers whose channel the neighbour has cut. Switch III has
/// no such crossbar; what it does with the heads of its input buffers follows the same table.
class CrossbarOne {
  using Flit = core::Flit;

 public:
  /// What it does with the flits of a cycle.
  struct Steered {
    std::uint64_t data = 0;                       ///< lanes: for the input buffer
    std::uint64_t taken = 0;                      ///< lanes: all others, except for those that wait
    std::uint16_t messages = 0;                   ///< ports: message[p] goes to the barrier buffer
    std::uint16_t malformed = 0;                  ///< ports
    std::uint64_t connects = 0, disconnects = 0;  ///< lanes: padding requests and ends
    std::array<Flit, kMaxPorts> message;
  };

  CrossbarOne(PreemptKind kind, std::uint32_t vcs) : kind_(kind), vcs_(vcs) {}

  /// A flit of this cycle, on its channel of `port`. Channels of a port in ascending order: flits
  /// of messages, but the first, wait.
  void steer(std::uint32_t port, const Flit& flit, Steered& steered) const {
    const std::uint64_t lane = bit(lane_of(port, flit.vc));
    const auto at = static_cast<std::uint16_t>(bit(port));
    if (!flit.sync() || flit.kind == Flit::kPad) {
      steered.data |= lane;
      return;
    }
    if (flit.kind == Flit::kControl) {
      const preempt::LinkControl control = preempt::link_control(flit);
      if (!preempt::is_control(flit) || !may_name(control.channel, flit.vc))
        steered.malformed |= at;
      else
        (control.end ? steered.disconnects : steered.connects) |=
            bit(lane_of(port, control.channel));
    } else if (kind_ == PreemptKind::kII && flit.vc != 0) {
      steered.malformed |= at;
    } else {
      if (has(steered.messages, port)) return;
      steered.messages |= at;
      steered.message[port] = flit;
    }
    steered.taken |= lane;
  }
  /// The edge. `data`: lanes that data or pads of the neighbour have passed; its sender has gone
  /// on, so the padding end has been lost if the generator is still connected.
  void edge(const Steered& steered, std::uint64_t data) {
    generator_ = (generator_ | steered.connects) & ~(steered.disconnects | data);
  }

  /// Lanes of the input buffers that the generator is connected to.
  std::uint64_t generator() const { return generator_; }

 private:
  /// A padding request or end on channel `vc` may be about `channel`.
  bool may_name(std::uint32_t channel, std::uint32_t vc) const {
    if (kind_ == PreemptKind::kI) return channel < vcs_;
    return channel == (kind_ == PreemptKind::kII ? 0 : vc);
  }

  PreemptKind kind_;
  std::uint32_t vcs_;
  std::uint64_t generator_ = 0;
};

/// What the host sets for all outputs of a switch, cycles.
struct PreemptTimes {
  std::uint32_t idle = 16;      ///< T: after its last barrier flit a cut lasts so long
  std::uint32_t longest = 256;  ///< a cut, except for the message in progress
  std::uint32_t gap = 2;        ///< after a message in which no buffer is chosen
};

/// One output of a preempting switch: which buffer it serves, which channel it has cut for it, and
/// if the neighbour's barrier buffer is free. Masks are of channels.
class PreemptOutput {
 public:
  /// Of the output at the beginning of a cycle.
  struct View {
    bool busy = false;          ///< the crossbar holds a flit for it
    std::uint8_t free = 0;      ///< channels without owner
    std::uint8_t credited = 0;  ///< channels with a credit
    std::uint8_t roomy = 0;     ///< channels with a credit for each flit of the longest message
    std::uint32_t flits = 0;    ///< of the message served that have not gone
  };
  enum class What : std::uint8_t { kNothing, kRequest, kFlit, kEnd };
  struct Act {
    What what = What::kNothing;
    std::uint8_t channel = 0;  ///< on which it goes
    bool first = false;        ///< flit of its message
    bool last = false;
    bool hold = false;   ///< data are allocated to this output by no means
    bool waits = false;  ///< a message is served, has room, and does not go
  };

  /// `buffers`: that may ask, and barrier buffers of the neighbour.
  PreemptOutput(PreemptKind kind, std::uint32_t channels, std::uint32_t buffers, std::uint32_t room)
      : kind_(kind),
        channels_(static_cast<std::uint8_t>(bit(channels) - 1)),
        buffers_(buffers),
        most_room_(room),
        room_(room) {}

  /// `draw`: 0..15, chooses the channel that is cut; 15: the last.
  Act decide(const View& view, std::uint32_t draw) const {
    Act act = wanted(view, draw);
    const bool wants = act.what != What::kNothing;
    const bool goes = wants && !view.busy;
    act.hold = wants && (view.busy || (served_ && !act.last));
    act.waits = served_ && !begun_ && room_ != 0 && !(goes && act.first);
    if (!goes) act.what = What::kNothing;
    return act;
  }

  /// How good an output is for a later message: it could be chosen and needs no cut; it could, and
  /// is cut or can be.
  bool open_way(const View& view) const { return ready() && !cut_ && (usable(view) & view.free); }
  bool cut_way(const View& view) const { return ready() && (cut_ || cuttable(view) != 0); }

  std::optional<std::uint32_t> served() const { return served_; }
  /// Channels of which nothing is allocated; of which no packet begins.
  std::uint8_t shut(const Act& act) const {
    if (act.what == What::kRequest) return static_cast<std::uint8_t>(bit(act.channel));
    return cut_ ? static_cast<std::uint8_t>(bit(*cut_)) : std::uint8_t{0};
  }
  /// The channel has no owner, so nothing of it is allocated if no packet begins.
  std::uint8_t closed(const Act& act) const {
    if (place_) return static_cast<std::uint8_t>(bit(*place_));
    const bool takes = act.what == What::kFlit && !cut_;
    return takes ? static_cast<std::uint8_t>(bit(act.channel)) : std::uint8_t{0};
  }

  /// The edge of a cycle: what was done in it, which buffers ask, the channels of which a flit was
  /// allocated, and if the credit of the neighbour's barrier buffer came back. Throws InternalError
  /// if no message had taken that.
  void edge(const Act& act, std::uint32_t asking, std::uint32_t allocated, bool returned,
            const PreemptTimes& times) {
    if (returned && room_ == most_room_)
      throw InternalError("a credit of a barrier buffer that no message has taken");
    const bool chooses = asking != 0 && (ready() || follows(act, times));
    count_down();
    if (has(allocated, guarded_)) guard_ = 0;
    wait_ = act.waits ? wait_ + 1 : 0;
    longest_wait_ = std::max(longest_wait_, wait_);
    acted(act, times);
    room_ += returned;
    if (chooses) {
      served_ = round_robin(asking, pointer_);
      pointer_ = (*served_ + 1) % buffers_;
    }
    spent_ = cut_ && used_ && age_ >= longest_;
  }

  /// Nothing runs.
  bool idle() const { return !served_ && !cut_ && gap_ == 0 && guard_ == 0; }
  /// The longest that a message has waited once served.
  std::uint32_t longest_wait() const { return longest_wait_; }
  /// The neighbour's barrier buffer is not known to be free.
  bool no_room() const { return room_ == 0; }
  std::string describe() const {
    std::string text;
    if (served_) text += fmt::format(" serves {}{}", *served_, begun_ ? " (begun)" : "");
    if (room_ == 0) text += " no room";
    if (place_) text += fmt::format(" on {}", *place_);
    if (cut_) text += fmt::format(" cut {} timer {} age {}", *cut_, timer_, age_);
    if (guard_ > 0) text += fmt::format(" guard {} for {}", guarded_, guard_);
    if (gap_ > 0) text += fmt::format(" gap {}", gap_);
    return text;
  }

 private:
  static constexpr std::uint32_t kGuard = 16;  // cycles
  bool ready() const { return !served_ && gap_ == 0; }
  /// With several buffers the next message follows at once.
  bool follows(const Act& act, const PreemptTimes& times) const {
    return most_room_ > 1 && act.what == What::kFlit && act.last && times.gap == 0;
  }
  std::uint8_t usable(const View& view) const {
    if (kind_ == PreemptKind::kII) return 1;
    return kind_ == PreemptKind::kI ? channels_ : view.credited;
  }
  std::uint8_t cuttable(const View& view) const {
    const std::uint64_t guarded = guard_ != 0 ? bit(guarded_) : 0;
    return static_cast<std::uint8_t>(usable(view) & ~view.free & ~guarded);
  }
  bool end_due(const View& view) const {
    if (!cut_ || begun_ || !(spent_ || (timer_ == 0 && !served_))) return false;
    return kind_ != PreemptKind::kIII || has(view.credited, *cut_);
  }
  /// The rules of the page (Output p), in their order.
  Act wanted(const View& view, std::uint32_t draw) const {
    if (end_due(view)) return {.what = What::kEnd, .channel = *cut_};
    if (!served_) return {};
    if (begun_)
      return {.what = What::kFlit, .channel = cut_ ? *cut_ : *place_, .last = view.flits == 1};
    if (room_ == 0) return {};
    const bool vacant = (usable(view) & view.free) != 0;
    return cut_ || vacant ? first_flit(view) : request(view, draw);
  }
  Act first_flit(const View& view) const {
    std::uint64_t able = cut_ ? bit(*cut_) : usable(view) & view.free;
    if (kind_ == PreemptKind::kIII) able &= view.roomy;
    if (able == 0) return {};
    return {.what = What::kFlit,
            .channel = static_cast<std::uint8_t>(lowest(able)),
            .first = true,
            .last = view.flits == 1};
  }
  Act request(const View& view, std::uint32_t draw) const {
    std::uint32_t occupied = cuttable(view);
    if (occupied == 0) return {};
    const auto count = static_cast<std::uint32_t>(std::popcount(occupied));
    // The `skip` lowest are skipped.
    for (std::uint32_t skip = draw * count / 16; skip > 0; --skip) occupied &= occupied - 1;
    return {.what = What::kRequest, .channel = static_cast<std::uint8_t>(lowest(occupied))};
  }
  void count_down() {
    if (guard_ > 0) --guard_;
    if (gap_ > 0) --gap_;
    if (cut_ && timer_ > 0) --timer_;
    if (cut_ && age_ < longest_) ++age_;
  }
  void acted(const Act& act, const PreemptTimes& times) {
    switch (act.what) {
      case What::kRequest:
        cut_ = act.channel;
        timer_ = times.idle;
        age_ = 0;
        longest_ = times.longest;
        used_ = false;
        break;
      case What::kFlit:
        if (act.first) {
          --room_;
          if (!cut_ && !act.last) place_ = act.channel;
        }
        if (cut_) timer_ = times.idle;
        used_ = true;
        begun_ = !act.last;
        if (act.last) {
          served_.reset();
          place_.reset();
          gap_ = times.gap;
        }
        break;
      case What::kEnd:
        guarded_ = *cut_;
        guard_ = kGuard;
        cut_.reset();
        break;
      case What::kNothing:
        break;
    }
  }

  PreemptKind kind_;
  std::uint8_t channels_;  // all
  std::uint32_t buffers_;
  std::optional<std::uint32_t> served_;  // buffer
  bool begun_ = false;                   // its first flit has gone
  std::uint32_t most_room_, room_;       // free barrier buffers of the neighbour
  std::optional<std::uint8_t> place_;    // free channel that it has taken
  std::optional<std::uint8_t> cut_;
  bool used_ = false;   // a flit of a message has gone in the cut
  bool spent_ = false;  // the cut has lasted as long as it may
  std::uint32_t timer_ = 0, age_ = 0, longest_ = 0, gap_ = 0, guard_ = 0, pointer_ = 0;
  std::uint8_t guarded_ = 0;  // channel
  std::uint32_t wait_ = 0, longest_wait_ = 0;
};

}  // namespace muster::golden
