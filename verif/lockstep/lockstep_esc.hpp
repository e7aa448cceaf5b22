// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/lockstep.hpp"
#include "models/names.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/esc/pe_banks.hpp"

namespace muster::verif {

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

/// A packet that was offered to an input of a block.
struct OfferedPacket {
  std::uint64_t cycle = 0;
  std::uint32_t input = 0;
  esc::BoxPacket packet = 0;
};

/// The values of an output: packets, small numbers.
inline std::string show(esc::BoxPacket packet) {
  return packet == 0 ? "no packet" : packet_text(packet);
}
inline std::string show(std::uint32_t number) { return fmt::format("{}", number); }
inline std::string show(std::uint8_t number) { return fmt::format("{}", number); }

/// Compares outputs of both sides and counts them.
class Comparison {
 public:
  template <class Value>
  void one(std::uint32_t block, Output output, Value golden, Value rtl) {
    ++count_;
    if (golden != rtl) differs(block, output, show(golden), show(rtl));
  }
  /// An output of all blocks, each of which has it once, or at several ports.
  template <class Values>
  void all(const char* name, const Values& golden, const Values& rtl, std::uint32_t ports = 1) {
    count_ += golden.size();
    const auto [at, other] = std::ranges::mismatch(golden, rtl);
    if (at == golden.end()) return;
    const auto k = static_cast<std::uint32_t>(at - golden.begin());
    const Output output{name, ports == 1 ? Output::kNoPort : k % ports};
    differs(k / ports, output, show(*at), show(*other));
  }

  /// An output of the blocks that offer a packet.
  template <class Values>
  void offered(const char* name, const std::vector<esc::BoxPacket>& packets, const Values& golden,
               const Values& rtl) {
    for (std::uint32_t b = 0; b < packets.size(); ++b)
      if (packets[b] != 0) one(b, Output{name}, golden[b], rtl[b]);
  }

 protected:
  ~Comparison() = default;
  std::uint64_t take_count() { return std::exchange(count_, 0); }

 private:
  virtual void differs(std::uint32_t block, Output output, const std::string& golden,
                       const std::string& rtl) = 0;

  std::uint64_t count_ = 0;
};

/// Blocks with settled outputs. The lists are members of the contract, arrays over all blocks.
template <class Outputs>
concept ComparedSettledBank = Compared<Outputs> &&
    requires(const Outputs& outputs, const typename Outputs::Side& side, Comparison& comparison) {
  Outputs::kOffered;                                    // the packets offered in a cycle
  { outputs.inputs() } -> std::same_as<std::uint32_t>;  // of a block, for packets
  Outputs::kInputs;      // inputs that are known before settling, kOffered among them
  Outputs::kSettled;     // outputs after settling
  Outputs::kLate;        // inputs that are known after settling
  Outputs::kRegistered;  // outputs after an edge
  outputs.compare_settled(side, side, comparison);  // of golden and RTL
  outputs.compare_registered(side, side, comparison);
};

/// Lockstep of those blocks. Settled outputs are compared after settle(), registered ones after
/// clock(). A difference throws BlockError with cycle, instance, port, both values, both states and
/// the last packets.
template <ComparedSettledBank Outputs>
class LockstepSettledBank final : public Lockstep<Outputs>, private Comparison {
 public:
  using Side = typename Outputs::Side;

  /// `shape`: what Outputs needs besides the device. REQUIRES: both have it.
  template <class... Shape>
  LockstepSettledBank(std::unique_ptr<Side> reference, std::unique_ptr<Side> device,
                      Shape&&... shape)
      : Lockstep<Outputs>(std::move(reference), std::move(device), std::forward<Shape>(shape)...) {}

  void settle() override {
    this->both([&](Side& side) {
      copy(Outputs::kInputs, *this, side);
      side.settle();
    });
    const auto& offered = this->*Outputs::kOffered;
    for (std::uint32_t k = 0; k < offered.size(); ++k)
      if (offered[k] != 0) this->seen(k / this->inputs(), {cycle_, k % this->inputs(), offered[k]});
    settled_ = true;
    this->compare_settled(*this->reference_, *this->device_, *this);
    this->count(0, take_count());
    copy(Outputs::kSettled, *this->device_, *this);
  }

