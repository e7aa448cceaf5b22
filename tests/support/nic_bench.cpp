// SPDX-License-Identifier: Apache-2.0
#include "support/nic_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "muster/core/error.hpp"
#include "systems/nic/nic_bank.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::testing {

namespace nic_regs = nic::registers;
using core::Flit;

NicBench::NicBench(nic::NicBank& bank, const nic::NicConfig& config, std::vector<NicGroup> groups,
                   const NicMix& mix, std::uint64_t seed)
    : bank_(bank),
      mix_(mix),
      rng_(seed, 1),
      nodes_(bank.blocks()),
      contexts_(bank.blocks()),
      peers_(bank.blocks()),
      all_(bank.blocks()),
      mask_((1u << config.seq_w) - 1) {
  std::iota(all_.begin(), all_.end(), 0u);
  for (std::uint32_t n = 0; n < bank.blocks(); ++n)
    nodes_[n].link.emplace_back(mix.faults, seed, 1000 + n);
  for (NicGroup& plan : groups) groups_.push_back({std::move(plan), {}});
  load(config);
}

void NicBench::load(const nic::NicConfig& config) {
  for (std::uint32_t n = 0; n < bank_.blocks(); ++n) {
    bank_.write_register(n, nic_regs::kAddress, nic_regs::address_word(n, config.vcs - 1));
    bank_.write_register(n, nic_regs::kTimes,
                         nic_regs::times_word(mix_.timeout, mix_.retries, mix_.nack_gap));
    bank_.write_register(n, nic_regs::kQuiet, mix_.quiet);
  }
  for (std::uint32_t g = 0; g < groups_.size(); ++g) {
    Group& group = groups_[g];
    for (std::uint32_t rank = 0; rank < group.plan.nodes.size(); ++rank) {
      const std::uint32_t n = group.plan.nodes[rank];
      const auto c = static_cast<std::uint32_t>(contexts_[n].size());
      contexts_[n].emplace_back(g, rank);
      group.members.push_back({.context = c});
      if (group.plan.direct)
        for (const nic::Step& step : group.plan.lists[rank])
          connect(n, group.plan.nodes[step.peer]);
      for (const auto& image : nic::entry_images(group.plan.lists, rank, group.plan.nodes,
                                                 group.plan.form, config.steps))
        bank_.write_register(n, nic_regs::entry(c, image.entry), image.word);
      bank_.write_register(
          n, nic_regs::control(c),
          nic_regs::control_word(g, group.plan.first_sequence & mask_, group.plan.direct));
    }
  }
}

void NicBench::connect(std::uint32_t a, std::uint32_t b) {
  std::vector<std::uint32_t>& peers = peers_[a];
  if (std::find(peers.begin(), peers.end(), b) != peers.end()) return;
  bank_.write_register(a, nic_regs::connection(static_cast<std::uint32_t>(peers.size())),
                       nic_regs::connection_word(b));
  peers.push_back(b);
}

void NicBench::event(std::uint32_t n, std::uint32_t word) {
  if (nic_regs::event(word) != nic_regs::Event::kDone) {
    odd_.push_back(word);
    return;
  }
  const auto [g, rank] = contexts_[n].at(nic_regs::event_context(word));
  Group& group = groups_[g];
  Member& member = group.members[rank];
  if (((member.left + group.plan.first_sequence) & mask_) != nic_regs::event_barrier(word))
    throw InternalError(fmt::format("cycle {}: n{} reports barrier {} of group {}, not {}", cycle_,
                                    n, nic_regs::event_barrier(word), g, member.left));
  ++member.left;
  for (const Member& other : group.members)
    if (other.begun < member.left)
      throw InternalError(fmt::format("cycle {}: n{} has left barrier {} of group {} early", cycle_,
                                      n, member.left - 1, g));
  member.arrives = cycle_ + 1 + rng_.below(mix_.work + 1);
}

void NicBench::host(std::uint32_t n) {
  nic::HostWires& host = bank_.host(n);
  host.ready = host.event && rng_.uniform() < mix_.ready;
  if (host.ready) event(n, host.word);
  for (const auto& [g, rank] : contexts_[n]) {
    Group& group = groups_[g];
    Member& member = group.members[rank];
    const bool idle = member.begun == member.left;
    if (host.access || !idle || member.begun == barriers_ || member.arrives > cycle_) continue;
    ++member.begun;
    if (group.members.size() == 1) {
      ++member.left;
      continue;
    }
    host.access = host.write = true;
    host.address = nic_regs::doorbell(member.context);
    host.data = nic_regs::kContextsDoorbellStarts.mask();
  }
}

void NicBench::drive(std::uint32_t n) {
  Node& node = nodes_[n];
  core::BlockWires& wires = bank_.wires(n);
  if (wires.tx_valid != 0) {
    node.leaving.push_back(bank_.tx(n, 0));
    ++node.owed;
    if (node.leaving.back().tail()) {
      const std::uint32_t to = fabric::Formats::destination(node.leaving.front());
      ++packets_;
      nodes_.at(to).network.emplace_back(cycle_ + mix_.latency, std::move(node.leaving));
      node.leaving.clear();
    }
  }
  wires.tx_back = 0;
  if (node.owed != 0 && rng_.uniform() < mix_.credit) {
    wires.tx_back = std::uint64_t{1} << bank_.tx(n, 0).vc;
    --node.owed;
  }
  while (!node.network.empty() && node.network.front().first <= cycle_) {
    node.link[0].put(cycle_, std::move(node.network.front().second));
    node.network.pop_front();
  }
  if (node.next == node.coming.size()) {
    node.coming = node.link[0].take(cycle_).value_or(std::vector<Flit>{});
    node.next = 0;
  }
  wires.rx_valid = node.next < node.coming.size() && rng_.uniform() >= mix_.gap;
  if (wires.rx_valid != 0) bank_.rx(n, 0) = node.coming[node.next++];
}

void NicBench::step() {
  for (const std::uint32_t n : all_) {
    drive(n);
    host(n);
  }
  bank_.clock(cycle_, all_);
  ++cycle_;
}

bool NicBench::run(std::uint32_t barriers, std::uint64_t limit) {
  barriers_ = barriers;
  const auto done = [&] {
    for (const Group& group : groups_)
      for (const Member& member : group.members)
        if (member.left < barriers_) return false;
    return true;
  };
  for (const std::uint64_t end = cycle_ + limit; cycle_ < end; step())
    if (done()) return true;
  return done();
}

bool NicBench::quiet() const {
  for (const std::uint32_t n : all_) {
    const Node& node = nodes_[n];
    if (!bank_.quiescent(n) || !node.network.empty() || !node.link[0].empty() ||
        node.next != node.coming.size() || node.owed != 0)
      return false;
  }
  return true;
}

nic::FaultCounts NicBench::faults() const {
  nic::FaultCounts sum;
  for (const Node& node : nodes_) sum += node.link[0].counts();
  return sum;
}

}  // namespace muster::testing
