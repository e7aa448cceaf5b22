// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <tuple>

#include "mpi/callers.hpp"
#include "mpi/segments.hpp"
#include "muster/run/run.hpp"

namespace muster::mpi {

class Design;

/// How a program is run.
struct SessionOptions {
  double factor = 1.0;           ///< simulated time of a rank between two calls, of its own
  bool check = false;            ///< MPI computes every result too
  std::uint32_t patience = 300;  ///< seconds without a call after which ranks are given up
  bool keep = false;             ///< calls, for Session::script()
  Design* design = nullptr;      ///< whose endpoints the ranks drive, in place of a run
  /// Nanoseconds between calls, by rank and call, in place of those measured; empty: measured.
  std::vector<std::vector<std::uint64_t>> work_ns = {};
};

/// All calls from one place on one communicator.
struct CallSite {
  std::string call, site;
  std::uint32_t comm = 0;
  std::uint32_t members = 0;
  std::uint64_t count = 0;
  std::uint64_t outside = 0;  ///< of these, without the network: all ranks go on with the last
  std::uint64_t rounds = 0;   ///< barriers that they took
  double latency = 0.0;       ///< cycles, sum; from the last arrival to the last release
  std::uint64_t latency_max = 0;
  double skew = 0.0;           ///< cycles, sum; from the first arrival to the last
  double waited = 0.0;         ///< cycles, sum of all members; from the arrival to the release
  std::uint64_t releases = 0;  ///< of all members
  std::map<std::uint32_t, std::uint64_t> last = {};  ///< by rank: how often it was the last
};

/// What a program has done.
struct SessionResult {
  std::string scheme, engine, config;
  std::uint32_t ranks = 0;
  std::uint64_t cycles = 0;     ///< until the last rank has ended
  std::uint64_t simulated = 0;  ///< of these; time passes in a still network without cycles
  double waited = 0.0;          ///< cycles in these calls, of all ranks
  double elapsed = 0.0;         ///< cycles, of all ranks
  std::uint64_t barriers = 0;   ///< of the network
  std::uint64_t set_ups = 0;    ///< of the network, for new groups
  std::map<std::string, std::uint64_t> passed = {};  ///< calls that MPI has done, by name
  std::uint64_t free = 0;          ///< calls that took no time: outside the network, and not of MPI
  std::vector<Death> deaths = {};  ///< without whom the others went on
  std::string digest;
  std::vector<std::string> violations = {};
  std::vector<CallSite> sites = {};
};

/// Serves the ranks of a program by barriers of a simulated network (docs/how-to/mpi.md).
///
/// Time is that of the network, in cycles. A rank calls so long after its last release as it has
/// worked; calls count in the order of this time, so the network takes no step while a rank may
/// still call before. A rank in a call of MPI itself does not keep it from that, and returns in
/// the cycle that is under way then.
///
/// A communicator has a group for each operation that its calls need. When there is a new one, the
/// run ends and another begins with all groups; members that have arrived then, arrive again. So do
/// the survivors when a rank has died: its communicators go on without it and what it has called.
///
/// With SessionOptions::design there is no run: ranks use the registers of a Verilated network.
class Session : public run::Programs {
 public:
  /// `callers` outlives this. `spec` has all but the groups; rank r is at `places[r]`.
  Session(Callers& callers, const run::RunSpec& spec, std::vector<topology::NodeId> places,
          SessionOptions options);

  /// Until all ranks have ended. Throws InputError as run::resolve, ProgramError.
  SessionResult run();
  /// All calls, for a ScriptCallers. REQUIRES: SessionOptions::keep.
  const Script& script() const { return script_; }
  /// Nanoseconds before each call, for SessionOptions::work_ns.
  const std::vector<std::vector<std::uint64_t>>& work_ns() const { return work_ns_; }

