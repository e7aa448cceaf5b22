// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstring>
#include <optional>

#include "muster/core/bank.hpp"
#include "muster/core/bits.hpp"
#include "muster/core/pointers.hpp"
#include "muster/core/ranks.hpp"

namespace muster::core {

/// What one rank tells the others: values one after the other, as they lie in memory, so all ranks
/// must run one program on processors of one kind.
class RankMessage {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  void put(const std::string& text) {
    put(static_cast<std::uint32_t>(text.size()));
    append(text.data(), text.size());
  }
  /// All of another one.
  void put(const RankMessage& other) { append(other.bytes_.data(), other.bytes_.size()); }
  void clear() { bytes_.clear(); }                             ///< for the next one
  std::span<const std::byte> bytes() const { return bytes_; }  ///< put so far

 private:
  void append(const void* first, std::size_t size) {
    if (size == 0) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + size);
    std::memcpy(bytes_.data() + before, first, size);
  }
  std::vector<std::byte> bytes_;
};

/// The values of a RankMessage, in the order in which they were put there. Throws InternalError
/// where it ends too early: the ranks do not do the same.
class RankReader {
 public:
  explicit RankReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  std::string get_text() {
    const auto size = get<std::uint32_t>();
    return {reinterpret_cast<const char*>(take(size)), size};
  }

 private:
  const std::byte* take(std::size_t size) {
    if (rest_.size() < size) throw InternalError("a rank has told less than others expect");
    const std::byte* const first = rest_.data();
    rest_ = rest_.subspan(size);
    return first;
  }
  std::span<const std::byte> rest_;
};

/// The first failure of a cycle, that with the lowest block, as ranks tell it each other: all of
/// them throw the same.
class RankFailure {
 public:
  bool happened() const { return block_.has_value(); }
  /// `block`: the first of those that were clocked together, unless the error names its own.
  void keep(const InternalError& error, std::uint32_t block) {
    RankFailure failure;
    failure.block_ = block;
    failure.text_ = error.what();
    if (const auto* const of_block = as<const BlockError>(&error)) {
      failure.cycle_ = of_block->cycle();
      failure.instance_ = of_block->instance();
      const auto digits = failure.instance_.find_first_of("0123456789");  // "sw12": block 12
      if (digits != std::string::npos)
        failure.block_ = static_cast<std::uint32_t>(std::stoul(failure.instance_.substr(digits)));
    }
    keep(failure);
  }
  void keep(const RankFailure& other) {
    if (other.block_ && (!block_ || *other.block_ < *block_)) *this = other;
  }

  void put(RankMessage& message) const {
    message.put(block_);
    if (!block_) return;
    message.put(cycle_);
    message.put(text_);
    message.put(instance_);
  }
  static RankFailure get(RankReader& message) {
    RankFailure failure;
    failure.block_ = message.get<std::optional<std::uint32_t>>();
    if (!failure.block_) return failure;
    failure.cycle_ = message.get<std::uint64_t>();
    failure.text_ = message.get_text();
    failure.instance_ = message.get_text();
    return failure;
  }

  /// Throws it, if there is one.
  void raise() const {
    if (!block_) return;
    if (instance_.empty()) throw InternalError(text_);
    throw BlockError(text_, cycle_, instance_);
  }

 private:
  std::optional<std::uint32_t> block_;  ///< none: there is none
  std::uint64_t cycle_ = 0;             ///< of a BlockError
  std::string text_, instance_;         ///< the latter of a BlockError
};

/// The wires from blocks of one rank to those of another, in both of them: what the one puts on
/// them in a cycle is a message to the other.
class CutWires {
 public:
  /// A row of ports of a block at the beginning of such wires. Masks as in BlockWires.
  struct Begin {
    std::uint32_t bank, block;
    std::uint32_t row;          ///< rows of all blocks counted through
    std::uint32_t flits = 0;    ///< ports whose flits go to the other rank
    std::uint64_t credits = 0;  ///< nibbles that do
    const BlockWires* wires = nullptr;
    const Flit* tx = nullptr;  ///< of the row's first port
  };

  std::vector<Begin> begins;  ///< by bank and block

  /// What is on the wires.
  void put(RankMessage& message) const {
    for (std::uint32_t i = 0; i < begins.size(); ++i) {
      const Begin& begin = begins[i];
      const std::uint32_t flits = begin.wires->tx_valid & begin.flits;
      const std::uint64_t credits = begin.wires->rx_back & begin.credits;
      if (flits == 0 && credits == 0) continue;
      message.put(Driven{credits, i, flits});
      for_each_bit(flits, [&](std::uint32_t port) { message.put(begin.tx[port]); });
    }
  }

  /// Calls flit(begin, port, flit) and credit(begin, port, credits) for all that is there in the
  /// rest of a message.
  template <class OfFlit, class OfCredits>
  void get(RankReader& message, OfFlit&& flit, OfCredits&& credit) const {
    while (!message.empty()) {
      const auto driven = message.get<Driven>();
      if (driven.begin >= begins.size()) throw InternalError("a rank tells of wires that are none");
      const Begin& begin = begins[driven.begin];
      for_each_bit(driven.flits,
                   [&](std::uint32_t port) { flit(begin, port, message.get<Flit>()); });
      for (std::uint64_t rest = driven.credits; rest != 0;) {
        const auto port = static_cast<std::uint32_t>(std::countr_zero(rest)) / 4;
        credit(begin, port, static_cast<std::uint8_t>(rest >> 4 * port & 15));
        rest &= ~(std::uint64_t{15} << 4 * port);
      }
    }
  }

