// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/partition.hpp"
#include "core/rank_failure.hpp"
#include "core/rank_message.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/divisible.hpp"
#include "muster/core/ranks.hpp"

namespace muster::core {

/// Of blocks that have nothing but what Bank knows. A bank with more on a block than its wires
/// names a class like this one.
struct WiresAlone {
  /// Moves this cycle's inputs of a block from one bank to another.
  static void give(Bank& /*from*/, Bank& /*to*/, std::uint32_t /*block*/) {}
  /// Throws them away.
  static void forget(Bank& /*bank*/, std::uint32_t /*block*/) {}
  /// Copies its outputs.
  static void take(Bank& /*from*/, Bank& /*to*/, std::uint32_t /*block*/) {}
  /// Its outputs as values of a message.
  static void put(const Bank& /*bank*/, std::uint32_t /*block*/, RankMessage& /*message*/) {}
  static void get(Bank& /*bank*/, std::uint32_t /*block*/, RankReader& /*message*/) {}
};

/// A bank whose blocks are clocked by several processes, each by one; docs/reference/ranks.md. It
/// looks the same in all of them: after a cycle each tells the others the outputs of its blocks.
/// Registers are written by the process that has the block, and read by all with its help, so all
/// must ask at the same time.
///
/// `Base` is the contract of the blocks, `More` see WiresAlone.
template <class Base, class More = WiresAlone>
class SharedBank : public Base, public Divisible {
 public:
  /// `inner` has the same blocks in every process; of those of others the state after reset.
  /// `of`: what Base is made of.
  template <class... Of>
  SharedBank(std::shared_ptr<Ranks> ranks, const Partition& partition, std::unique_ptr<Base> inner,
             const Of&... of)
      : Base(of...), ranks_(std::move(ranks)), partition_(partition), inner_(std::move(inner)) {
    for (std::uint32_t b = 0; b < this->blocks(); ++b) take(b);
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    begin(awake);
    clock_own(awake, [&](std::span<const std::uint32_t> own) { inner_->clock(cycle, own); });
    exchange(cycle);
  }

