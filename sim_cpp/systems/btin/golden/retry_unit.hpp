// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "muster/fabric/barrier_message.hpp"
#include "systems/btin/golden/barrier_register.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// A barrier register that repeats (docs/systems/retry-registers.md). Masks have one bit a port.
class RetryRegister {
  using MessageType = fabric::MessageType;
  using RetryMessage = fabric::RetryMessage;

 public:
  /// What comes and goes in a cycle.
  struct Cycle {
    Ports arriving = 0;                     ///< ports with a message of this group, not refused
    const RetryMessage* by_port = nullptr;  ///< of these
    Ports departed = 0;                     ///< outputs through which its message has left
    bool repeat = false;                    ///< a repeat tick
    bool age = false;                       ///< an age tick
  };

  explicit RetryRegister(std::uint8_t data_width = 2) { data_.width = data_width; }

  bool valid() const { return control_.valid; }
  std::uint32_t gid() const { return control_.gid; }
  /// Rules 1 to 4 apply to the message; else it is refused.
  bool accepts(const RetryMessage& message, std::uint32_t port) const {
    if (message.epoch != control_.epoch) return false;
    if (message.type == MessageType::kReduction) return has(children_, port);
    return !control_.reflect && port == control_.parent;
  }
  /// A barrier is under way: ticks count.
  bool under_way() const { return control_.valid && (up_ || failed_ || arrived_ != 0); }
  bool suspect() const { return control_.valid && age_ == kOldest; }
  /// Something changes at the edge, ticks apart, whatever comes.
  bool busy() const { return fresh_ || data_.folding != 0 || full(); }

  /// Outputs at which its message stands, of a switch of so many ports; and that message.
  Ports requests(std::uint32_t ports) const {
    if (!control_.valid) return 0;
    if (ask_) return has_parent(ports) ? static_cast<Ports>(bit(control_.parent)) : Ports{0};
    const auto notices = static_cast<Ports>(failed_ ? arrived_ & ~serve_ : 0);
    return notices != 0 ? notices : serve_;
  }
  RetryMessage message() const {
    if (ask_)
      return {MessageType::kReduction,
              control_.gid,
              phase_,
              failed_,
              control_.epoch,
              failed_ ? fabric::Payload{} : kept_};
    if (failed_ && (arrived_ & ~serve_) != 0)
      return {MessageType::kDistribution, control_.gid, phase_, true, control_.epoch, {}};
    return {MessageType::kDistribution, control_.gid, !phase_, false, control_.epoch, kept_};
  }

  /// The clock edge.
  void edge(const Cycle& cycle, std::uint32_t ports) {
    const bool asked = ask_, was_up = up_, was_under_way = under_way();
    const bool parent = has_parent(ports);
    std::array<fabric::Payload, kMaxPorts> data;
    Ports arrives = 0, asks = 0;
    const fabric::Payload* down = nullptr;
    bool fails = false;

    for_each_bit(cycle.arriving, [&](std::uint32_t port) {
      const RetryMessage& message = cycle.by_port[port];
      const bool now = message.phase == phase_;
      const auto here = static_cast<Ports>(bit(port));
      if (message.fail) {
        fails = fails || now;
      } else if (message.type == MessageType::kDistribution) {
        if (now && !failed_ && sent_) down = &message.data;
      } else if (now) {
        if (failed_ || up_ || has(arrived_, port)) return;
        arrives |= here;
        data[port] = message.data;
      } else if (!up_ && (failed_ || !has(arrived_, port))) {
        asks |= here;
      }
    });

    // What leaves; what sets a bit again comes below.
    if (cycle.departed != 0) {
      if (asked) {
        ask_ = false;
        sent_ = sent_ || !failed_;
      } else if (failed_ && (arrived_ & ~serve_) != 0) {
        arrived_ &= static_cast<Ports>(~cycle.departed);
      } else {
        serve_ &= static_cast<Ports>(~cycle.departed);
      }
    }

    data_.edge(arrives, data.data());
    arrived_ |= arrives;
    serve_ = static_cast<Ports>((serve_ & ~arrives) | asks);
    fresh_ = arrives != 0 || down != nullptr;
    released_ = false;

    if (cycle.age && was_under_way && !failed_ && age_ < kOldest) ++age_;
    if (cycle.repeat && control_.valid) {
      if (failed_) arrived_ = children_;
      if (failed_ || was_up) ask_ = parent;
    }
    const bool completes = full();
    fresh_ = fresh_ || completes;
    if (completes && !control_.reflect) {
      up_ = true;
      ask_ = parent;
      kept_ = data_.result();
      data_.up = {};
    }
    if (fails && control_.valid && !failed_) return fail(parent);
    if (down != nullptr)
      release(*down);
    else if (completes && control_.reflect)
      release(data_.result());
  }

