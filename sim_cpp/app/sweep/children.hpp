// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "app/sweep/child.hpp"

namespace muster::app::sweep {

/// Child processes that run jobs of a farm at the same time.
class Children {
 public:
  /// `program`: its name in messages of the children; `folder`: where they run.
  Children(std::string program, std::filesystem::path folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}

  void start(std::uint64_t job, const std::vector<std::string>& words);
  std::size_t running() const { return children_.size(); }
  void kill() { children_.clear(); }
  /// Reads what they say, for so long at most, and hands over those that have ended.
  void listen(int milliseconds,
              const std::function<void(std::uint64_t job, ChildOutcome outcome)>& ended);

 private:
  struct Started {
    Started(std::uint64_t number, const std::string& program, const std::vector<std::string>& words,
            const std::filesystem::path& folder)
        : job(number), child(program, words, folder) {}
    std::uint64_t job;
    Child child;
  };
  std::string program_;
  std::filesystem::path folder_;
  std::list<Started> children_;
};

}  // namespace muster::app::sweep
