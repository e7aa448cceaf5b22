// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "muster/core/observer.hpp"
#include "muster/run/seen.hpp"
#include "run/recording/link_use.hpp"

namespace muster::run {

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

}  // namespace muster::run
