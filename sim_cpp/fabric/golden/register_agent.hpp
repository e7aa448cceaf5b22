// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/input_queues.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// A word of the register map about what a switch has dropped: how often since it was cleared, and
/// what came first (docs/reference/registers.md). What is noted in a cycle is counted at the edge
/// of the next, once for each port.
class DropRecord {
 public:
  /// `what`: bits of the word that say what was dropped. Of two notes of a port and cycle the one
  /// with the higher bits stays.
  void note(std::uint32_t port, std::uint32_t what) { now_.add(port, what); }

  /// At port 0, of the cycle whose clock edge was the last edge(): no other note of it stays.
  void note_past(std::uint32_t what) { before_ = {static_cast<Ports>(before_.ports | 1u), what}; }

  /// Something is still to be counted.
  bool pending() const { return before_.ports != 0; }
  /// At these ports.
  Ports pending_ports() const { return before_.ports; }

  /// The clock edge.
  void edge() {
    if ((before_.ports | now_.ports) == 0) return;
    if (before_.ports != 0 && count_ == 0)
      first_ = before_.what | lowest(before_.ports) << kPortShift;
    count_ = std::min(kMaxCount, count_ + static_cast<std::uint32_t>(std::popcount(before_.ports)));
    before_ = std::exchange(now_, {});
  }

  /// The host's write: nothing has been counted up to this edge, what was noted in its cycle will
  /// be.
  void clear() { count_ = first_ = 0; }

  std::uint32_t word() const { return count_ << kCountShift | first_; }

 private:
  static constexpr std::uint32_t kMaxCount = 255, kCountShift = 24, kPortShift = 16;
  /// The notes of a cycle; `what` is that of the lowest port.
  struct Notes {
    Ports ports = 0;
    std::uint32_t what = 0;
    void add(std::uint32_t port, std::uint32_t more) {
      const std::uint32_t first = ports != 0 ? lowest(ports) : kMaxPorts;
      if (port <= first) what = port == first ? std::max(what, more) : more;
      ports |= static_cast<Ports>(bit(port));
    }
  };
  Notes now_, before_;
  std::uint32_t count_ = 0, first_ = 0;
};

/// The outcome of a packet for the switch, as the register map numbers it.
enum class AgentDrop : std::uint8_t { kBusy, kMalformed, kRefused, kStranded };

/// The access unit of a switch: one register request at a time, that came as a packet, and its
/// answer. docs/systems/groups.md, "Cycle by cycle". The switch shows it the flits that leave and
/// carries out its reads and writes.
class RegisterAgent {
 public:
  enum class State : std::uint8_t { kIdle, kReceiving, kReading, kDeciding, kWriting, kAnswering };

  State state() const { return state_; }
  const char* state_name() const {
    static constexpr const char* kNames[] = {"idle",     "receiving", "reading",
                                             "deciding", "writing",   "answering"};
    return kNames[static_cast<std::size_t>(state_)];
  }
  /// Nothing happens unless a flit comes.
  bool quiet() const { return state_ == State::kIdle || state_ == State::kReceiving; }

  /// In this cycle flits of the lanes `here` leave, FlitRings::popped(); those of `first` begin a
  /// packet.
  void take(const Lanes& here, const Lanes& first, const FlitRings& queues) {
    const bool was_idle = state_ == State::kIdle;
    Lanes lost = first;
    if (was_idle && first != 0) {
      lane_ = lowest(first);
      lost &= ~lane_bit(lane_);
      const core::Flit& head = queues.popped(lane_);
      self_ = fabric::Formats::destination(head) & 0x7ffu;
      request_ = fabric::Formats::opcode(head) == fabric::kOpcodeRequest;
      flits_ = 0;
      state_ = State::kReceiving;
    }
    if (state_ == State::kReceiving && has(here, lane_)) receive(queues.popped(lane_));

    for_each_bit(lost, [&](std::uint32_t lane) { note(port_of(lane), AgentDrop::kBusy); });
  }

  /// REQUIRES: reading, deciding or writing.
  std::uint32_t address() const { return words_[1] & 0xfffu; }
  bool is_write() const { return (words_[1] & 0x8000u) != 0; }
  std::uint32_t source() const { return words_[0] & 0x7ffu; }
  /// REQUIRES: reading. The mask of the ports to source() in this cycle, and the word at address().
  void find_route(Ports route) { route_ = route; }
  void read(std::uint32_t word) {
    before_ = word;
    state_ = State::kDeciding;
  }
  /// REQUIRES: writing. Whether value() is to be written at the edge. `permits` has a bit for each
  /// port, `writable` is true if packets may write address(). `forbidden`: why a switch that guards
  /// itself does not do the write, if it does not; nothing else.
  bool decide(Ports permits, bool writable,
              std::optional<fabric::AccessStatus> forbidden = std::nullopt) {
    const std::uint32_t port = port_of(lane_);
    const std::uint32_t expected = words_[2] | std::uint32_t{words_[3]} << 16;
    const bool write = is_write();
    fabric::AccessStatus status = fabric::AccessStatus::kDone;
    if (write && !has(permits, port))
      status = fabric::AccessStatus::kNoPermit;
    else if (write && !writable)
      status = fabric::AccessStatus::kNotWritable;
    else if (write && forbidden)
      status = *forbidden;
    else if (write && before_ != expected)
      status = fabric::AccessStatus::kDiffers;
    if (status >= fabric::AccessStatus::kNoPermit) note(port, AgentDrop::kRefused);
    begin_answer(status);
    return write && status == fabric::AccessStatus::kDone;
  }
  /// REQUIRES: deciding or writing. The request is a write and would be refused for no other reason
  /// than `forbidden`.
  bool asks_to_write(Ports permits, bool writable) const {
    return is_write() && has(permits, port_of(lane_)) && writable;
  }
  /// The input port of the request.
  std::uint32_t port() const { return port_of(lane_); }
  std::uint32_t value() const { return words_[4] | std::uint32_t{words_[5]} << 16; }
  /// REQUIRES: deciding. The access is carried out in the next cycle.
  void decided() { state_ = State::kWriting; }
  /// REQUIRES: reading, deciding or writing, and not given_in(). The host keeps it off in this
  /// cycle; `again`: it writes what the request depends on.
  void keep_off(bool again) {
    ++kept_off_;
    if (given_in())
      state_ = State::kWriting;
    else if (again)
      state_ = State::kReading;
  }
  /// It has been kept off too often and will answer that it is busy.
  bool given_in() const { return kept_off_ == kKeptOff; }
  /// REQUIRES: writing, and given_in().
  void answer_busy() {
    before_ = 0;
    note(port(), AgentDrop::kBusy);
    begin_answer(fabric::AccessStatus::kBusy);
  }

