// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/run.hpp"
#include "muster/run/system.hpp"
#include "muster/run/watcher.hpp"

namespace muster::run {

/// How much every channel carries, counted in windows of so many cycles.
class LinkUse {
 public:
  static constexpr std::uint32_t kWindow = 8;  ///< cycles
  /// What is counted in a cycle.
  enum class Count : std::uint8_t {
    kFlits,  ///< a flit, of whatever
    kWaits,  ///< no flit, though a packet has begun and not ended: it waits here or further back
    kPads,   ///< a pad
    /// At the end of a window: flits of packets whose credits have not come back. They are on the
    /// link, or in the queue behind it, or their credits are on the way. Not where barrier messages
    /// take credits of data.
    kQueued
  };
  static constexpr unsigned kCounts = 4;

  LinkUse() = default;
  /// `credits`: bits of those of data, a bit a virtual channel.
  LinkUse(core::ChannelId channels, std::uint8_t credits)
      : channels_(channels),
        credits_(credits),
        open_(channels, 0),
        last_(channels, kNever),
        queued_(channels, 0) {}

  /// All that is on the wires in a cycle; cycles one after the other. Channels beyond those there
  /// are count for nothing. `counted`: else it only says what has begun.
  void add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
           std::span<const core::CreditEvent> credits, bool counted);

  /// Windows since the first cycle that counted.
  std::size_t windows() const { return counts_[0].size(); }
  /// Cycles with `what` on a channel in a window.
  std::uint32_t count(Count what, std::size_t window, core::ChannelId channel) const {
    return counts_[static_cast<unsigned>(what)][window][channel];
  }

 private:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  void count_one(Count what, core::ChannelId channel) {
    ++counts_[static_cast<unsigned>(what)].back()[channel];
  }

  core::ChannelId channels_ = 0;
  std::uint8_t credits_ = 0;
  std::vector<std::uint8_t> open_;    ///< by channel, a bit for each virtual channel
  std::vector<std::uint64_t> last_;   ///< by channel: cycle of the last flit
  std::vector<std::uint8_t> queued_;  ///< by channel: see Count::kQueued
  std::uint64_t counted_ = 0;         ///< cycles
  std::vector<std::vector<std::uint8_t>> counts_[kCounts];  ///< by window and channel
};

/// A barrier message on a channel of the layout, from the cycle in which its first flit stands
/// there until its last is at the receiver's input.
struct MessageRow {
  std::uint64_t cycle = 0;
  core::ChannelId channel = 0;
  SeenMessage message;
  std::uint32_t duration = 0;  ///< cycles; 0: it has not arrived
};

/// A member arrives at a barrier, or goes on.
struct MemberRow {
  std::uint64_t cycle = 0;
  std::uint32_t group = 0, member = 0;
  bool released = false;
};

/// What a switch holds in a place from this cycle on; with flags 0 nothing.
struct EntryRow {
  std::uint64_t cycle = 0;
  std::uint32_t sw = 0;
  SwitchEntry entry;
};

/// What the device of a node holds in a place from this cycle on; with flags 0 nothing.
struct ContextRow {
  std::uint64_t cycle = 0;
  std::uint32_t node = 0;
  NodeContext context;
};

/// The order is that of the page's data (docs/reference/formats.md).
enum class Mark : std::uint8_t {
  kCut,         ///< a channel of data is cut for barrier messages: 4 * channel + virtual channel
  kUncut,       ///< and handed back
  kResent,      ///< a link end has sent a frame again: channel
  kEndDown,     ///< a link end has gone down: channel
  kLinkDead,    ///< cut, or declared dead: half of a channel of the link
  kSwitchDead,  ///< number of the switch
  kNodeDead,    ///< number of the node
  kSwitchReset  ///< number of the switch
};
struct MarkRow {
  std::uint64_t cycle = 0;
  Mark mark = Mark::kCut;
  std::uint32_t id = 0;
};

/// What a page shows of a run. Rows are in the order of their cycles; members of the whole run,
/// everything else of the cycles `from` to `to` - 1.
struct Recording {
  std::uint64_t from = 0, to = 0;
  std::vector<MessageRow> messages;
  std::vector<MemberRow> members;
  std::vector<EntryRow> entries;
  std::vector<ContextRow> contexts;
  std::vector<MarkRow> marks;
  LinkUse use;
};

/// Puts the barrier messages of all channels together, flit by flit, and asks the system what they
/// are. With delay pipes or link ends a channel has two parts; a message is in it from its first
/// flit on the first to its last on the second.
class MessageWatch {
 public:
  /// The system and the network outlive it.
  MessageWatch(const System& system, fabric::Network& network, fabric::Formats formats);

  /// All flits of a cycle; adds what begins there to `rows`.
  void add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
           std::vector<MessageRow>& rows);

 private:
  static constexpr std::uint32_t kStreams = 5;  ///< of a channel: the virtual ones, and sync flits
  static constexpr std::size_t kLongest = 80;   ///< flits; more than any message has
  struct Stream {
    std::uint64_t first = 0;  ///< cycle of the first flit
    bool open = false;        ///< flits are collected
    std::vector<core::Flit> flits;
  };
  void collect(std::uint64_t cycle, core::ChannelId channel, const core::Flit& flit,
               std::vector<MessageRow>& rows);
  void arrives(std::uint64_t cycle, core::ChannelId channel, const SeenMessage& message,
               std::vector<MessageRow>& rows);

  const System& system_;
  const fabric::Network& network_;
  fabric::Formats formats_;
  std::vector<Stream> streams_;                        ///< by channel of the engine
  std::vector<std::deque<std::size_t>> on_their_way_;  ///< by channel: rows that have not arrived
};

/// Records what a page shows of one run.
class Recorder : public Watcher {
 public:
  /// Of the cycles `from` to `to` - 1.
  Recorder(std::uint64_t from, std::uint64_t to) { recording_.from = from, recording_.to = to; }

  void begin(const ResolvedRun& run, fabric::Network& network) override;
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override;
  void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    recording_.members.push_back({cycle, group, member, false});
  }
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    recording_.members.push_back({cycle, group, member, true});
  }
  void look(std::uint64_t next) override;

  /// What has been recorded, up to the last cycle that there was. REQUIRES: the run is over.
  const Recording& recording();

 private:
  bool recorded(std::uint64_t cycle) const {
    return cycle >= recording_.from && cycle < recording_.to;
  }
  void mark(std::uint64_t cycle, Mark what, std::uint32_t id) {
    if (recorded(cycle)) recording_.marks.push_back({cycle, what, id});
  }
  void look_at_entries(std::uint64_t cycle, std::uint32_t sw);
  void look_at_contexts(std::uint64_t cycle, std::uint32_t node);
  void look_at_links(std::uint64_t cycle);
  void look_who_dies(std::uint64_t cycle);

  Recording recording_;
  const ResolvedRun* run_ = nullptr;
  fabric::Network* network_ = nullptr;
  std::optional<MessageWatch> messages_;
  std::uint64_t next_ = 0;                         ///< cycle that comes
  std::vector<std::vector<SwitchEntry>> entries_;  ///< by switch, as last seen
  std::vector<SwitchEntry> now_;
  std::vector<std::vector<NodeContext>> contexts_;  ///< by node, as last seen; none without devices
  std::vector<NodeContext> contexts_now_;
  std::vector<std::uint32_t> ends_;  ///< status words of link ends, as last seen
};

}  // namespace muster::run
