// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/lockstep_bank.hpp"
#include "systems/esc/box_bank.hpp"

namespace muster::verif {

/// A box by its coordinates, `stage2_box5`: the stage in which it stands and its number there,
/// boxes of a stage counted in the order of the bank.
inline std::string box_name(std::span<const std::uint8_t> stages, std::uint32_t block) {
  const std::uint8_t stage = stages[block];
  const auto number = std::count(stages.begin(), stages.begin() + block, stage);
  return fmt::format("stage{}_box{}", stage, number);
}

inline std::string policy_name(std::uint32_t pe) { return fmt::format("pe{}_policy", pe); }
inline std::string injection_name(std::uint32_t pe) { return fmt::format("pe{}_injection", pe); }

/// "background from 7 to tag 0x1, born in cycle 2 (0x40000008001c0001)"; empty without a packet.
/// Boxes that combine have a count of messages in the place of the source.
inline std::string packet_text(esc::BoxPacket packet) {
  static constexpr const char* kNames[] = {"none", "background", "synchronization", "release"};
  if (packet == 0) return {};
  const auto kind = esc::kind_of(packet);
  const std::string when = kind == esc::BoxKind::kRelease
                               ? fmt::format("broadcast mask {:#x}", esc::birth_of(packet))
                               : fmt::format("born in cycle {}", esc::birth_of(packet));
  return fmt::format("{} from {} to tag {:#x}, {} ({:#018x})", kNames[static_cast<unsigned>(kind)],
                     esc::source_of(packet), esc::tag_of(packet), when, packet);
}

/// What was offered to a box or a policy.
struct OfferedPacket {
  std::uint64_t cycle = 0;
  std::uint32_t input = 0;
  esc::BoxPacket packet = 0;
};

/// A line each, of a block with one input.
inline std::vector<std::string> packet_lines(const std::vector<OfferedPacket>& packets) {
  std::vector<std::string> lines;
  for (const OfferedPacket& p : packets)
    lines.push_back(fmt::format("cycle {}: {}", p.cycle, packet_text(p.packet)));
  return lines;
}

/// The inputs and outputs of interchange boxes: ready, settled; packets and quiescence, registered.
class BoxOutputs : public esc::BoxBank {
 public:
  using Side = esc::BoxBank;

  bool quiescent(std::uint32_t b) const override { return quiescent_[b] != 0; }
  std::string describe(std::uint32_t b) const override {
    return name(b) + (quiescent(b) ? " quiescent" : " busy");
  }

 protected:
  using Message = OfferedPacket;

  BoxOutputs(const Side& device, std::vector<std::uint8_t> stages)
      : BoxBank(device.config(), std::move(stages)), quiescent_(blocks()) {}

  std::string name(std::uint32_t b) const { return box_name(stages_, b); }
  static std::string show(bool value) { return value ? "1" : "0"; }
  static std::string show(esc::BoxPacket packet) {
    return packet == 0 ? "no packet" : packet_text(packet);
  }

  void give(Side& side) const { std::copy(rx_.begin(), rx_.end(), side.rx().begin()); }
  template <class See>
  void remember(std::uint64_t cycle, See&& see) const {
    for (std::uint32_t k = 0; k < rx_.size(); ++k)
      if (rx_[k] != 0) see(k / config_.size, Message{cycle, k % config_.size, rx_[k]});
  }
  template <class Same>
  std::uint64_t compare_settled(const Side& golden, const Side& rtl, Same&& same) const {
    return compare_ports(golden.rx_ready(), rtl.rx_ready(), "ready",
                         [&](std::uint32_t b, Output output, std::uint8_t want, std::uint8_t have) {
                           same(b, output, want != 0, have != 0);
                         });
  }
  void take_settled(const Side& rtl) { std::ranges::copy(rtl.rx_ready(), rx_ready_.begin()); }

  void give_late(Side& side) const { std::ranges::copy(tx_ready_, side.tx_ready().begin()); }
  template <class Same>
  std::uint64_t compare_registered(const Side& golden, const Side& rtl, Same&& same) const {
    const std::uint64_t packets = compare_ports(golden.tx(), rtl.tx(), "tx", same);
    for (std::uint32_t b = 0; b < blocks(); ++b)
      same(b, Output{"quiescent"}, golden.quiescent(b), rtl.quiescent(b));
    return packets + blocks();
  }
  void take_registered(const Side& rtl) {
    std::ranges::copy(rtl.tx(), tx_.begin());
    for (std::uint32_t b = 0; b < blocks(); ++b) quiescent_[b] = rtl.quiescent(b);
  }

  std::vector<StateWord> state(std::uint32_t b, const Side& side) const {
    std::vector<StateWord> words;
    for (std::uint32_t p = 0; p < config_.size; ++p)
      words.push_back(
          {fmt::format("ready port {}", p), side.rx_ready()[b * config_.size + p] != 0 ? "1" : ""});
    for (std::uint32_t p = 0; p < config_.size; ++p)
      words.push_back({fmt::format("tx port {}", p), packet_text(side.tx()[b * config_.size + p])});
    words.push_back({"quiescent", side.quiescent(b) ? "1" : ""});
    return words;
  }
  static std::string text(std::uint32_t b, const Side& side) { return side.describe(b); }
  static std::vector<std::string> lines(std::uint32_t, const Side&,
                                        const std::vector<Message>& messages) {
    std::vector<std::string> lines;
    for (const Message& m : messages)
      lines.push_back(fmt::format("cycle {} port {}: {}", m.cycle, m.input, packet_text(m.packet)));
    return lines;
  }

 private:
  template <class Values, class Same>
  std::uint64_t compare_ports(Values want, Values have, const char* name, Same&& same) const {
    const auto [at, other] = std::mismatch(want.begin(), want.end(), have.begin());
    if (at != want.end()) {
      const auto k = static_cast<std::uint32_t>(at - want.begin());
      same(k / config_.size, Output{name, static_cast<int>(k % config_.size)}, *at, *other);
    }
    return want.size();
  }

  std::vector<std::uint8_t> quiescent_;
};

using LockstepBoxBank = LockstepSettledBank<BoxOutputs>;

}  // namespace muster::verif
