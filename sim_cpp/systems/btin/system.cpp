// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/system.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "muster/run/resolve.hpp"
#include "systems/btin/check_spec.hpp"
#include "systems/btin/checkers/add_checkers.hpp"
#include "systems/btin/groups/groups_io.hpp"
#include "systems/btin/groups/groups_text.hpp"
#include "systems/btin/options.hpp"
#include "systems/btin/profiles.hpp"
#include "systems/btin/scheme/btin_plan.hpp"
#include "systems/btin/scheme/retry_io.hpp"
#include "systems/btin/scheme/watched.hpp"
#include "systems/btin/switch_kinds.hpp"
#include "systems/btin/tree/tree_command.hpp"

namespace muster::btin {

namespace {

std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<BtinPlan>(run);
}

class Btin final : public run::System {
 public:
  std::string_view name() const override { return "btin"; }
  std::vector<const fabric::SwitchKind*> switch_kinds() const override { return {&kBarrierSwitch}; }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "btin", .plan = plan, .leaves_links = true, .bears_deaths = true}};
  }
  std::vector<run::Profile> profiles() const override { return paper_profiles(); }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  std::vector<std::unique_ptr<run::Command>> commands() const override {
    std::vector<std::unique_ptr<run::Command>> commands;
    commands.push_back(std::make_unique<TreeCommand>());
    return commands;
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool own) const override {
    check_spec(spec, scheme, own);
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult&, const run::SchemeFactory&,
                       run::Json& out) const override {
    const Spec choice = spec.parts.get<Spec>();
    out["turn"] = choice.reflect;
    const bool rooted = std::ranges::any_of(
        spec.groups, [](const run::RunGroup& group) { return group.members.size() > 1; });
    if (choice.root && rooted) out["root"] = *choice.root;
    for (const fabric::NamedReduceOp& named : fabric::kReduceOps)
      if (named.op == choice.op) out["op"] = named.name;
    if (choice.data_bits) out["data_bits"] = *choice.data_bits;
    out["setup"] = choice.in_band ? "in-band" : "host";
    out["spill"] = choice.spill;
    if (choice.setup_drop != 0.0) out["setup_drop"] = choice.setup_drop;
    if (choice.evict_after != 0) out["evict_after"] = choice.evict_after;
    if (choice.retry) out["retry"] = retry_parameters(choice.retries);
  }
  void result_json(const run::RunSpec& spec, const run::RunResult& result,
                   run::Json& out) const override {
    const Spec choice = spec.parts.get<Spec>();
    const Result own = result.parts.get<Result>();
    out["setup"] = choice.in_band ? setup_to_json(spec, own) : run::Json(nullptr);
    if (own.retries) out["retries"] = retries_to_json(*own.retries);
    out["spill"] = own.spill ? spill_to_json(spec, own) : run::Json(nullptr);
    run::Json& changed = out["changes"];  // null, unless another system has spoken
    if (result.parts.find<Result>() != nullptr && changes(spec))
      changed = changes_to_json(spec, own, result.links);
  }
  void barrier_json(const run::RunResult& result, const run::BarrierRecord& barrier,
                    run::Json& out) const override {
    const Result* own = result.parts.find<Result>();
    out["spilled_switches"] = own == nullptr ? 0 : own->spilled_in(barrier.group, barrier.number);
  }
  std::string result_text(const run::RunSpec& spec, const run::RunResult& result) const override {
    const Result* own = result.parts.find<Result>();
    return own == nullptr ? "" : groups_text(spec, *own) + retries_text(*own);
  }
  void add_checkers(checkers::CheckerList& list, const core::Parts& groups) const override {
    btin::add_checkers(list, groups);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    return btin::seen(flits, formats);
  }
  void entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
               std::vector<run::SwitchEntry>& out) const override {
    add_entries(switches, sw, config, out);
  }
  bool specify_image(run::RunSpec& spec, std::optional<topology::SwitchId> root) const override {
    spec.scheme = "btin";
    Spec& own = spec.parts.make<Spec>();
    own.reflect = true;  // else a node would have to be the root
    own.root = root;
    return true;
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Btin>(); }

}  // namespace muster::btin
