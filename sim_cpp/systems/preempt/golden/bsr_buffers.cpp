// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::golden {

using core::Flit;

BarrierBuffer::Framing BarrierBuffer::receive(const Flit& flit, std::uint16_t route) {
  if (state_ != State::kFilling) return {.malformed = true};
  silent_ = 0;
  if (preempt::begins_bsr_message(flit)) {
    const bool loses = !empty();
    clear();
    flits_[count_++] = flit;
    return {.malformed = loses};
  }
  if (count_ == 0 || flit.kind == Flit::kFirst) {  // counted when the broken message has ended
    clear();
    broken_ = true;
    return {};
  }
  if (count_ == 1) mask_ = route;
  flits_[count_++] = flit;
  if (count_ == bsr_length(preempt::bsr_type(flits_[0]))) state_ = State::kComplete;
  return {};
}

BarrierBuffer::Framing BarrierBuffer::silence() {
  if (state_ != State::kFilling || empty() || ++silent_ < kTimeout) return {};
  clear();
  return {.malformed = true, .freed = true};
}

void BarrierBuffer::load(const preempt::BsrMessage& message, std::uint16_t mask, State state) {
  clear();
  flits_ = bsr_flits(message, 0);
  count_ = static_cast<std::uint8_t>(bsr_length(message.type));
  mask_ = mask;
  state_ = state;
}

bool BarrierBuffer::sent() {
  const bool last = ++gone_ == count_;
  if (last) clear();
  return last;
}

using preempt::BsrMessage;
using State = BarrierBuffer::State;

std::uint32_t BsrBuffers::waiting(std::uint32_t served) const {
  std::uint32_t waiting = 0;
  for (std::uint32_t b = 0; b < size(); ++b)
    waiting |= std::uint32_t{buffers_[b].state() == State::kGoing} << b;
  return waiting & ~served;
}

bool BsrBuffers::eligible(std::uint32_t port, std::uint32_t served) const {
  const BarrierBuffer& buffer = buffers_[port];
  if (buffer.state() != State::kComplete) return false;
  if (!buffer.first_message() || ways(port) == 0) return true;
  if (buffer.message().destination == table_.address()) return true;
  bool behind = false;  // another one, taken before, that goes by the same output
  for_each_bit(waiting(served), [&](std::uint32_t other) {
    behind |= other != origin() && buffers_[other].first_message() &&
              lowest(ways(other)) == lowest(ways(port));
  });
  return !behind;
}

BsrBuffers::Choice BsrBuffers::choose(std::uint32_t served) const {
  Choice choice;
  for (std::uint32_t port = 0; port < ports_; ++port)
    choice.able |= std::uint32_t{eligible(port, served)} << port;
  if (choice.able != 0)
    choice.applied = lowest((choice.able & round_) != 0 ? choice.able & round_ : choice.able);
  const BarrierBuffer& own = buffers_[origin()];
  if (own.empty()) choice.sends = table_.next();
  choice.routing = own.state() == State::kRouting;
  for_each_bit(waiting(served),
               [&](std::uint32_t b) { choice.stranded |= std::uint32_t{ways(b) == 0} << b; });
  return choice;
}

BsrBuffers::Result BsrBuffers::edge(const Choice& choice, const Route& route) {
  Result result;
  if (choice.applied) {
    const std::uint32_t port = *choice.applied;
    if (!has(round_, port)) round_ = choice.able;
    round_ &= ~static_cast<std::uint32_t>(bit(port));
    apply(port, result);
  }
  originate(choice, route, result);
  for_each_bit(choice.stranded, [&](std::uint32_t b) {
    buffers_[b].clear();
    ++result.unroutable;
  });
  result.freed |= choice.stranded;
  return result;
}

void BsrBuffers::apply(std::uint32_t port, Result& result) {
  BarrierBuffer& buffer = buffers_[port];
  const BsrMessage message = buffer.message();
  std::optional<BsrMessage> on = message;
  if (message.destination == table_.address() || (buffer.first_message() && ways(port) != 0)) {
    on = table_.take(port, message);
    result.dropped = table_.dropped();
  } else if (ways(port) == 0) {
    on.reset();
    ++result.unroutable;
  }
  if (on) {
    buffer.load(*on, buffer.mask(), State::kGoing);
  } else {
    buffer.clear();
    result.freed |= static_cast<std::uint32_t>(bit(port));
  }
}

void BsrBuffers::originate(const Choice& choice, const Route& route, Result& result) {
  BarrierBuffer& own = buffers_[origin()];
  if (choice.sends) {
    const BsrOrigin sent = table_.send(*choice.sends);
    const auto mask =
        sent.port ? static_cast<std::uint16_t>(bit(*sent.port)) : route(sent.message.destination);
    own.load(sent.message, mask, State::kRouting);
  } else if (choice.routing) {
    if (ways(origin()) != 0) {
      own.go();
    } else {
      own.clear();
      ++result.unroutable;
    }
  }
}

bool BsrBuffers::idle() const {
  return !table_.next() && std::all_of(buffers_.begin(), buffers_.end(),
                                       [](const BarrierBuffer& b) { return b.empty(); });
}

std::string BsrBuffers::describe() const {
  constexpr const char* kStates[] = {"filling", "complete", "routing", "going"};
  std::string text;
  for (std::uint32_t b = 0; b < size(); ++b) {
    const BarrierBuffer& buffer = buffers_[b];
    if (buffer.empty()) continue;
    text += fmt::format("; buffer {} {}, {} flits, to {:#x}", b,
                        kStates[static_cast<int>(buffer.state())], buffer.left(), ways(b));
  }
  for (std::uint32_t e = 0; e < table_.size(); ++e)
    if (table_.at(e).valid)
      text += fmt::format("; entry {}: {}", e, golden::describe(table_.at(e)));
  return text;
}

}  // namespace muster::golden
