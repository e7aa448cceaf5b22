// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/deflate.hpp"
#include "muster/core/error.hpp"
#include "muster/core/outputs.hpp"
#include "muster/run/result.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/recording/template_text.hpp"
#include "topology/drawing.hpp"

namespace muster::run {
namespace {

constexpr std::uint32_t kWidestWindow = 32;     ///< cycles
constexpr std::size_t kManyCounts = 4'000'000;  ///< from which on windows are wider
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Rows one after the other in one list. The first of each is the cycle, less that of the row
/// before.
class Rows {
 public:
  void begin(std::uint64_t cycle) {
    list_.push_back(cycle - before_);
    before_ = cycle;
  }
  void add(std::uint64_t value) { list_.push_back(value); }
  Json json() && { return Json(std::move(list_)); }

 private:
  std::uint64_t before_ = 0;
  std::vector<std::uint64_t> list_;
};

Json messages_json(const Recording& recording) {
  Rows rows;
  for (const MessageRow& row : recording.messages) {
    rows.begin(row.cycle);
    rows.add(row.channel);
    rows.add(static_cast<std::uint64_t>(row.message.kind));
    rows.add(row.message.gid == SeenMessage::kNoGroup ? 0 : row.message.gid + 1);
    rows.add(row.duration);
  }
  return std::move(rows).json();
}

Json members_json(const Recording& recording) {
  Rows rows;
  for (const MemberRow& row : recording.members) {
    rows.begin(row.cycle);
    rows.add(row.group);
    rows.add(2 * row.member + (row.released ? 1 : 0));
  }
  return std::move(rows).json();
}

Json entries_json(const Recording& recording) {
  Rows rows;
  for (const EntryRow& row : recording.entries) {
    rows.begin(row.cycle);
    rows.add(row.sw);
    rows.add(row.entry.place);
    rows.add(row.entry.flags);
    if (row.entry.flags == 0) continue;
    rows.add(row.entry.gid);
    rows.add(row.entry.parent);
    rows.add(row.entry.children);
    rows.add(row.entry.arrived);
    rows.add(row.entry.serve);
  }
  return std::move(rows).json();
}

Json contexts_json(const Recording& recording) {
  Rows rows;
  for (const ContextRow& row : recording.contexts) {
    rows.begin(row.cycle);
    rows.add(row.node);
    rows.add(row.context.place);
    rows.add(row.context.flags);
    if (row.context.flags == 0) continue;
    rows.add(row.context.gid);
    rows.add(static_cast<std::uint64_t>(row.context.phase));
    rows.add(row.context.number);
    rows.add(row.context.entry);
    rows.add(row.context.received);
    rows.add(row.context.sent);
  }
  return std::move(rows).json();
}

Json marks_json(const Recording& recording) {
  Rows rows;
  for (const MarkRow& row : recording.marks) {
    rows.begin(row.cycle);
    rows.add(static_cast<std::uint64_t>(row.mark));
    rows.add(row.id);
  }
  return std::move(rows).json();
}

/// For each channel a digit a window, zeros at the end left out.
Json counts_json(const LinkUse& use, core::ChannelId channels, LinkUse::Count what,
                 std::uint32_t wider) {
  Json list = Json::array();
  for (core::ChannelId c = 0; c < channels; ++c) {
    std::string digits;
    for (std::size_t w = 0; w < use.windows(); w += wider) {
      std::uint32_t sum = 0;
      for (std::size_t k = w; k < std::min(w + wider, use.windows()); ++k)
        sum += use.count(what, k, c);
      digits += kDigits[sum];
    }
    digits.erase(digits.find_last_not_of('A') + 1);
    list.push_back(std::move(digits));
  }
  return list;
}

Json use_json(const LinkUse& use, core::ChannelId channels) {
  std::uint32_t wider = 1;
  while (LinkUse::kWindow * wider < kWidestWindow && use.windows() * channels / wider > kManyCounts)
    wider *= 2;
  return {{"window", LinkUse::kWindow * wider},
          {"flits", counts_json(use, channels, LinkUse::Count::kFlits, wider)},
          {"waits", counts_json(use, channels, LinkUse::Count::kWaits, wider)},
          {"pads", counts_json(use, channels, LinkUse::Count::kPads, wider)}};
}

long hundredths(double x) { return std::lround(100.0 * x); }

/// Names of switches or nodes by number, in the order of numbers.
Json names_json(const std::map<std::uint32_t, std::string>& names) {
  Json out = Json::object();
  for (const auto& [id, name] : names) out[fmt::format("{}", id)] = name;
  return out;
}

Json network_json(const topology::Graph& graph) {
  const topology::Drawing drawing = topology::draw(graph);
  Json switches = Json::array(), nodes = Json::array(), links = Json::array();
  for (topology::SwitchId s = 0; s < graph.switches(); ++s)
    switches.push_back(
        {hundredths(drawing.switches[s].x), hundredths(drawing.switches[s].y), graph.ports(s)});
  for (topology::NodeId n = 0; n < graph.nodes(); ++n) {
    const topology::Node& node = graph.node(n);
    nodes.push_back({hundredths(drawing.nodes[n].x), hundredths(drawing.nodes[n].y), node.at.sw,
                     node.at.port, node.latency});
  }
  for (const topology::Link& link : graph.links())
    links.push_back({link.a.sw, link.a.port, link.b.sw, link.b.port, link.latency});
  return {{"drawn", drawing.method},
          {"switches", std::move(switches)},
          {"nodes", std::move(nodes)},
          {"links", std::move(links)},
          {"switch_names", names_json(graph.switch_names)},
          {"node_names", names_json(graph.node_names)}};
}

Json groups_json(const RunSpec& spec) {
  Json groups = Json::array();
  for (const RunGroup& group : spec.groups) {
    std::vector<topology::NodeId> members = group.members;  // places count ascending
    std::sort(members.begin(), members.end());
    groups.push_back({{"name", group.name}, {"members", members}});
  }
  return groups;
}

Json barriers_json(const RunResult& result) {
  Json barriers = Json::array();
  for (const BarrierRecord& b : result.barriers)
    barriers.push_back({b.group, b.number, b.latency_cycles, b.failed ? 1 : 0});
  return barriers;
}

}  // namespace

std::string page_data(const ResolvedRun& run, const RunResult& result, const Recording& recording,
                      const PageOrigin& about) {
  const RunSpec& spec = run.spec;
  const auto channels =
      static_cast<core::ChannelId>(2 * (spec.graph->links().size() + spec.graph->nodes()));
  std::vector<std::string> ended = result.violations;
  ended.insert(ended.end(), result.stopped.begin(), result.stopped.end());
  Json page = {{"schema", "muster-page-1"},
               {"kind", "network"},
               {"title", about.title},
               {"command", about.origin.command},
               {"version", about.origin.version},
               {"seed", about.origin.seed},
               {"engine", result.engine},
               {"scheme", result.scheme},
               {"clock_ns", spec.profile.clock_ns},
               {"cycles", result.cycles},
               {"from", recording.from},
               {"to", recording.to},
               {"violations", ended},
               {"wave", about.wave},
               {"wave_nodes", run.found.scheme.waves_of_nodes},
               {"network", network_json(*spec.graph)},
               {"groups", groups_json(spec)},
               {"barriers", barriers_json(result)},
               {"use", use_json(recording.use, channels)},
               {"messages", messages_json(recording)},
               {"members", members_json(recording)},
               {"entries", entries_json(recording)},
               {"contexts", contexts_json(recording)},
               {"marks", marks_json(recording)}};
  return page.dump() + "\n";
}

namespace {

/// Where the template has its data, and each run's begin and end.
constexpr std::string_view kPlace = "<!-- muster data -->";
constexpr std::string_view kBegin = "<script type=\"application/x-muster\">";
constexpr std::string_view kEnd = "</script>";

constexpr std::size_t kLargestPage = std::size_t{256} << 20, kMostData = std::size_t{1} << 30;

}  // namespace

std::string page_of(std::span<const std::string> data) {
  std::string page(kTemplateText);
  const auto at = page.find(kPlace);
  if (at == std::string::npos) throw InternalError("the page's template has no place for data");
  std::string blocks;
  for (const std::string& run : data)
    blocks.append(kBegin).append(packed(run)).append(kEnd).append("\n");
  return page.replace(at, kPlace.size(), blocks);
}

std::string data_of_page(const std::string& path) {
  const std::string page = read_file(path, kLargestPage);
  const auto begin = page.find(kBegin);
  const auto end = page.find(kEnd, begin);
  if (begin == std::string::npos || end == std::string::npos)
    throw InputError(fmt::format("{}: is not a page of 'muster run --page'", path));
  if (page.find(kBegin, end) != std::string::npos)
    throw InputError(fmt::format("{}: has several runs; name pages of single runs", path));
  const auto first = begin + kBegin.size();
  return unpacked(std::string_view(page).substr(first, end - first), kMostData, path);
}

}  // namespace muster::run
