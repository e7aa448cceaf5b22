// SPDX-License-Identifier: Apache-2.0
#include "fabric/checkers/register_packets.hpp"

#include <fmt/format.h>

#include "fabric/register_packets.hpp"

namespace muster::checkers {

using fabric::AccessStatus;
using fabric::Formats;

RegisterPackets::RegisterPackets(const Subject& subject)
    : LinkChecker("register packets", subject),
      first_node_channel_(subject.layout.into_switch(0)),
      opcodes_(std::size_t{2} * subject.graph.nodes() * subject.vcs, fabric::kOpcodeData),
      passing_(opcodes_.size()) {}

void RegisterPackets::node_flit(std::uint64_t cycle, const core::FlitEvent& event, Passing& passing,
                                std::uint8_t opcode) {
  if (event.flit.head()) passing = {};
  if (passing.flits < passing.first.size()) passing.first[passing.flits] = event.flit;
  ++passing.flits;
  if (!event.flit.tail()) return;
  const std::uint32_t end = event.channel - first_node_channel_;
  const bool out = end % 2 == 0;
  require((opcode == fabric::kOpcodeRequest) == out, cycle, event.channel, [&] {
    return fmt::format("packet with opcode {} {} a node", opcode, out ? "from" : "to");
  });
  out ? request(cycle, event, passing, end / 2) : answer(cycle, event, passing, end / 2);
}

void RegisterPackets::request(std::uint64_t cycle, const core::FlitEvent& event,
                              const Passing& passing, std::uint32_t node) {
  const auto word = [&](std::uint32_t i) { return fabric::word_of(passing.first[i]); };
  const std::uint32_t destination = Formats::destination(passing.first[0]);
  require(passing.flits == fabric::kRequestFlits && destination >= subject_.graph.nodes() &&
              Formats::source(passing.first[1]) == node,
          cycle, event.channel, [&] {
            return fmt::format("register request of {} flits for destination {} in the name of n{}",
                               passing.flits, destination, Formats::source(passing.first[1]));
          });
  asked_[{node, word(1) >> fabric::kSourceWidth}] = {
      destination, word(2) & 0xfffu, word(3) | word(4) << 16, (word(2) & 0x8000u) != 0};
}

void RegisterPackets::answer(std::uint64_t cycle, const core::FlitEvent& event,
                             const Passing& passing, std::uint32_t node) {
  require(passing.flits == fabric::kAnswerFlits, cycle, event.channel,
          [&] { return fmt::format("register answer of {} flits", passing.flits); });
  const fabric::RegisterAnswer a =
      fabric::register_answer({passing.first.data(), fabric::kAnswerFlits});
  const auto found = asked_.find({node, a.tag});
  const auto text = [&] {
    return fmt::format(
        "answer of destination {} with tag {}, status {}, address {:#05x}, word {:#x}", a.by, a.tag,
        static_cast<int>(a.status), a.address, a.before);
  };
  require(found != asked_.end() && found->second.destination == a.by &&
              found->second.address == a.address && a.destination == node,
          cycle, event.channel, [&] { return text() + " to no request"; });
  const Asked asked = found->second;
  asked_.erase(found);
  const bool equal = a.before == asked.old;
  const bool fits = a.status == AccessStatus::kBusy      ? a.before == 0
                    : !asked.write                       ? a.status == AccessStatus::kDone
                    : a.status == AccessStatus::kDone    ? equal
                    : a.status == AccessStatus::kDiffers ? !equal
                                                         : a.status <= AccessStatus::kNotWritable;
  require(fits, cycle, event.channel, [&] {
    return fmt::format("{} to a {} that expected {:#x}", text(), asked.write ? "write" : "read",
                       asked.old);
  });
}

}  // namespace muster::checkers
