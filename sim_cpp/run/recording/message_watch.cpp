// SPDX-License-Identifier: Apache-2.0
#include "run/recording/message_watch.hpp"

namespace muster::run {

using core::Flit;

MessageWatch::MessageWatch(const System& system, fabric::Network& network, fabric::Formats formats)
    : system_(system),
      network_(network),
      formats_(formats),
      streams_(std::size_t{network.channels()} * network.segments() * kStreams),
      on_their_way_(network.channels()) {}

void MessageWatch::add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                       std::vector<MessageRow>& rows) {
  for (const core::FlitEvent& event : flits) {
    const std::uint8_t kind = event.flit.kind;
    if (kind == Flit::kPad || kind == Flit::kControl) continue;
    collect(cycle, event.channel, event.flit, rows);
  }
}

void MessageWatch::collect(std::uint64_t cycle, core::ChannelId channel, const Flit& flit,
                           std::vector<MessageRow>& rows) {
  Stream& stream =
      streams_[std::size_t{channel} * kStreams + (flit.sync() ? kStreams - 1 : flit.vc)];
  const bool begins =
      flit.sync() ? !stream.open || flit.kind == Flit::kFirst : flit.head() && !stream.open;
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
  const auto message = system_.seen(stream.flits, formats_);
  // A sync flit that ends no message is of one that has begun, if its kind says so.
  stream.open = flit.sync() && !message && stream.flits.front().kind == Flit::kFirst &&
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
void MessageWatch::arrives(std::uint64_t cycle, core::ChannelId channel, const SeenMessage& message,
                           std::vector<MessageRow>& rows) {
  std::deque<std::size_t>& waiting = on_their_way_[channel];
  for (auto at = waiting.begin(); at != waiting.end(); ++at) {
    if (!(rows[*at].message == message)) continue;
    rows[*at].duration = static_cast<std::uint32_t>(cycle + 1 - rows[*at].cycle);
    waiting.erase(at);
    return;
  }
}

}  // namespace muster::run
