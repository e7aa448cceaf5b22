// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

#include "fabric/golden/switch_bank.hpp"
#include "sim_cpp/fabric/checkers/stage.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/preempt/checkers/bsr_messages.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::golden {

/// A pad, or what is not sync: goes in the input buffer of any preempting switch.
inline bool is_data(const core::Flit& flit) {
  return !flit.sync() || flit.kind == core::Flit::kPad;
}

/// What one preempting switch sends by one output, held to the rules of the link
/// (docs/systems/preempting-switches.md, The link) by the checker of runs. Throws std::logic_error.
class LinkWatch {
 public:
  void see(const checkers::Subject& subject, std::uint64_t cycle, const core::Flit& flit) {
    const std::string fault = line_.fault(subject, cycle, flit);
    if (!fault.empty()) throw std::logic_error("cycle " + std::to_string(cycle) + ": " + fault);
    cuts_ += preempt::is_control(flit) && !preempt::link_control(flit).end;
    if (line_.message()) messages_.push_back(*line_.message());
  }
  /// Nothing is cut, no message is in progress.
  bool at_rest() const { return line_.idle(); }
  /// The last flit was that of a message which is now whole.
  bool completed() const { return line_.message().has_value(); }
  std::uint64_t cuts() const { return cuts_; }
  /// Those that are whole.
  const std::vector<preempt::BsrMessage>& messages() const { return messages_; }

 private:
  checkers::BsrLine line_;
  std::uint64_t cuts_ = 0;
  std::vector<preempt::BsrMessage> messages_;
};

inline constexpr const fabric::SwitchKind* kPreemptKinds[] = {&preempt::kBsr1, &preempt::kBsr2,
                                                              &preempt::kBsr3};

/// One preempting switch of four ports between neighbours that send what they are given and return
/// credits at once, or not at all. Node n is behind port n; the switch has the address 20; beyond
/// it are switches 30 + p, by port p alone, and 40, by any port from 1 on. Cycle c of `seen` is
/// the one in which the flit is on the wires behind the switch; what is queued is on the wires in
/// the present cycle, if there is credit. What comes is held to the rules of the link, and to the
/// credits that the neighbours have given.
struct PreemptBench {
  static constexpr std::uint32_t kPorts = 4, kHere = 20;
  struct Seen {
    std::uint64_t cycle;
    core::Flit flit;
  };

  fabric::SwitchConfig config;
  SwitchBank<PreemptSwitch> bank;
  std::uint64_t cycle = 0;
  /// To send whatever the credits are, one a cycle; none: silence.
  std::array<std::deque<std::optional<core::Flit>>, kPorts> raw;
  std::array<std::deque<core::Flit>, kPorts> barrier;                ///< to send, before data
  std::array<std::array<std::deque<core::Flit>, 3>, kPorts> data{};  ///< to send, by channel
  // Channels of what has been sent, masks: those between a padding request and its end, of which no
  // data are sent; those within a packet.
  std::array<std::uint32_t, kPorts> cut{}, open{};
  checkers::Stage stage;
  checkers::Subject link = stage.subject();  ///< what the links of the switch may carry
  std::array<std::vector<Seen>, kPorts> seen;
  std::array<LinkWatch, kPorts> watch;
  /// Credits that are not returned, a mask; bit `vcs`: that of the barrier buffer.
  std::array<std::uint32_t, kPorts> stuck{};
  std::array<std::array<std::uint32_t, 3>, kPorts> credit{};  ///< to send with
  std::array<int, kPorts> room{1, 1, 1, 1};  ///< credits of the switch's barrier buffers

