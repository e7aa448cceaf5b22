// SPDX-License-Identifier: Apache-2.0
#include "run/recording/recorder.hpp"

#include <algorithm>

#include "fabric/link_registers.hpp"
#include "muster/fabric/link_control.hpp"

namespace muster::run {

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

void Recorder::arrived(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  recording_.members.push_back({cycle, group, member, false});
}

void Recorder::released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
  recording_.members.push_back({cycle, group, member, true});
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
