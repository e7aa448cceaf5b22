// SPDX-License-Identifier: Apache-2.0
#include "run/recording/page.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text.hpp"
#include "muster/core/error.hpp"
#include "muster/run/result.hpp"
#include "muster/topology/group_spec.hpp"
#include "run/recording/template_text.hpp"
#include "run/result_parts.hpp"
#include "topology/drawing.hpp"

namespace muster::run {
namespace {

constexpr std::uint32_t kWidestWindow = 32;     ///< cycles
constexpr std::size_t kManyCounts = 4'000'000;  ///< from which on windows are wider
constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

using Numbers = std::vector<std::uint64_t>;

/// Rows one after the other in one list: of each the cycle, less that of the row before, and its
/// `numbers`.
Numbers numbers(const MessageRow& row) {
  const std::uint32_t gid = row.message.gid;
  return {row.channel, static_cast<std::uint64_t>(row.message.kind),
          gid == SeenMessage::kNoGroup ? 0 : gid + 1, row.duration};
}

Numbers numbers(const MemberRow& row) {
  return {row.group, 2 * row.member + (row.released ? 1 : 0)};
}

Numbers numbers(const EntryRow& row) {
  const SwitchEntry& e = row.entry;
  if (e.flags == 0) return {row.sw, e.place, 0};
  Numbers numbers{row.sw, e.place, e.flags, e.gid, e.parent};
  // In two words, because JavaScript reads only 53 bits of a number.
  for (const core::PortMask mask : {e.children, e.arrived, e.serve})
    numbers.insert(numbers.end(), {mask & 0xffffffff, mask >> 32});
  return numbers;
}

Numbers numbers(const ContextRow& row) {
  const NodeContext& c = row.context;
  if (c.flags == 0) return {row.node, c.place, 0};
  return {row.node, c.place, c.flags,    c.gid, static_cast<std::uint64_t>(c.phase),
          c.number, c.entry, c.received, c.sent};
}

Numbers numbers(const MarkRow& row) { return {static_cast<std::uint64_t>(row.mark), row.id}; }

template <class Row>
Json rows_json(const std::vector<Row>& rows) {
  Numbers list;
  std::uint64_t before = 0;
  for (const Row& row : rows) {
    list.push_back(row.cycle - std::exchange(before, row.cycle));
    std::ranges::copy(numbers(row), std::back_inserter(list));
  }
  return list;
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
  for (const RunGroup& group : spec.groups)
    groups.push_back(
        {{"name", group.name}, {"members", topology::sorted_members(*spec.graph, group.members)}});
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

}  // namespace

std::string page_data(const ResolvedRun& run, const RunResult& result, const Recording& recording,
                      const PageOrigin& about) {
  const RunSpec& spec = run.spec;
  const auto channels =
      static_cast<core::ChannelId>(2 * (spec.graph->links().size() + spec.graph->nodes()));
  std::vector<std::string> ended = result.violations;
  ended.insert(ended.end(), result.stopped.begin(), result.stopped.end());
  Json deaths = Json::array();
  std::istringstream lines(casualties_text(spec, result.casualties));
  std::string detected;
  std::size_t more = 0;  // detections, one for each link end of what died
  for (std::string line; std::getline(lines, line);) {
    const bool again = line.starts_with("detected") && !detected.empty();
    if (again)
      deaths.back() = fmt::format("{}; {}", detected, counted(++more, "more end", "more ends"));
    else
      deaths.push_back(line);
    if (line.starts_with("detected") && !again) detected = line;
  }
  Json page = {{"schema", "muster-page-2"},
               {"kind", "network"},
               {"title", about.title},
               {"command", about.origin.command},
               {"version", about.origin.version},
               {"seed", spec.seed},
               {"engine", result.engine},
               {"scheme", result.scheme},
               {"clock_ns", spec.profile.clock_ns},
               {"cycles", result.cycles},
               {"from", recording.from},
               {"to", recording.to},
               {"violations", ended},
               {"deaths", deaths},
               {"wave", about.wave},
               {"wave_nodes", run.found.scheme.waves_of_nodes},
               {"network", network_json(*spec.graph)},
               {"groups", groups_json(spec)},
               {"barriers", barriers_json(result)},
               {"use", use_json(recording.use, channels)},
               {"messages", rows_json(recording.messages)},
               {"members", rows_json(recording.members)},
               {"entries", rows_json(recording.entries)},
               {"contexts", rows_json(recording.contexts)},
               {"marks", rows_json(recording.marks)}};
  return page.dump() + "\n";
}

std::string deflate_base64(std::string_view plain) {
  uLongf size = compressBound(plain.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(plain.data()), plain.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw InternalError("zlib does not compress");
  std::string text((size + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                  reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(size));
  return text;
}

std::string inflate_base64(std::string_view base64, std::size_t most, const std::string& what) {
  std::string bytes(base64.size() / 4 * 3, '\0');
  // With up to two zeros behind the bytes; negative if it is no base64.
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                                   reinterpret_cast<const unsigned char*>(base64.data()),
                                   static_cast<int>(base64.size()));
  if (size < 0) bytes.clear();
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
    throw InputError("{}: is not a page of 'muster run --page'", path);
  if (page.find(kBegin, end) != std::string::npos)
    throw InputError("{}: has several runs; name pages of single runs", path);
  const auto first = begin + kBegin.size();
  return inflate_base64(std::string_view(page).substr(first, end - first), kMostData, path);
}

}  // namespace muster::run