  /// If the blocks here are.
  Divisible* divisible() override { return inner_->divisible() != nullptr ? this : nullptr; }
  void begin_clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    begin(awake);
    inner_->divisible()->begin_clock(cycle, own(awake));
  }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_own(awake, [&](std::span<const std::uint32_t> own) {
      inner_->divisible()->clock_some(cycle, own);
    });
  }
  void end_clock(std::uint64_t cycle) override {
    inner_->divisible()->end_clock(cycle);
    exchange(cycle);
  }

  void request(const RegisterRequest& request) override {
    if (owned(request.block)) inner_->request(request);
  }
  void reset(std::uint32_t b) override {
    changed(b, [&] { inner_->reset(b); });
  }
  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    changed(b, [&] { inner_->write_register(b, address, value); });
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return from_owner(b, [&] { message_.put(inner_->read_register(b, address)); })
        .template get<std::uint32_t>();
  }
  std::string describe(std::uint32_t b) const override {
    return from_owner(b, [&] { message_.put(inner_->describe(b)); }).get_text();
  }
  std::uint64_t comparisons() const override {
    std::uint64_t sum = inner_->comparisons();
    message_.clear();
    message_.put(sum);
    const auto heard = ranks_->exchange(message_.bytes());
    for (std::uint32_t r = 0; r < heard.size(); ++r)
      if (r != ranks_->rank()) sum += RankReader(heard[r]).get<std::uint64_t>();
    return sum;
  }

 protected:
  Base& inner() { return *inner_; }  ///< the blocks here

 private:
  /// What every block tells the network and its host; behind it stand the flits.
  struct Outputs {
    std::uint64_t back;
    std::uint32_t valid;
    std::uint8_t quiescent, irq;
    std::uint16_t spare = 0;
  };

  bool owned(std::uint32_t b) const { return partition_.owner(b) == ranks_->rank(); }
  std::span<const std::uint32_t> own(std::span<const std::uint32_t> awake) const {
    return partition_.part(ranks_->rank(), awake);
  }

  void begin(std::span<const std::uint32_t> awake) {
    if (!begun_) {  // what was written before the first cycle is told here, all at once
      begun_ = true;
      tell_all();
    }
    awake_ = awake;
  }

  template <class Clock>
  void clock_own(std::span<const std::uint32_t> awake, Clock&& clock) {
    const std::span<const std::uint32_t> mine = own(awake);
    for (const std::uint32_t b : awake) owned(b) ? give(b) : forget(b);
    if (mine.empty()) return;
    try {
      clock(mine);
    } catch (const InternalError& error) {
      const std::lock_guard lock(failure_lock_);
      failure_.keep(error, mine.front());
    }
    for (const std::uint32_t b : mine) take(b);
  }

  void give(std::uint32_t b) {
    BlockWires& from = this->wires_[b];
    BlockWires& to = inner_->wires(b);
    to.rx_valid = std::exchange(from.rx_valid, 0);
    to.tx_back = std::exchange(from.tx_back, 0);
    for (std::uint32_t p = 0; p < this->ports_; ++p)
      if (to.rx_valid >> p & 1) inner_->rx(b, p) = this->rx_[this->index(b, p)];
    More::give(*this, *inner_, b);
  }
  void forget(std::uint32_t b) {
    this->wires_[b].rx_valid = 0;
    this->wires_[b].tx_back = 0;
    More::forget(*this, b);
  }
  void take(std::uint32_t b) {
    const BlockWires& from = inner_->wires(b);
    this->wires_[b].tx_valid = from.tx_valid;
    this->wires_[b].rx_back = from.rx_back;
    for (std::uint32_t p = 0; p < this->ports_; ++p)
      if (from.tx_valid >> p & 1) this->tx_[this->index(b, p)] = inner_->tx(b, p);
    this->quiescent_[b] = inner_->quiescent(b);
    this->irq_[b] = inner_->irq(b);
    More::take(*inner_, *this, b);
  }

  void put(std::uint32_t b) const {
    const BlockWires& wires = this->wires_[b];
    message_.put(Outputs{wires.rx_back, wires.tx_valid, this->quiescent_[b], this->irq_[b]});
    for (std::uint32_t p = 0; p < this->ports_; ++p)
      if (wires.tx_valid >> p & 1) message_.put(this->tx_[this->index(b, p)]);
    More::put(*this, b, message_);
  }
  void get(std::uint32_t b, RankReader& message) {
    const auto outputs = message.get<Outputs>();
    this->wires_[b].rx_back = outputs.back;
    this->wires_[b].tx_valid = outputs.valid;
    this->quiescent_[b] = outputs.quiescent;
    this->irq_[b] = outputs.irq;
    for (std::uint32_t p = 0; p < this->ports_; ++p)
      if (outputs.valid >> p & 1) this->tx_[this->index(b, p)] = message.get<Flit>();
    More::get(*this, b, message);
  }

  /// The outputs of the blocks that were clocked, or why there are none. Ranks that have not
  /// clocked the same blocks in the same cycle are not doing the same.
  void exchange(std::uint64_t cycle) {
    if (awake_.empty()) return;
    message_.clear();
    message_.put(cycle);
    message_.put(awake_.size());
    failure_.put(message_);
    if (!failure_.happened())
      for (const std::uint32_t b : own(awake_)) put(b);
    const auto heard = ranks_->exchange(message_.bytes());
    RankFailure first = std::exchange(failure_, {});
    for (std::uint32_t r = 0; r < heard.size(); ++r) {
      if (r == ranks_->rank()) continue;
      RankReader message(heard[r]);
      const bool same = message.get<std::uint64_t>() == cycle;
      if (!same || message.get<std::size_t>() != awake_.size())
        throw InternalError("cycle " + std::to_string(cycle) + ": rank " + std::to_string(r) +
                            " has clocked other blocks than rank " +
                            std::to_string(ranks_->rank()) + "; they must be one program");
      const RankFailure theirs = RankFailure::get(message);
      if (theirs.happened())
        first.keep(theirs);
      else
        for (const std::uint32_t b : partition_.part(r, awake_)) get(b, message);
    }
    first.raise();
  }

  /// After a change of a block by its owner.
  template <class Change>
  void changed(std::uint32_t b, Change&& change) {
    if (owned(b)) {
      change();
      take(b);
    }
    if (!begun_) return;
    RankReader heard = from_owner(b, [&] { put(b); });
    get(b, heard);
  }
  /// The outputs of all blocks.
  void tell_all() {
    message_.clear();
    for (std::uint32_t b = 0; b < this->blocks(); ++b)
      if (owned(b)) put(b);
    const auto heard = ranks_->exchange(message_.bytes());
    std::vector<RankReader> told(heard.begin(), heard.end());
    for (std::uint32_t b = 0; b < this->blocks(); ++b)
      if (!owned(b)) get(b, told[partition_.owner(b)]);
  }
  /// What the owner of a block puts into a message, or throws everywhere.
  template <class Put>
  RankReader from_owner(std::uint32_t b, Put&& put) const {
    message_.clear();
    if (owned(b)) {
      RankFailure failure;
      try {
        failure.put(message_);
        put();
      } catch (const InternalError& error) {
        message_.clear();
        failure.keep(error, b);
        failure.put(message_);
      }
    }
    const auto heard = ranks_->exchange(message_.bytes());
    RankReader told(owned(b) ? message_.bytes() : std::span(heard[partition_.owner(b)]));
    RankFailure::get(told).raise();
    return told;
  }

  std::shared_ptr<Ranks> ranks_;
  Partition partition_;
  std::unique_ptr<Base> inner_;
  std::span<const std::uint32_t> awake_;  ///< of this cycle
  bool begun_ = false;                    ///< a cycle has been clocked
  RankFailure failure_;                   ///< of this cycle, here
  std::mutex failure_lock_;
  mutable RankMessage message_;
};

}  // namespace muster::core
