// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/core/error.hpp"
#include "muster/systems/btin.hpp"
#include "run/wait_graph.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"
#include "systems/btin/tree/register_image.hpp"

namespace muster::btin {

Dynamics::Dynamics(const run::RunSpec& spec, fabric::Network& network, BtinScheme& scheme,
                   run::Members& members, GroupManager& manager, topology::Routes& routes)
    : spec_(spec),
      scheme_(scheme),
      members_(members),
      manager_(manager),
      routes_(routes),
      changes_(spec, network.engine(), scheme_, members),
      trees_(manager),
      links_(spec, network, trees_, routes) {
  manager.use(changes_);
}

void Dynamics::begin() {
  for (const MembershipRequest& r : spec_.parts.get<Spec>().requests)
    manager_.request(r.group, r.node, r.join, r.barrier);
}

std::uint64_t Dynamics::steps() const { return changes_.done() + links_.steps(); }

void Dynamics::step(std::uint64_t cycle) {
  links_.step(cycle);
  if (const std::uint64_t now = steps(); now != seen_steps_ && !links_.writing()) {
    seen_steps_ = now;
    moved_ = cycle;
    check_waits();
  }
}

void Dynamics::check_waits() const {
  if (!spec_.checkers) return;
  std::vector<RegisterImage> images;
  for (std::uint32_t g = 0; g < spec_.groups.size(); ++g) {
    const PlannedGroup& planned = scheme_.planned(g);
    const auto more = btin::register_images(planned.tree, planned.gid, planned.reflect);
    images.insert(images.end(), more.begin(), more.end());
  }
  const std::string cycle = run::WaitGraph(*spec_.graph, routes_, images).cycle();
  if (!cycle.empty()) throw InternalError("after a change dependency cycle of barriers: " + cycle);
}

std::string Dynamics::trouble(std::uint64_t cycle, std::uint64_t hang_limit, bool released) const {
  if (!changes_.stuck().empty())
    return fmt::format("cycle {}: {}; the link stays", cycle, changes_.stuck());
  if (settled() && !released) return {};
  if (!manager_.changing() && !links_.under_way()) return {};
  std::uint64_t last = moved_;
  for (std::uint32_t g = 0; g < members_.groups(); ++g)
    last = std::max(last, members_.last_event(g));
  last = std::max(last, links_.declared_before(cycle));
  if (cycle - last <= hang_limit) return {};
  return fmt::format("cycle {}: a change of groups or routes makes no progress since cycle {}",
                     cycle, last);
}

void Dynamics::fill(Result& result) const {
  result.requests = changes_.requests();
  result.changes = changes_.changes(false);
  result.moves = changes_.changes(true);
}

}  // namespace muster::btin
