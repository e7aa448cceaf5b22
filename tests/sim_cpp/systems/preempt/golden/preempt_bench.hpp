// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "fabric/golden/switch_bank.hpp"
#include "systems/preempt/blocks/bsr_message.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"

namespace muster::golden {

/// One preempting switch of four ports between neighbours that send what they are given and return
/// credits at once, or not at all. Node n is behind port n; the switch has the address 20; beyond
/// it are switches 30 + p, by port p alone, and 40, by any port from 1 on. Cycle c of `seen` is
/// the one in which the flit is on the wires behind the switch; what is queued is on the wires in
/// the present cycle, if there is credit.
struct PreemptBench {
  static constexpr std::uint32_t kPorts = 4, kHere = 20;
  struct Seen {
    std::uint64_t cycle;
    core::Flit flit;
  };

  fabric::SwitchConfig config;
  SwitchBank<PreemptSwitch> bank;
  std::uint64_t cycle = 0;
  std::array<std::deque<core::Flit>, kPorts> barrier;                ///< to send, before data
  std::array<std::array<std::deque<core::Flit>, 4>, kPorts> data{};  ///< to send, by channel
  std::array<std::uint32_t, kPorts> cut{};  ///< data channels of which nothing is sent, a mask
  std::array<std::vector<Seen>, kPorts> seen;
  std::array<std::uint32_t, kPorts> stuck{};  ///< channels whose credits are not returned, a mask
  std::array<std::array<std::uint32_t, 4>, kPorts> credit{}, owed{};

  explicit PreemptBench(const fabric::SwitchKind& kind, std::uint32_t vcs = 3,
                        std::uint32_t depth = 6)
      : config{.name = "test",
               .ports = kPorts,
               .vcs = vcs,
               .depth = depth,
               .regs = 2,
               .dests = 64,
               .kind = &kind},
        bank(1, config) {
    for (auto& port : credit) port.fill(depth);
    bank.write_register(0, 0x008, kHere);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      bank.write_register(0, 0x800 + p, 1u << p);
      bank.write_register(0, 0x800 + 30 + p, 1u << p);
    }
    bank.write_register(0, 0x800 + 40, 0b1110);
  }
  std::uint8_t channel() const { return static_cast<std::uint8_t>(config.vcs - 1); }

  void step() {
    core::BlockWires& w = bank.wires(0);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (std::uint32_t v = 0; v < config.vcs; ++v) {
        credit[p][v] += w.rx_back >> (4 * p + v) & 1;
        if (owed[p][v] != 0 && !(stuck[p] >> v & 1)) {
          --owed[p][v];
          w.tx_back |= std::uint64_t{1} << (4 * p + v);
        }
      }
      if (w.tx_valid >> p & 1) {
        seen[p].push_back({cycle, bank.tx(0, p)});
        ++owed[p][bank.tx(0, p).vc];
      }
      send_one(p);
    }
    const std::uint32_t awake[] = {0};
    bank.clock(cycle++, awake);
  }
  void send_one(std::uint32_t p) {
    const auto able = [&](const std::deque<core::Flit>& queue) {
      return !queue.empty() && credit[p][queue.front().vc] != 0;
    };
    std::deque<core::Flit>* queue = able(barrier[p]) ? &barrier[p] : nullptr;
    for (std::uint32_t i = 1; queue == nullptr && i <= config.vcs; ++i) {
      const auto v = static_cast<std::uint32_t>((cycle + i) % config.vcs);
      if (able(data[p][v]) && !(cut[p] >> v & 1)) queue = &data[p][v];
    }
    if (queue == nullptr) return;
    --credit[p][queue->front().vc];
    bank.rx(0, p) = queue->front();
    bank.wires(0).rx_valid |= 1u << p;
    queue->pop_front();
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) step();
  }

  void send(std::uint32_t port, const preempt::BsrMessage& message) {
    const auto flits = bsr_flits(message, channel());
    barrier[port].insert(barrier[port].end(), flits.begin(),
                         flits.begin() + bsr_length(message.type));
  }
  void send(std::uint32_t port, const preempt::LinkControl& control) {
    barrier[port].push_back(control_flit(control, channel()));
  }
  /// A packet for node `to` in data channel `vc`; without its tail if it is to stay open.
  void packet(std::uint32_t port, std::uint32_t to, std::uint32_t length, std::uint8_t vc = 0,
              bool open = false) {
    for (std::uint32_t i = 0; i < length; ++i) {
      core::Flit flit;
      flit.vc = vc;
      flit.lo = i == 0 ? to : 0x100 * port + i;
      flit.kind = i == 0                     ? core::Flit::kHead
                  : i + 1 == length && !open ? core::Flit::kTail
                                             : std::uint8_t{0};
      data[port][vc].push_back(flit);
    }
  }
  void tail(std::uint32_t port, std::uint8_t vc = 0) {
    core::Flit flit;
    flit.vc = vc;
    flit.kind = core::Flit::kTail;
    data[port][vc].push_back(flit);
  }

  std::vector<Seen> at(std::uint32_t port, std::uint8_t vc) const {
    std::vector<Seen> result;
    for (const Seen& s : seen[port])
      if (s.flit.vc == vc) result.push_back(s);
    return result;
  }
  std::vector<Seen> barriers(std::uint32_t port) const { return at(port, channel()); }
  std::uint64_t pads(std::uint32_t port, std::uint8_t vc = 0) const {
    std::uint64_t count = 0;
    for (const Seen& s : at(port, vc)) count += s.flit.kind == core::Flit::kPad;
    return count;
  }
};

/// A reduction of group 9, and a first message.
inline preempt::BsrMessage later(std::uint32_t to, std::uint32_t from = 50) {
  return {preempt::BsrType::kReduction, 9, to, from, preempt::Bnt::kSource, false, 0};
}
inline preempt::BsrMessage first(std::uint32_t to, std::uint32_t from, std::uint32_t gid = 9) {
  return {preempt::BsrType::kFirst, gid, to, from, preempt::Bnt::kSource, false, 0};
}

}  // namespace muster::golden
