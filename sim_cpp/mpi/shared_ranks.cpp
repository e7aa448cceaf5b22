// SPDX-License-Identifier: Apache-2.0
#include "mpi/shared_ranks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "muster/core/error.hpp"

namespace muster::mpi {
namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr Milliseconds kLook{100};        ///< between looks at processes that may have ended
constexpr Milliseconds kOpening{60'000};  ///< for rank 0 to make the shared memory

std::uint32_t load(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_ACQUIRE); }

void ring(std::uint32_t& word) {
  __atomic_fetch_add(&word, 1, __ATOMIC_ACQ_REL);
  ::syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

/// Until the word is another than `value`, or so long.
void sleep_on(const std::uint32_t& word, std::uint32_t value, Milliseconds limit) {
  const timespec time{limit.count() / 1000, limit.count() % 1000 * 1'000'000};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, &time, nullptr, 0);
}

/// Of an environment variable; -1: there is none.
long number_of(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? -1 : std::atol(text);
}

}  // namespace

Launched launched() {
  const long rank = number_of("OMPI_COMM_WORLD_RANK"), ranks = number_of("OMPI_COMM_WORLD_SIZE");
  if (rank < 0 || ranks < 1)
    throw InputError(
        "mpi: is a program of mpirun; start it as mpirun -n 8 muster mpi NETWORK -- PROGRAM");
  if (number_of("OMPI_COMM_WORLD_LOCAL_SIZE") != ranks)
    throw InputError("mpi: all ranks must be on one machine; start fewer, or --oversubscribe");
  if (ranks > MUSTER_RANKS) throw InputError("mpi: {} ranks; at most {}", ranks, +MUSTER_RANKS);
  const char* const job = std::getenv("PMIX_NAMESPACE");
  return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(ranks),
          job == nullptr ? fmt::format("{}", ::getppid()) : fmt::format("{}-{}", ::getuid(), job)};
}

SharedMemory::SharedMemory(const Launched& launched)
    : path_("/dev/shm/muster-" + launched.start), owner_(launched.rank == 0) {
  const std::string made = path_ + ".new";
  int file = -1;
  if (owner_) {
    ::unlink(made.c_str());
    file = ::open(made.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 && ::ftruncate(file, sizeof(muster_shared)) != 0) {
      ::close(file);
      ::unlink(made.c_str());
      file = -1;
    }
  } else {
    for (Milliseconds waited{0}; waited < kOpening; waited += Milliseconds(10)) {
      file = ::open(path_.c_str(), O_RDWR);
      if (file >= 0 || errno != ENOENT) break;
      ::usleep(10'000);
    }
  }
  if (file < 0) throw InputError("{}: {}", path_, std::strerror(errno));
  void* const memory =
      ::mmap(nullptr, sizeof(muster_shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) throw InputError("{}: {}", path_, std::strerror(errno));
  shared_ = static_cast<muster_shared*>(memory);
  if (!owner_) return;
  shared_->protocol = MUSTER_PROTOCOL;
  shared_->ranks = launched.ranks;
  shared_->server = ::getpid();
  if (::rename(made.c_str(), path_.c_str()) != 0)
    throw InputError("{}: {}", path_, std::strerror(errno));
}

SharedMemory::~SharedMemory() {
  ::munmap(shared_, sizeof(muster_shared));
  if (owner_) ::unlink(path_.c_str());
}

pid_t start_program(const std::vector<std::string>& words, const SharedMemory& memory,
                    const Launched& launched) {
  Dl_info own{};
  ::dladdr(reinterpret_cast<const void*>(&start_program), &own);
  const auto library = std::filesystem::path(own.dli_fname).parent_path() / "libmuster_calls.so";
  if (!std::filesystem::exists(library))
    throw InputError("{}: is missing; install Open MPI (libopenmpi-dev) and rebuild",
                     library.string());
  std::string preload = std::filesystem::absolute(library).string();
  if (const char* const before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
    preload += fmt::format(":{}", before);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) throw InputError("{}: {}", words.front(), std::strerror(errno));
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setenv("LD_PRELOAD", preload.c_str(), 1);
    ::setenv("MUSTER_SHARED", memory.path().c_str(), 1);
    ::execvp(arguments[0], arguments.data());
    fmt::print(stderr, "muster: {}: {}\n", words.front(), std::strerror(errno));
    ::_exit(127);
  }
  memory->rank[launched.rank].pid = pid;
  return pid;
}

int await_program(pid_t pid, const SharedMemory& memory, const Launched& launched) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  muster_rank& rank = memory->rank[launched.rank];
  rank.status = status;
  __atomic_store_n(&rank.ended, 1, __ATOMIC_RELEASE);
  ring(memory->bell);
  return status;
}

