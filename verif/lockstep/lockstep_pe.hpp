// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/lockstep_bank.hpp"
#include "lockstep/lockstep_box.hpp"
#include "systems/esc/pe_banks.hpp"

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

/// The inputs and outputs of injection blocks: what a PE offers, settled; under the adaptive choice
/// on which output, settled; whether the head leaves, late; the sections, registered.
class InjectionOutputs : public esc::InjectionBank {
 public:
  using Side = esc::InjectionBank;

 protected:
  using Message = OfferedPacket;

  InjectionOutputs(const Side& device, const esc::InjectionConfig& config)
      : InjectionBank(config, device.blocks()) {}

  static std::string name(std::uint32_t pe) { return injection_name(pe); }
  static std::string show(esc::BoxPacket packet) {
    return packet == 0 ? "no packet" : packet_text(packet);
  }
  static std::string show(unsigned value) { return fmt::format("{}", value); }

  void give(Side& side) const {
    std::ranges::copy(head_, side.head().begin());
    std::ranges::copy(busy_, side.busy().begin());
    std::ranges::copy(fill_, side.fill().begin());
  }
  template <class See>
  void remember(std::uint64_t cycle, See&& see) const {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe)
      if (head_[pe] != 0) see(pe, Message{cycle, 0, head_[pe]});
  }
  template <class Same>
  std::uint64_t compare_settled(const Side& golden, const Side& rtl, Same&& same) const {
    std::uint64_t compared = blocks();
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      same(pe, Output{"offer"}, golden.offer()[pe], rtl.offer()[pe]);
      if (config_.scheme != esc::InjectionScheme::kAdaptive || golden.offer()[pe] == 0) continue;
      ++compared;
      same(pe, Output{"digit"}, unsigned{golden.digit()[pe]}, unsigned{rtl.digit()[pe]});
    }
    return compared;
  }
  void take_settled(const Side& rtl) {
    std::ranges::copy(rtl.offer(), offer_.begin());
    std::ranges::copy(rtl.digit(), digit_.begin());
  }

  void give_late(Side& side) const {
    std::ranges::copy(taken_, side.taken().begin());
    std::ranges::copy(flag_, side.flag().begin());
    std::ranges::copy(asked_, side.asked().begin());
  }
  template <class Same>
  std::uint64_t compare_registered(const Side& golden, const Side& rtl, Same&& same) const {
    for (std::uint32_t pe = 0; pe < blocks(); ++pe) {
      same(pe, Output{"head leaves"}, unsigned{golden.leaves()[pe]}, unsigned{rtl.leaves()[pe]});
      same(pe, Output{"sections"}, golden.sections()[pe], rtl.sections()[pe]);
    }
    return std::uint64_t{2} * blocks();
  }
  void take_registered(const Side& rtl) {
    std::ranges::copy(rtl.leaves(), leaves_.begin());
    std::ranges::copy(rtl.sections(), sections_.begin());
  }

  std::vector<StateWord> state(std::uint32_t pe, const Side& side) const {
    return {{"offer", packet_text(side.offer()[pe])},
            {"digit", side.offer()[pe] == 0 ? "" : show(unsigned{side.digit()[pe]})},
            {"head leaves", show(unsigned{side.leaves()[pe]})},
            {"sections", fmt::format("{:#x}", side.sections()[pe])}};
  }
  std::string text(std::uint32_t pe, const Side&) const {
    return fmt::format("busy {}, flag {}, taken {}, asked output {}", busy_[pe], flag_[pe],
                       taken_[pe], asked_[pe]);
  }
  static std::vector<std::string> lines(std::uint32_t, const Side&,
                                        const std::vector<Message>& messages) {
    return packet_lines(messages);
  }
};

using LockstepInjectionBank = LockstepSettledBank<InjectionOutputs>;

}  // namespace muster::verif
