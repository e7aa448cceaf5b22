// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/golden/switch_bank.hpp"
#include "muster/core/error.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/network.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/system.hpp"
#include "support/mutant_bank.hpp"
#include "systems/btin/golden/barrier_switch.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/tree.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::checkers {

/// Members that arrive at random times for `barriers` consecutive barriers, with random data.
class Members : public fabric::SyncClient {
 public:
  Members(const std::vector<btin::PlannedGroup>& groups, fabric::Formats formats,
          std::uint32_t barriers, std::uint64_t longest_gap, std::uint64_t seed)
      : formats_(formats), barriers_(barriers), longest_gap_(longest_gap), rng_(seed) {
    for (const auto& group : groups) {
      if (group.tree.alone()) continue;
      for (const auto n : group.tree.members)
        members_.push_back({group.gid, n, !group.reflect && n == group.tree.root_node, gap()});
    }
  }
  void attach(fabric::EndpointBank& nodes) { nodes_ = &nodes; }

  void receive_sync(std::uint64_t cycle, std::uint32_t node, const core::Flit& flit) override {
    const auto message = formats_.barrier_message(flit);
    for (Member& m : members_) {
      if (m.node != node || m.gid != message.gid) continue;
      if (m.root) {
        m.notified = true;
        m.data = message.data;
      } else {
        release(cycle, m);
      }
    }
  }
  void clock(std::uint64_t cycle) override {
    for (Member& m : members_) {
      if (m.waiting || m.done == barriers_ || cycle < m.arrival) continue;
      if (m.root && !m.notified) continue;
      fabric::Payload data{rng_.next() | (m.root ? m.data.lo : 0),
                           static_cast<std::uint16_t>(rng_.next() | (m.root ? m.data.hi : 0))};
      const auto type =
          m.root ? fabric::MessageType::kDistribution : fabric::MessageType::kReduction;
      nodes_->send_sync(m.node, formats_.barrier_flit({type, m.gid, data}, 0));
      m.waiting = true;
      if (m.root) release(cycle, m);
    }
  }
  bool done() const {
    return std::all_of(members_.begin(), members_.end(),
                       [&](const Member& m) { return m.done == barriers_; });
  }

 private:
  struct Member {
    std::uint32_t gid;
    topology::NodeId node;
    bool root;
    std::uint64_t arrival;
    bool waiting = false, notified = false;
    std::uint32_t done = 0;
    fabric::Payload data = {};
  };
  std::uint64_t gap() { return rng_.below(longest_gap_ + 1); }
  void release(std::uint64_t cycle, Member& m) {
    m.waiting = m.notified = false;
    m.arrival = cycle + gap();
    ++m.done;
  }

  fabric::Formats formats_;
  std::uint32_t barriers_;
  std::uint64_t longest_gap_;
  Rng rng_;
  std::vector<Member> members_;
  fabric::EndpointBank* nodes_ = nullptr;
};

/// Packets of random length to random nodes, a fixed number from each.
class RandomPackets : public fabric::PacketClient {
 public:
  RandomPackets(std::uint32_t nodes, std::uint32_t vcs, std::uint32_t packets,
                std::uint64_t longest_gap, std::uint64_t seed)
      : nodes_(nodes),
        vcs_(vcs),
        longest_gap_(longest_gap),
        rng_(seed, 1),
        left_(nodes, packets),
        next_(nodes),
        sequence_(std::size_t{nodes} * nodes * vcs) {
    for (auto& next : next_) next = rng_.below(longest_gap_ + 1);
  }
  std::uint64_t ready(std::uint32_t node) override {
    return left_[node] == 0 ? fabric::kNever : next_[node];
  }
  fabric::Packet take(std::uint64_t cycle, std::uint32_t node, std::uint8_t vc) override {
    --left_[node];
    next_[node] = cycle + rng_.below(longest_gap_ + 1);
    fabric::Packet packet;
    packet.source = node;
    packet.destination = static_cast<std::uint32_t>(rng_.below(nodes_));
    packet.length = static_cast<std::uint32_t>(3 + rng_.below(10));
    packet.vc = vc;
    packet.sequence = sequence_[(std::size_t{node} * nodes_ + packet.destination) * vcs_ + vc]++;
    return packet;
  }
  void deliver(std::uint64_t, std::uint32_t, const fabric::Packet&) override { ++delivered; }
  bool done() const {
    return std::all_of(left_.begin(), left_.end(), [](std::uint32_t left) { return left == 0; });
  }
  std::uint64_t delivered = 0;

