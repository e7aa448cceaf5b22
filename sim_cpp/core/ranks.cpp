// SPDX-License-Identifier: Apache-2.0
#include "muster/core/ranks.hpp"

#include <algorithm>

namespace muster::core {

bool any_rank(Ranks* ranks, bool here) {
  if (ranks == nullptr) return here;
  const std::byte mine{here};
  const auto theirs = ranks->exchange({&mine, 1});
  return here || std::any_of(theirs.begin(), theirs.end(), [](const std::vector<std::byte>& said) {
           return !said.empty() && said.front() != std::byte{0};
         });
}

}  // namespace muster::core
