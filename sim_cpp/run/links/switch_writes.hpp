// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "muster/fabric/network.hpp"

namespace muster::run {

/// Words that the host has still to write into switches while the network runs, a word a cycle at
/// each switch.
class SwitchWrites {
 public:
  /// `network` outlives this.
  explicit SwitchWrites(fabric::Network& network)
      : network_(network), words_(network.graph().switches()) {}
  void add(topology::SwitchId s, std::uint32_t address, std::uint32_t value) {
    words_[s].push_back({address, value});
  }
  /// Nothing of what was to be written there will be.
  void forget(topology::SwitchId s) { words_[s].clear(); }
  /// In the next cycle one word for each switch that lacks some, for which it calls
  /// `written(switch, address, value)`. What is for a dead switch is lost.
  template <class Written>
  void write_some(Written&& written) {
    for (topology::SwitchId s = 0; s < words_.size(); ++s) {
      if (!network_.switch_alive(s)) forget(s);
      if (words_[s].empty()) continue;
      const Word word = words_[s].front();
      words_[s].pop_front();
      network_.switches().request({s, true, word.address, word.value});
      network_.engine().wake(0, s);
      written(s, word.address, word.value);
    }
  }
  std::size_t waiting(topology::SwitchId s) const { return words_[s].size(); }
  bool done() const {
    return std::all_of(words_.begin(), words_.end(), [](const auto& w) { return w.empty(); });
  }

 private:
  struct Word {
    std::uint32_t address = 0, value = 0;
  };
  fabric::Network& network_;
  std::vector<std::deque<Word>> words_;  ///< by switch
};

}  // namespace muster::run
