// SPDX-License-Identifier: Apache-2.0
#include "systems/packets/system.hpp"

#include "systems/packets/checkers/add_checkers.hpp"
#include "systems/packets/scheme/multicast_scheme.hpp"
#include "systems/packets/scheme/star_scheme.hpp"
#include "systems/packets/scheme/tree_scheme.hpp"
#include "systems/packets/scheme/unicast_scheme.hpp"
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
    return {&kMulticastSwitch};
  }
  std::vector<run::SchemeFactory> schemes() const override {
    return {{.name = "unicast", .plan = plan<UnicastPlan>},
            {.name = "multicast", .plan = plan<MulticastPlan>},
            {.name = "tree", .plan = plan<TreePlan>, .centered = true},
            {.name = "star", .plan = plan<StarPlan>, .centered = true}};
  }
  void add_checkers(checkers::CheckerList& list, const core::Parts& groups) const override {
    packets::add_checkers(list, groups);
  }
};

}  // namespace

std::unique_ptr<run::System> make_system() { return std::make_unique<Packets>(); }

}  // namespace muster::packets
