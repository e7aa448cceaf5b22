// SPDX-License-Identifier: Apache-2.0
#include "app/interruption.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <ctime>

#include "app/context.hpp"

namespace muster::app {

namespace {

// The handler may run on any thread, in the middle of anything: it touches only these.
std::atomic<long> first_at{0};  ///< ms; 0: no signal yet
std::atomic<int> kept{0};       ///< the signal; 0: none yet
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

long now_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

void keep(int signal) {
  const long now = now_ms();
  long first = 0;  // another thread may be here with the same request
  if (first_at.compare_exchange_strong(first, now)) {
    kept = signal;
  } else if (now - first > Interruption::kSameRequest) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

Interruption::Interruption() {
  kept = 0;
  first_at = 0;
  struct sigaction action {};
  action.sa_handler = keep;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i)
    ::sigaction(kSignals[i], &before_[i], nullptr);
}

bool Interruption::requested() const { return kept != 0; }

int Interruption::status() const { return 128 + (kept != 0 ? kept.load() : SIGTERM); }

void Interruption::report(const std::string& what) const {
  clear_progress();
  const char* name = kept == SIGINT    ? "SIGINT"
                     : kept == SIGTERM ? "SIGTERM"
                     : kept == SIGHUP  ? "SIGHUP"
                                       : "a signal to another rank";
  complain(fmt::format("muster: interrupted by {}: {}\n", name, what));
}

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

}  // namespace muster::app