 private:
  struct Driven {
    std::uint64_t credits;
    std::uint32_t begin, flits;
  };
};

/// What home, rank 0, wants of a rank that serves it. The first two, and what is asked, end a
/// message.
enum class Order : std::uint8_t {
  kCycle,     ///< clock, with what is on the wires from home
  kEnd,       ///< the run is over
  kKill,      ///< Engine::kill, all ranks
  kStop,      ///< Engine::stop_channel, all ranks
  kWake,      ///< Engine::wake
  kSilence,   ///< the wires of the block of another rank have been cleared
  kGiven,     ///< inputs beside the wires (WiresAlone)
  kRequest,   ///< Bank::request
  kWrite,     ///< asked: Bank::write_register, then the outputs
  kReset,     ///< asked: Bank::reset, then the outputs
  kRead,      ///< asked: Bank::read_register
  kDescribe,  ///< asked: Bank::describe
};

/// The line between home and the ranks that serve it, at either end. What is told goes with the
/// next message to that rank, of a cycle or a question.
///
/// A cycle may be sent to others before home begins it. Nothing can be told then. What tells or
/// asks nevertheless, at the end of a run, first waits until the others have clocked that cycle,
/// which is then the last.
class HomeLine {
 public:
  explicit HomeLine(std::shared_ptr<Ranks> ranks)
      : ranks_(std::move(ranks)), messages_(ranks_->count()) {}

  Ranks& ranks() const { return *ranks_; }
  std::uint32_t rank() const { return ranks_->rank(); }
  bool home() const { return rank() == 0; }
  bool ahead() const { return ahead_; }  ///< others have been sent a cycle that is not begun here
  bool over() const { return over_; }    ///< no cycle can follow

  template <class... Values>
  void tell(std::uint32_t rank, Order order, const Values&... values) {
    if (ahead_) settle();
    put(messages_[rank], order, values...);
  }
  /// All that serve, or all but one.
  template <class... Values>
  void tell_others(std::uint32_t but, Order order, const Values&... values) {
    for (std::uint32_t r = 1; r < messages_.size(); ++r)
      if (r != but) tell(r, order, values...);
  }
  /// What the rank answers, or throws what it has thrown. Valid until the next message from it.
  template <class... Values>
  RankReader ask(std::uint32_t rank, Order order, const Values&... values) {
    tell(rank, order, values...);
    send(rank);
    RankReader answer(ranks_->receive(rank));
    RankFailure::get(answer).raise();
    return answer;
  }

  /// To each that serves: `put` adds what else there is of this cycle.
  template <class Put>
  void send_cycle(std::uint64_t cycle, Put&& put_more) {
    for (std::uint32_t r = 1; r < messages_.size(); ++r) {
      put(messages_[r], Order::kCycle, cycle);
      put_more(r, messages_[r]);
      send(r);
    }
    ahead_ = true;
  }
  /// Home begins the cycle that it has sent.
  void begin_cycle() { ahead_ = false; }
  void end() {
    if (ahead_) settle();
    tell_others(0, Order::kEnd);
    for (std::uint32_t r = 1; r < messages_.size(); ++r) send(r);
  }

 private:
  template <class... Values>
  static void put(RankMessage& message, Order order, const Values&... values) {
    message.put(order);
    (message.put(values), ...);
  }
  void send(std::uint32_t rank) {
    ranks_->send(rank, messages_[rank].bytes());
    messages_[rank].clear();
  }
  /// What others report of a cycle that home never begins.
  void settle() {
    ahead_ = false;
    over_ = true;
    for (std::uint32_t r = 1; r < messages_.size(); ++r) ranks_->receive(r);
  }

  std::shared_ptr<Ranks> ranks_;
  std::vector<RankMessage> messages_;  ///< by rank, of home
  bool ahead_ = false, over_ = false;
};

/// What SharedBank is to RankedCycle, whatever its blocks are.
class SharedPart {
 public:
  virtual ~SharedPart() = default;
  /// The rank that has each block.
  virtual const std::vector<std::uint32_t>& owners() const = 0;
  /// From now on home reaches the blocks of other ranks on `line`, under this number of the bank.
  virtual void join(HomeLine& line, std::uint32_t bank) = 0;

  /// The outputs of blocks as values of a message.
  virtual void put_outputs(std::span<const std::uint32_t> blocks, RankMessage& message) const = 0;
  virtual void get_outputs(std::span<const std::uint32_t> blocks, RankReader& message) = 0;
  /// Outputs compared so far with a reference, here; what another rank says of it.
  virtual std::uint64_t compared_here() const = 0;
  virtual void compared_by(std::uint32_t rank, std::uint64_t count) = 0;

  /// The inputs of this cycle to the blocks of this rank; those of others lose them. `awake`: what
  /// will be clocked anywhere.
  virtual void give_inputs(std::span<const std::uint32_t> awake) = 0;
  /// Tells the owners of blocks of other ranks what home has given these beside their wires.
  virtual void tell_given() = 0;
  /// An order of home for a block of this rank, except for Order::kWake. What is asked it answers,
  /// or throws.
  virtual void obey(Order order, std::uint32_t block, RankReader& values, RankMessage& answer) = 0;
};

}  // namespace muster::core
