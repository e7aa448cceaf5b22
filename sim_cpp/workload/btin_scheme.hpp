// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/barrier_data.hpp"
#include "workload/scheme.hpp"

namespace muster::workload {

/// The members of BTIN groups (section 3.2). A member sends a reduction message when it arrives and
/// is released by a distribution message. The root node is told by a reduction message that all
/// others have arrived; once it has arrived too, it sends the distribution message and goes on. A
/// `turn` group has no such node: its root switch turns round, and the root node is a member like
/// the others. A group of one needs no message.
///
/// A member's message carries its synchronization data; the root node adds its own to those of its
/// notification. Every release is checked: a member that is not released with the OR of the data
/// of all members of this barrier is an InternalError, whatever the switches between have done.
class BtinScheme : public Scheme {
 public:
  /// Group g has the identifier groups[g].gid, members in the order of groups[g].tree.members.
  explicit BtinScheme(const SchemeParts& parts);

  std::string name() const override { return "btin"; }
  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_sync(std::uint64_t cycle, std::uint32_t node, const network::Flit& flit) override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint64_t kNoBarrier = ~std::uint64_t{0};
  struct Group {
    std::uint32_t gid = 0;
    bool alone = false;
    std::uint32_t root_member = kNone;        ///< kNone if the root switch turns round
    bool notified = false;                    ///< the root node: all others have arrived
    network::Payload notification;            ///< the data that told it
    std::uint64_t expected_for = kNoBarrier;  ///< the barrier of `expected`
    network::Payload expected;                ///< the OR of all members' data, see expected()
    std::vector<std::uint64_t> barrier;       ///< by member: that it waits for or goes to next
    std::vector<std::uint8_t> waiting;        ///< by member: arrived, not released
    std::vector<std::uint32_t> nodes;         ///< by member
    std::vector<std::uint32_t> member_of;     ///< by node, kNone if it is no member
  };
  void send(std::uint32_t node, network::MessageType type, std::uint32_t gid,
            const network::Payload& data);
  network::Payload brings(const Group& group, std::uint32_t member) const;
  const network::Payload& expected(Group& group, std::uint64_t barrier) const;
  void release(std::uint64_t cycle, std::uint32_t group, std::uint32_t member,
               const network::Payload& data);
  void distribute_if_complete(std::uint64_t cycle, std::uint32_t group);

  network::EndpointBank& endpoints_;
  network::Formats formats_;
  BarrierData data_;
  ReleaseListener& listener_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_of_gid_;
};

}  // namespace muster::workload
