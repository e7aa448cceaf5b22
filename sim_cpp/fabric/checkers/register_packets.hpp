// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

#include "fabric/checkers/seen_flit.hpp"
#include "fabric/register_packets.hpp"

namespace muster::checkers {

/// Register requests and answers as the nodes see them (docs/systems/groups.md): a node sends whole
/// requests to switches in its own name; an answer that reaches it is to a request of it that has
/// had none, from the switch asked, about the address asked, and its status agrees with the word:
/// a read is done, a write is done exactly if the word was the expected one, unless it was refused.
/// Requests may be lost, since a busy switch drops them.
class RegisterPackets final : public NamedChecker {
 public:
  explicit RegisterPackets(const Subject& subject)
      : NamedChecker("register packets", subject),
        first_node_channel_(subject.layout.into_switch(0)),
        opcodes_(std::size_t{2} * subject.graph.nodes() * subject.vcs, fabric::kOpcodeData),
        passing_(opcodes_.size()) {}
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
                 std::uint8_t opcode) {
    if (event.flit.head()) passing = {};
    if (passing.flits < passing.first.size()) passing.first[passing.flits] = event.flit;
    ++passing.flits;
    if (!event.flit.tail()) return;
    const std::uint32_t end = event.channel - first_node_channel_;
    const bool out = end % 2 == 0;
    require((opcode == fabric::kOpcodeRequest) == out, cycle, event.channel,
            "packet with opcode {} {} a node", opcode, out ? "from" : "to");
    out ? request(cycle, event, passing, end / 2) : answer(cycle, event, passing, end / 2);
  }
  void request(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
               std::uint32_t node) {
    const auto word = [&](std::uint32_t i) { return fabric::word_of(passing.first[i]); };
    const std::uint32_t destination = fabric::Formats::destination(passing.first[0]);
    require(passing.flits == fabric::kRequestFlits && destination >= subject_.graph.nodes() &&
                fabric::Formats::source(passing.first[1]) == node,
            cycle, event.channel,
            "register request of {} flits for destination {} in the name of n{}", passing.flits,
            destination, fabric::Formats::source(passing.first[1]));
    asked_[{node, word(1) >> fabric::kSourceWidth}] = {
        destination, word(2) & 0xfffu, word(3) | word(4) << 16, (word(2) & 0x8000u) != 0};
  }
  void answer(std::uint64_t cycle, const core::FlitEvent& event, const Passing& passing,
              std::uint32_t node) {
    require(passing.flits == fabric::kAnswerFlits, cycle, event.channel,
            "register answer of {} flits", passing.flits);
    const fabric::RegisterAnswer a =
        fabric::register_answer({passing.first.data(), fabric::kAnswerFlits});
    const auto found = asked_.find({node, a.tag});
    const auto text = [&] {
      return fmt::format(
          "answer of destination {} with tag {}, status {}, address {:#05x}, word {:#x}", a.by,
          a.tag, static_cast<int>(a.status), a.address, a.before);
    };
    require(found != asked_.end() && found->second.destination == a.by &&
                found->second.address == a.address && a.destination == node,
            cycle, event.channel, [&] { return text() + " to no request"; });
    const Asked asked = found->second;
    asked_.erase(found);
    const bool equal = a.before == asked.old;
    using enum fabric::AccessStatus;
    const bool fits = a.status == kBusy      ? a.before == 0
                      : !asked.write         ? a.status == kDone
                      : a.status == kDone    ? equal
                      : a.status == kDiffers ? !equal
                                             : a.status <= kNotWritable;
    require(fits, cycle, event.channel, [&] {
      return fmt::format("{} to a {} that expected {:#x}", text(), asked.write ? "write" : "read",
                         asked.old);
    });
  }

  core::ChannelId first_node_channel_;
  // By channel of a node and virtual channel.
  std::vector<std::uint8_t> opcodes_;  ///< of the packet that is passing
  std::vector<Passing> passing_;       ///< what has passed of it, if it is one of these
  std::map<std::pair<std::uint32_t, std::uint32_t>, Asked> asked_;  ///< by node and tag
};

}  // namespace muster::checkers
