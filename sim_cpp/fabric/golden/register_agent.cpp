// SPDX-License-Identifier: Apache-2.0
#include "fabric/golden/register_agent.hpp"

#include <algorithm>

#include "muster/fabric/formats.hpp"

namespace muster::golden {

using core::Flit;
using fabric::Formats;

const char* RegisterAgent::state_name() const {
  static constexpr const char* kNames[] = {"idle",     "receiving", "reading",
                                           "deciding", "writing",   "answering"};
  return kNames[static_cast<std::size_t>(state_)];
}

void RegisterAgent::take(std::uint64_t here, std::uint64_t first, const FlitRings& queues) {
  const bool was_idle = state_ == State::kIdle;
  std::uint64_t lost = first;
  if (was_idle && first != 0) {
    lane_ = lowest(first);
    lost &= ~bit(lane_);
    const Flit& head = queues.popped(lane_);
    self_ = Formats::destination(head) & 0x7ffu;
    request_ = Formats::opcode(head) == fabric::kOpcodeRequest;
    flits_ = 0;
    state_ = State::kReceiving;
  }
  if (state_ == State::kReceiving && has(here, lane_)) receive(queues.popped(lane_));

  for_each_bit(lost, [&](std::uint32_t lane) { note(port_of(lane), AgentDrop::kBusy); });
}

void RegisterAgent::receive(const Flit& flit) {
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

void RegisterAgent::read(std::uint32_t word) {
  before_ = word;
  state_ = State::kDeciding;
}

void RegisterAgent::keep_off(bool again) {
  ++kept_off_;
  if (given_in())
    state_ = State::kWriting;
  else if (again)
    state_ = State::kReading;
}

void RegisterAgent::answer_busy() {
  before_ = 0;
  note(port(), AgentDrop::kBusy);
  begin_answer(fabric::AccessStatus::kBusy);
}

void RegisterAgent::begin_answer(fabric::AccessStatus status) {
  status_ = static_cast<std::uint8_t>(status);
  flits_ = 0;
  state_ = State::kAnswering;
  if (route_ == 0) {
    note(port(), AgentDrop::kStranded);
    state_ = State::kIdle;
  }
}

bool RegisterAgent::decide(std::uint16_t permits, bool writable,
                           std::optional<fabric::AccessStatus> forbidden) {
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

Flit RegisterAgent::flit() const {
  Flit flit;
  flit.vc = static_cast<std::uint8_t>(vc_of(lane_));
  switch (flits_) {
    case 0:
      flit.kind = Flit::kHead;
      flit.lo = source() | std::uint32_t{fabric::kOpcodeAnswer} << fabric::kDestinationWidth;
      break;
    case 1:
      flit.lo = (words_[0] & 0xf800u) | self_;
      break;
    case 2:
      flit.lo = std::uint32_t{status_} << 12 | address();
      break;
    case 3:
      flit.lo = before_ & 0xffffu;
      break;
    default:
      flit.kind = Flit::kTail;
      flit.lo = before_ >> 16;
      break;
  }
  return flit;
}

void RegisterAgent::sent() {
  if (++flits_ == kAnswerFlits) state_ = State::kIdle;
}

std::optional<std::uint32_t> RegisterAgent::wait(State before, bool moved) {
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

}  // namespace muster::golden
