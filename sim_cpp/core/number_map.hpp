// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace muster::core {

/// Values by number, for many maps of which most hold few of the numbers there are: an array that
/// is searched from a hashed place on, at most half full. Constant time; nothing is taken out.
template <class Value>
class NumberMap {
 public:
  /// A number may be anything but kNone.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The value of a number, a new one as after default construction. Others may move.
  Value& operator[](std::uint32_t number) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(number)];
    if (slot.number == kNone) {
      slot.number = number;
      ++count_;
    }
    return slot.value;
  }
  /// nullptr if it was never asked for.
  const Value* find(std::uint32_t number) const {
    if (slots_.empty()) return nullptr;
    const Slot& slot = slots_[place(number)];
    return slot.number == kNone ? nullptr : &slot.value;
  }

 private:
  struct Slot {
    std::uint32_t number = kNone;
    Value value{};
  };

  /// Of the number, or where it would be.
  std::size_t place(std::uint32_t number) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = number * 0x9e3779b1u >> 8 & mask;
    while (slots_[at].number != number && slots_[at].number != kNone) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Slot> old(slots_.empty() ? 2 : 2 * slots_.size());
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.number != kNone) slots_[place(slot.number)] = std::move(slot);
  }

  std::vector<Slot> slots_;  // a power of two of them, or none
  std::uint32_t count_ = 0;
};

}  // namespace muster::core
