// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/rank_message.hpp"
#include "muster/core/ranks.hpp"

namespace muster::core {

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

  /// Tells the owners of blocks of other ranks what home has given these beside their wires.
  virtual void tell_given() = 0;
  /// An order of home for a block of this rank, except for Order::kWake. What is asked it answers,
  /// or throws.
  virtual void obey(Order order, std::uint32_t block, RankReader& values, RankMessage& answer) = 0;
};

}  // namespace muster::core
