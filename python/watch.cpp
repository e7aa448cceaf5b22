// SPDX-License-Identifier: Apache-2.0
#include "watch.hpp"

#include "unlocked.hpp"

namespace muster::python {

void Watch::look_after(run::RunSpec& spec) {
  spec.interrupted = [this] { return interrupted(); };
  if (!progress_.is_none())
    spec.progress = [this](std::uint64_t cycle, std::uint64_t done) { tell(cycle, done); };
}

nb::object Watch::raised() const {
  return raised_ ? nb::borrow<nb::object>(raised_->value()) : nb::none();
}

/// Signals come to the main thread only; in others nothing is there to be seen.
bool Watch::interrupted() {
  if (all_end() || (stop_ && stop_->is_set())) return true;
  if (Clock::now() - looked_ < kEvery) return false;
  looked_ = Clock::now();
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() == 0) return false;
  raised_.emplace();
  return true;
}

void Watch::tell(std::uint64_t cycle, std::uint64_t done) {
  if (all_end() || Clock::now() - told_ < kEvery) return;
  told_ = Clock::now();
  const nb::gil_scoped_acquire lock;
  progress_(cycle, done);
}

}  // namespace muster::python
