// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <deque>

#include "fabric/link_bank.hpp"
#include "muster/fabric/barrier_end.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/run.hpp"

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
           std::span<const core::CreditEvent> credits, bool counted) {
    if (counted && counted_++ % kWindow == 0)
      for (auto& windows : counts_) windows.emplace_back(channels_, std::uint8_t{0});
    for (const core::FlitEvent& event : flits) {
      if (event.channel >= channels_) continue;
      last_[event.channel] = cycle;
      const core::Flit& flit = event.flit;
      if (!flit.sync()) {
        ++queued_[event.channel];
        const auto bit = static_cast<std::uint8_t>(1u << flit.vc);
        if (flit.head()) open_[event.channel] |= bit;
        if (flit.tail()) open_[event.channel] &= static_cast<std::uint8_t>(~bit);
      }
      if (!counted) continue;
      count_one(Count::kFlits, event.channel);
      if (flit.kind == core::Flit::kPad) count_one(Count::kPads, event.channel);
    }
    for (const core::CreditEvent& event : credits)
      if (event.channel < channels_)
        queued_[event.channel] = static_cast<std::uint8_t>(
            queued_[event.channel] -
            std::min<int>(queued_[event.channel],
                          std::popcount<unsigned>(event.credits & credits_)));
    if (!counted) return;
    counts_[static_cast<unsigned>(Count::kQueued)].back() = queued_;
    for (core::ChannelId c = 0; c < channels_; ++c)
      if (open_[c] != 0 && last_[c] != cycle) count_one(Count::kWaits, c);
  }

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
  MessageWatch(const System& system, fabric::Network& network, const fabric::SwitchConfig& config)
      : system_(system),
        network_(network),
        formats_(config.flit_w, config.gid_w),
        labels_(fabric::labels(config)),
        streams_(std::size_t{network.channels()} * network.segments() * kStreams),
        on_their_way_(network.channels()) {}

  /// All flits of a cycle; adds what begins there to `rows`.
  void add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
           std::vector<MessageRow>& rows) {
    for (const core::FlitEvent& event : flits) {
      const std::uint8_t kind = event.flit.kind;
      if (kind == core::Flit::kPad || kind == core::Flit::kControl) continue;
      collect(cycle, event.channel, event.flit, rows);
    }
  }

 private:
  static constexpr std::uint32_t kStreams = 5;  ///< of a channel: the virtual ones, and sync flits
  static constexpr std::size_t kLongest = 80;   ///< flits; more than any message has
  struct Stream {
    std::uint64_t first = 0;  ///< cycle of the first flit
    bool open = false;        ///< flits are collected
    std::vector<core::Flit> flits;
  };
  void collect(std::uint64_t cycle, core::ChannelId channel, const core::Flit& flit,
               std::vector<MessageRow>& rows) {
    Stream& stream =
        streams_[std::size_t{channel} * kStreams + (flit.sync() ? kStreams - 1 : flit.vc)];
    const bool begins =
        flit.sync() ? !stream.open || flit.kind == core::Flit::kFirst : flit.head() && !stream.open;
    if (begins) {
      stream.flits.clear();
      stream.first = cycle;
      stream.open = flit.sync() || fabric::Formats::opcode(flit) != fabric::kOpcodeData;
    }
    if (!stream.open) return;
    stream.flits.push_back(flit);
    if (!flit.sync() && !flit.tail()) {
      stream.open = stream.flits.size() < kLongest;
      return;
    }
    auto message = system_.seen(stream.flits, formats_);
    if (message && labels_) message->gid = SeenMessage::kNoGroup;
    // A sync flit that ends no message is of one that has begun, if its kind says so.
    stream.open = flit.sync() && !message && stream.flits.front().kind == core::Flit::kFirst &&
                  stream.flits.size() < kLongest;
    if (!message) return;
    if (channel >= network_.channels())
      return arrives(cycle, channel - network_.channels(), *message, rows);
    const auto spent = static_cast<std::uint32_t>(cycle - stream.first);
    const bool whole = network_.segments() == 1;
    rows.push_back({stream.first, channel, *message,
                    whole ? spent + network_.layout().channels()[channel].latency : 0});
    if (!whole) on_their_way_[channel].push_back(rows.size() - 1);
  }
  /// It is the oldest of its kind and group: messages of a kind stay in order, and what lies before
  /// it in the list is lost or of another virtual channel.
  void arrives(std::uint64_t cycle, core::ChannelId channel, const SeenMessage& message,
               std::vector<MessageRow>& rows) {
    std::deque<std::size_t>& waiting = on_their_way_[channel];
    for (auto at = waiting.begin(); at != waiting.end(); ++at) {
      if (!(rows[*at].message == message)) continue;
      rows[*at].duration = static_cast<std::uint32_t>(cycle + 1 - rows[*at].cycle);
      waiting.erase(at);
      return;
    }
  }

  const System& system_;
  const fabric::Network& network_;
  fabric::Formats formats_;
  bool labels_;                                        ///< messages do not say their group
  std::vector<Stream> streams_;                        ///< by channel of the engine
  std::vector<std::deque<std::size_t>> on_their_way_;  ///< by channel: rows that have not arrived
};

/// Records what a page shows of one run.
class Recorder : public Watcher {
 public:
  /// Of the cycles `from` to `to` - 1.
  Recorder(std::uint64_t from, std::uint64_t to) { recording_.from = from, recording_.to = to; }

