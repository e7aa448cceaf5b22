// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fabric/configurations.hpp"
#include "lockstep/lockstep_box.hpp"
#include "models/verilated_settled_bank.hpp"
#include "systems/esc/box_bank.hpp"
#include "systems/esc/box_factory.hpp"

namespace muster::verif {

/// How the banks of a model of kind `box` are made. `stages` as in BoxBank. With `skip_idle` boxes
/// that are quiescent and have no packet at an input are skipped, which changes only the
/// time it takes.
struct BoxMakers {
  static constexpr std::string_view kKind = "box";
  std::unique_ptr<esc::BoxBank> (*rtl)(std::vector<std::uint8_t> stages, bool skip_idle);
  std::unique_ptr<esc::BoxBank> (*lockstep)(std::unique_ptr<esc::BoxBank> golden,
                                            std::unique_ptr<esc::BoxBank> rtl,
                                            std::vector<std::uint8_t> stages);
};

struct BoxModel {
  esc::BoxConfig config;
};

/// Those of listed_models() that are interchange boxes.
std::vector<BoxModel> box_models();

/// The ports of an interchange box. `ModelClass` is the class Verilator makes of interchange_box,
/// or combining_box, with PacketW = 64; the other arguments are its parameters.
template <class ModelClass, unsigned Size, unsigned Depth, bool Combining>
class BoxPorts : public esc::BoxBank {
 public:
  bool quiescent(std::uint32_t b) const override { return quiescent_[b] != 0; }

  std::string describe(std::uint32_t b) const override {
    unsigned valid = 0, ready = 0;
    for (unsigned p = 0; p < Size; ++p) {
      valid |= unsigned{tx_[b * Size + p] != 0} << p;
      ready |= unsigned{rx_ready_[b * Size + p]} << p;
    }
    return fmt::format("{}: valid {:#x} ready {:#x} quiescent {}", name(b), valid, ready,
                       quiescent(b));
  }

 protected:
  using Model = ModelClass;

  /// With `skip_idle` boxes that are quiescent and have no packet at an input are skipped.
  BoxPorts(std::vector<std::uint8_t> stages, bool skip_idle)
      : BoxBank({Size, Depth, Combining}, std::move(stages)),
        skip_idle_(skip_idle),
        quiescent_(blocks()) {}

  std::string name(std::uint32_t b) const { return box_name(stages_, b); }
  void configure(std::uint32_t, Model&) {}
  static void idle(Model& m, std::uint16_t seed) {
    m.seed_i = seed;
    m.valid_i = 0;
    m.ready_i = 0;
  }

  bool sleeps(std::uint32_t b) const { return skip_idle_ && quiescent_[b] != 0 && !offered(b); }
  void rest(std::uint32_t b) { std::memset(&rx_ready_[b * Size], 0, Size); }

  /// A packet of 64 bits and a port of Size packets have the same layout in both.
  void drive(std::uint32_t b, Model& model) {
    auto& m = *model.rootp;  // its ports; the model itself has only references to them
    const esc::BoxPacket* const packets = &rx_[b * Size];
    unsigned valid = 0, digits = 0, broadcasts = 0;
    for (unsigned p = 0; p < Size; ++p) {
      valid |= unsigned{packets[p] != 0} << p;
      digits |= digit(b, packets[p]) << (kDigitW * p);
      broadcasts |= unsigned{broadcast(b, packets[p])} << p;
    }
    m.valid_i = static_cast<CData>(valid);
    m.digit_i = static_cast<std::remove_reference_t<decltype(m.digit_i)>>(digits);
    m.broadcast_i = static_cast<CData>(broadcasts);
    static_assert(sizeof m.packet_i == Size * sizeof(esc::BoxPacket));
    std::memcpy(&m.packet_i, packets, sizeof m.packet_i);
  }
  void take_settled(std::uint32_t b, const Model& model) {
    const unsigned ready = model.rootp->ready_o;
    for (unsigned p = 0; p < Size; ++p)
      rx_ready_[b * Size + p] = static_cast<std::uint8_t>((ready >> p) & 1);
  }
  void drive_late(std::uint32_t b, Model& model) {
    unsigned ready = 0;
    for (unsigned p = 0; p < Size; ++p) ready |= unsigned{tx_ready_[b * Size + p]} << p;
    model.rootp->ready_i = static_cast<CData>(ready);
  }
  void collect(std::uint32_t b, const Model& model) {
    const auto& m = *model.rootp;
    std::array<esc::BoxPacket, Size> packets;
    std::memcpy(packets.data(), &m.packet_o, sizeof m.packet_o);
    const unsigned valid = m.valid_o;
    for (unsigned p = 0; p < Size; ++p)  // without a branch, which no processor predicts
      tx_[b * Size + p] = packets[p] & (0 - esc::BoxPacket{(valid >> p) & 1u});
    quiescent_[b] = m.quiescent_o;
  }

 private:
  bool offered(std::uint32_t b) const {
    esc::BoxPacket any = 0;
    for (unsigned p = 0; p < Size; ++p) any |= rx_[b * Size + p];
    return any != 0;
  }

  static constexpr unsigned kDigitW = Size == 2 ? 1 : Size == 4 ? 2 : 3;
  const bool skip_idle_;
  std::vector<std::uint8_t> quiescent_;
};

template <class Model, unsigned Size, unsigned Depth, bool Combining>
using VerilatedBoxBank = VerilatedSettledBank<BoxPorts<Model, Size, Depth, Combining>>;

/// Of the class `V` that Verilator made with the parameters `P`.
template <class V, class P>
inline constexpr BoxMakers box_makers = {
    [](std::vector<std::uint8_t> stages, bool skip_idle) -> std::unique_ptr<esc::BoxBank> {
      static_assert(P::PacketW == 64, "a packet is one word of 64 bits");
      constexpr bool kCombining = P::kTop == esc::kCombiningBox;
      return std::make_unique<VerilatedBoxBank<V, P::Size, P::Depth, kCombining>>(std::move(stages),
                                                                                  skip_idle);
    },
    [](std::unique_ptr<esc::BoxBank> golden, std::unique_ptr<esc::BoxBank> rtl,
       std::vector<std::uint8_t> stages) -> std::unique_ptr<esc::BoxBank> {
      return std::make_unique<LockstepBoxBank>(std::move(golden), std::move(rtl),
                                               std::move(stages));
    }};

}  // namespace muster::verif
