// SPDX-License-Identifier: Apache-2.0
// States as few bits, one for all states that differ only in the names of equal nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "protocol/rules.hpp"
#include "protocol/state.hpp"

namespace muster::protocol {

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
  /// How many renamings leave the tree as it is.
  std::size_t renamings() const { return renamings_.size(); }

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

}  // namespace muster::protocol
