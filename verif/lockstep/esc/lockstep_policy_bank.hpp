// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/esc/packet_text.hpp"
#include "lockstep/lockstep_settled_bank.hpp"
#include "models/esc/block_names.hpp"
#include "systems/esc/blocks/policy_bank.hpp"

namespace muster::verif {

/// The inputs and outputs of input policies: the digit of every packet, settled; the flag,
/// registered.
class PolicyOutputs : public esc::PolicyBank {
 public:
  using Side = esc::PolicyBank;

 protected:
  using Message = OfferedPacket;

  PolicyOutputs(const Side& device, const esc::PolicyConfig& config)
      : PolicyBank(config, device.blocks()) {}

  static std::string name(std::uint32_t pe) { return policy_name(pe); }
  static std::string show(unsigned value) { return fmt::format("{}", value); }

  void give(Side& side) const {
    std::ranges::copy(hot_, side.hot().begin());
    std::ranges::copy(sections_, side.sections().begin());
    std::ranges::copy(offer_, side.offer().begin());
    std::ranges::copy(set_, side.set().begin());
    std::ranges::copy(clear_, side.clear().begin());
  }
  template <class See>
  void remember(std::uint64_t cycle, See&& see) const {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe)
      if (offer_[pe] != 0) see(pe, Message{cycle, 0, offer_[pe]});
  }
  template <class Same>
  std::uint64_t compare_settled(const Side& golden, const Side& rtl, Same&& same) const {
    std::uint64_t compared = 0;
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      if (offer_[pe] == 0) continue;
      ++compared;
      same(pe, Output{"digit"}, golden.digit()[pe], rtl.digit()[pe]);
    }
    return compared;
  }
  void take_settled(const Side& rtl) { std::ranges::copy(rtl.digit(), digit_.begin()); }

  void give_late(Side&) const {}
  template <class Same>
  std::uint64_t compare_registered(const Side& golden, const Side& rtl, Same&& same) const {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe)
      same(pe, Output{"flag"}, golden.flag()[pe], rtl.flag()[pe]);
    return blocks();
  }
  void take_registered(const Side& rtl) { std::ranges::copy(rtl.flag(), flag_.begin()); }

  std::vector<StateWord> state(std::uint32_t pe, const Side& side) const {
    return {{"digit", offer_[pe] == 0 ? "" : show(side.digit()[pe])},
            {"flag", show(side.flag()[pe])}};
  }
  std::string text(std::uint32_t pe, const Side&) const {
    return fmt::format("hot spot {}, sections {:#x}, set {}, clear {}", hot_[pe], sections_[pe],
                       set_[pe], clear_[pe]);
  }
  static std::vector<std::string> lines(std::uint32_t, const Side&,
                                        const std::vector<Message>& messages) {
    return packet_lines(messages);
  }
};

using LockstepPolicyBank = LockstepSettledBank<PolicyOutputs>;

}  // namespace muster::verif
