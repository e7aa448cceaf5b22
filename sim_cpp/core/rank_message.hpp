// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "muster/core/bank.hpp"
#include "muster/core/bits.hpp"
#include "muster/core/error.hpp"
#include "muster/core/pointers.hpp"

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
  bool happened() const { return happened_; }
  /// `block`: the first of those that were clocked together, unless the error names its own.
  void keep(const InternalError& error, std::uint32_t block) {
    RankFailure failure;
    failure.happened_ = true;
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
    if (other.happened_ && (!happened_ || other.block_ < block_)) *this = other;
  }

  void put(RankMessage& message) const {
    message.put(happened_);
    if (!happened_) return;
    message.put(block_);
    message.put(cycle_);
    message.put(text_);
    message.put(instance_);
  }
  static RankFailure get(RankReader& message) {
    RankFailure failure;
    failure.happened_ = message.get<bool>();
    if (!failure.happened_) return failure;
    failure.block_ = message.get<std::uint32_t>();
    failure.cycle_ = message.get<std::uint64_t>();
    failure.text_ = message.get_text();
    failure.instance_ = message.get_text();
    return failure;
  }

  /// Throws it, if there is one.
  void raise() const {
    if (!happened_) return;
    if (instance_.empty()) throw InternalError(text_);
    throw BlockError(text_, cycle_, instance_);
  }

 private:
  bool happened_ = false;
  std::uint32_t block_ = 0;
  std::uint64_t cycle_ = 0;      ///< of a BlockError
  std::string text_, instance_;  ///< the latter of a BlockError
};

/// The wires from blocks of one rank to those of another, in both of them: what the one puts on
/// them in a cycle is a message to the other.
class CutWires {
 public:
  /// A block at the beginning of such wires. Masks as in BlockWires.
  struct Begin {
    std::uint32_t bank, block;
    std::uint32_t flits = 0;    ///< ports whose flits go to the other rank
    std::uint64_t credits = 0;  ///< nibbles that do
    const BlockWires* wires = nullptr;
    const Flit* tx = nullptr;  ///< of port 0
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

}  // namespace muster::core
