// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/register_agent.hpp"
#include "systems/btin/golden/many_unit.hpp"
#include "systems/btin/golden/retry_unit.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// The barrier registers of one switch, what they request of the outputs, and the record of the
/// messages that none of them took.
class BarrierUnit {
  using BarrierMessage = fabric::BarrierMessage;
  using MessageType = fabric::MessageType;

 public:
  explicit BarrierUnit(const fabric::SwitchConfig& config)
      : formats_(config.flit_w, config.gid_w),
        ports_(config.ports),
        regs_(config.regs),
        ops_(btin::variant(config).ops),
        labels_(btin::variant(config).labels),
        registers_(config.regs) {
    const btin::Variant variant = btin::variant(config);
    for (BarrierRegister& r : registers_) {
      r.data.width = static_cast<std::uint8_t>(formats_.data_width());
      r.data.serial = variant.serial;
      r.keeps_straggler = variant.straggler;
      if (variant.labels) r.labels.emplace();
    }
    if (variant.groups != 0) many_ = std::make_unique<ManyUnit>(config);
    if (variant.retry) retry_ = std::make_unique<RetryUnit>(config);
  }

  /// Something changes at the edge, whatever comes.
  bool busy() const { return busy_; }
  /// Outputs that have a candidate.
  Ports requested() const { return requested_; }
  /// Groups in block RAM instead of registers; null without.
  const ManyUnit* many() const { return many_.get(); }
  /// Registers that repeat instead of others; null without.
  const RetryUnit* retry() const { return retry_.get(); }
  /// The message of the candidate at output `port`, one of requested().
  core::Flit message(std::uint32_t port) const {
    if (many_) return formats_.barrier_flit(many_->message(), 0);
    if (retry_) return formats_.barrier_flit(retry_->message(port), 0);
    return formats_.barrier_flit(registers_[requests_.candidate(port)].message(port), 0);
  }

  /// A valid register has the group.
  bool holds(std::uint32_t gid) const { return find(gid) != regs_; }

  /// The clock edge: the messages of `ports` are taken, the candidates of the outputs `departed`
  /// have left. `malformed`: ports at which others have found a message malformed.
  void edge(Ports ports, const PortMessages& messages, Ports departed, Ports malformed) {
    for_each_bit(ports, [&](std::uint32_t port) {
      if (formats_.barrier_message(messages.at(port)).type > MessageType::kDistribution)
        malformed |= static_cast<Ports>(bit(port));
    });
    ports &= static_cast<Ports>(~malformed);
    if (many_)
      edge_of_many(ports, messages, departed);
    else if (retry_)
      edge_of_retry(ports, messages, departed);
    else
      edge_of_registers(ports, messages, departed);
    for_each_bit(malformed, [&](std::uint32_t port) {
      drop(port, formats_.barrier_message(messages.at(port)), false);
    });
    look();
  }

  const BarrierRegister& at(std::uint32_t r) const { return registers_[r]; }
  /// What was written into register r last, of either kind, and no state.
  Written written(std::uint32_t r) const {
    if (retry_) return retry_->written(r);
    return {registers_[r], registers_[r].children};
  }

  /// The host's words from 0x100 on: those of each register, or the window on groups in block RAM.
  std::uint32_t words() const { return kRegisterWords * (many_ ? 2 : regs_); }
  void write(std::uint32_t word, std::uint32_t value) {
    if (many_)
      many_->write(word, value);
    else if (retry_)
      retry_->write(word, value);
    else
      write_register(registers_[word / kRegisterWords], word % kRegisterWords, value);
    look();
  }
  std::uint32_t read(std::uint32_t word) const {
    if (many_) return many_->read(word);
    if (retry_) return retry_->read(word);
    const BarrierRegister& at = registers_[word / kRegisterWords];
    return RegisterWords{at.word(), at.sent,         at.children,      at.arrived,
                         at.serve,  at.data.folding, at.straggler.word}
        .at(word % kRegisterWords, ports_);
  }
  /// The word 0x011, of registers that repeat; 0 without.
  void write_ticks(std::uint32_t value) {
    if (!retry_) return;
    retry_->write_ticks(value);
    look();
  }
  std::uint32_t read_ticks() const { return retry_ ? retry_->read_ticks() : 0; }

