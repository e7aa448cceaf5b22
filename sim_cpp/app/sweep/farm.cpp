// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/farm.hpp"

#include "app/sweep/children.hpp"

namespace muster::app::sweep {

bool Farm::run(std::uint64_t count, const Words& words, const Done& done,
               const std::function<bool()>& stop) const {
  return ranks == nullptr ? run_here(count, words, done, stop)
                          : run_on_ranks(count, words, done, stop);
}

bool Farm::run_here(std::uint64_t count, const Words& words, const Done& done,
                    const std::function<bool()>& stop) const {
  constexpr int kAskedEvery = 200;  // ms
  Children children(program, folder);
  for (std::uint64_t next = 0; next < count || children.running() != 0;) {
    if (stop()) return false;
    for (; next < count && children.running() < jobs; ++next) children.start(next, words(next));
    children.listen(kAskedEvery, done);
  }
  return true;
}

}  // namespace muster::app::sweep
