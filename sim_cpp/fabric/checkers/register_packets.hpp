// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "muster/fabric/checkers/link_checker.hpp"

namespace muster::checkers {

/// Register requests and answers as the nodes see them (docs/systems/groups.md): a node sends whole
/// requests to switches in its own name; an answer that reaches it is to a request of it that has
/// had none, from the switch asked, about the address asked, and its status agrees with the word:
/// a read is done, a write is done exactly if the word was the expected one, unless it was refused.
/// Requests may be lost, since a busy switch drops them.
class RegisterPackets final : public LinkChecker {
 public:
  explicit RegisterPackets(const Subject& subject);
  Sees sees() const override {
    return {.heads = true, .bodies = true, .data = false, .channels = Sees::Channels::kOfNodes};
  }
  void flit(std::uint64_t cycle, const core::FlitEvent& event) override {
    if (event.channel < first_node_channel_ || event.flit.sync()) return;
    const std::size_t place = (event.channel - first_node_channel_) * subject_.vcs + event.flit.vc;
    std::uint8_t& opcode = opcodes_[place];
    if (event.flit.head()) opcode = fabric::Formats::opcode(event.flit);
    if (opcode == fabric::kOpcodeRequest || opcode == fabric::kOpcodeAnswer)
      node_flit(cycle, event, passing_[place], opcode);
  }

 private:
  struct Passing {
    std::uint32_t flits = 0;
    std::array<core::Flit, fabric::kRequestFlits> first{};
  };
  struct Asked {
    std::uint32_t destination = 0, address = 0, old = 0;
    bool write = false;
  };
  void node_flit(std::uint64_t cycle, const core::FlitEvent& event, Passing& passing,
                 std::uint8_t opcode);
  void request(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
               std::uint32_t node);
  void answer(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
              std::uint32_t node);

  core::ChannelId first_node_channel_;
  // By channel of a node and virtual channel.
  std::vector<std::uint8_t> opcodes_;  ///< of the packet that is passing
  std::vector<Passing> passing_;       ///< what has passed of it, if it is one of these
  std::map<std::pair<std::uint32_t, std::uint32_t>, Asked> asked_;  ///< by node and tag
};

}  // namespace muster::checkers
