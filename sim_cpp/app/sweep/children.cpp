// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/children.hpp"

#include <poll.h>

#include <utility>

namespace muster::app::sweep {

void Children::start(std::uint64_t job, const std::vector<std::string>& words) {
  children_.emplace_back(job, program_, words, folder_);
}

void Children::listen(int milliseconds,
                      const std::function<void(std::uint64_t job, ChildOutcome outcome)>& ended) {
  std::vector<pollfd> waits;
  for (const Started& started : children_)
    for (const int pipe : started.child.pipes()) waits.push_back({pipe, POLLIN, 0});
  if (::poll(waits.data(), waits.size(), milliseconds) > 0) {
    std::size_t at = 0;
    for (Started& started : children_)
      for (std::size_t pipe = 0; pipe < 2; ++pipe)
        if (waits[at++].revents != 0) started.child.read(pipe);
  }
  for (auto child = children_.begin(); child != children_.end();) {
    if (!child->child.at_end()) {
      ++child;
      continue;
    }
    ChildOutcome outcome = child->child.finish();
    const std::uint64_t job = child->job;
    child = children_.erase(child);
    ended(job, std::move(outcome));
  }
}

}  // namespace muster::app::sweep
