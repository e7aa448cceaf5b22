// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/system.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "muster/core/error.hpp"
#include "systems/preempt/checkers/add_checkers.hpp"
#include "systems/preempt/links/changes_io.hpp"
#include "systems/preempt/options.hpp"
#include "systems/preempt/profiles.hpp"
#include "systems/preempt/scheme/bsr_scheme.hpp"
#include "systems/preempt/scheme/watched.hpp"
#include "systems/preempt/switch_kinds.hpp"

namespace muster::preempt {

namespace {

template <const fabric::SwitchKind& kind>
std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<BsrPlan>(run, kind);
}

run::Json policy_json(const Spec& p) {
  return {{"idle_cycles", p.idle},
          {"gap_cycles", p.gap},
          {"longest_cycles", p.longest},
          {"choice", p.random ? "random" : "last"},
          {"padding", p.padding ? "on" : "off"}};
}

/// Theorem 2 and the bounds of the barriers, where they have one.
std::string bound_text(const run::RunResult& result, const Cost& cost) {
  if (cost.theorem_2.empty()) return "";  // data only
  std::string text =
      fmt::format("bound        Theorem 2 gives {} cycles", fmt::join(cost.theorem_2, ", "));
  std::optional<std::uint64_t> least, most;
  for (const run::BarrierRecord& b : result.barriers) {
    if (!b.bound_cycles) continue;
    least = std::min(least.value_or(*b.bound_cycles), *b.bound_cycles);
    most = std::max(most.value_or(*b.bound_cycles), *b.bound_cycles);
  }
  if (!least) return text + "\n";
  return text + fmt::format("; bound of each barrier: {} to {} cycles\n", *least, *most);
}

class Preempt final : public run::System {
 public:
  std::string_view name() const override { return "preempt"; }
  std::vector<const fabric::SwitchKind*> switch_kinds() const override {
    return {&kBsr1, &kBsr2, &kBsr3};
  }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "bsr-1", .plan = plan<kBsr1>, .centered = true, .leaves_links = true},
            {.name = "bsr-2", .plan = plan<kBsr2>, .centered = true, .leaves_links = true},
            {.name = "bsr-3", .plan = plan<kBsr3>, .centered = true, .leaves_links = true}};
  }
  std::vector<run::Profile> profiles() const override { return paper_profiles(); }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool own) const override {
    if (spec.parts.find<Spec>() != nullptr && !own)
      throw InputError(
          fmt::format("preempt::Spec: scheme '{}' has no preempting switches", scheme.name));
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult& result,
                       const run::SchemeFactory&, run::Json& out) const override {
    const bool own = result.parts.find<Cost>() != nullptr;
    out["preempt"] = own ? policy_json(spec.parts.get<Spec>()) : run::Json(nullptr);
  }
  void result_json(const run::RunSpec& spec, const run::RunResult& result,
                   run::Json& out) const override {
    const Cost* cost = result.parts.find<Cost>();
    if (cost == nullptr) return;
    out["preemptions"] = cost->preemptions;
    out["padding_flits"] = cost->padding_flits;
    out["max_hop_wait_cycles"] = cost->longest_hop_wait;
    if (cost->hop_wait_bound) out["bound_hop_wait_cycles"] = *cost->hop_wait_bound;
    out["theorem_2_cycles"] = cost->theorem_2;
    out["barrier_buffer_flits"] = fabric::kBarrierBufferFlits;
    out["data_channels"] = cost->data_channels;
    out["detours"] = cost->detours;
    if (!spec.killed.empty()) out["changes"] = changes_to_json(spec, result, *cost);
  }
  std::string result_text(const run::RunSpec& spec, const run::RunResult& result) const override {
    const Cost* cost = result.parts.find<Cost>();
    if (cost == nullptr) return {};
    std::string text =
        fmt::format("preemption   {} channels cut, {} pads; at most {} cycles of wait at a hop",
                    cost->preemptions, cost->padding_flits, cost->longest_hop_wait);
    text += cost->hop_wait_bound ? fmt::format(", the bound is {}\n", *cost->hop_wait_bound) : "\n";
    text += fmt::format("adaptive     {} times a message left a switch by another legal port\n",
                        cost->detours);
    return text + bound_text(result, *cost) + changes_text(spec, *cost);
  }
  void add_checkers(checkers::CheckerList& list, const core::Parts& groups) const override {
    preempt::add_checkers(list, groups);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    return preempt::seen(flits, formats);
  }
  void entries(core::Bank& switches, std::uint32_t sw, const fabric::SwitchConfig& config,
               std::vector<run::SwitchEntry>& out) const override {
    add_entries(switches, sw, config, out);
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Preempt>(); }

}  // namespace muster::preempt