  explicit PreemptBench(const fabric::SwitchKind& kind, std::uint32_t vcs = 2,
                        std::uint32_t depth = 6)
      : config{.name = "test",
               .ports = kPorts,
               .vcs = vcs,
               .depth = depth,
               .regs = 2,
               .dests = 64,
               .kind = &kind,
               .variant = {1}},  // counters
        bank(1, config) {
    link.vcs = vcs;
    link.sync_credits = kind.sync_credits;
    link.cuttable = &kind == &preempt::kBsr2 ? 1 : 7;
    for (auto& port : credit) port.fill(depth);
    bank.write_register(0, preempt::registers::kAddress, kHere);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      bank.write_register(0, 0x800 + p, 1u << p);
      bank.write_register(0, 0x800 + 30 + p, 1u << p);
    }
    bank.write_register(0, 0x800 + 40, 0b1110);
  }
  bool queued() const { return config.kind == &preempt::kBsr3; }  ///< sync flits stand in queues
  void times(std::uint32_t idle, std::uint32_t gap, std::uint32_t longest) {
    bank.write_register(0, preempt::registers::kTimes,
                        preempt::registers::times(idle, gap, longest));
  }
  std::uint32_t drops(std::uint32_t port) { return bank.read_register(0, 0x040 + port); }
  std::uint32_t unroutable() { return bank.read_register(0, 0x004); }

  void step() {
    core::BlockWires& w = bank.wires(0);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      for (std::uint32_t v = 0; v < config.vcs; ++v) credit[p][v] += w.rx_back >> (4 * p + v) & 1;
      room[p] += w.rx_back >> (4 * p + config.vcs) & 1;
      if (w.tx_valid >> p & 1) receive(p, bank.tx(0, p));
      for (std::uint32_t v = 0; v <= config.vcs; ++v) {
        if (owed_[p][v] == 0 || stuck[p] >> v & 1) continue;
        --owed_[p][v];
        w.tx_back |= std::uint64_t{1} << (4 * p + v);
      }
      send_one(p);
    }
    const std::uint32_t awake[] = {0};
    bank.clock(cycle++, awake);
  }
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) step();
  }

  void send(std::uint32_t port, const preempt::BsrMessage& message, std::uint8_t vc = 0) {
    const auto flits = bsr_flits(message, vc);
    barrier[port].insert(barrier[port].end(), flits.begin(),
                         flits.begin() + bsr_length(message.type));
  }
  void send(std::uint32_t port, const preempt::LinkControl& control) {
    barrier[port].push_back(control_flit(control));
  }
  /// Sends it, and runs.
  template <class Message>
  void take(std::uint32_t port, const Message& message, std::uint64_t cycles) {
    send(port, message);
    run(cycles);
  }
  /// A packet for node `to` in channel `vc`; without its tail if it is to stay open.
  void packet(std::uint32_t port, std::uint32_t to, std::uint32_t length, std::uint8_t vc = 0,
              bool endless = false) {
    for (std::uint32_t i = 0; i < length; ++i) {
      core::Flit flit;
      flit.vc = vc;
      flit.lo = i == 0 ? to : 0x100 * port + i;
      flit.kind = i == 0                        ? core::Flit::kHead
                  : i + 1 == length && !endless ? core::Flit::kTail
                                                : std::uint8_t{0};
      data[port][vc].push_back(flit);
    }
  }
  /// Each channel of output `port` belongs to a packet that has come in by another port and stands
  /// still, its credits spent. The packets come in by port `from`.
  void occupy(std::uint32_t port, std::uint32_t from = 2) {
    for (std::uint8_t v = 0; v < config.vcs; ++v) {
      stuck[port] |= 1u << v;
      packet(from, port, 30, v, true);
    }
    run(60);
  }

  /// Data and pads, by channel; all else.
  std::vector<Seen> at(std::uint32_t port, std::uint8_t vc) const {
    return filter(port, [&](const core::Flit& f) { return is_data(f) && f.vc == vc; });
  }
  std::vector<Seen> barriers(std::uint32_t port) const {
    return filter(port, [](const core::Flit& f) { return !is_data(f); });
  }
  std::uint64_t pads(std::uint32_t port) const {
    return filter(port, [](const core::Flit& f) { return f.kind == core::Flit::kPad; }).size();
  }

 private:
  template <class Predicate>
  std::vector<Seen> filter(std::uint32_t port, Predicate&& wanted) const {
    std::vector<Seen> result;
    for (const Seen& s : seen[port])
      if (wanted(s.flit)) result.push_back(s);
    return result;
  }
  void receive(std::uint32_t p, const core::Flit& flit) {
    seen[p].push_back({cycle, flit});
    watch[p].see(link, cycle, flit);
    const bool first = flit.kind == core::Flit::kFirst;
    std::uint32_t &owed = owed_[p][flit.vc], &owed_room = owed_[p][config.vcs];
    if (first && owed_room != 0) throw std::logic_error("a message for a buffer that is not free");
    if (first && queued() && owed + 3 > config.depth)
      throw std::logic_error("a message without a place for each of its flits");
    owed += is_data(flit) || queued();
    if (owed > config.depth) throw std::logic_error("a flit without credit");
    owed_room += watch[p].completed();
  }
  bool able(std::uint32_t p, const std::deque<core::Flit>& queue) const {
    if (queue.empty()) return false;
    const core::Flit& flit = queue.front();
    const bool first = flit.kind == core::Flit::kFirst;
    const std::uint32_t needs = is_data(flit) ? 1 : !queued() ? 0 : first ? 3 : 1;
    return credit[p][flit.vc] >= needs && (!first || room[p] > 0);
  }
  void put(std::uint32_t p, const core::Flit& flit) {
    credit[p][flit.vc] -= is_data(flit) || queued();
    room[p] -= flit.kind == core::Flit::kFirst;
    const auto channel = 1u << flit.vc;
    if (is_data(flit))
      open[p] = flit.tail() ? open[p] & ~channel : open[p] | channel;
    else if (preempt::is_control(flit))
      cut[p] = preempt::link_control(flit).end ? cut[p] & ~channel : cut[p] | channel;
    bank.rx(0, p) = flit;
    bank.wires(0).rx_valid |= 1u << p;
  }
  void send_one(std::uint32_t p) {
    if (!raw[p].empty()) {
      if (raw[p].front()) put(p, *raw[p].front());
      raw[p].pop_front();
      return;
    }
    std::deque<core::Flit>* queue = able(p, barrier[p]) ? &barrier[p] : nullptr;
    for (std::uint32_t i = 1; queue == nullptr && i <= config.vcs; ++i) {
      const auto v = static_cast<std::uint32_t>((cycle + i) % config.vcs);
      if (able(p, data[p][v]) && !(cut[p] >> v & 1)) queue = &data[p][v];
    }
    if (queue == nullptr) return;
    put(p, queue->front());
    queue->pop_front();
  }

  std::array<std::array<std::uint32_t, 4>, kPorts> owed_{};  // credits; [vcs]: of the buffer
};

/// A reduction of group 9, and a first message.
inline preempt::BsrMessage later(std::uint32_t to, std::uint32_t from = 50) {
  return {preempt::BsrType::kReduction, 9, to, from, preempt::Bnt::kSource, false, 0};
}
inline preempt::BsrMessage first(std::uint32_t to, std::uint32_t from, std::uint32_t gid = 9) {
  return {preempt::BsrType::kFirst, gid, to, from, preempt::Bnt::kSource, false, 0};
}
inline bool is(const core::Flit& flit, const preempt::LinkControl& control) {
  return preempt::is_control(flit) && preempt::link_control(flit) == control;
}

}  // namespace muster::golden