  /// The host's words, after edge() of the same cycle.
  void write(std::uint32_t word, std::uint32_t value, std::uint32_t ports,
             std::uint32_t gid_width) {
    if (is_half(word, kChildrenWord, ports)) {
      children_ = written_mask(children_, word & 1, value, ports);
      arrived_ &= children_;
      serve_ &= children_;
      return;
    }
    switch (word) {
      case kControlWord:
        return begin(value, ports, gid_width);
      case kStateWord:
        if (has(value, kAbortBit)) abort(ports);
        return;
      default:
        return;
    }
  }
  std::uint32_t read(std::uint32_t word) const {
    const std::uint32_t state = std::uint32_t{age_} << 4 | std::uint32_t{suspect()} << 3 |
                                std::uint32_t{failed_} << 2 | std::uint32_t{phase_} << 1 |
                                std::uint32_t{sent_};
    return RegisterWords{control_.word(), state, children_, arrived_, serve_, data_.folding}.at(
        word, kMaxPorts);
  }
  std::uint64_t mask(RegisterWord word) const {
    return read(word) | std::uint64_t{read(word + 1u)} << 32;
  }
  Written written() const { return {control_, children_}; }

 private:
  static constexpr std::uint8_t kOldest = 15;
  static constexpr std::uint32_t kAbortBit = 2;  ///< of the state word, written
  bool has_parent(std::uint32_t ports) const {
    return !control_.reflect && control_.parent < ports;
  }
  bool all_here() const { return children_ != 0 && (children_ & ~arrived_) == 0; }
  bool full() const {
    return control_.valid && !failed_ && !up_ && all_here() && data_.folding == 0;
  }
  void release(const fabric::Payload& data) {
    arrived_ = 0;
    serve_ = children_;
    up_ = ask_ = sent_ = false;
    age_ = 0;
    phase_ = !phase_;
    kept_ = data;
    data_.up = {};
    released_ = true;
  }
  void fail(bool parent) {
    failed_ = true;
    arrived_ = children_;
    ask_ = parent;
    age_ = 0;
  }
  void abort(std::uint32_t ports) {
    if (!control_.valid || failed_ || up_ || released_ || all_here()) return;
    fail(has_parent(ports));
  }
  void begin(std::uint32_t control, std::uint32_t ports, std::uint32_t gid_width) {
    RetryRegister next(data_.width);
    next.children_ = children_;
    next.control_ = Control::of(control, gid_width, ports);
    next.data_.op = next.control_.op;
    *this = next;
  }

  // Written by the host.
  Control control_;
  Ports children_ = 0;

  bool phase_ = false, failed_ = false, up_ = false, ask_ = false, sent_ = false;
  Ports arrived_ = 0;  // of a failed register: children that notice is still to be given to
  Ports serve_ = 0;
  std::uint8_t age_ = 0;
  bool fresh_ = false;     // data have come or a message has become due, at the last edge
  bool released_ = false;  // at the last edge
  GroupData data_;         // of those that have arrived
  fabric::Payload kept_;   // of the last release, or while up_ of the UP
};

/// The ticks of the registers of a switch that repeat (docs/systems/retry-registers.md, Ticks).
class RetryTicks {
 public:
  bool repeat() const { return repeat_; }  ///< a repeat tick, in this cycle
  bool age() const { return age_; }        ///< an age tick, in this cycle
  /// Something changes at the edge; `under_way` as for edge().
  bool busy(bool under_way) const {
    return repeat_ || cycles_ != 0 || ticks_ != 0 || (under_way && period_ != 0);
  }

  /// The clock edge; `under_way`: a register has been, from the beginning of the cycle.
  void edge(bool under_way) {
    repeat_ = age_ = false;
    if (!under_way || period_ == 0) {
      cycles_ = ticks_ = 0;
      return;
    }
    if (++cycles_ < period_) return;
    cycles_ = 0;
    repeat_ = true;
    if (ages_ == 0 || ++ticks_ < ages_) return;
    ticks_ = 0;
    age_ = true;
  }

  /// The host's word, after edge() of the same cycle.
  void write(std::uint32_t value) {
    period_ = value & 0xffff;
    ages_ = value >> 16 & 0xff;
    cycles_ = ticks_ = 0;
    repeat_ = age_ = false;
  }
  std::uint32_t read() const { return ages_ << 16 | period_; }