  // run::Programs
  void begin(std::uint64_t cycle, std::uint64_t created, run::Members& members) override;
  Next before(std::uint64_t cycle, const std::function<bool()>& still) override;
  void released(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void carry(unsigned width) override { width_ = width; }
  fabric::Payload brings(std::uint32_t group, std::uint32_t member) const override;
  fabric::Payload all(std::uint32_t group) const override;
  void takes(std::uint32_t group, std::uint32_t member, const fabric::Payload& data) override;

 private:
  enum class State : std::uint8_t { kRuns, kPosted, kWaits, kElsewhere, kGone, kDead };
  struct Meeting;
  /// Of a rank in a meeting.
  struct Part {
    Meeting* meeting = nullptr;
    std::uint32_t rank = 0, place = 0;
    bool posted = false, waits = false, started = false, done = false, answered = false;
    std::uint64_t arrival = 0, release = 0;  ///< its call, its end
    Segments data;
  };
  /// A call of all living ranks of a communicator.
  struct Meeting {
    muster_call call{};  ///< of the rank that came first
    std::uint32_t first = 0, comm = 0;
    std::uint16_t gid = 0;  ///< of a design
    bool in_network = false, by_mpi = false;
    std::uint64_t rounds = 1;
    std::vector<std::unique_ptr<Part>> parts;  ///< by place in the communicator
    bool all(bool Part::*flag) const {
      return std::ranges::all_of(parts, [&](const auto& part) { return (*part).*flag; });
    }
  };
  struct Communicator {
    std::vector<std::uint32_t> made_of;             ///< by rank of the communicator
    std::vector<std::uint32_t> ranks;               ///< that live, by place
    std::deque<std::unique_ptr<Meeting>> meetings;  ///< that are not over
    std::uint64_t over = 0;                         ///< meetings before these
    std::vector<std::uint64_t> posted, left;        ///< by place: meetings
    std::map<fabric::ReduceOp, bool> ops;           ///< asked for; false: without room
    std::set<std::uint32_t> freed;                  ///< ranks that have freed it
  };
  /// Of the network that runs now.
  struct Group {
    std::uint32_t comm = 0;
    fabric::ReduceOp op = fabric::ReduceOp::kOr;
    std::vector<std::uint32_t> member;  ///< by place in the communicator
    std::vector<Part*> parts;           ///< by member: it has arrived
    std::vector<fabric::Payload> data;  ///< by member
    std::uint64_t arrived = 0, released = 0;
  };
  struct Rank {
    State state = State::kRuns;
    std::uint64_t clock = 0;     ///< it runs since then, or called then
    std::uint64_t carried = 0;   ///< cycles of calls that are not in the script
    std::vector<Part*> handles;  ///< of calls that do not wait; nullptr: complete
    Part* waits_for = nullptr;
  };
  struct Creation {
    std::vector<std::uint16_t> ranks;
    std::vector<std::uint32_t> joined;
  };

  void run_networks();
  std::uint64_t now() const { return engine_cycle_ + offset_; }
  void gather();
  void accept(std::uint32_t rank, const muster_call& call);
  std::uint64_t measured_work(std::uint32_t rank, const muster_call& call);
  void record(std::uint32_t rank, const muster_call& call, std::uint32_t kind);
  bool some(State state) const { return std::ranges::count(ranks_, state, &Rank::state) != 0; }
  bool all_gone() const;
  bool behind() const;
  bool hear(std::chrono::milliseconds limit);
  void await();
  std::chrono::milliseconds patience() const { return std::chrono::seconds(options_.patience); }
  [[noreturn]] void give_up() const;
  bool grace();
  void serve(std::uint32_t rank);
  void collect(std::uint32_t rank, const muster_call& call);
  Meeting& meeting(std::uint32_t rank, std::uint32_t place, const muster_call& call);
  void start(Part& part, std::uint64_t time);
  void enter(Part& part, std::uint64_t cycle);
  void finish(Part& part, std::uint64_t time);
  void complete(Meeting& meeting, std::uint64_t time);
  void combine(Meeting& meeting);
  void close(Meeting& meeting);
  bool without_data(const Meeting& meeting) const;
  bool all_live(const Communicator& comm) const;
  bool has_room(const Meeting& meeting) const;
  void add_communicator(std::vector<std::uint32_t> ranks);
  void forget(Communicator& comm);
  void answer(std::uint32_t rank, std::uint64_t time, const muster_reply& reply);
  void answer(Part& part, std::uint64_t time);
  void test(std::uint32_t rank, const muster_call& call);
  void create(std::uint32_t rank, const muster_call& call);
  bool create(const Creation& creation);
  void lose(const Death& death);
  void leave_out_the_dead();
  void leave_out(Communicator& comm, std::uint32_t rank);
  void need_the_living(const Communicator& comm, std::uint32_t rank, const muster_call& call) const;
  void set_up_groups();
  std::vector<topology::NodeId> nodes_of(const Communicator& comm) const;
  // With a design.
  bool is_driven() const { return options_.design != nullptr; }
  void run_driven();
  bool takes_group(Meeting& meeting);
  void drive(Part& part, std::uint64_t time);
  void end_round(std::uint32_t rank, const muster_call& call);
  bool whole() const;
  bool over() const;
  std::string waiting() const;
  std::string call_text(std::uint32_t rank, const muster_call& call) const;

  Callers& callers_;
  run::RunSpec spec_;
  std::vector<topology::NodeId> places_;
  SessionOptions options_;
  run::Members* members_ = nullptr;
  unsigned width_ = 0;
  std::uint64_t engine_cycle_ = 0, offset_ = 0;  ///< time is their sum
  std::uint64_t begin_ = 0;                      ///< cycle of the engine before which no rank calls
  std::uint64_t restart_ = 0;                    ///< time at which the next network begins
  bool leave_ = false;                           ///< for other groups, as soon as it can be
  bool left_ = false;                            ///< the run has been left for them
  bool graced_ = false;
  std::chrono::steady_clock::time_point heard_;  ///< of a call
  std::vector<Rank> ranks_;
  std::set<std::pair<std::uint64_t, std::uint32_t>> pending_;  ///< posted calls by time
  std::deque<Communicator> comms_;
  std::vector<std::pair<std::uint32_t, fabric::ReduceOp>> asked_;  ///< groups, in their order
  std::vector<Group> groups_;
  std::vector<Part*> unstarted_;     ///< wait for their group
  std::vector<std::uint32_t> lost_;  ///< dead ranks that the next network leaves out
  std::deque<Creation> creations_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> created_;  ///< rank, communicator
  std::map<std::tuple<std::string, std::string, std::uint32_t>, CallSite> sites_;
  Script script_;
  std::vector<std::vector<std::uint64_t>> work_ns_;
  SessionResult result_;
};

}  // namespace muster::mpi