  void clock(std::uint64_t cycle) override {
    this->both([&](Side& side) {
      copy(Outputs::kLate, *this, side);
      side.clock(cycle);
    });
    cycle_ = cycle;
    settled_ = false;
    this->compare_registered(*this->reference_, *this->device_, *this);
    this->count(0, take_count());
    copy(Outputs::kRegistered, *this->device_, *this);
    ++cycle_;
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    this->both([&](Side& side) { side.reset(seeds); });
    this->forget();
    cycle_ = 0;
  }

 private:
  /// These members of one bank into another.
  template <class Members>
  static void copy(const Members& members, const Side& from, Side& to) {
    std::apply([&](auto... member) { ((to.*member = from.*member), ...); }, members);
  }
  void differs(std::uint32_t block, Output output, const std::string& golden,
               const std::string& rtl) override {
    this->differ(block, cycle_, output.text(), golden, rtl, settled_);
  }

  std::uint64_t cycle_ = 0;  ///< settle() is not told
  bool settled_ = false;     ///< what is compared: settled outputs, else registered ones
};

/// What the kinds of blocks below have in common: packets are offered to them.
template <class Contract>
class PacketOutputs : public Contract {
 public:
  using Side = Contract;
  using Message = OfferedPacket;

  /// `inputs`: of each block.
  template <class Config, class Blocks>
  PacketOutputs(std::uint32_t inputs, const Config& config, Blocks blocks)
      : Contract(config, std::move(blocks)), inputs_(inputs) {}

  std::uint32_t inputs() const { return inputs_; }
  auto teller(std::uint32_t, const Side&) const {
    return [this](const Message& m) {
      const std::string port = inputs_ == 1 ? "" : fmt::format(" port {}", m.input);
      return fmt::format("cycle {}{}: {}", m.cycle, port, packet_text(m.packet));
    };
  }

 private:
  std::uint32_t inputs_;
};

/// Interchange boxes: ready, settled; packets and quiescence, registered.
class BoxOutputs : public PacketOutputs<esc::BoxBank> {
 public:
  static constexpr auto kOffered = &BoxOutputs::rx_;
  static constexpr auto kInputs = std::tuple(&BoxOutputs::rx_);
  static constexpr auto kSettled = std::tuple(&BoxOutputs::rx_ready_);
  static constexpr auto kLate = std::tuple(&BoxOutputs::tx_ready_);
  static constexpr auto kRegistered = std::tuple(&BoxOutputs::tx_);

  BoxOutputs(const Side& device, std::vector<std::uint8_t> stages)
      : PacketOutputs(device.config().size, device.config(), std::move(stages)), device_(device) {}

  bool quiescent(std::uint32_t b) const override { return device_.quiescent(b); }
  std::string describe(std::uint32_t b) const override {
    return name(b) + (quiescent(b) ? " quiescent" : " busy");
  }
  std::string name(std::uint32_t b) const { return box_name(stages_, b); }

  void compare_settled(const Side& golden, const Side& rtl, Comparison& comparison) const {
    comparison.all("ready", golden.rx_ready(), rtl.rx_ready(), config_.size);
  }
  void compare_registered(const Side& golden, const Side& rtl, Comparison& comparison) const {
    comparison.all("tx", golden.tx(), rtl.tx(), config_.size);
    for (std::uint32_t b = 0; b < blocks(); ++b)
      comparison.one(b, Output{"quiescent"}, std::uint8_t{golden.quiescent(b)},
                     std::uint8_t{rtl.quiescent(b)});
  }

  std::vector<StateWord> state(std::uint32_t b, const Side& side) const {
    std::vector<StateWord> words;
    for (std::uint32_t p = 0; p < config_.size; ++p)
      words.push_back(
          {Output{"ready", p}.text(), side.rx_ready()[b * config_.size + p] ? "1" : ""});
    for (std::uint32_t p = 0; p < config_.size; ++p)
      words.push_back({Output{"tx", p}.text(), packet_text(side.tx()[b * config_.size + p])});
    words.push_back({"quiescent", side.quiescent(b) ? "1" : ""});
    return words;
  }
  static std::string text(std::uint32_t b, const Side& side) { return side.describe(b); }

