// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "systems/nic/blocks/nic_message.hpp"
#include "systems/nic/scheme/list_walk.hpp"
#include "systems/nic/scheme/step_scheme.hpp"

namespace muster::nic {

/// Programs that walk the step lists by remote writes (docs/systems/nic-link.md, Remote writes): a
/// STEP goes from the endpoint of one node to that of another, past all NICs, and nothing
/// acknowledges it. So the network must lose nothing.
class RdmaScheme : public StepScheme {
 public:
  RdmaScheme(const NicPlan& plan, const run::SchemeParts& parts);

  void arrive(std::uint64_t cycle, std::uint32_t group, std::uint32_t member) override;
  void receive_packet(std::uint64_t cycle, std::uint32_t node,
                      std::span<const core::Flit> flits) override;
  void before_cycle(std::uint64_t cycle) override;
  bool idle() const override { return pending_ == 0; }
  void fill(run::RunResult& result) const override;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Due {
    std::uint64_t cycle;
    NicMessage message;
  };
  struct Host {
    std::uint64_t free = 0;  ///< cycle from which on the program has time
    std::deque<Due> sends, events;
  };
  std::string describe(std::uint32_t group, std::uint32_t member) const override;
  void walk(std::uint64_t cycle, std::uint32_t group, std::uint32_t member);
  void received(std::uint64_t cycle, const NicMessage& message);
  void take_events(std::uint64_t cycle, std::uint32_t node);

  fabric::Network& network_;
  bool losses_;             ///< links may end packets
  std::uint32_t overhead_;  ///< of the program for each message that it sends or takes
  std::uint32_t step_;      ///< of the program before each of its sends
  std::vector<std::vector<ListWalk>> walks_;           ///< by group and member
  std::vector<std::vector<std::uint32_t>> member_of_;  ///< by group and node, or kNone
  std::vector<Host> hosts_;                            ///< by node
  std::uint64_t pending_ = 0, sent_ = 0, received_ = 0;
};

}  // namespace muster::nic
