// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>

#include "core/rank_message.hpp"

namespace muster::core {

/// Of blocks that have only what Bank knows. A bank with more on a block than its wires
/// names a class like this one.
struct WiresAlone {
  static constexpr bool kNothingMore = true;
  /// Moves this cycle's inputs of a block from one bank to another.
  static void give(Bank& /*from*/, Bank& /*to*/, std::uint32_t /*block*/) {}
  /// Throws them away.
  static void forget(Bank& /*bank*/, std::uint32_t /*block*/) {}
  /// Copies its outputs.
  static void take(Bank& /*from*/, Bank& /*to*/, std::uint32_t /*block*/) {}
  /// It has been given inputs.
  static bool given(const Bank& /*bank*/, std::uint32_t /*block*/) { return false; }
  /// Inputs and outputs as values of a message.
  static void put_given(const Bank& /*bank*/, std::uint32_t /*block*/, RankMessage& /*message*/) {}
  static void get_given(Bank& /*bank*/, std::uint32_t /*block*/, RankReader& /*message*/) {}
  static void put(const Bank& /*bank*/, std::uint32_t /*block*/, RankMessage& /*message*/) {}
  static void get(Bank& /*bank*/, std::uint32_t /*block*/, RankReader& /*message*/) {}
};

/// A bank whose blocks are clocked by several processes, each by one; docs/reference/ranks.md. At
/// home, rank 0, it looks like any other: blocks of other ranks have the outputs that these report
/// (RankedCycle), and their registers are reached through messages. In the others only the blocks
/// of that rank are in use.
///
/// Before join() all ranks do the same, and each writes the registers of its blocks.
///
/// `Base` is the contract of the blocks, `More` see WiresAlone.
template <class Base, class More = WiresAlone>
class SharedBank : public Base, public Divisible, public SharedPart {
 public:
  /// `inner` has the same blocks in every process; of those of others the state after reset.
  /// `of`: what Base is made of.
  template <class... Of>
  SharedBank(std::uint32_t rank, std::vector<std::uint32_t> owners, std::unique_ptr<Base> inner,
             const Of&... of)
      : Base(of...), rank_(rank), owners_(std::move(owners)), inner_(std::move(inner)) {
    for (std::uint32_t b = 0; b < this->blocks(); ++b) {
      take(b);
      if (rank != 0 && !here(b)) this->quiescent_[b] = 1;  // what it does is not known here
    }
  }

