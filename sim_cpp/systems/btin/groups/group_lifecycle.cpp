// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/groups/group_lifecycle.hpp"

#include "muster/systems/btin.hpp"
#include "systems/btin/check_spec.hpp"
#include "systems/btin/groups/dynamics.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"

namespace muster::btin {

GroupLifecycle::GroupLifecycle(const run::SchemeParts& parts, BtinScheme& scheme,
                               run::Members& members, SpillNodes* spill)
    : scheme_(scheme),
      groups_(static_cast<std::uint32_t>(parts.spec.groups.size())),
      setup_(parts.spec, parts.network, members, spill),
      routes_(*parts.spec.routes) {
  if (changes_or_moves(parts.spec))
    dynamics_ = std::make_unique<Dynamics>(parts.spec, parts.network, scheme, members,
                                           setup_.manager(), routes_);
}

GroupLifecycle::~GroupLifecycle() = default;

bool GroupLifecycle::unchanging() const { return !dynamics_ || dynamics_->settled(); }

bool GroupLifecycle::finished() const { return !dynamics_ || dynamics_->done(); }

void GroupLifecycle::check_with(checkers::CheckerList& checkers) {
  if (dynamics_) dynamics_->tell(checkers);
}

void GroupLifecycle::go() {
  setup_.let_members_go();
  registers_ = scheme_.registers().slots;
  scheme_.note_places();
  if (dynamics_) dynamics_->begin();
}

void GroupLifecycle::step(std::uint64_t cycle) {
  if (dynamics_) dynamics_->step(cycle);
}

std::string GroupLifecycle::trouble(std::uint64_t cycle, std::uint64_t hang_limit,
                                    bool released) const {
  return dynamics_ ? dynamics_->trouble(cycle, hang_limit, released) : std::string{};
}

std::vector<run::LinkResult> GroupLifecycle::links() const {
  return dynamics_ ? dynamics_->links() : std::vector<run::LinkResult>{};
}

void GroupLifecycle::fill(Result& result) const {
  result.registers = registers_;
  for (std::uint32_t g = 0; g < groups_; ++g) result.times.push_back(setup_.times(g));
  result.repeated_requests = setup_.repetitions();
  result.repeated_messages = setup_.repeated_messages();
  result.lost_packets = setup_.lost();
  result.moves_refused = setup_.moves_refused();
  if (dynamics_) dynamics_->fill(result);
}

}  // namespace muster::btin