  void begin(const ResolvedRun& run, fabric::Network& network) override {
    run_ = &run;
    network_ = &network;
    recording_.use =
        LinkUse(network.channels(), static_cast<std::uint8_t>((1u << run.config.vcs) - 1));
    messages_.emplace(run.found.system, network, run.config);
    entries_.resize(network.graph().switches());
    contexts_.resize(network.devices() != nullptr ? network.graph().nodes() : 0);
    ends_.resize(network.link_ends() != nullptr ? network.channels() : 0);
  }
  void observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
               std::span<const core::CreditEvent> credits) override {
    next_ = cycle + 1;
    if (cycle >= recording_.to) return;
    recording_.use.add(cycle, flits, credits, recorded(cycle));
    messages_->add(cycle, flits, recording_.messages);
    for (const core::FlitEvent& event : flits) {
      if (!fabric::is_control(event.flit) || event.channel >= network_->channels()) continue;
      const fabric::LinkControl control = fabric::link_control(event.flit);
      mark(cycle, control.end ? Mark::kUncut : Mark::kCut, 4 * event.channel + control.channel);
    }
  }
  void arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    recording_.members.push_back({cycle, group, member, false});
  }
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override {
    recording_.members.push_back({cycle, group, member, true});
  }
  void look(std::uint64_t next) override {
    if (!recorded(next)) return;
    for (std::uint32_t s = 0; s < entries_.size(); ++s) {
      entries_now_.clear();
      run_->found.system.entries(network_->switches(), s, run_->config, entries_now_);
      add_changes(next, s, entries_now_, entries_[s], recording_.entries);
    }
    for (std::uint32_t n = 0; n < contexts_.size(); ++n) {
      contexts_now_.clear();
      run_->found.system.contexts(*network_->devices(), n, contexts_now_);
      add_changes(next, n, contexts_now_, contexts_[n], recording_.contexts);
    }
    if (!ends_.empty()) look_at_links(next);
    look_who_dies(next);
  }

  /// What has been recorded, up to the last cycle that there was. REQUIRES: the run is over.
  const Recording& recording() {
    recording_.to = std::max(recording_.from, std::min(recording_.to, next_));
    const auto earlier = [](const auto& a, const auto& b) { return a.cycle < b.cycle; };
    std::erase_if(recording_.messages,
                  [this](const MessageRow& row) { return !recorded(row.cycle); });
    std::ranges::stable_sort(recording_.messages, earlier);
    std::ranges::stable_sort(recording_.members, earlier);
    std::ranges::stable_sort(recording_.marks, earlier);
    return recording_;
  }

 private:
  bool recorded(std::uint64_t cycle) const {
    return cycle >= recording_.from && cycle < recording_.to;
  }
  void mark(std::uint64_t cycle, Mark what, std::uint32_t id) {
    if (recorded(cycle)) recording_.marks.push_back({cycle, what, id});
  }
  /// Rows of what a block holds now and did not before, and, without flags, of places that are no
  /// longer in use; `now` is `before` then.
  template <class Held, class Row>
  static void add_changes(std::uint64_t cycle, std::uint32_t block, const std::vector<Held>& now,
                          std::vector<Held>& before, std::vector<Row>& rows) {
    if (now == before) return;
    for (const Held& held : now)
      if (std::ranges::find(before, held) == before.end()) rows.push_back({cycle, block, held});
    for (const Held& held : before)
      if (std::ranges::find(now, held.place, &Held::place) == now.end())
        rows.push_back({cycle, block, Held{.place = held.place}});
    before = now;
  }
  void look_at_links(std::uint64_t cycle) {
    for (core::ChannelId c = 0; c < ends_.size(); ++c) {
      const std::uint32_t status =
          network_->link_ends()->read_register(c, fabric::link_registers::kStatus);
      const std::uint32_t before = std::exchange(ends_[c], status);
      if (fabric::link_registers::kStatusReplays.of(status) !=
          fabric::link_registers::kStatusReplays.of(before))
        mark(cycle, Mark::kResent, c);
      if (fabric::link_registers::state(status) == fabric::link_registers::LinkState::kDown &&
          fabric::link_registers::state(before) != fabric::link_registers::LinkState::kDown)
        mark(cycle, Mark::kEndDown, c);
    }
  }
  void look_who_dies(std::uint64_t cycle) {
    for (const Death& death : run_->spec.deaths) {
      if (death.cycle != cycle) continue;
      const Mark what = death.link    ? Mark::kLinkDead
                        : death.node  ? Mark::kNodeDead
                        : death.reset ? Mark::kSwitchReset
                                      : Mark::kSwitchDead;
      mark(cycle, what, death.id);
    }
    for (const KilledLink& killed : run_->spec.killed) {
      if (killed.cycle != cycle) continue;
      const auto& channels = network_->layout().channels();
      const fabric::End from{false, killed.a.sw, killed.a.port};
      for (core::ChannelId c = 0; c < channels.size(); ++c)
        if (channels[c].from == from) mark(cycle, Mark::kLinkDead, c / 2);
    }
  }

  Recording recording_;
  const ResolvedRun* run_ = nullptr;
  fabric::Network* network_ = nullptr;
  std::optional<MessageWatch> messages_;
  std::uint64_t next_ = 0;                         ///< cycle that comes
  std::vector<std::vector<SwitchEntry>> entries_;  ///< by switch, as last seen
  std::vector<SwitchEntry> entries_now_;
  std::vector<std::vector<NodeContext>> contexts_;  ///< by node, as last seen; none without devices
  std::vector<NodeContext> contexts_now_;
  std::vector<std::uint32_t> ends_;  ///< status words of link ends, as last seen
};

}  // namespace muster::run
