// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/farm.hpp"

#include <poll.h>

#include <list>

namespace muster::app::sweep {

namespace {

constexpr int kAskedEvery = 200;  ///< ms

struct Started {
  Started(std::uint64_t number, const Farm& farm, const std::vector<std::string>& words)
      : job(number), child(farm.program, words, farm.folder) {}
  std::uint64_t job;
  Child child;
};

/// Reads what the children say; returns after kAskedEvery at the latest.
void listen(std::list<Started>& children) {
  std::vector<pollfd> waits;
  for (const Started& started : children)
    for (const int pipe : started.child.pipes()) waits.push_back({pipe, POLLIN, 0});
  if (::poll(waits.data(), waits.size(), kAskedEvery) <= 0) return;
  std::size_t at = 0;
  for (Started& started : children)
    for (std::size_t pipe = 0; pipe < 2; ++pipe)
      if (waits[at++].revents != 0) started.child.read(pipe);
}

}  // namespace

bool Farm::run(std::uint64_t count, const Words& words, const Done& done,
               const std::function<bool()>& stop) const {
  std::list<Started> children;
  for (std::uint64_t next = 0; next < count || !children.empty();) {
    if (stop()) return false;
    while (next < count && children.size() < jobs) {
      children.emplace_back(next, *this, words(next));
      ++next;
    }
    listen(children);
    for (auto child = children.begin(); child != children.end();) {
      if (!child->child.at_end()) {
        ++child;
        continue;
      }
      ChildOutcome outcome = child->child.finish();
      const std::uint64_t job = child->job;
      child = children.erase(child);
      done(job, std::move(outcome));
    }
  }
  return true;
}

}  // namespace muster::app::sweep