 private:
  const Side& device_;
};

using LockstepBoxBank = LockstepSettledBank<BoxOutputs>;

/// Input policies: the digit of every packet, settled; the flag, registered.
class PolicyOutputs : public PacketOutputs<esc::PolicyBank> {
 public:
  static constexpr auto kOffered = &PolicyOutputs::offer;
  static constexpr auto kInputs =
      std::tuple(&PolicyOutputs::hot, &PolicyOutputs::sections, &PolicyOutputs::offer,
                 &PolicyOutputs::set, &PolicyOutputs::clear);
  static constexpr auto kSettled = std::tuple(&PolicyOutputs::digit);
  static constexpr std::tuple<> kLate{};
  static constexpr auto kRegistered = std::tuple(&PolicyOutputs::flag);

  PolicyOutputs(const Side& device, const esc::PolicyConfig& config)
      : PacketOutputs(1, config, device.blocks()) {}

  static std::string name(std::uint32_t pe) { return policy_name(pe); }

  void compare_settled(const Side& golden, const Side& rtl, Comparison& comparison) const {
    comparison.offered("digit", offer, golden.digit, rtl.digit);
  }
  static void compare_registered(const Side& golden, const Side& rtl, Comparison& comparison) {
    comparison.all("flag", golden.flag, rtl.flag);
  }

  std::vector<StateWord> state(std::uint32_t pe, const Side& side) const {
    return {{"digit", offer[pe] == 0 ? "" : show(side.digit[pe])}, {"flag", show(side.flag[pe])}};
  }
  std::string text(std::uint32_t pe, const Side&) const {
    return fmt::format("hot spot {}, sections {:#x}, set {}, clear {}", hot[pe], sections[pe],
                       set[pe], clear[pe]);
  }
};

using LockstepPolicyBank = LockstepSettledBank<PolicyOutputs>;

/// Injection blocks: what a PE offers, settled; under the adaptive choice on which output, settled;
/// whether the head leaves, late; the sections, registered.
class InjectionOutputs : public PacketOutputs<esc::InjectionBank> {
 public:
  static constexpr auto kOffered = &InjectionOutputs::head;
  static constexpr auto kInputs =
      std::tuple(&InjectionOutputs::head, &InjectionOutputs::busy, &InjectionOutputs::fill);
  static constexpr auto kSettled = std::tuple(&InjectionOutputs::offer, &InjectionOutputs::digit);
  static constexpr auto kLate =
      std::tuple(&InjectionOutputs::taken, &InjectionOutputs::flag, &InjectionOutputs::asked);
  static constexpr auto kRegistered =
      std::tuple(&InjectionOutputs::leaves, &InjectionOutputs::sections);

  InjectionOutputs(const Side& device, const esc::InjectionConfig& config)
      : PacketOutputs(1, config, device.blocks()) {}

  static std::string name(std::uint32_t pe) { return injection_name(pe); }

  void compare_settled(const Side& golden, const Side& rtl, Comparison& comparison) const {
    comparison.all("offer", golden.offer, rtl.offer);
    if (config_.scheme == esc::InjectionScheme::kAdaptive)
      comparison.offered("digit", golden.offer, golden.digit, rtl.digit);
  }
  static void compare_registered(const Side& golden, const Side& rtl, Comparison& comparison) {
    comparison.all("head leaves", golden.leaves, rtl.leaves);
    comparison.all("sections", golden.sections, rtl.sections);
  }

  std::vector<StateWord> state(std::uint32_t pe, const Side& side) const {
    return {{"offer", packet_text(side.offer[pe])},
            {"digit", side.offer[pe] == 0 ? "" : show(side.digit[pe])},
            {"head leaves", show(side.leaves[pe])},
            {"sections", fmt::format("{:#x}", side.sections[pe])}};
  }
  std::string text(std::uint32_t pe, const Side&) const {
    return fmt::format("busy {}, flag {}, taken {}, asked output {}", busy[pe], flag[pe], taken[pe],
                       asked[pe]);
  }
};

using LockstepInjectionBank = LockstepSettledBank<InjectionOutputs>;

}  // namespace muster::verif
