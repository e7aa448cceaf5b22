// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/golden_boxes.hpp"

namespace muster::golden {
namespace {

using esc::BoxConfig;
using esc::BoxPacket;

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

/// The loops over ports are free of branches that depend on traffic, which no processor predicts:
/// small numbers of all outputs are added and compared at once, and what is not accepted is written
/// to a slot that no packet uses.
template <unsigned N>
class GoldenBoxBank final : public esc::BoxBank {
 public:
  GoldenBoxBank(const BoxConfig& config, std::vector<std::uint8_t> stages)
      : BoxBank(config, std::move(stages)),
        ring_(config.depth + 1),
        boxes_(blocks()),
        packets_(std::size_t{blocks()} * N * ring_) {}

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
        text += fmt::format(" {:016x}", packets_[slot(block, o, byte(box.head, o) + k)]);
    }
    return text;
  }

 private:
  static constexpr Bytes kOnes = 0x0101010101010101u >> (64 - 8 * N);
  static constexpr Bytes kTops = kOnes << 7;
  static constexpr auto kOrders = scan_orders<N>();

  struct Box {
    Bytes fill = 0;  ///< packets in each output buffer
    Bytes head = 0;  ///< slot of the oldest one
    BlockRandom random{1};
    bool offered = false;    ///< an input has a packet in this cycle
    bool contended = false;  ///< and an output is requested twice
    bool broadcast = false;  ///< and a packet is for all outputs
  };

  static unsigned byte(Bytes bytes, unsigned o) { return (bytes >> (8 * o)) & 0xFF; }
  /// A one for each byte that is at least `limit`, for bytes and limit up to 128.
  static Bytes at_least(Bytes bytes, unsigned limit) {
    return ((bytes + kOnes * (128 - limit)) >> 7) & kOnes;
  }
  static Bytes ones_of(const std::uint8_t* flags) {
    Bytes bytes = 0;
    std::memcpy(&bytes, flags, N);
    return bytes;
  }

  /// Where the k-th packet of a buffer lies, counted from slot 0, k below twice the ring.
  std::size_t slot(std::uint32_t b, unsigned o, unsigned k) const {
    return (std::size_t{b} * N + o) * ring_ + (k < ring_ ? k : k - ring_);
  }

  Bytes leaving(std::uint32_t b, const Box& box) const {
    return ones_of(&tx_ready_[std::size_t{b} * N]) & at_least(box.fill, 1);
  }

  void settle(std::uint32_t b, Box& box) {
    const BoxPacket* const in = &rx_[std::size_t{b} * N];
    std::uint8_t* const ready = &rx_ready_[std::size_t{b} * N];
    std::array<Bytes, N> asks;  // a one for each output that the packet asks for
    BoxPacket releases = 0;     // top bit: there is a release packet, kind 3
    Bytes requests = 0;
    for (unsigned i = 0; i < N; ++i) {
      asks[i] = Bytes{in[i] != 0} << (8 * digit(b, in[i]));
      releases |= in[i] & (in[i] << 1);
      requests += asks[i];
    }
    box.broadcast = releases >> 63 != 0;
    if (box.broadcast) {
      for (unsigned i = 0; i < N; ++i) {
        if (!broadcast(b, in[i])) continue;
        requests += kOnes - asks[i];
        asks[i] = kOnes;
      }
    }
    box.offered = requests != 0;
    box.contended = (requests & ~kOnes) != 0;
    // The top bit of a byte stays set while the room there is more than the requests before.
    const Bytes held = config_.refill ? box.fill - leaving(b, box) : box.fill;
    Bytes room = ((config_.depth * kOnes - held) | kTops) - kOnes;
    for (const unsigned i : kOrders[box.random.low_four()]) {
      ready[i] = static_cast<std::uint8_t>((in[i] != 0) & ((asks[i] & ~(room >> 7)) == 0));
      room -= asks[i];
    }
  }

