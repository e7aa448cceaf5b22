// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fabric/golden/switch_bank.hpp"
#include "systems/preempt/bsr_message.hpp"
#include "systems/preempt/golden/preempt_switch.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::golden {

/// A pad, or what is not sync: goes in the input buffer of any preempting switch.
inline bool is_data(const core::Flit& flit) {
  return !flit.sync() || flit.kind == core::Flit::kPad;
}

/// What one preempting switch sends by one output, held to the rules of the link
/// (docs/systems/preempting-switches.md, The link and Output p). Throws std::logic_error.
class LinkWatch {
 public:
  void see(std::uint64_t cycle, const core::Flit& flit) {
    cycle_ = cycle;
    if (is_data(flit))
      data(flit);
    else if (flit.kind == core::Flit::kControl)
      control(flit);
    else
      message(flit);
  }
  bool held = false;  ///< the link is held at times: each channel is as if it had an owner

  /// Nothing is cut, no message is under way.
  bool at_rest() const { return !cut_ && missing_ == 0; }
  bool in_message() const { return missing_ != 0; }
  std::uint64_t cuts() const { return cuts_; }
  /// Those that are whole.
  const std::vector<preempt::BsrMessage>& messages() const { return messages_; }

 private:
  void require(bool holds, const char* rule) const {
    if (!holds) throw std::logic_error("cycle " + std::to_string(cycle_) + ": not so: " + rule);
  }
  bool open(std::uint8_t vc) const { return open_ >> vc & 1; }

  void data(const core::Flit& flit) {
    require(cut_ != flit.vc, "a cut channel carries no data");
    require(missing_ == 0 || vc_ != flit.vc, "a message has its channel for itself");
    require(flit.kind != core::Flit::kPad || open(flit.vc), "a pad is within a packet");
    if (flit.kind == core::Flit::kPad) return;
    require(flit.head() != open(flit.vc), "a packet begins with its head, in a free channel");
    const auto channel = 1u << flit.vc;
    open_ = flit.tail() ? open_ & ~channel : open_ | channel;
  }
  void control(const core::Flit& flit) {
    require(preempt::is_control(flit), "a padding request or end");
    const preempt::LinkControl control = preempt::link_control(flit);
    require(control.channel == flit.vc, "it goes on the channel that it is about");
    require(missing_ == 0, "no request or end in a message");
    if (control.end) {
      require(cut_ == flit.vc, "the channel that is given back is the one that was cut");
      cut_.reset();
      return;
    }
    require(!cut_, "one channel is cut at a time");
    require(open(flit.vc) || held, "a channel that is cut has an owner");
    cut_ = flit.vc;
    ++cuts_;
  }
  void message(const core::Flit& flit) {
    if (missing_ == 0) {
      require(preempt::begins_bsr_message(flit), "a message begins with its first flit");
      require(cut_ ? cut_ == flit.vc : !open(flit.vc),
              "a message goes in the channel that is cut, else in a free one");
      missing_ = bsr_length(preempt::bsr_type(flit));
      vc_ = flit.vc;
      flits_.clear();
    } else {
      require(flit.kind == core::Flit::kSync && flit.vc == vc_, "the next flit of the message");
      require(cycle_ - last_ <= 2, "flits of a message have at most one cycle between them");
    }
    last_ = cycle_;
    flits_.push_back(flit);
    if (--missing_ == 0) messages_.push_back(preempt::bsr_message(flits_));
  }

  std::uint64_t cycle_ = 0, last_ = 0, cuts_ = 0;
  std::uint32_t open_ = 0;  // channels within a packet
  std::optional<std::uint8_t> cut_;
  std::uint32_t missing_ = 0;  // flits of the message that is under way, in channel vc_
  std::uint8_t vc_ = 0;
  std::vector<core::Flit> flits_;
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
               .kind = &kind},
        bank(1, config) {
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
  std::uint32_t drops(std::uint32_t port) { return bank.read_register(0, 0x010 + port); }
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
  void tail(std::uint32_t port, std::uint8_t vc = 0) {
    core::Flit flit;
    flit.vc = vc;
    flit.kind = core::Flit::kTail;
    data[port][vc].push_back(flit);
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
  /// Padding requests and ends.
  std::vector<Seen> controls(std::uint32_t port) const {
    return filter(port, [](const core::Flit& f) { return fabric::is_control(f); });
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
    watch[p].see(cycle, flit);
    const bool first = flit.kind == core::Flit::kFirst;
    std::uint32_t &owed = owed_[p][flit.vc], &owed_room = owed_[p][config.vcs];
    if (first && owed_room != 0) throw std::logic_error("a message for a buffer that is not free");
    if (first && queued() && owed + 3 > config.depth)
      throw std::logic_error("a message without a place for each of its flits");
    owed += is_data(flit) || queued();
    if (owed > config.depth) throw std::logic_error("a flit without credit");
    const bool message = !is_data(flit) && flit.kind != core::Flit::kControl;
    owed_room += message && !watch[p].in_message();
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
