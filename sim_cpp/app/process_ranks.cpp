// SPDX-License-Identifier: Apache-2.0
#include "app/process_ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/prctl.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "core/rank_message.hpp"
#include "muster/core/error.hpp"

namespace muster::app {
namespace {

/// How many processes a launcher says that there are: that of Open MPI, and others of PMI.
int launched() {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* const value = std::getenv(name)) return std::atoi(value);
  return 1;
}

}  // namespace

std::shared_ptr<core::Ranks> process_ranks() {
  const int count = launched();
  if (count <= 1) return nullptr;
  // Modules of MPI look for its symbols in the program.
  void* const library = dlopen("libmuster_mpi.so", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw InputError(
        fmt::format("mpirun has started {} processes, but this muster has no MPI ({}); install "
                    "Open MPI (libopenmpi-dev) and rebuild, or start one process",
                    count, dlerror()));
  // If mpirun itself is killed, no other process ends this one.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto make = reinterpret_cast<core::Ranks* (*)()>(dlsym(library, "muster_mpi_ranks"));
  if (make == nullptr) throw InputError("libmuster_mpi.so is of another version; rebuild it");
  std::shared_ptr<core::Ranks> ranks(make());
  if (ranks->count() != static_cast<std::uint32_t>(count))
    throw InputError(
        fmt::format("a launcher has started {} processes, but MPI reports {}; use the mpirun of "
                    "the MPI that muster was built with",
                    count, ranks->count()));
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