  /// The output lane of the answer. REQUIRES: answering.
  std::uint32_t out() const { return lane_of(lowest(route_), vc_of(lane_)); }
  core::Flit flit() const {
    const std::uint32_t words[kAnswerFlits] = {
        source() | std::uint32_t{fabric::kOpcodeAnswer} << fabric::kDestinationWidth,
        (words_[0] & 0xf800u) | self_, std::uint32_t{status_} << 12 | address(), before_ & 0xffffu,
        before_ >> 16};
    core::Flit flit;
    flit.lo = words[flits_];
    flit.vc = static_cast<std::uint8_t>(vc_of(lane_));
    if (flits_ == 0) flit.kind = core::Flit::kHead;
    if (flits_ + 1 == kAnswerFlits) flit.kind = core::Flit::kTail;
    return flit;
  }
  void sent() {
    if (++flits_ == kAnswerFlits) state_ = State::kIdle;
  }

  /// It is of a switch that guards itself (docs/systems/guard.md).
  void guard() { guarded_ = true; }
  /// Of such a switch: gives up a request or answer after 2^N cycles without a flit,
  /// 0: never.
  void set_patience(std::uint32_t n) { patience_ = n; }
  std::uint32_t patience() const { return patience_; }
  /// Time goes on: nothing stays as it is.
  bool timed() const {
    const bool waits = state_ == State::kReceiving || state_ == State::kAnswering;
    return age_ != 0 || (patience_ != 0 && waits);
  }
  /// After everything else of a cycle, at whose beginning the state was `before`; `moved`: a flit
  /// of the packet was taken, or one of the answer went. The output lane that owes a tail, if the
  /// answer is given up in the middle.
  std::optional<std::uint32_t> wait(State before, bool moved) {
    const bool waits = (before == State::kReceiving || before == State::kAnswering) && !moved;
    if (!waits || patience_ == 0) {
      age_ = 0;
      return std::nullopt;
    }
    if (++age_ < 1u << patience_) return std::nullopt;
    age_ = 0;
    state_ = State::kIdle;
    if (before == State::kReceiving) {
      note(port(), AgentDrop::kMalformed);
      return std::nullopt;
    }
    note(port(), AgentDrop::kStranded);
    if (flits_ == 0) return std::nullopt;
    return out();
  }
  /// REQUIRES: receiving.
  std::uint32_t lane() const { return lane_; }

  /// The outcome of packets that got no answer, or were refused.
  DropRecord& drops() { return drops_; }
  const DropRecord& drops() const { return drops_; }

 private:
  static constexpr std::uint32_t kRequestFlits = 7, kAnswerFlits = 5, kKeptOff = 8;

  void note(std::uint32_t port, AgentDrop reason) {
    drops_.note(port, static_cast<std::uint32_t>(reason) << 12);
  }
  void receive(const core::Flit& flit) {
    if (flits_ > 0 && flits_ < kRequestFlits)
      words_[flits_ - 1] = static_cast<std::uint16_t>(flit.lo);
    ++flits_;
    const bool endless = guarded_ && flits_ > kRequestFlits;
    if (!flit.tail() && !endless) return;
    if (request_ && flits_ == kRequestFlits && !flit.cut()) {
      kept_off_ = 0;
      state_ = State::kReading;
    } else {
      note(port_of(lane_), AgentDrop::kMalformed);
      state_ = State::kIdle;
    }
  }
  void begin_answer(fabric::AccessStatus status) {
    status_ = static_cast<std::uint8_t>(status);
    flits_ = 0;
    state_ = State::kAnswering;
    if (route_ == 0) {
      note(port(), AgentDrop::kStranded);
      state_ = State::kIdle;
    }
  }

  State state_ = State::kIdle;
  bool guarded_ = false;
  bool request_ = false;  // the opcode is that of a request
  std::uint8_t status_ = 0;
  std::uint32_t patience_ = 0, age_ = 0;
  DropRecord drops_;
  std::uint32_t lane_ = 0;      // where the request came in
  std::uint32_t flits_ = 0;     // received, or sent of the answer
  std::uint32_t self_ = 0;      // the switch's own number, as the request has it
  std::uint32_t kept_off_ = 0;  // cycles in which the host has kept it off this request
  std::uint32_t before_ = 0;    // the word read
  Ports route_ = 0;
  std::array<std::uint16_t, kRequestFlits - 1> words_{};
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
