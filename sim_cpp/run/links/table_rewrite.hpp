// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/fabric/network.hpp"
#include "muster/topology/routes.hpp"

namespace muster::run {

/// Words that the host has still to write into switches while the network runs, a word a cycle at
/// each switch.
class TableRewrite {
 public:
  /// `routes` are those in force and are kept so. Both outlive this.
  TableRewrite(fabric::Network& network, topology::Routes& routes)
      : network_(network), routes_(routes), words_(network.graph().switches()) {}
  void add(topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
    words_[s].push_back({address, value});
  }
  /// Every entry of `next` that is not in force, of one switch. Returns how many.
  std::uint64_t add_difference(topology::SwitchId s, const topology::Routes& next) {
    const std::size_t before = words_[s].size();
    for (std::uint32_t d = 0; d < next.destinations(); ++d)
      if (next.mask(s, d) != routes_.mask(s, d))
        add(s, fabric::registers::kRoutes + d, next.mask(s, d));
    return words_[s].size() - before;
  }
  /// In the next cycle one word for each switch that lacks some; false if none does.
  bool write_some() {
    bool some = false;
    for (topology::SwitchId s = 0; s < words_.size(); ++s) {
      if (words_[s].empty()) continue;
      const Word word = words_[s].front();
      words_[s].pop_front();
      network_.switches().request({s, true, word.address, word.value});
      network_.engine().wake(0, s);
      if (word.address >= fabric::registers::kRoutes)
        routes_.set(s, word.address - fabric::registers::kRoutes,
                    static_cast<std::uint16_t>(word.value));
      some = true;
    }
    return some;
  }

 private:
  struct Word {
    std::uint32_t address = 0, value = 0;
  };

  fabric::Network& network_;
  topology::Routes& routes_;
  std::vector<std::deque<Word>> words_;  ///< by switch
};

}  // namespace muster::run