  /// Blocks of others only lose their inputs.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    give_inputs(awake);
    if (!own_.empty()) inner_->clock(cycle, own_);
    for (const std::uint32_t b : own_) take(b);
  }
  /// If the blocks here are.
  Divisible* divisible() override { return inner_->divisible() != nullptr ? this : nullptr; }
  /// REQUIRES: give_inputs() has been called in this cycle.
  void begin_clock(std::uint64_t cycle) override { inner_->divisible()->begin_clock(cycle); }
  /// REQUIRES: blocks of this rank.
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    inner_->divisible()->clock_some(cycle, awake);
    for (const std::uint32_t b : awake) take(b);
  }
  void end_clock(std::uint64_t cycle) override { inner_->divisible()->end_clock(cycle); }

  void request(const RegisterRequest& request) override {
    if (here(request.block))
      inner_->request(request);
    else if (line_ != nullptr)
      line_->tell(owners_[request.block], Order::kRequest, bank_, request.block, request);
  }
  void reset(std::uint32_t b) override {
    if (here(b)) {
      inner_->reset(b);
      take(b);
    } else if (line_ != nullptr) {
      line_->tell_others(owners_[b], Order::kSilence, bank_, b);
      changed(b, Order::kReset);
    }
  }
  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    if (here(b)) {
      inner_->write_register(b, address, value);
      take(b);
    } else if (line_ != nullptr) {
      changed(b, Order::kWrite, address, value);
    }
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    if (here(b)) return inner_->read_register(b, address);
    return ask(b, Order::kRead, address).template get<std::uint32_t>();
  }
  std::string describe(std::uint32_t b) const override {
    if (here(b)) return inner_->describe(b);
    return ask(b, Order::kDescribe).get_text();
  }
  std::uint64_t comparisons() const override {
    return std::accumulate(compared_.begin(), compared_.end(), inner_->comparisons());
  }

  SharedPart* shared() override { return this; }
  Bank& local() override { return *inner_; }
  const std::vector<std::uint32_t>& owners() const override { return owners_; }
  void join(HomeLine& line, std::uint32_t bank) override {
    line_ = &line;
    bank_ = bank;
    compared_.assign(line.ranks().count(), 0);
  }
  void put_outputs(std::span<const std::uint32_t> blocks, RankMessage& message) const override {
    for (const std::uint32_t b : blocks) put(b, message);
  }
  void get_outputs(std::span<const std::uint32_t> blocks, RankReader& message) override {
    for (const std::uint32_t b : blocks) get(b, message);
  }
  std::uint64_t compared_here() const override { return inner_->comparisons(); }
  void compared_by(std::uint32_t rank, std::uint64_t count) override { compared_[rank] = count; }

  void give_inputs(std::span<const std::uint32_t> awake) override {
    own_.clear();
    for (const std::uint32_t b : awake) {
      if (here(b)) {
        give(b);
        own_.push_back(b);
      } else {
        each_row([&](std::uint32_t row, std::uint32_t) {
          this->wires(b, row).rx_valid = 0;
          this->wires(b, row).tx_back = 0;
        });
        More::forget(*this, b);
      }
    }
  }

  void tell_given() override {
    if constexpr (!requires { More::kNothingMore; }) {
      for (std::uint32_t b = 0; b < this->blocks(); ++b) {
        if (here(b) || !More::given(*this, b)) continue;
        RankMessage given;
        More::put_given(*this, b, given);
        line_->tell(owners_[b], Order::kGiven, bank_, b, given);
      }
    }
  }
  void obey(Order order, std::uint32_t b, RankReader& values, RankMessage& answer) override {
    if (!here(b)) throw InternalError("a rank is asked for a block that it does not clock");
    switch (order) {
      case Order::kGiven:
        return More::get_given(*this, b, values);
      case Order::kRequest:
        return request(values.get<RegisterRequest>());
      case Order::kRead:
        return answer.put(read_register(b, values.get<std::uint32_t>()));
      case Order::kDescribe:
        return answer.put(describe(b));
      case Order::kReset:
        reset(b);
        break;
      default: {
        const auto address = values.get<std::uint32_t>();
        const BlockWires* const now = &this->wires(b);
        const std::vector<BlockWires> before(now, now + this->rows());
        write_register(b, address, values.get<std::uint32_t>());
        // Neighbours have been told already what is on the wires of this cycle.
        if (!std::equal(before.begin(), before.end(), now, [](const auto& was, const auto& is) {
              return was.tx_valid == is.tx_valid && was.rx_back == is.rx_back;
            }))
          throw InternalError("a register written between two cycles drives a wire");
      }
    }
    put(b, answer);
  }

 private:
  /// What every block tells the network and its host; behind it stand the flits.
  struct Outputs {
    std::uint64_t back;
    std::uint32_t valid;
    std::uint8_t quiescent, irq;
    std::uint16_t spare = 0;
  };
  void each_row(auto&& f) const {
    for (std::uint32_t row = 0; row < this->rows(); ++row) f(row, row * kRowPorts);
  }

  bool here(std::uint32_t b) const { return owners_[b] == rank_; }
  /// Registers are compared where they are read.
  template <class... Values>
  RankReader ask(std::uint32_t b, Order order, const Values&... values) const {
    if (line_ == nullptr || !line_->home())
      throw InternalError("a block is read by a rank that neither clocks it nor is home");
    RankReader answer = line_->ask(owners_[b], order, bank_, b, values...);
    compared_[owners_[b]] += answer.get<std::uint64_t>();
    return answer;
  }
  template <class... Values>
  void changed(std::uint32_t b, Order order, const Values&... values) {
    RankReader outputs = ask(b, order, values...);
    get(b, outputs);
  }

  void give(std::uint32_t b) {
    each_row([&](std::uint32_t row, std::uint32_t first) {
      BlockWires& from = this->wires(b, row);
      BlockWires& to = inner_->wires(b, row);
      to.rx_valid = std::exchange(from.rx_valid, 0);
      to.tx_back = std::exchange(from.tx_back, 0);
      for_each_bit(to.rx_valid,
                   [&](std::uint32_t p) { inner_->rx(b, first + p) = this->rx(b, first + p); });
    });
    More::give(*this, *inner_, b);
  }
  void take(std::uint32_t b) {
    each_row([&](std::uint32_t row, std::uint32_t first) {
      const BlockWires& from = inner_->wires(b, row);
      this->wires(b, row).tx_valid = from.tx_valid;
      this->wires(b, row).rx_back = from.rx_back;
      for_each_bit(from.tx_valid,
                   [&](std::uint32_t p) { this->tx(b, first + p) = inner_->tx(b, first + p); });
    });
    this->quiescent_[b] = inner_->quiescent(b);
    this->irq_[b] = inner_->irq(b);
    More::take(*inner_, *this, b);
  }

  void put(std::uint32_t b, RankMessage& message) const {
    each_row([&](std::uint32_t row, std::uint32_t first) {
      const BlockWires& wires = this->wires_[std::size_t{b} * this->rows() + row];
      message.put(Outputs{wires.rx_back, wires.tx_valid, this->quiescent_[b], this->irq_[b]});
      for_each_bit(wires.tx_valid,
                   [&](std::uint32_t p) { message.put(this->tx_[this->index(b, first + p)]); });
    });
    More::put(*this, b, message);
  }
  void get(std::uint32_t b, RankReader& message) {
    each_row([&](std::uint32_t row, std::uint32_t first) {
      const auto outputs = message.get<Outputs>();
      this->wires(b, row).rx_back = outputs.back;
      this->wires(b, row).tx_valid = outputs.valid;
      this->quiescent_[b] = outputs.quiescent;
      this->irq_[b] = outputs.irq;
      for_each_bit(outputs.valid,
                   [&](std::uint32_t p) { this->tx(b, first + p) = message.get<Flit>(); });
    });
    More::get(*this, b, message);
  }

  std::uint32_t rank_;
  std::vector<std::uint32_t> owners_;  ///< by block
  std::unique_ptr<Base> inner_;
  std::vector<std::uint32_t> own_;  ///< blocks of this rank that are awake in this cycle
  HomeLine* line_ = nullptr;
  std::uint32_t bank_ = 0;
  mutable std::vector<std::uint64_t> compared_;  ///< by other ranks
};

}  // namespace muster::core
