// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_config.hpp"

#include "fabric/configurations.hpp"

namespace muster::fabric {
namespace {

constexpr BlockField<LinkConfig> kLinkFields[] = {
    {"Vcs", &LinkConfig::vcs},         {"Depth", &LinkConfig::depth},
    {"FlitW", &LinkConfig::flit_w},    {"Pocket", &LinkConfig::pocket},
    {"Slots", &LinkConfig::slots},     {"Timeout", &LinkConfig::timeout},
    {"Retries", &LinkConfig::retries}, {"Lossy", &LinkConfig::lossy},
};

std::vector<LinkConfig> links_of(const std::vector<BlockEntry>& entries) {
  std::vector<LinkConfig> list;
  for (const BlockEntry& entry : entries)
    if (entry.kind == kLinkKind) list.push_back(link_config(entry));
  return list;
}

}  // namespace

LinkConfig link_config(const BlockEntry& entry) {
  LinkConfig config;
  config.name = entry.name;
  take_fields(config, kLinkFields, entry);
  return validate(config);
}

Block block_of(const LinkConfig& config) { return give_fields("link_end", config, kLinkFields); }

const std::vector<LinkConfig>& link_configurations() {
  static const auto list = links_of(listed_blocks());
  return list;
}

const std::vector<LinkConfig>& own_link_configurations() {
  static const auto list = links_of(own_blocks());
  return list;
}

core::Flit LinkFormat::pack(const LinkFrame& frame) const {
  std::uint64_t header = 0;
  const auto put = [&](std::uint64_t value, unsigned width) {
    header = header << width | (value & ((1u << width) - 1));
  };
  for (const bool mark : {frame.init, frame.ask, frame.flit, frame.news, frame.echo, frame.nack})
    put(mark, 1);
  put(frame.seq, seq_w_);
  put(frame.ack, seq_w_);
  for (unsigned c = backs_; c-- > 0;) put(frame.count[c], count_w_);
  core::Flit packed{.lo = frame.payload, .hi = frame.crc, .vc = frame.vc, .kind = frame.kind};
  set(packed, Part::kHeader, header);
  return packed;
}

LinkFrame LinkFormat::unpack(const core::Flit& frame) const {
  LinkFrame f;
  std::uint64_t rest = get(frame, Part::kHeader);
  const auto take = [&](unsigned width) {
    const auto value = static_cast<std::uint32_t>(rest & ((1u << width) - 1));
    rest >>= width;
    return value;
  };
  for (unsigned c = 0; c < backs_; ++c) f.count[c] = take(count_w_);
  f.ack = take(seq_w_);
  f.seq = take(seq_w_);
  for (bool* mark : {&f.nack, &f.echo, &f.news, &f.flit, &f.ask, &f.init}) *mark = take(1) != 0;
  f.vc = frame.vc;
  f.kind = frame.kind & 7u;
  f.payload = frame.lo;
  f.crc = frame.hi;
  return f;
}

unsigned LinkFormat::lowest(Part part) const {
  unsigned sum = 0;
  for (std::size_t below = 0; below < static_cast<std::size_t>(part); ++below)
    sum += widths_[below];
  return sum;
}

std::uint64_t LinkFormat::get(const core::Flit& frame, Part part) const {
  switch (part) {
    case Part::kCrc:
      return frame.hi;
    case Part::kPayload:
      return frame.lo;
    case Part::kKind:
      return frame.kind & 7u;
    case Part::kVc:
      return frame.vc;
    default:
      return std::uint64_t{frame.spare} | std::uint64_t{frame.kind} >> kLastBits << 32;
  }
}

void LinkFormat::set(core::Flit& frame, Part part, std::uint64_t value) const {
  switch (part) {
    case Part::kCrc:
      frame.hi = static_cast<std::uint16_t>(value);
      break;
    case Part::kPayload:
      frame.lo = value;
      break;
    case Part::kKind:
      frame.kind = static_cast<std::uint8_t>((frame.kind & ~7u) | (value & 7));
      break;
    case Part::kVc:
      frame.vc = static_cast<std::uint8_t>(value);
      break;
    default:
      frame.spare = static_cast<std::uint32_t>(value);
      frame.kind = static_cast<std::uint8_t>((frame.kind & 7u) | (value >> 32 & 3) << kLastBits);
  }
}

LinkFormat::Place LinkFormat::place(unsigned at) const {
  for (const Part part : kParts) {
    if (at < width(part)) return {part, at};
    at -= width(part);
  }
  throw InternalError("a frame has no such bit");
}

bool LinkFormat::bit(const core::Flit& frame, unsigned at) const {
  const auto [part, bit] = place(at);
  return get(frame, part) >> bit & 1;
}

void LinkFormat::flip(core::Flit& frame, unsigned at) const {
  const auto [part, bit] = place(at);
  set(frame, part, get(frame, part) ^ std::uint64_t{1} << bit);
}

}  // namespace muster::fabric
