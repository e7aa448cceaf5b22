// SPDX-License-Identifier: Apache-2.0
#include "golden/box_bank.hpp"

#include <fmt/format.h>

#include <array>

#include "common/error.hpp"
#include "golden/block_random.hpp"

namespace muster::golden {
namespace {

using network::BoxConfig;
using network::BoxPacket;

/// A small number for each output, in bytes: byte o belongs to output o. All numbers that occur
/// (packets in a buffer, room, requests) are at most 64.
using Bytes = std::uint64_t;

/// In which order the inputs are scanned: by draw bits 0..3, the start and the direction.
template <unsigned N>
constexpr std::array<std::array<std::uint8_t, N>, 16> scan_orders() {
  std::array<std::array<std::uint8_t, N>, 16> orders{};
  for (unsigned draw = 0; draw < 16; ++draw) {
    for (unsigned k = 0; k < N; ++k) {
      const bool down = (draw & 8u) != 0;
      orders[draw][k] = static_cast<std::uint8_t>((down ? draw + N - k : draw + k) % N);
    }
  }
  return orders;
}

template <unsigned N>
class GoldenBoxBank final : public network::BoxBank {
 public:
  GoldenBoxBank(const BoxConfig& config, std::vector<std::uint8_t> stages)
      : BoxBank(config, std::move(stages)),
        boxes_(blocks()),
        packets_(std::size_t{blocks()} * N * config.depth) {}

  void settle() override {
    for (std::uint32_t b = 0; b < blocks(); ++b) settle(b, boxes_[b]);
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (std::uint32_t b = 0; b < blocks(); ++b) {
      Box& box = boxes_[b];
      if (box.fill != 0 || box.offered) clock(b, box);
    }
  }

  bool quiescent(std::uint32_t block) const override { return boxes_[block].fill == 0; }

  std::string describe(std::uint32_t block) const override {
    const Box& box = boxes_[block];
    std::string text = fmt::format("stage {}, random {:#06x}", stages_[block], box.random.value());
    for (unsigned o = 0; o < N; ++o) {
      text += fmt::format("\n  output {}: {} of {} packets", o, byte(box.fill, o), config_.depth);
      for (unsigned k = 0; k < byte(box.fill, o); ++k)
        text += fmt::format(" {:016x}", packets_[slot(block, o, box.head[o] + k)]);
    }
    return text;
  }

 private:
  static constexpr Bytes kOnes = 0x0101010101010101u >> (64 - 8 * N);
  static constexpr Bytes kTops = kOnes << 7;
  static constexpr auto kOrders = scan_orders<N>();

  struct Box {
    Bytes fill = 0;                      ///< packets in each output buffer
    std::array<std::uint8_t, N> head{};  ///< slot of the oldest one
    BlockRandom random{1};
    bool offered = false;    ///< an input has a packet in this cycle
    bool contended = false;  ///< and an output is requested twice
  };

  static unsigned byte(Bytes bytes, unsigned o) { return (bytes >> (8 * o)) & 0xFF; }

  /// A one for each output that the packet asks for.
  Bytes request(std::uint32_t b, BoxPacket packet) const {
    if (packet == 0) return 0;
    if (broadcast(b, packet)) return kOnes;
    return Bytes{1} << (8 * digit(b, packet));
  }

  /// Where the k-th packet of a buffer lies, k counted from slot 0, below twice the depth.
  std::size_t slot(std::uint32_t b, unsigned o, unsigned k) const {
    return (std::size_t{b} * N + o) * config_.depth + (k < config_.depth ? k : k - config_.depth);
  }

  void settle(std::uint32_t b, Box& box) {
    const BoxPacket* const in = &rx_[std::size_t{b} * N];
    std::uint8_t* const ready = &rx_ready_[std::size_t{b} * N];
    std::array<Bytes, N> asks;
    Bytes requests = 0;
    for (unsigned i = 0; i < N; ++i) {
      asks[i] = request(b, in[i]);
      requests += asks[i];
    }
    box.offered = requests != 0;
    box.contended = (requests & ~kOnes) != 0;
    // The top bit of a byte stays set if the room there is more than the requests before.
    const Bytes room = ((config_.depth * kOnes - box.fill) | kTops) - kOnes;
    if (!box.contended) {
      for (unsigned i = 0; i < N; ++i) ready[i] = asks[i] != 0 && fits(asks[i], room);
      return;
    }
    Bytes before = 0;
    for (const unsigned i : kOrders[box.random.low_four()]) {
      ready[i] = asks[i] != 0 && fits(asks[i], room - before);
      before += asks[i];
    }
  }
  static bool fits(Bytes ask, Bytes room) { return (ask & ~(room >> 7)) == 0; }

  void clock(std::uint32_t b, Box& box) {
    const BoxPacket* const in = &rx_[std::size_t{b} * N];
    const std::uint8_t* const taken = &rx_ready_[std::size_t{b} * N];
    const std::uint8_t* const leaves = &tx_ready_[std::size_t{b} * N];
    for (unsigned o = 0; o < N; ++o) {
      if (leaves[o] == 0 || byte(box.fill, o) == 0) continue;
      box.head[o] =
          static_cast<std::uint8_t>(box.head[o] + 1u == config_.depth ? 0 : box.head[o] + 1);
      box.fill -= Bytes{1} << (8 * o);
    }
    if (box.contended) {
      for (const unsigned i : kOrders[box.random.low_four()])
        if (taken[i] != 0) append(b, box, in[i]);
      box.random.step();
    } else if (box.offered) {
      for (unsigned i = 0; i < N; ++i)
        if (taken[i] != 0) append(b, box, in[i]);
    }
    for (unsigned o = 0; o < N; ++o)
      tx_[std::size_t{b} * N + o] = byte(box.fill, o) == 0 ? 0 : packets_[slot(b, o, box.head[o])];
  }

  void append(std::uint32_t b, Box& box, BoxPacket packet) {
    if (!broadcast(b, packet)) return append(b, box, digit(b, packet), packet);
    for (unsigned o = 0; o < N; ++o) append(b, box, o, packet);
  }
  void append(std::uint32_t b, Box& box, unsigned o, BoxPacket packet) {
    packets_[slot(b, o, box.head[o] + byte(box.fill, o))] = packet;
    box.fill += Bytes{1} << (8 * o);
  }

  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (std::uint32_t b = 0; b < blocks(); ++b) {
      boxes_[b] = Box{};
      boxes_[b].random = BlockRandom(seeds[b]);
    }
  }

  std::vector<Box> boxes_;
  std::vector<BoxPacket> packets_;  ///< [box][output][slot]
};

}  // namespace

std::unique_ptr<network::BoxBank> make_box_bank(const BoxConfig& config,
                                                std::vector<std::uint8_t> stages) {
  switch (config.size) {
    case 2:
      return std::make_unique<GoldenBoxBank<2>>(config, std::move(stages));
    case 4:
      return std::make_unique<GoldenBoxBank<4>>(config, std::move(stages));
    case 8:
      return std::make_unique<GoldenBoxBank<8>>(config, std::move(stages));
    default:
      throw InternalError(fmt::format("no golden box of size {}", config.size));
  }
}

}  // namespace muster::golden