  void clock(std::uint32_t b, Box& box) {
    const BoxPacket* const in = &rx_[std::size_t{b} * N];
    const std::uint8_t* const taken = &rx_ready_[std::size_t{b} * N];
    const Bytes leaves = leaving(b, box);
    Bytes fill = box.fill - leaves;
    Bytes head = box.head + leaves;
    head -= at_least(head, ring_) * ring_;
    for (const unsigned i : kOrders[box.random.low_four()]) {
      if (box.broadcast && broadcast(b, in[i])) {
        if (taken[i] == 0) continue;
        for (unsigned o = 0; o < N; ++o)
          packets_[slot(b, o, byte(head, o) + byte(fill, o))] = in[i];
        fill += kOnes;
      } else {
        const unsigned o = digit(b, in[i]);
        packets_[slot(b, o, byte(head, o) + byte(fill, o))] = in[i];
        fill += Bytes{taken[i]} << (8 * o);
      }
    }
    if (box.contended) box.random.step();
    box.fill = fill;
    box.head = head;
    const Bytes full = at_least(fill, 1);
    for (unsigned o = 0; o < N; ++o)
      tx_[std::size_t{b} * N + o] =
          packets_[slot(b, o, byte(head, o))] & (0 - BoxPacket{byte(full, o)});
  }

  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (std::uint32_t b = 0; b < blocks(); ++b) {
      boxes_[b] = Box{};
      boxes_[b].random = BlockRandom(seeds[b]);
    }
  }

  const unsigned ring_;  ///< slots of a buffer, one of them free
  std::vector<Box> boxes_;
  std::vector<BoxPacket> packets_;  ///< [box][output][slot]
};

using esc::BoxKind;
using esc::kind_of;
using esc::tag_of;

bool can_merge(BoxPacket a, BoxPacket b) {
  return kind_of(a) == BoxKind::kSynchronization && kind_of(b) == BoxKind::kSynchronization &&
         tag_of(a) == tag_of(b);
}

class CombiningBank final : public esc::BoxBank {
 public:
  CombiningBank(const esc::BoxConfig& config, std::vector<std::uint8_t> stages)
      : BoxBank(config, std::move(stages)), buffers_(rx_.size()), random_(blocks()) {}

  void settle() override {
    for (std::uint32_t b = 0; b < blocks(); ++b) settle(b);
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (std::uint32_t b = 0; b < blocks(); ++b) clock(b);
  }

  bool quiescent(std::uint32_t block) const override {
    const auto first = buffers_.begin() + std::ptrdiff_t{block} * config_.size;
    return std::all_of(first, first + config_.size, [](const Buffer& q) { return q.empty(); });
  }

  std::string describe(std::uint32_t block) const override {
    std::string text =
        fmt::format("stage {}, random {:#06x}", stages_[block], random_[block].value());
    for (std::uint32_t o = 0; o < config_.size; ++o) {
      const Buffer& buffer = buffers_[port(block, o)];
      text += fmt::format("\n  output {}: {} of {} packets", o, buffer.size(), config_.depth);
      for (const BoxPacket packet : buffer) text += fmt::format(" {:016x}", packet);
    }
    return text;
  }

 private:
  using Buffer = std::vector<BoxPacket>;  ///< oldest first

  std::size_t port(std::uint32_t block, std::uint32_t p) const {
    return std::size_t{block} * config_.size + p;
  }
  std::uint32_t scanned(std::uint32_t block, std::uint32_t k) const {
    const unsigned draw = random_[block].low_four();
    return ((draw & 8u) != 0 ? draw - k : draw + k) & (config_.size - 1);
  }
  bool asks(std::uint32_t block, std::uint32_t i, std::uint32_t o) const {
    const BoxPacket packet = rx_[port(block, i)];
    return packet != 0 && (broadcast(block, packet) || digit(block, packet) == o);
  }
  /// The packet of the buffer, behind its head, that takes this one up; the buffer's end if none.
  static Buffer::iterator partner(Buffer& buffer, BoxPacket packet) {
    if (buffer.empty() || kind_of(packet) != BoxKind::kSynchronization) return buffer.end();
    return std::find_if(buffer.begin() + 1, buffer.end(),
                        [packet](BoxPacket held) { return can_merge(held, packet); });
  }

