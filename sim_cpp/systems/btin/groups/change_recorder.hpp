// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <functional>
#include <map>

#include "muster/core/error.hpp"
#include "systems/btin/groups/group_user.hpp"

namespace muster::btin {

/// Passes everything on to the user of the groups and completes the records of changes on the way.
class ChangeRecorder : public GroupUser {
 public:
  struct Counts {
    std::uint64_t cycle = 0, messages = 0, requests = 0;
  };
  /// `counts`: the clock and what has been sent so far, of a group. `finished`: before the user
  /// hears of it.
  ChangeRecorder(GroupUser& user, std::function<Counts(std::uint32_t gid)> counts,
                 std::function<void(const ChangeRecord&)> finished)
      : user_(user), counts_(std::move(counts)), finished_(std::move(finished)) {}

  std::uint64_t next(std::uint32_t gid) const override { return user_.next(gid); }
  std::uint64_t left(topology::NodeId node, std::uint32_t gid) const override {
    return user_.left(node, gid);
  }
  bool arrived(topology::NodeId node, std::uint32_t gid) const override {
    return user_.arrived(node, gid);
  }
  std::uint64_t idle(std::uint32_t gid) const override { return user_.idle(gid); }
  std::uint64_t barriers(std::uint32_t gid) const override { return user_.barriers(gid); }
  void hold(topology::NodeId node, std::uint32_t gid, std::uint64_t barrier) override {
    user_.hold(node, gid, barrier);
  }
  void deciding(std::uint32_t gid) override {
    begun_[gid] = counts_(gid);
    user_.deciding(gid);
  }
  void changed(const ChangeRecord& record, const BarrierTree& tree) override {
    ChangeRecord complete = record;
    const auto begun = begun_.extract(record.gid);
    if (!begun)
      throw InternalError(fmt::format("group {}: a change that was not begun", record.gid));
    const Counts from = begun.mapped(), to = counts_(record.gid);
    complete.decided = from.cycle;
    complete.finished = to.cycle;
    complete.messages = to.messages - from.messages;
    complete.requests = to.requests - from.requests;
    finished_(complete);
    user_.changed(complete, tree);
  }
  void told(topology::NodeId node, std::uint32_t gid, Membership membership,
            std::uint64_t first_barrier) override {
    user_.told(node, gid, membership, first_barrier);
  }
  void refused(topology::NodeId node, std::uint32_t gid, Outcome reason,
               topology::SwitchId sw) override {
    user_.refused(node, gid, reason, sw);
  }

 private:
  GroupUser& user_;
  std::function<Counts(std::uint32_t)> counts_;
  std::function<void(const ChangeRecord&)> finished_;
  std::map<std::uint32_t, Counts> begun_;
};

}  // namespace muster::btin
