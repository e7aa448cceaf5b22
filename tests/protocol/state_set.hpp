// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "protocol/protocol.hpp"

namespace muster::protocol {

// States as few bits, one for all states that differ only in the names of equal nodes.

/// The bits of a state, the last word filled with zeros.
struct Key {
  static constexpr unsigned kWords = 8;
  unsigned words = 0;
  std::array<std::uint64_t, kWords> at{};
};

class Packer {
 public:
  /// REQUIRES: nodes that `surroundings` treats differently are not interchangeable.
  Packer(const Tree& tree, const Rules& rules, const Surroundings& surroundings, bool symmetry);

  /// The least key of all states that are equal to this one except for names.
  Key pack(const State& s) const;
  State unpack(const std::uint64_t* words) const;

 private:
  using Renaming = std::array<std::uint8_t, kMaxNodes>;  ///< new name of each node

  template <typename Bits>
  void transfer(State& s, Bits& bits) const;
  template <typename Bits>
  void transfer(Channel& c, Bits& bits) const;
  template <typename Bits>
  void transfer(Word& w, Bits& bits) const;
  bool keeps_tree(const Renaming& r, const Surroundings& surroundings) const;
  State renamed(const State& s, const Renaming& r) const;
  Key pack_as_is(State s) const;

  Tree tree_;
  Rules rules_;
  bool changes_;
  std::vector<Renaming> renamings_;  ///< the first changes nothing
};

// A growing set of packed states, numbered in the order in which they came.

class StateSet {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  StateSet() : table_(std::size_t{1} << 12, kNone) {}
  std::uint32_t size() const { return static_cast<std::uint32_t>(begins_.size()); }
  /// The number of a state, and whether it is new.
  std::pair<std::uint32_t, bool> insert(const Key& key);
  /// The number of a state that may be there, or kNone.
  std::uint32_t find(const Key& key) const { return table_[place(key)]; }
  const std::uint64_t* operator[](std::uint32_t number) const { return at(begins_[number]); }

 private:
  static constexpr unsigned kChunkBits = 18;  ///< words of a chunk
  static constexpr std::uint32_t kChunk = 1u << kChunkBits;

  const std::uint64_t* at(std::uint32_t word) const {
    return &chunks_[word >> kChunkBits][word & (kChunk - 1)];
  }
  std::size_t place(const Key& key) const;
  static std::uint64_t hash(const std::uint64_t* words, unsigned count);
  void grow();

  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;  ///< no state lies in two
  std::vector<std::uint32_t> begins_;                     ///< first word of each state
  std::vector<std::uint8_t> lengths_;
  std::uint32_t end_ = 0;             ///< of the words in use
  std::vector<std::uint32_t> table_;  ///< open addressing, at most three quarters full
};

}  // namespace muster::protocol
