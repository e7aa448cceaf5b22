// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpi/protocol.h"

namespace muster::mpi {

/// A program does what cannot go on: a rank has died, or calls do not match. Each line says which.
class ProgramError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline muster_reply reply_with(std::uint32_t number, std::uint32_t flags = 0) {
  muster_reply reply{};
  reply.number = number;
  reply.flags = flags;
  return reply;
}

/// A rank whose program has ended before its last call.
struct Death {
  std::uint32_t rank = 0;
  int status = 0;           ///< of waitpid
  std::string call, site;   ///< its last; empty: it made none
  std::uint64_t cycle = 0;  ///< in which the others go on without it
};
/// "rank 1 was ended by signal 9 (Killed); its last call was MPI_Barrier at program+0x1a2f".
std::string text_of(const Death& death);

/// The ranks of a program, one call at a time each.
class Callers {
 public:
  virtual ~Callers() = default;
  virtual std::uint32_t ranks() const = 0;
  /// The call that the rank has posted, until it is answered; nullptr: it has posted none.
  virtual const muster_call* posted(std::uint32_t rank) = 0;
  virtual void answer(std::uint32_t rank, const muster_reply& reply) = 0;
  /// Until a rank posts a call or dies, for this time at most; false: none has. Throws ProgramError
  /// if one has died without which the others do not go on.
  virtual bool wait(std::chrono::milliseconds limit) = 0;
  /// Ranks that have died, without which the others go on, in the order of their deaths.
  virtual const std::vector<Death>& deaths() const = 0;
  /// Cycles before the call that posted() has, if they are known; else they follow from its time.
  virtual std::optional<std::uint64_t> work(std::uint32_t /*rank*/) const { return {}; }
};

/// A call of a recorded program, without data; of one that makes a communicator with its number.
struct RecordedCall {
  muster_call call{};
  std::uint64_t work = 0;  ///< cycles since the call before, also those in calls of MPI itself
};
using Script = std::vector<std::vector<RecordedCall>>;  ///< by rank

/// Ranks that do again what was recorded, under any scheme. One whose calls end before
/// MUSTER_FINALIZE dies after them.
class ScriptCallers : public Callers {
 public:
  /// `script` outlives this.
  explicit ScriptCallers(const Script& script)
      : script_(script), next_(script.size()), call_(script.size()), numbers_(script.size()) {}
  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(script_.size()); }
  const muster_call* posted(std::uint32_t rank) override {
    if (next_[rank] == script_[rank].size()) return nullptr;
    call_[rank] = script_[rank][next_[rank]].call;
    if (call_[rank].kind != MUSTER_CREATE && call_[rank].comm != 0)
      call_[rank].comm = numbers_[rank][call_[rank].comm];
    return &call_[rank];
  }
  void answer(std::uint32_t rank, const muster_reply& reply) override {
    const muster_call& call = script_[rank][next_[rank]++].call;
    if (call.kind == MUSTER_CREATE) numbers_[rank][call.comm] = reply.number;
  }
  bool wait(std::chrono::milliseconds) override;
  const std::vector<Death>& deaths() const override { return deaths_; }
  std::optional<std::uint64_t> work(std::uint32_t rank) const override {
    return script_[rank][next_[rank]].work;
  }

 private:
  const Script& script_;
  std::vector<std::size_t> next_;
  std::vector<muster_call> call_;                                ///< by rank, the one posted
  std::vector<std::map<std::uint32_t, std::uint32_t>> numbers_;  ///< of communicators, now
  std::vector<Death> deaths_;
};

}  // namespace muster::mpi
