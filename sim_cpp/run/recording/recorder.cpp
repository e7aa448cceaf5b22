// SPDX-License-Identifier: Apache-2.0
#include "run/recording/recorder.hpp"

#include <algorithm>
#include <bit>

#include "fabric/link_bank.hpp"
#include "muster/fabric/barrier_end.hpp"

namespace muster::run {

void LinkUse::add(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
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
          std::min<int>(queued_[event.channel], std::popcount<unsigned>(event.credits & credits_)));
  if (!counted) return;
  counts_[static_cast<unsigned>(Count::kQueued)].back() = queued_;
  for (core::ChannelId c = 0; c < channels_; ++c)
    if (open_[c] != 0 && last_[c] != cycle) count_one(Count::kWaits, c);
}

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

namespace ends = fabric::link_registers;

namespace {

/// Calls `changed` for what is held now and was not before, and, without flags, for places that are
/// no longer in use; `now` is `before` then.
template <class Held, class F>
void for_changes(const std::vector<Held>& now, std::vector<Held>& before, F&& changed) {
  if (now == before) return;
  for (const Held& held : now)
    if (std::find(before.begin(), before.end(), held) == before.end()) changed(held);
  for (const Held& held : before)
    if (std::none_of(now.begin(), now.end(),
                     [&](const Held& other) { return other.place == held.place; }))
      changed(Held{.place = held.place});
  before = now;
}

}  // namespace

void Recorder::begin(const ResolvedRun& run, fabric::Network& network) {
  run_ = &run;
  network_ = &network;
  recording_.use =
      LinkUse(network.channels(), static_cast<std::uint8_t>((1u << run.config.vcs) - 1));
  messages_.emplace(run.found.system, network,
                    fabric::Formats(run.config.flit_w, run.config.gid_w));
  entries_.resize(network.graph().switches());
  contexts_.resize(network.devices() != nullptr ? network.graph().nodes() : 0);
  ends_.resize(network.link_ends() != nullptr ? network.channels() : 0);
}

void Recorder::observe(std::uint64_t cycle, std::span<const core::FlitEvent> flits,
                       std::span<const core::CreditEvent> credits) {
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

void Recorder::look(std::uint64_t next) {
  if (!recorded(next)) return;
  for (std::uint32_t s = 0; s < entries_.size(); ++s) look_at_entries(next, s);
  for (std::uint32_t n = 0; n < contexts_.size(); ++n) look_at_contexts(next, n);
  if (!ends_.empty()) look_at_links(next);
  look_who_dies(next);
}

void Recorder::look_at_entries(std::uint64_t cycle, std::uint32_t sw) {
  now_.clear();
  run_->found.system.entries(network_->switches(), sw, run_->config, now_);
  for_changes(now_, entries_[sw], [&](const SwitchEntry& entry) {
    recording_.entries.push_back({cycle, sw, entry});
  });
}

void Recorder::look_at_contexts(std::uint64_t cycle, std::uint32_t node) {
  contexts_now_.clear();
  run_->found.system.contexts(*network_->devices(), node, contexts_now_);
  for_changes(contexts_now_, contexts_[node], [&](const NodeContext& context) {
    recording_.contexts.push_back({cycle, node, context});
  });
}

void Recorder::look_at_links(std::uint64_t cycle) {
  for (core::ChannelId c = 0; c < ends_.size(); ++c) {
    const std::uint32_t status = network_->link_ends()->read_register(c, ends::kStatus);
    const std::uint32_t before = ends_[c];
    ends_[c] = status;
    if (ends::kStatusReplays.of(status) != ends::kStatusReplays.of(before))
      mark(cycle, Mark::kResent, c);
    if (ends::state(status) == ends::LinkState::kDown &&
        ends::state(before) != ends::LinkState::kDown)
      mark(cycle, Mark::kEndDown, c);
  }
}

void Recorder::look_who_dies(std::uint64_t cycle) {
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

const Recording& Recorder::recording() {
  recording_.to = std::max(recording_.from, std::min(recording_.to, next_));
  const auto earlier = [](const auto& a, const auto& b) { return a.cycle < b.cycle; };
  std::erase_if(recording_.messages,
                [this](const MessageRow& row) { return !recorded(row.cycle); });
  std::stable_sort(recording_.messages.begin(), recording_.messages.end(), earlier);
  std::stable_sort(recording_.members.begin(), recording_.members.end(), earlier);
  std::stable_sort(recording_.marks.begin(), recording_.marks.end(), earlier);
  return recording_;
}

}  // namespace muster::run
