// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/barrier_buffer.hpp"

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

}  // namespace muster::golden
