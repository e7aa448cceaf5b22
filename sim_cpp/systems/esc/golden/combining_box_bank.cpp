// SPDX-License-Identifier: Apache-2.0
#include "systems/esc/golden/combining_box_bank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fabric/golden/block_random.hpp"
#include "systems/esc/blocks/combined_packet.hpp"

namespace muster::golden {
namespace {

using esc::BoxKind;
using esc::BoxPacket;
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

std::unique_ptr<esc::BoxBank> make_combining_box_bank(const esc::BoxConfig& config,
                                                      std::vector<std::uint8_t> stages) {
  return std::make_unique<CombiningBank>(config, std::move(stages));
}

}  // namespace muster::golden
