// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_switch.hpp"

#include <algorithm>

namespace muster::golden {

using core::BlockWires;
using core::Flit;

BarrierSwitch::BarrierSwitch(const fabric::SwitchConfig& config, Flit* queues,
                             std::uint16_t* routes)
    : queues_(config, queues),
      data_(config, routes),
      credits_(config.depth),
      barriers_(config),
      spill_(config),
      turns_(config),
      config_(config),
      routes_(routes) {}

/// The candidate at an output that is requested is a latch's, not a register's.
bool BarrierSwitch::from_latch(std::uint32_t port) const {
  return has(spill_.requested(), port) && !(has(barriers_.requested(), port) && spill_.last(port));
}

/// More than the candidate wants the output.
bool BarrierSwitch::contended(std::uint32_t port) const {
  const bool both = has(spill_.requested(), port) && has(barriers_.requested(), port);
  return both || barriers_.contended(port) || spill_.contended(port);
}

/// Lanes with a credit that can be used: of a held link those of the barriers' own channel alone.
std::uint64_t BarrierSwitch::credited() const {
  std::uint64_t held = held_;
  for (std::uint32_t p = 0; own_ && held != 0 && p < config_.ports; ++p)
    held &= ~bit(lane_of(p, barrier_vc_));
  return credits_.at_least_one() & ~held;
}

BarrierShare BarrierSwitch::share_outputs() const {
  const std::uint64_t one = credited(), two = credits_.at_least_two();
  BarrierShare share{0, 0, one, 0, 0};
  for_each_bit(barriers_.requested() | spill_.requested(), [&](std::uint32_t port) {
    const std::uint64_t channel = bit(lane_of(port, barrier_vc_));
    const std::uint64_t all = std::uint64_t{0xf} << lane_of(port, 0);
    if ((one & channel) == 0) return;
    if (has(data_.busy(), port)) {
      share.usable &= ~all;  // goes in the next cycle
      return;
    }
    share.goes |= static_cast<std::uint16_t>(bit(port));
    if (from_latch(port)) share.latched |= static_cast<std::uint16_t>(bit(port));
    share.usable &= ~(channel & ~two);  // the last credit is the barrier message's
    if (own_ && contended(port)) share.usable &= ~all;
  });
  if (agent_.state() == RegisterAgent::State::kAnswering) share_with_answer(share);
  return share;
}

void BarrierSwitch::share_with_answer(BarrierShare& share) const {
  const std::uint32_t lane = agent_.out(), port = port_of(lane);
  share.closed = bit(lane);
  if (data_.owner(lane) != DataPath::kFree || !has(credited(), lane)) return;
  if (has(data_.busy(), port)) {
    share.usable &= ~(std::uint64_t{0xf} << lane_of(port, 0));  // goes in the next cycle
  } else if (!has(share.goes, port)) {
    share.answers = bit(lane);
  }
}

BarrierSwitch::Access BarrierSwitch::access_registers(bool host, std::uint32_t word) {
  Access access;
  access.moved = true;  // waiting for the host to leave the port, at least
  if (agent_.state() == RegisterAgent::State::kWriting) {
    if (host) {
      agent_.read_again();
    } else {
      access.address = agent_.address();
      access.value = agent_.value();
      access.write = agent_.decide(permits_, writable_by_packets(access.address));
    }
  } else if (!host) {
    agent_.read(word, data_.route(agent_.source()));
  }
  return access;
}

// What clock() calls every cycle is inline: 3 % of a loaded mesh on golden.
inline BarrierSwitch::Access BarrierSwitch::serve_agent(const Heads& heads, bool host) {
  // Either the agent looks at flits or at registers: what it becomes in a cycle it is in the next.
  const RegisterAgent::State agent = agent_.state();
  // The word is that of this cycle; what the agent drops now is counted at its edge.
  const bool reading = agent == RegisterAgent::State::kReading;
  const std::uint32_t word = reading ? read_register(agent_.address()) : 0;
  if (const std::uint64_t here = heads.data & data_.local(); here != 0) {
    agent_.take(here, here & data_.local_first(), queues_);
  }
  if (reading || agent == RegisterAgent::State::kWriting) return access_registers(host, word);
  return {};
}

inline void BarrierSwitch::drive_outputs(const BarrierShare& share, std::uint16_t traversing,
                                         Flit* tx) const {
  for_each_bit(traversing, [&](std::uint32_t port) { tx[port] = data_.crossbar()[port]; });
  for_each_bit(share.goes & ~share.latched,
               [&](std::uint32_t port) { tx[port] = barriers_.message(port, barrier_vc_); });
  for_each_bit(share.latched,
               [&](std::uint32_t port) { tx[port] = spill_.message(port, barrier_vc_); });
  for_each_bit(share.answers, [&](std::uint32_t lane) { tx[port_of(lane)] = agent_.flit(); });
}

inline std::uint64_t BarrierSwitch::take_messages(const Messages& messages,
                                                  const BarrierShare& share) {
  const BarrierSpill::Choice& spilled = messages.spilled;
  const auto own = static_cast<std::uint16_t>(share.goes & ~share.latched);
  const bool bad = spill_.edge(spilled, queues_, share.goes, share.latched);
  const std::uint64_t malformed = bad ? bit(port_of(*spilled.lane)) : 0;
  std::uint64_t taken = messages.seen.lanes & ~spilled.asking;
  barriers_.edge(taken, queues_, barrier_vc_, own, static_cast<std::uint16_t>(malformed));
  if (spilled.lane) taken |= bit(*spilled.lane);
  turns_.edge(messages.seen, taken);
  for_each_bit(taken, [&](std::uint32_t lane) { queues_.pop(lane); });
  std::uint64_t spent = 0;
  for_each_bit(share.goes, [&](std::uint32_t port) { spent |= bit(lane_of(port, barrier_vc_)); });
  credits_.update(spent, 0);
  return taken;
}

void BarrierSwitch::clock(BlockWires& wires, const Flit* rx, Flit* tx, bool host) {
  const std::uint64_t inputs = wires.rx_valid | wires.tx_back;
  if (stalled_ && inputs == 0) return;  // nothing is different from the cycle before
  const Heads heads = queues_.heads();
  const std::uint16_t traversing = data_.busy();
  const BarrierShare share = share_outputs();
  drive_outputs(share, traversing, tx);
  Messages messages{turns_.choose(heads.sync, queues_, barrier_vc_), {}};
  messages.spilled = spill_.choose(messages.seen.lanes, queues_, barrier_vc_, barriers_);

  // From here on the state is that after the edge; `heads` remembers the queues as they were.
  for_each_bit(wires.rx_valid, [&](std::uint32_t port) { queues_.push(port, rx[port]); });
  const Access access = serve_agent(heads, host);
  if (share.answers != 0) agent_.sent();
  DataPath::Moved moved = data_.clock(heads, queues_, share.usable, share.closed);
  const bool folding = barriers_.folding();
  if ((heads.sync | share.goes) != 0 || folding) moved.taken |= take_messages(messages, share);
  credits_.update(share.answers, 0);
  credits_.update(moved.spent, wires.tx_back);
  if (access.write) write_register(access.address, access.value);

  stalled_ = (inputs | traversing | share.goes | share.answers | moved.taken | moved.routed) == 0 &&
             !access.moved && !folding;
  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.tx_valid = traversing | share.goes;
  for_each_bit(share.answers, [&](std::uint32_t lane) { wires.tx_valid |= 1u << port_of(lane); });
  wires.rx_back = moved.taken;
}

}  // namespace muster::golden
