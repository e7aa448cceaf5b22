// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>

#include "mpi/callers.hpp"

namespace muster::mpi {

/// What a launcher says of this process: its rank, of how many, and a name of this start.
struct Launched {
  std::uint32_t rank = 0, ranks = 0;
  std::string start;  ///< the same in all ranks, and in no other start
};
/// Throws InputError if none has started it, or ranks are on several machines.
Launched launched();

/// Shared memory of all ranks: rank 0 makes and, at the end, removes it; the others open it.
class SharedMemory {
 public:
  /// Throws InputError, also if rank 0 does not make it in time.
  explicit SharedMemory(const Launched& launched);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  const std::string& path() const { return path_; }
  muster_shared& operator*() const { return *shared_; }
  muster_shared* operator->() const { return shared_; }

 private:
  std::string path_;
  bool owner_;
  muster_shared* shared_ = nullptr;
};

/// Starts `words`, the program of this rank, with the library that makes its calls; it ends with
/// this process. Throws InputError if the library is missing.
pid_t start_program(const std::vector<std::string>& words, const SharedMemory& memory,
                    const Launched& launched);
/// Waits for it and tells rank 0 how it has ended; the status is that of waitpid.
int await_program(pid_t pid, const SharedMemory& memory, const Launched& launched);
/// Until rank 0 has ended, so long at most: the launcher ends all when the first process fails.
void await_server(const SharedMemory& memory, std::chrono::milliseconds limit);

/// The programs of all ranks, in rank 0.
class SharedCallers : public Callers {
 public:
  /// `own`: the program of rank 0. `recover`: ranks may die. `interrupted`: a signal to end has
  /// come.
  SharedCallers(SharedMemory& memory, pid_t own, bool recover, std::function<bool()> interrupted)
      : memory_(memory),
        own_(own),
        recover_(recover),
        interrupted_(std::move(interrupted)),
        taken_(memory->ranks) {}
  /// Those that are left are ended.
  ~SharedCallers() override;
  std::uint32_t ranks() const override { return memory_->ranks; }
  const muster_call* posted(std::uint32_t rank) override;
  void answer(std::uint32_t rank, const muster_reply& reply) override;
  bool wait(std::chrono::milliseconds limit) override;
  const std::vector<Death>& deaths() const override { return deaths_; }
  /// After the last call: until all programs have ended, so long at most. The exit status of the
  /// first that failed after it, or 0.
  int finish(std::chrono::seconds limit);

 private:
  void reap();
  bool look();
  bool dead(std::uint32_t rank) const;

  SharedMemory& memory_;
  pid_t own_;  ///< 0: it has ended
  bool recover_;
  std::function<bool()> interrupted_;
  std::vector<std::uint32_t> taken_;  ///< calls answered, by rank
  std::vector<Death> deaths_;
  std::uint32_t seen_ = 0;  ///< of the bell
};

}  // namespace muster::mpi
