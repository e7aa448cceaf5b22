// SPDX-License-Identifier: Apache-2.0
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "app/commands.hpp"
#include "app/process.hpp"
#include "app/run_options.hpp"
#include "mpi/design.hpp"
#include "mpi/result.hpp"
#include "mpi/shared_ranks.hpp"
#include "muster/systems/nic.hpp"

namespace muster::app {

namespace {

/// Of `muster run`, options of what a program decides, that show one run, or that need barriers
/// whose number is known.
const std::vector<std::string> kNotForPrograms{
    "--barriers",    "--spread",      "--arrivals",  "--no-barriers", "--repeat",
    "--wave",        "--wave-at",     "--wave-only", "--page",        "--page-from",
    "--page-cycles", "--trace",       "--absent",    "--congestion",  "--kill-link",
    "--kill-node",   "--kill-switch", "--cut-link",  "--reset-switch"};

/// Those that mean something with --design.
const std::vector<std::string> kForDesigns{
    "FILE",     "PROGRAM",  "--design",  "--group", "--profile", "--seed",     "--json",
    "--factor", "--record", "--compute", "--check", "--compare", "--patience", "--quiet"};

/// That a rank waits for the end of rank 0: when others go on without it, and when it has failed.
constexpr auto kForever = std::chrono::milliseconds::max();
constexpr std::chrono::milliseconds kReport{10'000};

/// The options of `muster mpi` as typed.
struct MpiOptions {
  RunOptions run;
  std::vector<std::string> program;
  mpi::SessionOptions session;
  std::string record, compute, design;
  bool compare = false, recover = false;
  run::Fields fields;  ///< of these
};

void describe(run::Fields& f, MpiOptions& o) {
  f.real("--factor", o.session.factor, 0, 1e6,
         "A rank's simulated time between two calls, as a multiple of the processor time it takes");
  f.text("--compute", o.compute,
         "Times between calls, of an earlier --record, in place of the processor time: FILE");
  f.text("--record", o.record,
         "Write the calls with the times before them, for --compute and muster run --arrivals: "
         "FILE");
  f.text("--design", o.design,
         "Ranks drive the endpoints of this Verilated network, of muster_network_model() of CMake: "
         "FILE");
  f.flag("--check", o.session.check,
         "MPI computes each result, too; if one differs the exit status is 1");
  f.flag("--compare", o.compare,
         "Replay the calls under every other scheme, and with the steps of NICs done by hosts");
  f.flag("--recover", o.recover,
         "If a rank dies the others continue; without this option the program ends");
  f.number("--patience", o.session.patience, 1, 86'400,
           "Seconds after which a program whose ranks make no call is ended with an error");
}

/// Of all ranks, which are the members of the group as it lists them.
std::vector<topology::NodeId> places_of(const run::RunSpec& spec, const mpi::Launched& launched) {
  if (spec.groups.size() != 1)
    throw InputError("--group: ranks are the members of one group; give the option once");
  std::vector<topology::NodeId> places = spec.groups.front().members;
  if (places.size() < launched.ranks)
    throw InputError("--group '{}': {} nodes for {} ranks; use a larger group",
                     spec.groups.front().name, places.size(), launched.ranks);
  places.resize(launched.ranks);
  return places;
}

/// The calls of `script` under every scheme; of those of NICs also with hosts that walk the steps.
std::vector<mpi::Comparison> compare(const mpi::Script& script, const run::RunSpec& given,
                                     const std::vector<topology::NodeId>& places,
                                     const mpi::SessionOptions& session) {
  std::vector<mpi::Comparison> others;
  const auto try_scheme = [&](const std::string& name, const run::SchemeFactory& scheme,
                              std::optional<nic::NicLevel> level) {
    mpi::Comparison other{name, {}, {}};
    run::RunSpec spec = given;
    spec.scheme = scheme.name;
    spec.config.reset();
    spec.own = {};
    if (level) run::own<nic::NicSpec>(spec).level = *level;
    try {
      mpi::ScriptCallers callers(script);
      mpi::SessionOptions replay = session;
      replay.check = false;
      replay.design = nullptr;
      replay.work_ns.clear();
      other.result = mpi::Session(callers, spec, places, replay).run();
      if (!other.result.violations.empty()) other.refused = other.result.violations.front();
    } catch (const InputError& error) {
      other.refused = error.what();
    } catch (const mpi::ProgramError& error) {
      other.refused = error.what();
    }
    others.push_back(std::move(other));
  };
  for (const auto& system : run::systems())
    for (const run::SchemeFactory& scheme : system->schemes()) {
      if (scheme.name == "nic-broadcast") continue;
      if (scheme.name != given.scheme) try_scheme(scheme.name, scheme, {});
      if (system->name() == nic::NicSpec::kSystem)
        try_scheme("software " + scheme.name.substr(4), scheme, nic::NicLevel::kHost);
    }
  return others;
}

/// Rank 0: the network, and the program of this rank.
int hold_network(MpiOptions& options, const Context& context, const mpi::Launched& launched) {
  Outputs outputs;
  outputs.reads(options.run.file);
  outputs.writes("--json", options.run.common.json);
  outputs.writes("--record", options.record);
  run::RunSpec spec = specify(options.run, read_network(options.run.file), *context.engines,
                              options.run.common.seed);
  if (spec.scheme == "nic-broadcast")
    throw InputError(
        "--scheme nic-broadcast: needs the number of barriers beforehand, which programs do not "
        "tell; use another scheme");
  const std::vector<topology::NodeId> places = places_of(spec, launched);
  spec.groups.clear();
  std::optional<mpi::Design> design;
  if (!options.design.empty())
    options.session.design = &design.emplace(options.design, *spec.graph, places);
  if (!options.compute.empty())
    options.session.work_ns = mpi::read_compute(options.compute, launched.ranks);
  const Interruption interruption;
  spec.interrupted = [&interruption] { return interruption.requested(); };
  options.session.keep = options.compare || !options.record.empty();
  mpi::SharedMemory memory(launched);
  const pid_t own = mpi::start_program(options.program, memory, launched);
  mpi::SharedCallers callers(memory, own, options.recover, spec.interrupted);
  mpi::Report report;
  mpi::Session session(callers, spec, places, options.session);
  report.result = session.run();
  const int failed = report.result.violations.empty()
                         ? callers.finish(std::chrono::seconds(options.session.patience))
                         : 1;
  report.differs = memory->differs;
  report.program = options.program.front();
  report.network = options.run.file;
  report.clock_ns = spec.profile.clock_ns;
  report.factor = options.session.factor;
  if (options.compare && failed == 0)
    report.others = compare(session.script(), spec, places, options.session);
  if (!options.record.empty())
    outputs.put(options.record, mpi::recording_to_json(options.program.front(), session.script(),
                                                       session.work_ns(), spec.profile.clock_ns));
  deliver(
      options.run.common, outputs,
      [&](core::Record& r) { mpi::describe(r, report, context.origin); },
      [&] { return mpi::report_to_text(report); });
  return failed != 0 || report.differs != 0 ? 1 : 0;
}

int run_rank(MpiOptions& options, const Context& context) {
  const mpi::Launched launched = mpi::launched();
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // mpirun
  try {
    if (launched.rank == 0) return hold_network(options, context, launched);
    const mpi::SharedMemory memory(launched);
    const pid_t pid = mpi::start_program(options.program, memory, launched);
    const int status = mpi::await_program(pid, memory, launched);
    const bool died = memory->rank[launched.rank].call.kind != MUSTER_FINALIZE;
    if (options.recover && died) {
      mpi::await_server(memory, kForever);
      return 0;
    }
    if (status != 0) mpi::await_server(memory, kReport);  // which says why
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  } catch (const mpi::ProgramError& error) {
    clear_progress();
    complain(fmt::format("{}: {}\n", context.program, printable(error.what(), true)));
    return 1;
  }
}

}  // namespace

void add_mpi(CLI::App& app, const Context& context, int& status) {
  auto o = std::make_shared<MpiOptions>();
  CLI::App& command = *app.add_subcommand(
      "mpi", "Run an MPI program whose barriers and reductions go through a network");
  add_run_options(command, o->run, *context.engines, kNotForPrograms);
  describe(o->fields, *o);
  add_fields(command, o->fields);
  command.add_option("PROGRAM", o->program, "After --: program and arguments of each rank")
      ->required();
  command.callback([o, &context, &status, &command] {
    o->fields.check();
    for (const CLI::Option* option : command.get_options())
      if (!o->design.empty() && option->count() != 0 &&
          std::ranges::find(kForDesigns, option->get_name()) == kForDesigns.end())
        throw InputError(
            "{}: cannot change the network of --design, which was fixed by its export; omit it",
            option->get_name());
    status = run_rank(*o, context);
  });
}

}  // namespace muster::app