  void settle(std::uint32_t b) {
    for (std::uint32_t i = 0; i < config_.size; ++i) rx_ready_[port(b, i)] = rx_[port(b, i)] != 0;
    for (std::uint32_t o = 0; o < config_.size; ++o) {
      Buffer& buffer = buffers_[port(b, o)];
      std::size_t places = buffer.size();      // filled or asked for
      std::array<std::uint32_t, 8> leaders{};  // inputs, in scan order
      auto last = leaders.begin();
      for (std::uint32_t k = 0; k < config_.size; ++k) {
        const std::uint32_t i = scanned(b, k);
        const BoxPacket packet = rx_[port(b, i)];
        if (!asks(b, i, o) || partner(buffer, packet) != buffer.end()) continue;
        const auto leader = std::find_if(leaders.begin(), last, [&](std::uint32_t earlier) {
          return can_merge(rx_[port(b, earlier)], packet);
        });
        if (leader != last) {
          rx_ready_[port(b, i)] = rx_ready_[port(b, *leader)];
          continue;
        }
        *last++ = i;
        if (places >= config_.depth) rx_ready_[port(b, i)] = 0;
        ++places;
      }
    }
  }

  void clock(std::uint32_t b) {
    bool contended = false;
    for (std::uint32_t o = 0; o < config_.size; ++o) {
      Buffer& buffer = buffers_[port(b, o)];
      const bool leaves = !buffer.empty() && tx_ready_[port(b, o)] != 0;
      append(b, o, buffer, contended);
      if (leaves) buffer.erase(buffer.begin());
      tx_[port(b, o)] = buffer.empty() ? 0 : buffer.front();
    }
    if (contended) random_[b].step();
  }

  void append(std::uint32_t b, std::uint32_t o, Buffer& buffer, bool& contended) {
    const std::size_t before = buffer.size();
    std::uint32_t requests = 0;
    for (std::uint32_t k = 0; k < config_.size; ++k) {
      const std::uint32_t i = scanned(b, k);
      if (!asks(b, i, o)) continue;
      ++requests;
      if (rx_ready_[port(b, i)] == 0) continue;
      const BoxPacket packet = rx_[port(b, i)];
      // The first packet of an empty buffer came in this cycle, so it takes up others.
      const auto from = buffer.begin() + (before != 0 ? 1 : 0);
      const auto into = std::find_if(from, buffer.end(),
                                     [packet](BoxPacket held) { return can_merge(held, packet); });
      if (into != buffer.end())
        *into = esc::merged(*into, packet);
      else
        buffer.push_back(packet);
    }
    contended = contended || requests > 1;
  }

  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (Buffer& buffer : buffers_) buffer.clear();
    for (std::uint32_t b = 0; b < blocks(); ++b) random_[b] = BlockRandom(seeds[b]);
  }

  std::vector<Buffer> buffers_;  ///< [block][output]
  std::vector<BlockRandom> random_;
};

}  // namespace

std::unique_ptr<esc::BoxBank> GoldenBoxes::make_boxes(const BoxConfig& config,
                                                      std::vector<std::uint8_t> stages) const {
  if (config.combining) return std::make_unique<CombiningBank>(config, std::move(stages));
  switch (config.size) {
    case 2:
      return std::make_unique<GoldenBoxBank<2>>(config, std::move(stages));
    case 4:
      return std::make_unique<GoldenBoxBank<4>>(config, std::move(stages));
    case 8:
      return std::make_unique<GoldenBoxBank<8>>(config, std::move(stages));
    default:
      throw InternalError("no golden box of size {}", config.size);
  }
}

}  // namespace muster::golden