  /// Messages that were dropped; its edge is the switch's to call.
  DropRecord& drops() { return drops_; }
  const DropRecord& drops() const { return drops_; }

 private:
  void drop(std::uint32_t port, const BarrierMessage& message, bool known) {
    constexpr std::uint32_t kKnownShift = 14, kTypeShift = 12;
    drops_.note(port, std::uint32_t{known} << kKnownShift |
                          static_cast<std::uint32_t>(message.type) << kTypeShift | message.gid);
  }
  /// The register that messages of the group are for, or regs_.
  std::uint32_t find(std::uint32_t gid) const {
    if (labels_) return gid < regs_ && registers_[gid].valid ? gid : regs_;
    std::uint32_t r = 0;
    while (r < regs_ && !(registers_[r].valid && registers_[r].gid == gid)) ++r;
    return r;
  }
  void edge_of_registers(Ports ports, const PortMessages& messages, Ports departed) {
    std::array<Arrivals, kMaxRegisters> arrivals{};
    std::array<fabric::Payload, kMaxPorts> data;  // by port: one message each that counts

    for_each_bit(ports, [&](std::uint32_t port) {
      BarrierMessage message = formats_.barrier_message(messages.at(port));
      if (ops_ == 2) message.data = {};
      const std::uint32_t r = find(message.gid);
      if (r == regs_) return drop(port, message, false);
      if (!registers_[r].accepts(message.type, port)) return drop(port, message, true);

      if (message.type == MessageType::kReduction) {
        arrivals[r].reductions |= static_cast<Ports>(bit(port));
        arrivals[r].data = data.data();
        data[port] = message.data;
      } else {
        arrivals[r].distribution = true;
        arrivals[r].down = message.data;
      }
    });
    for (std::uint32_t r = 0; r < regs_; ++r)
      registers_[r].edge(arrivals[r], requests_.of(r, departed));
    requests_.left(departed, regs_);
  }
  void edge_of_retry(Ports ports, const PortMessages& messages, Ports departed) {
    const RetryUnit::Fates fates = retry_->edge(ports, messages, departed);
    for_each_bit(ports, [&](std::uint32_t port) {
      if (fates[port] == Fate::kTaken) return;
      drop(port, formats_.barrier_message(messages.at(port)), fates[port] == Fate::kRefused);
    });
  }
  /// One port at most, whose turn it is.
  void edge_of_many(Ports ports, const PortMessages& messages, Ports departed) {
    std::optional<ManyUnit::Taken> taken;
    if (ports != 0) taken = {lowest(ports), formats_.barrier_message(messages.at(lowest(ports)))};
    const auto verdict = many_->edge(taken, departed);
    if (verdict && verdict->fate != Fate::kTaken)
      drop(verdict->of.port, verdict->of.message, verdict->fate == Fate::kRefused);
  }
  void write_register(BarrierRegister& at, std::uint32_t word, std::uint32_t value) {
    if (word == kLabelsWord) at.write_labels(0, value);
    if (word == kUpperLabelsWord) at.write_labels(8, value);
    if (word != kControlWord && !is_half(word, kChildrenWord, ports_)) return;
    at.clear();
    if (word != kControlWord) {
      at.children = written_mask(at.children, word & 1, value, ports_);
      return;
    }
    Control control = Control::of(value, formats_.gid_width(), ports_);
    if (ops_ == 1) control.op &= 4;
    if (ops_ == 2) control.op = 0;
    at.write(control);
  }
  /// What the state says of the next cycle.
  void look() {
    if (many_) {
      requested_ = many_->requested();
      busy_ = many_->busy();
    } else if (retry_) {
      requested_ = retry_->requested();
      busy_ = retry_->busy();
    } else {
      requests_.look(registers_, ports_);
      requested_ = requests_.ports();
      busy_ = std::ranges::any_of(registers_, &BarrierRegister::busy);
    }
  }

  // What every cycle needs comes first.
  Ports requested_ = 0;
  bool busy_ = false;
  std::unique_ptr<ManyUnit> many_;
  std::unique_ptr<RetryUnit> retry_;
  DropRecord drops_;
  fabric::Formats formats_;
  std::uint32_t ports_, regs_;
  std::uint32_t ops_;  // docs/systems/barrier-switch.md, Operation
  bool labels_;        // likewise, Labels
  OutputRequests requests_;
  std::vector<BarrierRegister> registers_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
