// SPDX-License-Identifier: Apache-2.0
#include "fabric/link_config.hpp"

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

Block block_of(const LinkConfig& config) {
  return give_fields("muster_link_end", config, kLinkFields);
}

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
  set_header(packed, header);
  return packed;
}

LinkFrame LinkFormat::unpack(const core::Flit& frame) const {
  LinkFrame f;
  std::uint64_t rest = header(frame);
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

Wide LinkFormat::wires(const core::Flit& frame) const {
  const Wide head = (Wide{header(frame)} << vc_w_ | frame.vc) << kKindW | (frame.kind & 7u);
  return (head << flit_w_ | frame.lo) << kCrcW | frame.hi;
}

core::Flit LinkFormat::frame(Wide wires) const {
  const auto take = [&](unsigned width) {
    const auto value = static_cast<std::uint64_t>(wires & ((Wide{1} << width) - 1));
    wires >>= width;
    return value;
  };
  core::Flit frame;
  frame.hi = static_cast<std::uint16_t>(take(kCrcW));
  frame.lo = take(flit_w_);
  frame.kind = static_cast<std::uint8_t>(take(kKindW));
  frame.vc = static_cast<std::uint8_t>(take(vc_w_));
  set_header(frame, static_cast<std::uint64_t>(wires));
  return frame;
}

}  // namespace muster::fabric
