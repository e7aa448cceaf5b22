// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "muster/fabric/layout.hpp"
#include "muster/run/result.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/recording/page.hpp"

namespace muster::run {
namespace {

/// Process 1 is the nodes, process 2 + s is switch s.
constexpr std::uint32_t kNodes = 1, kFirstSwitch = 2;
/// Threads of a switch: its places in order, then what leaves by each of its ports.
constexpr std::uint32_t kFirstPort = 10'000;

class TraceEvents {
 public:
  TraceEvents(const ResolvedRun& run, const Recording& recording)
      : spec_(run.spec), recording_(recording), layout_(*run.spec.graph) {}

  std::string text() {
    name_processes();
    add_members();
    add_entries();
    add_messages();
    add_counters();
    return Json{{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events_)}}.dump() + "\n";
  }

 private:
  double microseconds(std::uint64_t cycles) const {
    return static_cast<double>(cycles) * spec_.profile.clock_ns / 1000.0;
  }
  std::string group_name(std::uint32_t gid) const {
    return gid < spec_.groups.size() ? spec_.groups[gid].name : fmt::format("group {}", gid);
  }
  void name(const char* what, std::uint32_t pid, std::uint32_t tid, const std::string& text) {
    events_.push_back(
        {{"ph", "M"}, {"name", what}, {"pid", pid}, {"tid", tid}, {"args", {{"name", text}}}});
  }
  void name_thread(std::uint32_t pid, std::uint32_t tid, const std::string& text) {
    if (named_.insert({pid, tid}).second) name("thread_name", pid, tid, text);
  }
  void slice(const std::string& text, std::uint32_t pid, std::uint32_t tid, std::uint64_t begin,
             std::uint64_t end, Json args) {
    events_.push_back({{"ph", "X"},
                       {"name", text},
                       {"pid", pid},
                       {"tid", tid},
                       {"ts", microseconds(begin)},
                       {"dur", microseconds(end - begin)},
                       {"args", std::move(args)}});
  }
  void flow(const char* phase, std::uint64_t id, std::uint32_t pid, std::uint32_t tid,
            double time) {
    Json event = {{"ph", phase}, {"name", "message"}, {"cat", "message"}, {"id", id},
                  {"pid", pid},  {"tid", tid},        {"ts", time}};
    if (*phase == 'f') event["bp"] = "e";  // the slice around it, not the next one
    events_.push_back(std::move(event));
  }

  void name_processes() {
    name("process_name", kNodes, 0, "nodes");
    for (topology::SwitchId s = 0; s < spec_.graph->switches(); ++s)
      name("process_name", kFirstSwitch + s, 0, topology::switch_text(*spec_.graph, s));
  }

  /// A thread for each node, a slice from each arrival to the end of the cycle of the release.
  void add_members() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint64_t, std::uint32_t>> open;
    std::vector<std::vector<topology::NodeId>> members;
    for (const RunGroup& group : spec_.groups)
      members.push_back(topology::sorted_members(*spec_.graph, group.members));
    for (const MemberRow& row : recording_.members) {
      auto& [arrival, barrier] = open[{row.group, row.member}];
      if (!row.released) {
        arrival = row.cycle;
        continue;
      }
      if (row.member < members[row.group].size()) {
        const topology::NodeId node = members[row.group][row.member];
        name_thread(kNodes, node, topology::node_text(*spec_.graph, node));
        slice(group_name(row.group), kNodes, node, arrival, row.cycle + 1, {{"barrier", barrier}});
      }
      ++barrier;
    }
  }