 private:
  std::uint32_t period_ = 0, ages_ = 0;   // cycles, repeat ticks; 0: never
  std::uint32_t cycles_ = 0, ticks_ = 0;  // since the last tick of each kind
  bool repeat_ = false, age_ = false;
};

/// The barrier registers of a switch whose registers repeat, their ticks, and what they request of
/// the outputs.
class RetryUnit {
 public:
  /// REQUIRES: the variant with `retry`.
  explicit RetryUnit(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w),
        ports_(config.ports),
        registers_(config.regs,
                   RetryRegister(static_cast<std::uint8_t>(fabric::retry_data_width(formats_)))) {}

  /// Something changes at the edge, whatever comes.
  bool busy() const { return busy_; }
  /// Outputs that have a candidate, and the message of the one at output `port` of these.
  Ports requested() const { return requests_.ports(); }
  fabric::BarrierMessage message(std::uint32_t port) const {
    return fabric::barrier_message(formats_, registers_[requests_.candidate(port)].message());
  }
  /// A register is suspect: irq_o.
  bool suspect() const { return std::ranges::any_of(registers_, &RetryRegister::suspect); }

  using Fates = std::array<Fate, kMaxPorts>;  ///< by port

  /// The clock edge: the reduction and distribution messages of `ports` are taken, the candidates
  /// of the outputs `departed` have left.
  Fates edge(Ports ports, const PortMessages& messages, Ports departed) {
    Fates fates{};
    std::array<fabric::RetryMessage, kMaxPorts> by_port;
    std::array<Ports, kMaxRegisters> arriving{};
    for_each_bit(ports, [&](std::uint32_t port) {
      by_port[port] = fabric::retry_message(formats_, formats_.barrier_message(messages.at(port)));
      const std::size_t r = find(by_port[port].gid);
      if (r == registers_.size())
        fates[port] = Fate::kUnknown;
      else if (!registers_[r].accepts(by_port[port], port))
        fates[port] = Fate::kRefused;
      else
        arriving[r] |= static_cast<Ports>(bit(port));
    });
    const bool counting = under_way();
    for (std::uint32_t r = 0; r < registers_.size(); ++r)
      registers_[r].edge(
          {arriving[r], by_port.data(), requests_.of(r, departed), ticks_.repeat(), ticks_.age()},
          ports_);
    requests_.left(departed, registers_.size());
    ticks_.edge(counting);
    look();
    return fates;
  }

  /// The host's words: 0x011, and from 0x100 on. After edge() of the same cycle.
  void write_ticks(std::uint32_t value) {
    ticks_.write(value);
    look();
  }
  std::uint32_t read_ticks() const { return ticks_.read(); }
  void write(std::uint32_t word, std::uint32_t value) {
    registers_[word / kRegisterWords].write(word % kRegisterWords, value, ports_,
                                            formats_.gid_width());
    look();
  }
  std::uint32_t read(std::uint32_t word) const {
    return registers_[word / kRegisterWords].read(word % kRegisterWords);
  }
  Written written(std::uint32_t r) const { return registers_[r].written(); }

  /// Valid registers as text.
  void describe(std::vector<std::string>& parts) const {
    for (std::uint32_t r = 0; r < registers_.size(); ++r) {
      const RetryRegister& at = registers_[r];
      if (!at.valid()) continue;
      const std::uint32_t state = at.read(kStateWord);
      parts.push_back(fmt::format(
          "register {}: group {} children {:#x} arrived {:#x} serve {:#x} phase {}{}{}{}", r,
          at.gid(), at.mask(kChildrenWord), at.mask(kArrivedWord), at.mask(kServeWord),
          state >> 1 & 1, has(state, 0) ? " sent" : "", has(state, 2) ? " failed" : "",
          has(state, 3) ? " suspect" : ""));
    }
  }

 private:
  std::size_t find(std::uint32_t gid) const {
    const auto at = std::ranges::find_if(
        registers_, [&](const RetryRegister& r) { return r.valid() && r.gid() == gid; });
    return static_cast<std::size_t>(at - registers_.begin());
  }
  bool under_way() const { return std::ranges::any_of(registers_, &RetryRegister::under_way); }
  /// What the state says of the next cycle.
  void look() {
    requests_.look(registers_, ports_);
    busy_ = ticks_.busy(under_way()) || std::ranges::any_of(registers_, &RetryRegister::busy);
  }

  fabric::Formats formats_;
  std::uint32_t ports_;
  std::vector<RetryRegister> registers_;
  RetryTicks ticks_;
  OutputRequests requests_;
  bool busy_ = false;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
