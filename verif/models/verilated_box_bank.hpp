// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/block_names.hpp"
#include "models/large_pages.hpp"
#include "models/model_context.hpp"
#include "systems/esc/blocks/box_bank.hpp"

namespace muster::verif {

/// Verilated interchange boxes as a bank. `Model` is the class Verilator makes of interchange_box,
/// or combining_box, with PacketW = 64; the other arguments are its parameters. A failing assertion
/// names the box by its coordinates.
template <class Model, unsigned Size, unsigned Depth, bool Combining>
class VerilatedBoxBank final : public esc::BoxBank {
 public:
  VerilatedBoxBank(std::vector<std::uint8_t> stages, bool skip_idle)
      : BoxBank({Size, Depth, Combining}, std::move(stages)),
        skip_idle_(skip_idle),
        quiescent_(blocks()) {
    for (std::uint32_t b = 0; b < blocks(); ++b)
      models_.push_back(std::make_unique<Model>(context_.get(), box_name(stages_, b).c_str()));
    if (!models_.empty()) use_large_pages(models_.front().get(), models_.back()->rootp + 1);
    awake_.reserve(blocks());
  }
  ~VerilatedBoxBank() override {
    // A model leaves the context of the thread, not its own; there may be other banks.
    Verilated::threadContextp(context_.get());
    for (auto& model : models_) model->final();
    models_.clear();  // before their context
  }

  void settle() override {
    awake_.clear();
    for (std::uint32_t b = 0; b < blocks(); ++b) {
      if (skip_idle_ && quiescent_[b] != 0 && !offered(b)) {
        std::memset(&rx_ready_[b * Size], 0, Size);
        continue;
      }
      awake_.push_back(b);
      drive(b);
    }
  }

  void clock(std::uint64_t /*cycle*/) override {
    for (const std::uint32_t b : awake_) {
      auto& m = *models_[b]->rootp;  // its ports; the model itself has only references to them
      unsigned ready = 0;
      for (unsigned p = 0; p < Size; ++p) ready |= unsigned{tx_ready_[b * Size + p]} << p;
      m.ready_i = static_cast<CData>(ready);
      rise(*models_[b]);
      collect(b);
    }
  }

  bool quiescent(std::uint32_t b) const override { return quiescent_[b] != 0; }

  std::string describe(std::uint32_t b) const override {
    const auto& m = *models_[b]->rootp;
    return fmt::format("{}: valid_o {:#x} ready_o {:#x} quiescent {}", box_name(stages_, b),
                       static_cast<unsigned>(m.valid_o), static_cast<unsigned>(m.ready_o),
                       static_cast<unsigned>(m.quiescent_o));
  }

 protected:
  void reset_blocks(std::span<const std::uint16_t> seeds) override {
    for (std::uint32_t b = 0; b < blocks(); ++b) {
      models_[b]->seed_i = seeds[b];
      models_[b]->valid_i = 0;
      models_[b]->ready_i = 0;
      reset_model(*models_[b]);
      quiescent_[b] = models_[b]->quiescent_o;
    }
  }

 private:
  bool offered(std::uint32_t b) const {
    esc::BoxPacket any = 0;
    for (unsigned p = 0; p < Size; ++p) any |= rx_[b * Size + p];
    return any != 0;
  }

  /// This cycle's offers on the model, clock low, and let them settle. A packet of 64 bits and a
  /// port of Size packets have the same layout in both.
  void drive(std::uint32_t b) {
    auto& m = *models_[b]->rootp;
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
    models_[b]->eval();
    const unsigned ready = m.ready_o;
    for (unsigned p = 0; p < Size; ++p)
      rx_ready_[b * Size + p] = static_cast<std::uint8_t>((ready >> p) & 1);
  }

  /// The registered outputs after an edge.
  void collect(std::uint32_t b) {
    const auto& m = *models_[b]->rootp;
    std::array<esc::BoxPacket, Size> packets;
    std::memcpy(packets.data(), &m.packet_o, sizeof m.packet_o);
    const unsigned valid = m.valid_o;
    for (unsigned p = 0; p < Size; ++p)  // without a branch, which no processor predicts
      tx_[b * Size + p] = packets[p] & (0 - esc::BoxPacket{(valid >> p) & 1u});
    quiescent_[b] = m.quiescent_o;
  }

  static constexpr unsigned kDigitW = Size == 2 ? 1 : Size == 4 ? 2 : 3;
  const bool skip_idle_;
  ModelContext context_;
  std::vector<std::unique_ptr<Model>> models_;
  std::vector<std::uint32_t> awake_;  ///< between settle and clock: those that have settled
  std::vector<std::uint8_t> quiescent_;
};

}  // namespace muster::verif
