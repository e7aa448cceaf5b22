// SPDX-License-Identifier: Apache-2.0
#include "run/data_traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>

#include "muster/core/error.hpp"
#include "muster/core/outputs.hpp"

namespace muster::run {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 20;  // of a trace
constexpr std::size_t kMostLengths = 64;                    // of a mix

/// The whole word is a number.
bool read_number(std::string_view word, std::uint64_t& number) {
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  return fault == std::errc() && end == word.data() + word.size();
}

}  // namespace

std::shared_ptr<const PacketTrace> read_packets(const std::string& file, std::uint32_t nodes) {
  std::istringstream text(read_file(file, kMostBytes));
  auto trace = std::make_shared<PacketTrace>(nodes);
  bool some = false;
  std::string line;
  for (std::uint64_t number = 1; std::getline(text, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    const auto refuse = [&](const std::string& reason) {
      throw InputError(fmt::format("{}: line {}: {}", file, number, reason));
    };
    std::array<std::uint64_t, 4> values{};
    std::size_t count = 0;
    for (std::string word; words >> word; ++count) {
      if (count == values.size())
        refuse("more than four numbers; write CYCLE SOURCE DESTINATION FLITS");
      if (!read_number(word, values[count]))
        refuse(fmt::format("'{}' is not a whole number", word));
    }
    if (count == 0) continue;
    if (count != values.size()) refuse("write CYCLE SOURCE DESTINATION FLITS");
    const auto [cycle, source, destination, flits] = values;
    if (cycle > kMostCycles) refuse(fmt::format("cycle {} is above {}", cycle, kMostCycles));
    for (const std::uint64_t node : {source, destination})
      if (node >= nodes)
        refuse(fmt::format("there is no node {}; the network has {}", node, nodes));
    if (flits < fabric::kMinDataFlits || flits > kMostDataFlits)
      refuse(fmt::format("a data packet has {} to {} flits, not {}", fabric::kMinDataFlits,
                         kMostDataFlits, flits));
    (*trace)[source].push_back(
        {cycle, static_cast<std::uint32_t>(destination), static_cast<std::uint32_t>(flits)});
    some = true;
  }
  if (!some) throw InputError(file + ": no packet; write a line CYCLE SOURCE DESTINATION FLITS");
  for (auto& packets : *trace) std::ranges::stable_sort(packets, {}, &TracedPacket::cycle);
  return trace;
}

double offered_flits(const PacketTrace& trace) {
  std::uint64_t flits = 0, last = 0;
  for (const auto& packets : trace)
    for (const TracedPacket& packet : packets) {
      flits += packet.flits;
      last = std::max(last, packet.cycle);
    }
  return static_cast<double>(flits) /
         (static_cast<double>(last + 1) * static_cast<double>(trace.size()));
}

std::vector<PacketShare> parse_mix(const std::string& text) {
  std::vector<PacketShare> mix;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t colon = part.find(':');
    std::uint64_t flits = 0, share = 0;
    if (colon == std::string::npos ||
        !read_number(std::string_view(part).substr(0, colon), flits) ||
        !read_number(std::string_view(part).substr(colon + 1), share))
      throw InputError(fmt::format("--packet-mix '{}': write FLITS:SHARE,... as 4:3,64:1", text));
    if (flits < fabric::kMinDataFlits || flits > kMostDataFlits)
      throw InputError(fmt::format("--packet-mix '{}': a data packet has {} to {} flits, not {}",
                                   text, fabric::kMinDataFlits, kMostDataFlits, flits));
    if (share < 1 || share > 1'000'000)
      throw InputError(
          fmt::format("--packet-mix '{}': a share is 1 to 1000000, not {}", text, share));
    mix.push_back({static_cast<std::uint32_t>(flits), static_cast<std::uint32_t>(share)});
  }
  if (mix.size() > kMostLengths)
    throw InputError(
        fmt::format("--packet-mix: {} lengths; use {} at most", mix.size(), kMostLengths));
  return mix;
}

std::string mix_text(const std::vector<PacketShare>& mix) {
  std::string text;
  for (const PacketShare& part : mix)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", part.flits, part.share);
  return text;
}

}  // namespace muster::run
