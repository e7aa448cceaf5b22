// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

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

/// Rows one after the other in one list. The first number of each is the cycle, less that of the
/// row before.
class Rows {
 public:
  void row(std::uint64_t cycle, std::initializer_list<std::uint64_t> others) {
    list_.push_back(cycle - before_);
    before_ = cycle;
    list_.insert(list_.end(), others);
  }
  Json json() && { return Json(std::move(list_)); }

 private:
  std::uint64_t before_ = 0;
  std::vector<std::uint64_t> list_;
};

Json messages_json(const Recording& recording) {
  Rows rows;
  for (const auto& [cycle, channel, message, duration] : recording.messages)
    rows.row(cycle, {channel, static_cast<std::uint64_t>(message.kind),
                     message.gid == SeenMessage::kNoGroup ? 0 : message.gid + 1, duration});
  return std::move(rows).json();
}

Json members_json(const Recording& recording) {
  Rows rows;
  for (const MemberRow& row : recording.members)
    rows.row(row.cycle, {row.group, 2 * row.member + (row.released ? 1 : 0)});
  return std::move(rows).json();
}

Json entries_json(const Recording& recording) {
  Rows rows;
  for (const auto& [cycle, sw, e] : recording.entries)
    if (e.flags == 0)
      rows.row(cycle, {sw, e.place, 0});
    else
      rows.row(cycle, {sw, e.place, e.flags, e.gid, e.parent, e.children, e.arrived, e.serve});
  return std::move(rows).json();
}

Json contexts_json(const Recording& recording) {
  Rows rows;
  for (const auto& [cycle, node, c] : recording.contexts)
    if (c.flags == 0)
      rows.row(cycle, {node, c.place, 0});
    else
      rows.row(cycle, {node, c.place, c.flags, c.gid, static_cast<std::uint64_t>(c.phase), c.number,
                       c.entry, c.received, c.sent});
  return std::move(rows).json();
}

Json marks_json(const Recording& recording) {
  Rows rows;
  for (const MarkRow& row : recording.marks)
    rows.row(row.cycle, {static_cast<std::uint64_t>(row.mark), row.id});
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

/// Where the template has its data, and each run's begin and end.
constexpr std::string_view kPlace = "<!-- muster data -->";
constexpr std::string_view kBegin = "<script type=\"application/x-muster\">";
constexpr std::string_view kEnd = "</script>";
constexpr std::size_t kLargestPage = std::size_t{256} << 20, kMostData = std::size_t{1} << 30;

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63];
  }
  return text;
}

/// Empty if a digit is none.
std::string from_base64(std::string_view text) {
  std::string bytes;
  std::uint32_t word = 0;
  unsigned bits = 0;
  while (!text.empty() && text.back() == '=') text.remove_suffix(1);
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    word = word << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 0xff);
  }
  return bytes;
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

std::string deflate_base64(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw InternalError("zlib does not compress");
  bytes.resize(size);
  return to_base64(bytes);
}

std::string inflate_base64(std::string_view base64, std::size_t most, const std::string& what) {
  std::string bytes = from_base64(base64);
  std::string text;
  std::array<char, 65536> buffer;
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  if (inflateInit(&stream) != Z_OK) throw InternalError("zlib does not start");
  int state = Z_OK;
  while (state == Z_OK && text.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = buffer.size();
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (text.size() > most) throw InputError(what + ": its data are too long");
  if (state != Z_STREAM_END) throw InputError(what + ": its data are damaged");
  return text;
}

std::string page_of(std::span<const std::string> data) {
  std::string page(kTemplateText);
  const auto at = page.find(kPlace);
  if (at == std::string::npos) throw InternalError("the page's template has no place for data");
  std::string blocks;
  for (const std::string& run : data)
    blocks.append(kBegin).append(deflate_base64(run)).append(kEnd).append("\n");
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
  return inflate_base64(std::string_view(page).substr(first, end - first), kMostData, path);
}

}  // namespace muster::run
