// SPDX-License-Identifier: Apache-2.0
#include "systems/all.hpp"

#include "muster/systems/btin.hpp"
#include "run/engines.hpp"

namespace muster::run {

namespace {

/// The one list of systems. Their order is that of schemes, options and figures; the first scheme
/// is the default.
std::vector<std::unique_ptr<System>>& all_systems() {
  static std::vector<std::unique_ptr<System>> all = [] {
    std::vector<std::unique_ptr<System>> list;
    for (auto* const make : {btin::make_system, packets::make_system, esc::make_system,
                             preempt::make_system, nic::make_system})
      list.push_back(make());
    return list;
  }();
  return all;
}

}  // namespace

const std::vector<std::unique_ptr<System>>& systems() { return all_systems(); }

void add_system(std::unique_ptr<System> system) {
  check_names(*system);
  all_systems().push_back(std::move(system));
}

/// Barrier trees whose roots are no nodes.
void specify_image(RunSpec& spec, std::optional<topology::SwitchId> root) {
  spec.scheme = "btin";
  auto& trees = own<btin::Spec>(spec);
  trees.reflect = true;
  trees.root = root;
}

}  // namespace muster::run
