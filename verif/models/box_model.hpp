// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "models/names.hpp"
#include "models/verilated_settled_bank.hpp"
#include "systems/esc/box_bank.hpp"

namespace muster::verif {

/// Interchange boxes, those that combine as well. Blocks: as the stages of BoxBank.
struct BoxModels : Models<esc::BoxBank, esc::BoxConfig, std::vector<std::uint8_t>, SettledOptions> {
  static constexpr std::string_view kName = "box";
};

/// The ports of an interchange box. `ModelClass` is the class Verilator makes of
/// muster_interchange_box or muster_combining_box with the parameters `P`.
template <class ModelClass, class P>
class BoxPorts : public esc::BoxBank {
  static_assert(P::PacketW == 64, "a packet is one word of 64 bits");
  static constexpr unsigned Size = P::Size;

 public:
  using Model = ModelClass;

  BoxPorts(const esc::BoxConfig& config, std::vector<std::uint8_t> stages)
      : BoxBank(config, std::move(stages)), quiescent_(blocks()) {}

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

  std::string name(std::uint32_t b) const { return box_name(stages_, b); }
  void configure(std::uint32_t, Model&) {}
  static void idle(Model& m, std::uint16_t seed) {
    m.seed_i = seed;
    m.valid_i = 0;
    m.ready_i = 0;
  }

  bool idles(std::uint32_t b) const { return quiescent_[b] != 0 && !offered(b); }
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
  std::vector<std::uint8_t> quiescent_;
};

template <class V, class P>
inline constexpr MakeBank<BoxModels> box_maker =
    make_verilated<BoxModels, VerilatedSettledBank<BoxPorts<V, P>>>;

}  // namespace muster::verif