 private:
  std::uint32_t nodes_, vcs_;
  std::uint64_t longest_gap_;
  Rng rng_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint64_t> next_;
  std::vector<std::uint16_t> sequence_;
};

struct RunSpec {
  fabric::SwitchConfig config{.name = "test", .kind = &btin::kBarrierSwitch};
  bool own = false;
  std::uint32_t barriers = 10, packets = 10;          ///< of each member, of each node
  std::uint64_t barrier_gap = 100, packet_gap = 100;  ///< longest, cycles
  std::uint64_t seed = 1;
  Bounds bounds{20'000, 20'000};
  std::uint64_t longest_run = 200'000;  ///< cycles
};

/// A network of golden switches, tampered with or not, under all checkers.
class CheckedNetwork {
 public:
  CheckedNetwork(const topology::Graph& graph, std::vector<btin::PlannedGroup> groups,
                 const RunSpec& spec, MutantBank::Tamper tamper = {})
      : spec_(spec),
        groups_(std::move(groups)),
        formats_(spec.config.flit_w, spec.config.gid_w),
        routes_(topology::routes_for(graph)),
        network_(graph, make_switches(graph, std::move(tamper)), make_nodes(graph)),
        members_(groups_, formats_, spec.barriers, spec.barrier_gap, spec.seed),
        packets_(graph.nodes(), spec.config.vcs, spec.packets, spec.packet_gap, spec.seed),
        checkers_(run::make_checkers(subject(graph), spec.bounds, checked_groups())) {
    load_registers(graph);
    members_.attach(network_.endpoints());
    network_.endpoints().attach(&members_, &packets_);
    network_.engine().observe_with(*checkers_);
  }

  /// Runs to the end. False if not all is done after the longest time.
  bool run() {
    core::Engine& engine = network_.engine();
    while (engine.cycle() < spec_.longest_run) {
      engine.step();
      if (!members_.done() || !packets_.done()) continue;
      if (!network_.endpoints().drained() || !engine.idle()) continue;
      engine.finish(true);
      return true;
    }
    return false;
  }

  CheckerList& checkers() { return *checkers_; }
  core::Engine& engine() { return network_.engine(); }
  std::uint64_t delivered() const { return packets_.delivered; }

 private:
  std::unique_ptr<core::Bank> make_switches(const topology::Graph& graph,
                                            MutantBank::Tamper tamper) const {
    auto golden =
        std::make_unique<golden::SwitchBank<golden::BarrierSwitch>>(graph.switches(), spec_.config);
    if (!tamper) return golden;
    return std::make_unique<MutantBank>(std::move(golden), std::move(tamper));
  }
  fabric::EndpointConfig endpoint_config(const topology::Graph& graph) const {
    return {graph.nodes(), spec_.config.vcs, spec_.config.depth};
  }
  std::unique_ptr<fabric::EndpointBank> make_nodes(const topology::Graph& graph) const {
    return std::make_unique<fabric::EndpointBank>(endpoint_config(graph), formats_);
  }
  Subject subject(const topology::Graph& graph) const {
    return {graph, network_.layout(), routes_, spec_.config.vcs, spec_.config.depth, formats_};
  }
  btin::Checked checked_groups() const {
    btin::Checked checked;
    for (const auto& group : groups_) checked.groups.push_back(btin::checked_group(group));
    return checked;
  }
  void load_registers(const topology::Graph& graph) {
    core::Bank& switches = network_.switches();
    for (topology::SwitchId s = 0; s < graph.switches(); ++s) {
      for (std::uint32_t d = 0; d < graph.destinations(); ++d)
        switches.write_register(s, 0x800 + d, routes_.mask(s, d));
    }
    for (const auto& slot : btin::plan_registers(groups_, spec_.config.regs).slots) {
      const auto& image = slot.image;
      switches.write_register(image.sw, 0x041 + 4 * slot.slot, image.child_mask);
      switches.write_register(
          image.sw, 0x040 + 4 * slot.slot,
          1u << 31 | std::uint32_t{image.reflect} << 30 | image.parent_port << 16 | image.gid);
    }
  }

  RunSpec spec_;
  std::vector<btin::PlannedGroup> groups_;
  fabric::Formats formats_;
  topology::Routes routes_;
  fabric::Network network_;
  Members members_;
  RandomPackets packets_;
  std::unique_ptr<CheckerList> checkers_;
};

}  // namespace muster::checkers
