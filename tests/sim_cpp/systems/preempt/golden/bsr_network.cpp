// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/systems/preempt/golden/bsr_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

using muster::golden::BsrEntry;
using muster::preempt::Bnt;
using muster::preempt::BsrType;
using namespace muster;
using namespace muster::topology;

BsrNetwork::BsrNetwork(const Graph& graph, const Routes& routes, std::uint32_t entries,
                       muster::Rng& rng, Faults faults)
    : graph_(graph),
      routes_(routes),
      rng_(rng),
      faults_(std::move(faults)),
      tables_(graph.switches(), golden::BsrTable(entries)),
      queue_at_(graph.switches()) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    tables_[s].set_address(graph.nodes() + s);
    for (std::uint32_t p = 0; p < graph.ports(s); ++p) {
      queue_at_[s].push_back(queues_.size());
      queues_.push_back({s, p, {}});
    }
  }
}

std::optional<std::uint32_t> BsrNetwork::entry_of(SwitchId s, std::uint32_t gid) const {
  for (std::uint32_t e = 0; e < tables_[s].size(); ++e)
    if (tables_[s].at(e).valid && tables_[s].at(e).gid == gid) return e;
  return std::nullopt;
}

bool BsrNetwork::create(const preempt::BsrTree& tree, std::uint32_t gid, std::uint32_t barriers) {
  std::map<SwitchId, std::uint32_t> places;
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    if (tree.switches[s].locals == 0) continue;
    std::uint32_t e = 0;
    while (e < tables_[s].size() && tables_[s].at(e).valid) ++e;
    if (e == tables_[s].size()) return false;
    places[s] = e;
  }
  for (const auto& [s, e] : places) {
    golden::BsrEntry entry;
    entry.valid = true;
    entry.gid = static_cast<std::uint8_t>(gid);
    entry.locals = tree.switches[s].locals;
    entry.center = s == tree.center_switch;
    if (entry.center) entry.count = static_cast<std::uint16_t>(tree.members.size());
    tables_[s].write(e, entry);
  }
  const std::vector<std::uint32_t> none(barriers, 0);
  groups_[gid] = {tree, gid, barriers, none, none, false};
  for (const NodeId n : tree.members) arrivals_.push_back({n, gid, 0});
  return true;
}

void BsrNetwork::remove(std::uint32_t gid) {
  for (SwitchId s = 0; s < graph_.switches(); ++s)
    if (const auto e = entry_of(s, gid)) tables_[s].write(*e, golden::BsrEntry{});
}

void BsrNetwork::arrive(const Arrival& arrival) {
  const PortRef at = graph_.node(arrival.node).at;
  Group& group = groups_.at(arrival.gid);
  ++group.arrived[arrival.barrier];
  barrier_of_[{arrival.node, arrival.gid}] = arrival.barrier;
  Message message;
  message.gid = arrival.gid;
  if (arrival.barrier == 0) {
    message.type = BsrType::kFirst;
    message.source = message.new_node = tables_[at.sw].address();
    message.destination = tables_[group.tree.center_switch].address();
  } else {
    message.source = arrival.node;
    message.destination = tables_[at.sw].address();
  }
  queues_[queue_at_[at.sw][at.port]].messages.push_back(message);
}

void BsrNetwork::release(NodeId node, const Message& message) {
  Group& group = groups_.at(message.gid);
  if (message.type == BsrType::kFirst) {
    group.refused = true;
    return;
  }
  const auto at = barrier_of_.find({node, message.gid});
  if (at == barrier_of_.end()) throw std::runtime_error("a release without a waiting member");
  const std::uint32_t barrier = at->second;
  barrier_of_.erase(at);
  if (group.arrived[barrier] != group.tree.members.size())
    throw std::runtime_error(fmt::format("node {} released early", node));
  ++group.released[barrier];
  if (barrier + 1 < group.barriers) arrivals_.push_back({node, message.gid, barrier + 1});
}

void BsrNetwork::forward(SwitchId s, const Message& message) {
  const std::uint16_t mask = routes_.mask(s, message.destination);
  if (mask == 0) throw std::runtime_error("a message without a way");
  std::uint32_t port = routes_.next_port(s, message.destination);
  if (message.type != BsrType::kFirst)  // adaptive
    for (port = kMaxPorts; port == kMaxPorts || !(mask >> port & 1);)
      port = static_cast<std::uint32_t>(rng_.below(kMaxPorts));
  const Peer& next = graph_.peer(s, port);
  queues_[queue_at_[next.id][next.port]].messages.push_back(message);
}

void BsrNetwork::pass(Queue& queue) {
  auto at = queue.messages.begin();
  if (faults_.overtaking) at += static_cast<std::ptrdiff_t>(rng_.below(queue.messages.size()));
  Message message = *at;
  queue.messages.erase(at);
  if (faults_.spoil) faults_.spoil(message);
  golden::BsrTable& table = tables_[queue.sw];
  const bool here = message.destination == table.address();
  if (message.type != BsrType::kFirst && !here) return forward(queue.sw, message);
  const auto on = table.take(queue.port, message);
  drops_ += table.dropped().has_value();
  if (on) forward(queue.sw, *on);
}

std::uint64_t BsrNetwork::run() {
  for (std::uint64_t steps = 0;; ++steps) {
    if (steps == 10'000'000) throw std::runtime_error("no end");
    std::vector<std::size_t> queues;
    for (std::size_t q = 0; q < queues_.size(); ++q)
      if (!queues_[q].messages.empty()) queues.push_back(q);
    std::vector<SwitchId> owing;
    for (SwitchId s = 0; s < graph_.switches(); ++s)
      if (tables_[s].next()) owing.push_back(s);
    const std::size_t choices = queues.size() + owing.size() + arrivals_.size();
    if (choices == 0) return steps;
    std::size_t choice = rng_.below(choices);
    if (choice < queues.size()) {
      pass(queues_[queues[choice]]);
    } else if ((choice -= queues.size()) < owing.size()) {
      const SwitchId s = owing[choice];
      const auto [message, port] = tables_[s].send(*tables_[s].next());
      if (port)
        release(graph_.peer(s, *port).id, message);
      else
        forward(s, message);
    } else {
      const auto at = arrivals_.begin() + static_cast<std::ptrdiff_t>(choice - owing.size());
      const Arrival arrival = *at;
      arrivals_.erase(at);
      arrive(arrival);
    }
  }
}

std::string BsrNetwork::difference(const Group& group) const {
  for (SwitchId s = 0; s < graph_.switches(); ++s) {
    const preempt::BsrSwitch& planned = group.tree.switches[s];
    const auto e = entry_of(s, group.gid);
    if (e.has_value() != planned.bsr_node)
      return fmt::format("switch {}: {}", s, e ? "an entry too many" : "no entry");
    if (!e) continue;
    const BsrEntry& entry = tables_[s].at(*e);
    std::vector<preempt::BsrChild> children;
    for (std::uint32_t p = 0; p < kMaxPorts; ++p)
      if (entry.children >> p & 1) children.push_back({p, entry.child[p] - graph_.nodes()});
    const bool center = s == group.tree.center_switch;
    if (children != planned.children || !entry.tree || entry.locals != planned.locals ||
        entry.center != center ||
        (!center && entry.parent != graph_.nodes() + planned.parent.value()))
      return fmt::format("switch {}: {}", s, golden::describe(entry));
  }
  return "";
}
