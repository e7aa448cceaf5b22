// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "core/rank_message.hpp"
#include "muster/core/bank.hpp"

namespace muster::core {

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

  bool empty() const { return begins.empty(); }

  /// What is on the wires.
  void put(RankMessage& message) const {
    for (std::uint32_t i = 0; i < begins.size(); ++i) {
      const Begin& begin = begins[i];
      const std::uint32_t flits = begin.wires->tx_valid & begin.flits;
      const std::uint64_t credits = begin.wires->rx_back & begin.credits;
      if (flits == 0 && credits == 0) continue;
      message.put(Driven{credits, i, flits});
      for (std::uint32_t rest = flits; rest != 0; rest &= rest - 1)
        message.put(begin.tx[std::countr_zero(rest)]);
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
      for (std::uint32_t rest = driven.flits; rest != 0; rest &= rest - 1)
        flit(begin, static_cast<std::uint32_t>(std::countr_zero(rest)), message.get<Flit>());
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
