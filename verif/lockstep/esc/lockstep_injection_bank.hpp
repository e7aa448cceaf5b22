// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/esc/packet_text.hpp"
#include "lockstep/lockstep_settled_bank.hpp"
#include "models/esc/block_names.hpp"
#include "systems/esc/blocks/injection_bank.hpp"

namespace muster::verif {

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
