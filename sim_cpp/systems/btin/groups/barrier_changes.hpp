// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "muster/core/engine.hpp"
#include "muster/run/checker_list.hpp"
#include "muster/run/members.hpp"
#include "muster/systems/btin.hpp"
#include "systems/btin/checkers/barrier_safety.hpp"
#include "systems/btin/groups/group_user.hpp"
#include "systems/btin/scheme/btin_scheme.hpp"

namespace muster::btin {

/// Members and trees of a run's groups change between two barriers: what is decided
/// (docs/systems/groups.md) is done to the scheme, to the members as programs and to the checkers,
/// who judge every barrier by the members that are in force for it.
class BarrierChanges : public GroupUser {
 public:
  /// Group g has the identifier g. All outlive this.
  BarrierChanges(const run::RunSpec& spec, const core::Engine& engine, BtinScheme& scheme,
                 run::Members& members)
      : spec_(spec), engine_(engine), scheme_(scheme), members_(members) {
    for (const MembershipRequest& request : spec.parts.get<Spec>().requests)
      requests_.push_back({request, std::nullopt, {}});
  }
  /// REQUIRES: before the first change.
  void tell(checkers::CheckerList& checkers) {
    checker_ = checkers.find<checkers::BarrierSafety>();
  }

  std::uint64_t next(std::uint32_t gid) const override { return scheme_.next(gid); }
  std::uint64_t left(topology::NodeId node, std::uint32_t gid) const override {
    return scheme_.left(gid, node);
  }
  bool arrived(topology::NodeId node, std::uint32_t gid) const override {
    return scheme_.arrived(gid, node);
  }
  std::uint64_t idle(std::uint32_t gid) const override {
    return engine_.cycle() - scheme_.last_use(gid);
  }
  std::uint64_t barriers(std::uint32_t) const override { return spec_.barriers; }
  void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) override {
    scheme_.hold(engine_.cycle(), gid, node, barrier);
  }
  void deciding(std::uint32_t) override {}
  void changed(const ChangeRecord& record, const BarrierTree& tree) override;
  void told(topology::NodeId node, std::uint32_t gid, Membership membership,
            std::uint64_t first_barrier) override;
  void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
               topology::SwitchId sw) override;

  const std::vector<RequestResult>& requests() const { return requests_; }
  /// Moves between register and memory that were done, or all that is none.
  std::vector<ChangeResult> changes(bool moves) const;
  std::size_t done() const { return changes_.size(); }
  /// A tree that could not leave a dead link, and why; empty if there is none.
  const std::string& stuck() const { return stuck_; }

 private:
  RequestResult* open_request(topology::NodeId node, std::uint32_t gid);

  const run::RunSpec& spec_;
  const core::Engine& engine_;
  BtinScheme& scheme_;
  run::Members& members_;
  checkers::BarrierSafety* checker_ = nullptr;
  std::vector<RequestResult> requests_;
  std::vector<ChangeResult> changes_;
  std::string stuck_;
};

}  // namespace muster::btin
