// SPDX-License-Identifier: Apache-2.0
#include "unlocked.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace muster::python {

namespace {

std::atomic<bool> ending{false};
std::atomic<unsigned> unlocked{0};

}  // namespace

// The interpreter's lock is held when they are changed.
Unlocked::Unlocked() {
  ++unlocked;
  if (!ending) release_.emplace();
}

Unlocked::~Unlocked() {
  release_.reset();
  --unlocked;
}

bool all_end() { return ending; }

void end_all() {
  ending = true;
  const nb::gil_scoped_release release;
  while (unlocked != 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace muster::python
