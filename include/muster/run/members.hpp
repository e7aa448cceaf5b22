// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "muster/run/arrivals.hpp"
#include "muster/run/programs.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/watcher.hpp"

namespace muster::run {

class Scheme;

/// What is known of one barrier of one group at its members. Times in cycles.
struct Round {
  std::uint32_t members = 0;               ///< of the group for this barrier
  std::uint32_t arrivals = 0;              ///< so far
  std::uint32_t releases = 0;              ///< so far
  std::uint64_t last_arrival = 0;          ///< of those so far
  std::optional<std::uint64_t> completed;  ///< a node knew that all had arrived
  std::uint64_t first_release = 0;         ///< if there are releases
  std::uint64_t last_release = 0;          ///< if there are releases
  bool failed = false;                     ///< members are released though not all have arrived
};

/// What a member's host takes in every barrier, cycles: from its arrival until the scheme hears of
/// it, and from what the scheme calls its release until it goes on.
struct HostTimes {
  std::uint32_t arrive = 0;  ///< from arrival to scheme
  std::uint32_t leave = 0;   ///< from scheme to release
};

/// The members of all groups as programs: each arrives, waits for its release, works for a while
/// and arrives again, a fixed number of times. Keeps the record of all barriers. Members are places
/// in the group's list.
class Members {
 public:
  /// After it has arrived a member works on for 0..`split` cycles, drawn from `seed`, and only then
  /// looks for its release. REQUIRES: `arrivals` outlives this.
  Members(const std::vector<RunGroup>& groups, const Arrivals& arrivals, std::uint32_t barriers,
          std::uint64_t split = 0, std::uint64_t seed = 0, const HostTimes& host = {});
  /// Members are free to arrive at their first barrier from cycle `start` on. REQUIRES: once.
  void begin(std::uint64_t start);
  /// It is told of arrivals and releases. REQUIRES: before the first cycle; it outlives the last.
  void set_watcher(Watcher& watcher) { watcher_ = &watcher; }
  /// They arrive by arrive() alone, until finish(). REQUIRES: before begin(); they outlive the run.
  void set_programs(Programs& programs);
  /// The member's program arrives in this cycle, its host later. REQUIRES: programs; it has been
  /// released from its barrier before.
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  /// No program arrives again. REQUIRES: all that have arrived are released.
  void finish();

  /// Those whose time has come, and whom `scheme` does not hold, arrive at it.
  void clock(std::uint64_t cycle, Scheme& scheme);
  /// The member goes on in this cycle. REQUIRES: it has arrived at the barrier.
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  /// Some node knows in this cycle that all have arrived; not called if only a switch knows.
  void completed(std::uint64_t cycle, std::uint32_t group);

  // Between two barriers of a group, `first` being the next. A node that has been a member before
  // keeps its place.

  /// A member leaves; it arrives at no further barrier.
  void leave(std::uint32_t group, std::uint32_t member, std::uint32_t first);
  /// A member joins, at its own or a new place; it arrives only after begin().
  void join(std::uint32_t group, std::uint32_t member, std::uint32_t first);
  /// The barrier fails: its members go on as they arrive. REQUIRES: those before it are complete.
  void fail(std::uint32_t group, std::uint32_t barrier);
  /// The member is dead: it arrives no more, and is missed.
  void die(std::uint32_t group, std::uint32_t member) {
    groups_[group].members[member].dead = true;
  }
  /// It is free to arrive from this cycle on.
  void begin(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) {
    schedule(group, member, cycle);
  }

  /// Number of groups.
  std::uint32_t groups() const { return static_cast<std::uint32_t>(groups_.size()); }
  bool done() const { return unfinished_ == 0; }  ///< all barriers of all groups
  /// Cycles that members have waited for their releases on average, once they looked for them.
  double wait_mean() const {
    return releases_ == 0 ? 0.0 : static_cast<double>(waited_) / static_cast<double>(releases_);
  }
  /// All barriers of a group.
  bool done(std::uint32_t group) const { return groups_[group].to_release == 0; }
  /// The barriers of a group, by number; of programs, those at which some have arrived.
  const std::vector<Round>& rounds(std::uint32_t group) const { return groups_[group].rounds; }
  /// The first barrier of a group that not all members have left.
  std::uint32_t current(std::uint32_t group) const;
  /// Places of the members that have not arrived at a barrier.
  std::vector<std::uint32_t> missing(std::uint32_t group, std::uint32_t barrier) const;
  /// Barriers that a member has left.
  std::uint32_t released_from(std::uint32_t group, std::uint32_t member) const {
    return groups_[group].members[member].released;
  }
  /// The member has arrived and has not been released.
  bool waits(std::uint32_t group, std::uint32_t member) const {
    const Member& m = groups_[group].members[member];
    return m.arrived != m.released;
  }
  /// Cycle of the last arrival, release or completion of a group.
  std::uint64_t last_event(std::uint32_t group) const { return groups_[group].last_event; }
  /// Members of the group whose next arrival is only a matter of time.
  std::uint32_t scheduled(std::uint32_t group) const { return groups_[group].scheduled; }

 private:
  struct Member {
    std::uint32_t arrived = 0, released = 0;  ///< barriers
    std::uint64_t looks = 0;                  ///< cycle from which on it looks for its release
    bool active = true;                       ///< a member now
    std::uint32_t joins = 0;                  ///< how often it has become one later
    bool dead = false;                        ///< see die()
  };
  struct Group {
    std::vector<Member> members;
    std::vector<Round> rounds;
    std::uint32_t completions = 0;  ///< barriers known complete at some node
    std::uint32_t scheduled = 0;
    std::uint64_t to_release = 0;  ///< releases still to come, all members and barriers
    std::uint64_t last_event = 0;
  };
  struct Due {
    std::uint64_t cycle;
    std::uint32_t group, member;
    std::uint32_t joins;  ///< of the member, or it has left since
    friend auto operator<=>(const Due&, const Due&) = default;
  };
  void schedule(std::uint32_t group, std::uint32_t member, std::uint64_t earliest);
  void count_members(std::uint32_t group, std::uint32_t first, int more);

  const Arrivals& arrivals_;
  Watcher* watcher_ = nullptr;    ///< none by default
  Programs* programs_ = nullptr;  ///< likewise
  std::uint32_t barriers_;
  std::uint64_t split_, seed_;
  HostTimes host_;
  std::uint64_t waited_ = 0, releases_ = 0;
  std::vector<Group> groups_;
  std::size_t unfinished_ = 0;  ///< groups
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::vector<Due> held_;  ///< would arrive, but the scheme holds them
};

}  // namespace muster::run