  /// A thread for each place of a switch, a slice from the first arrival until the last child is
  /// served.
  void add_entries() {
    struct Open {
      std::uint64_t begin;
      SwitchEntry entry;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::optional<Open>> places;
    const auto close = [&](std::uint32_t sw, std::optional<Open>& open, std::uint64_t end) {
      if (!open) return;
      const std::uint32_t pid = kFirstSwitch + sw;
      name_thread(pid, open->entry.place, fmt::format("place {}", open->entry.place));
      slice(group_name(open->entry.gid), pid, open->entry.place, open->begin, end,
            {{"expects", open->entry.children}, {"arrived", open->entry.arrived}});
      open.reset();
    };
    for (const EntryRow& row : recording_.entries) {
      std::optional<Open>& open = places[{row.sw, row.entry.place}];
      const bool busy = (row.entry.arrived | row.entry.serve) != 0;
      if (open && (!busy || row.entry.gid != open->entry.gid)) close(row.sw, open, row.cycle);
      if (!busy) continue;
      if (!open) open = Open{row.cycle, row.entry};
      open->entry.arrived |= row.entry.arrived;
    }
    for (auto& [place, open] : places) close(place.first, open, recording_.to);
  }

  /// A slice on the thread of the port it leaves by, or of the node, and a flow from there to the
  /// next switch.
  void add_messages() {
    static constexpr const char* kNames[] = {"up",     "down",  "acknowledge", "build",
                                             "set-up", "spill", "step",        "repeat"};
    std::uint64_t id = 0;
    for (const MessageRow& row : recording_.messages) {
      const fabric::Channel& channel = layout_.channels()[row.channel];
      const fabric::End &from = channel.from, &to = channel.to;
      const std::uint32_t pid = from.node ? kNodes : kFirstSwitch + from.id;
      const std::uint32_t tid = from.node ? spec_.graph->nodes() + from.id : kFirstPort + from.port;
      name_thread(pid, tid,
                  from.node ? topology::node_text(*spec_.graph, from.id) + " sends"
                            : fmt::format("port {}", from.port));
      const std::uint64_t end = row.cycle + std::max(row.duration, 1u);
      Json args = {{"channel", layout_.name(row.channel)}};
      if (row.message.gid != SeenMessage::kNoGroup) args["group"] = group_name(row.message.gid);
      slice(kNames[static_cast<unsigned>(row.message.kind)], pid, tid, row.cycle, end,
            std::move(args));
      if (row.duration == 0) continue;  // lost
      ++id;
      flow("s", id, pid, tid, microseconds(row.cycle));
      if (to.node)  // in the middle of the cycle in which it is on the wires into the node
        flow("f", id, kNodes, to.id, (microseconds(end) + microseconds(end - 1)) / 2);
      else
        flow("f", id, kFirstSwitch + to.id, place_of(to.id, row.message.gid, end),
             microseconds(end));
    }
  }
  /// Of a group at a switch in this cycle; the first if it has none.
  std::uint32_t place_of(std::uint32_t sw, std::uint32_t gid, std::uint64_t cycle) {
    if (by_switch_.empty()) {
      by_switch_.resize(spec_.graph->switches());
      for (const EntryRow& row : recording_.entries) by_switch_[row.sw].push_back(&row);
    }
    std::uint32_t place = 0;
    for (const EntryRow* row : by_switch_[sw]) {
      if (row->cycle > cycle) break;
      if (row->entry.flags != 0 && row->entry.gid == gid) place = row->entry.place;
    }
    return place;
  }

  /// Of each switch, window by window: flits that leave it, and flits that its neighbours hold for
  /// it, in queues or on the way there and back.
  void add_counters() {
    const std::uint32_t switches = spec_.graph->switches();
    const auto& channels = layout_.channels();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> last(switches, {~0u, ~0u});
    for (std::size_t w = 0; w < recording_.use.windows(); ++w) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> now(switches, {0, 0});
      for (core::ChannelId c = 0; c < channels.size(); ++c) {
        if (!channels[c].from.node)
          now[channels[c].from.id].first += recording_.use.count(LinkUse::Count::kFlits, w, c);
        if (!channels[c].to.node)
          now[channels[c].to.id].second += recording_.use.count(LinkUse::Count::kQueued, w, c);
      }
      const std::uint64_t cycle = recording_.from + w * LinkUse::kWindow;
      for (std::uint32_t s = 0; s < switches; ++s) {
        if (now[s] == last[s]) continue;
        last[s] = now[s];
        events_.push_back({{"ph", "C"},
                           {"name", "flits"},
                           {"pid", kFirstSwitch + s},
                           {"ts", microseconds(cycle)},
                           {"args", {{"sent", now[s].first}, {"queued", now[s].second}}}});
      }
    }
  }

  const RunSpec& spec_;
  const Recording& recording_;
  fabric::Layout layout_;
  Json events_ = Json::array();
  std::set<std::pair<std::uint32_t, std::uint32_t>> named_;
  std::vector<std::vector<const EntryRow*>> by_switch_;
};

}  // namespace

std::string trace_events(const ResolvedRun& run, const Recording& recording) {
  return TraceEvents(run, recording).text();
}

}  // namespace muster::run