void await_server(const SharedMemory& memory, Milliseconds limit) {
  for (Milliseconds waited{0}; waited < limit && ::kill(memory->server, 0) == 0; waited += kLook)
    ::usleep(1000 * kLook.count());
}

SharedCallers::~SharedCallers() {
  for (std::uint32_t r = 0; r < ranks(); ++r)
    if (load(memory_->rank[r].ended) == 0 && memory_->rank[r].pid != 0)
      ::kill(memory_->rank[r].pid, SIGTERM);
}

const muster_call* SharedCallers::posted(std::uint32_t rank) {
  const muster_rank& r = memory_->rank[rank];
  return load(r.posted) == taken_[rank] || dead(rank) ? nullptr : &r.call;
}

void SharedCallers::answer(std::uint32_t rank, const muster_reply& reply) {
  ++taken_[rank];
  memory_->rank[rank].reply = reply;
  ring(memory_->rank[rank].answered);
}

bool SharedCallers::dead(std::uint32_t rank) const {
  return std::ranges::find(deaths_, rank, &Death::rank) != deaths_.end();
}

/// As await_program, of the program of this process.
void SharedCallers::reap() {
  muster_rank& first = memory_->rank[0];
  int status = 0;
  if (own_ == 0 || ::waitpid(own_, &status, WNOHANG) != own_) return;
  own_ = 0;
  first.status = status;
  __atomic_store_n(&first.ended, 1, __ATOMIC_RELEASE);
}

/// True if a rank has died; throws ProgramError if the others do not go on.
bool SharedCallers::look() {
  reap();
  const std::size_t known = deaths_.size();
  for (std::uint32_t r = 0; r < ranks(); ++r) {
    const muster_rank& rank = memory_->rank[r];
    // After its last call it may end.
    if (load(rank.ended) == 0 || rank.call.kind == MUSTER_FINALIZE || dead(r)) continue;
    deaths_.push_back({r, rank.status, rank.call.name, rank.call.site});
    if (!recover_) throw ProgramError(text_of(deaths_.back()));
  }
  return deaths_.size() != known;
}

bool SharedCallers::wait(Milliseconds limit) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + limit;
  for (;;) {
    const std::uint32_t bell = load(memory_->bell);
    if (bell != seen_) {
      seen_ = bell;
      if (look()) return true;
      for (std::uint32_t r = 0; r < ranks(); ++r)
        if (posted(r) != nullptr) return true;
    }
    const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
    if (left.count() <= 0) return false;
    sleep_on(memory_->bell, seen_, std::min(left, kLook));
    if (load(memory_->bell) != bell) continue;
    if (look()) return true;
    if (interrupted_()) throw ProgramError("interrupted by a signal");
  }
}

int SharedCallers::finish(std::chrono::seconds limit) {
  for (Milliseconds waited{0}; waited < limit; waited += Milliseconds(5)) {
    reap();
    if (interrupted_()) throw ProgramError("interrupted by a signal");
    std::uint32_t ended = 0;
    for (std::uint32_t r = 0; r < ranks(); ++r) ended += load(memory_->rank[r].ended);
    if (ended == ranks()) break;
    ::usleep(5'000);
  }
  for (std::uint32_t r = 0; r < ranks(); ++r) {
    const muster_rank& rank = memory_->rank[r];
    if (load(rank.ended) == 0)
      throw ProgramError(
          fmt::format("rank {} has not ended {} s after MPI_Finalize", r, limit.count()));
    if (rank.status != 0 && !dead(r)) return WIFEXITED(rank.status) ? WEXITSTATUS(rank.status) : 1;
  }
  return 0;
}

}  // namespace muster::mpi
