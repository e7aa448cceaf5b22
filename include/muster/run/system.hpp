// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/switch_config.hpp"
#include "muster/run/command.hpp"
#include "muster/run/fields.hpp"
#include "muster/run/plan.hpp"
#include "muster/run/result.hpp"
#include "muster/run/spec.hpp"
#include "muster/run/watcher.hpp"

namespace muster::run {

struct ResolvedRun;

/// A scheme by the name that `--scheme` has for it, and the function that plans the groups of a
/// run; that throws InputError for what the scheme cannot do.
struct SchemeFactory {
  std::string name;   ///< as `--scheme` has it
  std::string about;  ///< in the table of schemes: what combines the arrivals
  /// Of a run whose scheme and home nodes are known; it outlives the plan.
  std::unique_ptr<SchemePlan> (*plan)(const ResolvedRun& run);
  bool centered = false;             ///< RunSpec::center means something to it
  bool reroutes_dead_links = false;  ///< so does RunSpec::killed
  bool survives_deaths = false;      ///< so does RunSpec::deaths
  bool waves_of_nodes = false;       ///< waveforms show blocks at the nodes instead of switches
  std::string repeats = {};          ///< lost messages that it repeats, and the option; empty: none
};

/// The options of one system as typed: what lies between the command line and RunSpec::own.
class SystemOptions {
 public:
  virtual ~SystemOptions() = default;
  /// Puts what was typed into `spec`, whose scheme is of this system, and whose network and groups
  /// are known. Throws InputError naming the option.
  virtual void apply(RunSpec& spec) const = 0;
  /// The scheme of `spec` has no use for them: throws InputError naming an option that was typed.
  void refuse(const RunSpec& spec) const {
    if (const Field* const field = fields.first_typed()) field->refuse(spec.scheme);
  }

  Fields fields;  ///< what may be typed
};

/// The options of a system that are the fields of its specification.
template <class Spec>
class SpecOptions : public SystemOptions {
 public:
  SpecOptions() { describe(fields, typed_); }
  void apply(RunSpec& spec) const override {
    fields.check();
    if (fields.first_typed() != nullptr) own<Spec>(spec) = typed_;
  }

 protected:
  Spec typed_;  ///< the defaults, changed by what was typed
};

/// What a system says of a run and its result.
struct Report {
  /// For systems of this tree: their fields of the parameters (docs/reference/runs.md describes the
  /// whole). A field that is there already, and is not null, ends the report with InternalError.
  core::Record& parameters;
  core::Record& result;  ///< the same for the result
  /// What a system from outside the tree adds to the result: the object `systems.NAME`, which may
  /// have any fields; left out while it is empty.
  Json& own;
  std::string& text;  ///< its lines of the human summary
};

/// All that Muster knows of one system of barrier synchronization. Everything outside a system's
/// folder reaches it through this; what a system does not have it leaves out.
class System {
 public:
  /// What a system has from the start.
  struct About {
    /// One word, in messages and as a key of results; no other system has it.
    std::string name;
    /// Kinds of switches, with their limits and golden models.
    std::vector<const fabric::SwitchKind*> switch_kinds = {};
    /// In the order of `--help`. No other system has a scheme of one of these names.
    std::vector<SchemeFactory> schemes = {};
  };
  explicit System(About about) : about_(std::move(about)) {}  ///< a system with these
  virtual ~System() = default;
  std::string_view name() const { return about_.name; }  ///< see About
  /// See About.
  const std::vector<const fabric::SwitchKind*>& switch_kinds() const { return about_.switch_kinds; }
  const std::vector<SchemeFactory>& schemes() const { return about_.schemes; }  ///< see About

  /// Adds what makes golden blocks of this system that are no switches.
  virtual void add_golden_makers(fabric::BlockMakers& /*makers*/) const {}

  /// Options of `muster run`. No name may be that of another option there; app::main ends with a
  /// line naming both systems if one is.
  virtual std::unique_ptr<SystemOptions> options() const { return nullptr; }
  /// Subcommands of its own.
  virtual std::vector<std::unique_ptr<Command>> commands() const { return {}; }
  /// Throws InputError for what `spec` asks of this system and `scheme`, one of its own, does not
  /// have.
  virtual void check(const RunSpec& /*spec*/, const SchemeFactory& /*scheme*/) const {}

  /// Of a run of any system; also of a sample run of the first scheme, for the schema.
  virtual void report(const RunSpec&, const RunResult&, Report& /*out*/) const {}
  /// The same of one barrier: fields of its own in the result.
  virtual void barrier_json(const RunResult&, const BarrierRecord&, core::Record& /*out*/) const {}

  /// Adds what checks its messages on the links; in runs of other systems too, where there must be
  /// none. `groups`: see SchemePlan::checked.
  virtual void add_checkers(checkers::CheckerList& /*list*/,
                            const CheckedGroups& /*groups*/) const {}

  /// What a whole packet on a link says, for reports; empty if it is none of this system's.
  virtual std::string packet_text(std::span<const core::Flit> /*flits*/) const { return {}; }

  // What a watcher of a run (muster/run/watcher.hpp) is told.
  /// What a barrier message on a link is; none if it is not whole yet, or none of this system's.
  /// `flits`: the sync flits of a message so far, or a whole packet that is not data.
  virtual std::optional<SeenMessage> seen(std::span<const core::Flit> /*flits*/,
                                          const fabric::Formats& /*formats*/) const {
    return std::nullopt;
  }
  /// Adds what switch `sw` holds of groups between two cycles, by place, places in use only.
  virtual void entries(core::Bank& /*switches*/, std::uint32_t /*sw*/,
                       const fabric::SwitchConfig& /*config*/,
                       std::vector<SwitchEntry>& /*out*/) const {}
  /// Adds what the device of a node holds of groups between two cycles, by place, places in use
  /// only. In runs of its own schemes, where nodes have devices.
  virtual void contexts(core::Bank& /*devices*/, topology::NodeId /*node*/,
                        std::vector<NodeContext>& /*out*/) const {}

 private:
  About about_;
};

/// The systems of this program: those of Muster, and those added since.
const std::vector<std::unique_ptr<System>>& systems();
/// A system from outside the tree. Throws InternalError if its name, or the name of one of its
/// schemes, is taken. REQUIRES: before the first run, and from one thread.
void add_system(std::unique_ptr<System> system);

/// All checkers of this program, for a network whose groups are `groups`, see SchemePlan::checked.
std::unique_ptr<checkers::CheckerList> make_checkers(const checkers::Subject& subject,
                                                     const checkers::Bounds& bounds,
                                                     const CheckedGroups& groups);

/// A scheme with the system that has it.
struct FoundScheme {
  const System& system;  ///< that has it
  SchemeFactory scheme;  ///< itself
};
/// Throws InputError naming the schemes there are. An empty name is the first of them.
FoundScheme find_scheme(const std::string& name);
/// A line for each scheme: its name and what it is.
std::string scheme_table();
/// The names of all, or of those that have what `which` says, joined by commas.
std::string scheme_names(bool SchemeFactory::*which = nullptr);

/// Throws InternalError if the name of `added`, or of one of its schemes, is that of another among
/// systems(), or of two of its own.
void check_names(const System& added);

}  // namespace muster::run
