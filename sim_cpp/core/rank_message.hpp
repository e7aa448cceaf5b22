// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "muster/core/error.hpp"

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

}  // namespace muster::core
