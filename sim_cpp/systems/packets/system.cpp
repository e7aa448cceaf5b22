// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/system.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "muster/core/error.hpp"
#include "systems/packets/checkers/add_checkers.hpp"
#include "systems/packets/options.hpp"
#include "systems/packets/scheme/multicast_scheme.hpp"
#include "systems/packets/scheme/star_scheme.hpp"
#include "systems/packets/scheme/tree_scheme.hpp"
#include "systems/packets/scheme/unicast_scheme.hpp"
#include "systems/packets/scheme/unit_scheme.hpp"
#include "systems/packets/scheme/watched.hpp"
#include "systems/packets/switch_kinds.hpp"

namespace muster::packets {

namespace {

template <class Plan>
std::unique_ptr<run::SchemePlan> plan(const run::ResolvedRun& run) {
  return std::make_unique<Plan>(run);
}

class Packets final : public run::System {
 public:
  std::string_view name() const override { return "packets"; }
  std::vector<const fabric::SwitchKind*> switch_kinds() const override {
    return {&kMulticastSwitch, &kUnitSwitch};
  }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "unicast", .plan = plan<UnicastPlan>, .bears_deaths = true},
            {.name = "multicast", .plan = plan<MulticastPlan>},
            {.name = "tree", .plan = plan<TreePlan>, .centered = true, .bears_deaths = true},
            {.name = kUnitScheme, .plan = plan<UnitPlan>, .centered = true},
            {.name = "star", .plan = plan<StarPlan>, .centered = true, .bears_deaths = true}};
  }
  std::unique_ptr<run::SystemOptions> options() const override {
    return std::make_unique<Options>();
  }
  void check(const run::RunSpec& spec, const run::SchemeFactory& scheme, bool) const override {
    if (spec.parts.find<Spec>() != nullptr && scheme.name != kUnitScheme)
      throw InputError(fmt::format(
          "packets::Spec: scheme '{}' has no barrier units that send packets", scheme.name));
  }
  void parameters_json(const run::RunSpec& spec, const run::RunResult&,
                       const run::SchemeFactory& scheme, run::Json& out) const override {
    if (scheme.name != kUnitScheme) return;
    const Spec choice = spec.parts.get<Spec>();
    out["units"] = {{"buffer_messages", choice.unit_buffer}, {"waits", choice.unit_waits}};
  }
  void add_checkers(checkers::CheckerList& list, const core::Parts& groups) const override {
    packets::add_checkers(list, groups);
  }
  std::optional<run::SeenMessage> seen(std::span<const core::Flit> flits,
                                       const fabric::Formats& formats) const override {
    return packets::seen(flits, formats);
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Packets>(); }

}  // namespace muster::packets
