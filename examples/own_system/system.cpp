// SPDX-License-Identifier: Apache-2.0
#include "system.hpp"

#include <muster/system.hpp>
#include <nlohmann/json.hpp>

#include "checkers/ring_checker.hpp"
#include "golden/ring_kind.hpp"
#include "ring.hpp"
#include "scheme/ring_plan.hpp"

namespace token_ring {

using namespace muster;

namespace {

std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<RingPlan>(run.spec);
}

class TokenRing final : public run::System {
 public:
  std::string_view name() const override { return "token-ring"; }
  std::vector<const fabric::SwitchKind*> switch_kinds() const override { return {&kRingSwitch}; }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "token-ring", .plan = plan}};
  }
  void own_json(const run::RunSpec& spec, const run::RunResult& result,
                run::Json& own) const override {
    if (result.scheme != "token-ring") return;
    const Ring ring = plan_ring(*spec.graph, spec.groups.front().members);
    own["home_switch"] = ring.stops.front().sw;
    own["ring_switches"] = ring.stops.size();
  }
  void add_checkers(checkers::CheckerList& list, const run::CheckedGroups& groups) const override {
    const auto* const own = core::as<const CheckedRing>(&groups);
    list.add(std::make_unique<RingChecker>(list.subject(), own == nullptr ? Ring{} : own->ring),
             checkers::Concern::kBarrierMessages, own != nullptr);
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<TokenRing>(); }

}  // namespace token_ring
