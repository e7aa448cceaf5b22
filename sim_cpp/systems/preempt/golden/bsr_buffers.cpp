// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/bsr_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace muster::golden {

using preempt::BsrMessage;
using preempt::BsrType;

bool BsrBuffers::eligible(std::uint32_t port, std::uint32_t served) const {
  const BsrBuffer& buffer = buffers_[port];
  if (buffer.state != BsrBuffer::State::kComplete) return false;
  if (!buffer.first_message() || buffer.mask == 0) return true;
  if (buffer.message().destination == table_.address()) return true;
  for (std::uint32_t other = 0; other < ports_; ++other) {
    const BsrBuffer& ahead = buffers_[other];
    const bool waits = ahead.state == BsrBuffer::State::kGoing && !has(served, other);
    if (waits && ahead.first_message() && lowest(ahead.mask) == lowest(buffer.mask)) return false;
  }
  return true;
}

BsrBuffers::Choice BsrBuffers::choose(std::uint32_t served) const {
  Choice choice;
  for (std::uint32_t port = 0; port < ports_; ++port)
    choice.able |= std::uint32_t{eligible(port, served)} << port;
  if (choice.able != 0)
    choice.applied = lowest((choice.able & round_) != 0 ? choice.able & round_ : choice.able);
  const BsrBuffer& own = buffers_[origin()];
  if (own.empty()) choice.sends = table_.next();
  choice.routing = own.state == BsrBuffer::State::kRouting;
  return choice;
}

BsrBuffers::Result BsrBuffers::edge(const Choice& choice, const Route& route) {
  Result result;
  if (choice.applied) {
    const std::uint32_t port = *choice.applied;
    if (!has(round_, port)) round_ = choice.able;
    round_ &= ~static_cast<std::uint32_t>(bit(port));
    BsrBuffer& buffer = buffers_[port];
    const BsrMessage message = buffer.message();
    const bool here = message.destination == table_.address();
    std::optional<BsrMessage> on = message;
    if (here || (message.type == BsrType::kFirst && buffer.mask != 0)) {
      on = table_.take(port, message);
      result.dropped = table_.dropped();
    } else if (buffer.mask == 0) {
      on.reset();
      ++result.unroutable;
    }
    if (on) {
      rewrite(buffer, *on);
    } else {
      buffer = BsrBuffer{};
    }
  }
  BsrBuffer& own = buffers_[origin()];
  if (choice.sends) {
    const BsrOrigin sent = table_.send(*choice.sends);
    own.by_port = sent.port.has_value();
    own.mask =
        sent.port ? static_cast<std::uint16_t>(bit(*sent.port)) : route(sent.message.destination);
    rewrite(own, sent.message);
    own.state = BsrBuffer::State::kRouting;
  } else if (choice.routing) {
    own.state = BsrBuffer::State::kGoing;
    if (own.mask == 0) {
      own = BsrBuffer{};
      ++result.unroutable;
    }
  }
  return result;
}

void BsrBuffers::rewrite(BsrBuffer& buffer, const BsrMessage& message) {
  buffer.flits = bsr_flits(message, 0);
  buffer.count = buffer.length();
  buffer.gone = 0;
  buffer.state = BsrBuffer::State::kGoing;
}

void BsrBuffers::push(std::uint32_t port, const core::Flit& flit, std::uint16_t mask) {
  BsrBuffer& buffer = buffers_[port];
  if (buffer.count == 0) {
    buffer.flits = {};
    buffer.mask = mask;
  }
  buffer.flits[buffer.count++] = flit;
  if (buffer.count == buffer.length()) buffer.state = BsrBuffer::State::kComplete;
}

void BsrBuffers::gone(std::uint32_t index) {
  BsrBuffer& buffer = buffers_[index];
  if (++buffer.gone == buffer.count) buffer = BsrBuffer{};
}

bool BsrBuffers::idle() const {
  return !table_.next() && std::all_of(buffers_.begin(), buffers_.end(),
                                       [](const BsrBuffer& b) { return b.empty(); });
}

std::string BsrBuffers::describe() const {
  constexpr const char* kStates[] = {"filling", "complete", "routing", "going"};
  std::string text;
  for (std::uint32_t b = 0; b < size(); ++b) {
    const BsrBuffer& buffer = buffers_[b];
    if (buffer.empty()) continue;
    text += fmt::format("; buffer {} {} {}/{} to {:#x}", b, kStates[static_cast<int>(buffer.state)],
                        buffer.gone, buffer.count, buffer.mask);
  }
  for (std::uint32_t e = 0; e < table_.size(); ++e)
    if (table_.at(e).valid)
      text += fmt::format("; entry {}: {}", e, golden::describe(table_.at(e)));
  return text;
}

}  // namespace muster::golden
