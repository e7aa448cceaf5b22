// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "systems/btin/tree/wait_graph.hpp"

namespace muster::btin {

namespace {
BtinScheme& with_trees(const run::RunSpec& spec, run::Scheme& scheme) {
  auto* btin = dynamic_cast<BtinScheme*>(&scheme);
  if (btin == nullptr) {
    throw InputError(fmt::format(
        "--join, --leave and --kill-link: scheme '{}' has no trees that could change; take btin",
        spec.scheme));
  }
  return *btin;
}
}  // namespace

Dynamics::Dynamics(const run::RunSpec& spec, fabric::Network& network, run::Scheme& scheme,
                   run::Members& members, GroupLife& life, topology::Routes& routes)
    : spec_(spec),
      scheme_(with_trees(spec, scheme)),
      members_(members),
      life_(life),
      routes_(routes),
      changes_(spec, network.engine(), scheme_, members),
      links_(spec, network, life, routes) {
  life.use(changes_);
}

void Dynamics::begin() {
  for (const run::Wish& w : spec_.wishes) life_.wish(w.group, w.node, w.join, w.barrier);
}

std::uint64_t Dynamics::steps() const {
  std::uint64_t steps = changes_.done();
  for (const run::LinkResult& link : links_.results())
    steps += (link.empty != 0) + (link.routed != 0) + (link.out != 0);
  return steps;
}

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
    const auto more = btin::register_images(planned.tree, planned.gid, planned.turn);
    images.insert(images.end(), more.begin(), more.end());
  }
  const std::string cycle = WaitGraph(*spec_.graph, routes_, images).cycle();
  if (!cycle.empty()) throw InternalError("after a change barriers wait in a circle: " + cycle);
}

std::string Dynamics::trouble(std::uint64_t cycle, std::uint64_t patience, bool released) const {
  if (!changes_.stuck().empty())
    return fmt::format("cycle {}: {}; the link stays", cycle, changes_.stuck());
  if (settled() && !released) return {};
  if (!life_.changing() && !links_.under_way()) return {};
  std::uint64_t last = moved_;
  for (std::uint32_t g = 0; g < members_.groups(); ++g)
    last = std::max(last, members_.last_event(g));
  for (const run::LinkResult& link : links_.results())
    if (link.link.cycle <= cycle) last = std::max(last, link.link.cycle);
  if (cycle - last <= patience) return {};
  return fmt::format("cycle {}: a change of groups or routes stands still since cycle {}", cycle,
                     last);
}

void Dynamics::fill(run::RunResult& result) const {
  result.wishes = changes_.wishes();
  result.changes = changes_.changes();
  result.links = links_.results();
}

}  // namespace muster::btin
