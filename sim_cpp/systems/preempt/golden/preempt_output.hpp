// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "fabric/golden/lanes.hpp"

namespace muster::golden {

/// The three switches of the paper (docs/systems/preempting-switches.md).
enum class PreemptKind : std::uint8_t { kI = 1, kII, kIII };

/// Crossbar I of a preempting switch (docs/systems/preempting-switches.md): what is data goes to
/// the input buffers, flits of barrier messages go to the barrier buffers, and the padding
/// generator is connected to the input buffers whose channel the neighbour has cut. Switch III has
/// no such crossbar; what it does with the heads of its input buffers follows the same table.
class CrossbarOne {
 public:
  /// What it does with the flits of a cycle.
  struct Steered {
    std::uint64_t data = 0;                       ///< lanes: for the input buffer
    std::uint64_t taken = 0;                      ///< lanes: all others, except for those that wait
    std::uint16_t messages = 0;                   ///< ports: message[p] goes to the barrier buffer
    std::uint16_t malformed = 0;                  ///< ports
    std::uint64_t connects = 0, disconnects = 0;  ///< lanes: padding requests and ends
    std::array<core::Flit, kMaxPorts> message;
  };

  CrossbarOne(PreemptKind kind, std::uint32_t vcs) : kind_(kind), vcs_(vcs) {}

  /// A flit of this cycle, on its channel of `port`. Channels of a port in ascending order: flits
  /// of messages, but the first, wait.
  void steer(std::uint32_t port, const core::Flit& flit, Steered& steered) const;
  /// The edge. `data`: lanes that data or pads of the neighbour have passed; its sender has gone
  /// on, so the padding end has been lost if the generator is still connected.
  void edge(const Steered& steered, std::uint64_t data) {
    generator_ = (generator_ | steered.connects) & ~(steered.disconnects | data);
  }

  /// Lanes of the input buffers that the generator is connected to.
  std::uint64_t generator() const { return generator_; }

 private:
  bool may_name(std::uint32_t channel, std::uint32_t vc) const;

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
  PreemptOutput(PreemptKind kind, std::uint32_t channels, std::uint32_t buffers,
                std::uint32_t room);

  /// `draw`: 0..15, chooses the channel that is cut; none: the last.
  Act decide(const View& view, std::optional<std::uint32_t> draw) const;

  /// How good an output is for a later message: it could be chosen and needs no cut; it could, and
  /// is cut or can be.
  bool open_way(const View& view) const { return ready() && !cut_ && (usable(view) & view.free); }
  bool cut_way(const View& view) const { return ready() && (cut_ || cuttable(view) != 0); }

  std::optional<std::uint32_t> served() const { return served_; }
  /// Channels of which nothing is allocated; of which no packet begins.
  std::uint8_t shut(const Act& act) const;
  std::uint8_t closed(const Act& act) const;

  /// The edge of a cycle: what was done in it, which buffers ask, the channels of which a flit was
  /// allocated, and if the credit of the neighbour's barrier buffer came back. Throws InternalError
  /// if no message had taken that.
  void edge(const Act& act, std::uint32_t asking, std::uint32_t allocated, bool returned,
            const PreemptTimes& times);

  /// Nothing runs.
  bool idle() const { return !served_ && !cut_ && gap_ == 0 && guard_ == 0; }
  /// The longest that a message has waited once served.
  std::uint32_t longest_wait() const { return longest_wait_; }
  /// The neighbour's barrier buffer is not known to be free.
  bool no_room() const { return room_ == 0; }
  std::string describe() const;

 private:
  static constexpr std::uint32_t kGuard = 16;  // cycles
  bool ready() const { return !served_ && gap_ == 0; }
  /// With several buffers the next message follows at once.
  bool follows(const Act& act, const PreemptTimes& times) const {
    return most_room_ > 1 && act.what == What::kFlit && act.last && times.gap == 0;
  }
  std::uint8_t usable(const View& view) const;
  std::uint8_t cuttable(const View& view) const;
  bool end_due(const View& view) const;
  Act wanted(const View& view, std::optional<std::uint32_t> draw) const;
  Act first_flit(const View& view) const;
  Act request(const View& view, std::optional<std::uint32_t> draw) const;
  void count_down();
  void acted(const Act& act, const PreemptTimes& times);

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
