// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "protocol/protocol.hpp"

namespace muster::protocol {

/// The bits of a state, filled with zeros.
using Key = std::array<std::uint64_t, 8>;

/// States as few bits, one for all states that differ only in the names of equal nodes.
class Packer {
 public:
  /// REQUIRES: nodes that `surroundings` treats differently are not interchangeable.
  Packer(const Tree& tree, const Rules& rules, const Surroundings& surroundings, bool symmetry);

  /// The least key of all states that are equal to this one except for names.
  Key pack(const State& s) const;
  State unpack(const Key& key) const;

 private:
  using Renaming = std::array<std::uint8_t, kMaxNodes>;  ///< new name of each node

  template <typename Fields>
  void transfer(State& s, Fields& bits) const;
  template <typename Fields>
  void transfer(Channel& c, Fields& bits) const;
  template <typename Fields>
  void transfer(Word& w, Fields& bits) const;
  bool keeps_tree(const Renaming& r, const Surroundings& surroundings) const;
  State renamed(const State& s, const Renaming& r) const;
  Key pack_as_is(State s) const;

  Tree tree_;
  Rules rules_;
  bool changes_;
  std::vector<Renaming> renamings_;  ///< the first changes nothing
};

}  // namespace muster::protocol
