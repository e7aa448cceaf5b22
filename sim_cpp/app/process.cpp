// SPDX-License-Identifier: Apache-2.0
#include "app/process.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/prctl.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

#include "app/context.hpp"
#include "core/rank_message.hpp"

namespace muster::app {
namespace {

// The handler may run on any thread, in the middle of anything: it touches only these.
std::atomic<long> first_at{0};  ///< ms; 0: no signal yet
std::atomic<int> kept{0};       ///< the signal; 0: none yet
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

void keep(int signal) {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  const long now = time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
  long first = 0;  // another thread may be here with the same request
  if (first_at.compare_exchange_strong(first, now)) {
    kept = signal;
  } else if (now - first > Interruption::kSameRequest) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

/// How many processes a launcher says that there are: that of Open MPI, and others of PMI.
int launched() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const value = std::getenv(name)) return std::atoi(value);
  return 1;
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

int Interruption::end(bool interrupted, bool failed, const std::string& what) const {
  if (interrupted) {
    clear_progress();
    const char* name = kept == SIGINT    ? "SIGINT"
                       : kept == SIGTERM ? "SIGTERM"
                       : kept == SIGHUP  ? "SIGHUP"
                                         : "a signal to another rank";
    complain(fmt::format("muster: interrupted by {}: {}\n", name, what));
  }
  if (failed || !interrupted) return failed ? 1 : 0;
  return 128 + (kept != 0 ? kept.load() : SIGTERM);
}

void ignore_file_size_signal() { std::signal(SIGXFSZ, SIG_IGN); }

std::shared_ptr<core::Ranks> process_ranks() {
  const int count = launched();
  if (count <= 1) return nullptr;
  // Modules of MPI look for its symbols in the program.
  void* const library = dlopen("libmuster_mpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw InputError(
        "mpirun has started {} processes, but this muster has no MPI ({}); install Open MPI "
        "(libopenmpi-dev) and rebuild, or start one process",
        count, dlerror());
  // If mpirun itself is killed, no other process ends this one.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto make = reinterpret_cast<core::Ranks* (*)()>(dlsym(library, "muster_mpi_ranks"));
  if (make == nullptr) throw InputError("libmuster_mpi.so is of another version; rebuild it");
  std::shared_ptr<core::Ranks> ranks(make());
  if (ranks->count() != static_cast<std::uint32_t>(count))
    throw InputError(
        "a launcher has started {} processes, but MPI reports {}; use the mpirun of the MPI that "
        "muster was built with",
        count, ranks->count());
  return ranks;
}

void together(core::Ranks* ranks, const std::function<void()>& work) {
  if (ranks == nullptr) return work();
  std::string trouble;
  try {
    work();
  } catch (const InputError& error) {
    trouble = error.what();
  }
  core::RankMessage told;
  told.put(trouble);
  const auto heard = ranks->exchange(told.bytes());
  for (std::uint32_t r = 0; r < ranks->count(); ++r) {
    const std::string text = r == ranks->rank() ? trouble : core::RankReader(heard[r]).get_text();
    if (text.empty()) continue;
    throw InputError(r == 0 ? text : fmt::format("rank {}: {}", r, text));
  }
}

}  // namespace muster::app
