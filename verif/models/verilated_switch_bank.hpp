// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <verilated.h>

#include <memory>
#include <string>
#include <vector>

#include "core/bank.hpp"
#include "core/error.hpp"
#include "core/replay.hpp"
#include "fabric/engine_registry.hpp"
#include "models/large_pages.hpp"
#include "models/port_words.hpp"
#include "models/recorder.hpp"
#include "models/register_access.hpp"
#include "models/wave.hpp"

namespace muster::verif {

/// Many Verilated switches of one configuration as a bank. `Model` is the class Verilator makes of
/// barrier_switch or multicast_switch; the other arguments are its parameters. All models share one
/// VerilatedContext and are named by their place, so that a failing assertion says `sw12`.
template <class Model, unsigned Ports, unsigned Vcs, unsigned FlitW>
class VerilatedSwitchBank final : public core::Bank, public core::Replayable {
 public:
  VerilatedSwitchBank(std::uint32_t blocks, const fabric::BankOptions& options)
      : Bank(blocks, Ports), context_(std::make_unique<VerilatedContext>()) {
    context_->threads(1);
    context_->assertOn(options.assertions);
    context_->randReset(options.random_init ? 2 : 0);
    context_->randSeed(static_cast<int>(options.seed % 0x7FFFFFFF) + 1);
    if (!options.wave_file.empty()) context_->traceEverOn(true);
    for (std::uint32_t b = 0; b < blocks; ++b)
      models_.push_back(std::make_unique<Model>(context_.get(), fmt::format("sw{}", b).c_str()));
    if (blocks != 0) use_large_pages(models_.front().get(), models_.back()->rootp + 1);
    if (!options.wave_file.empty()) wave_ = Wave::open(options, models_);
    for (auto& model : models_) reset(*model);
    for (std::uint32_t b = 0; b < blocks; ++b) collect(b);
  }
  ~VerilatedSwitchBank() override {
    // A model leaves the context of the thread, not its own; there may be other banks.
    Verilated::threadContextp(context_.get());
    for (auto& model : models_) model->final();
    wave_.reset();
    models_.clear();  // before their context
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    if (wave_ || recording_ || !requests_.empty()) return clock_watched(cycle, awake);
    for (std::size_t i = 0; i < awake.size(); ++i) {  // one by one: a model stays in the cache
      if (i + 1 < awake.size()) prefetch(awake[i + 1]);
      const std::uint32_t b = awake[i];
      drive(b);
      rise(*models_[b]);
      collect(b);
    }
  }

  void start_recording() override {
    recording_ = std::make_unique<SwitchRecording<Model>>(blocks());
  }
  std::unique_ptr<core::Recording> stop_recording() override { return std::move(recording_); }
  void replay(const core::Recording& recording, std::uint64_t first, std::uint64_t last) override {
    const auto& inputs = dynamic_cast<const SwitchRecording<Model>&>(recording);
    for (std::uint64_t cycle = first; cycle < last; ++cycle) {
      for (std::uint32_t b = 0; b < blocks(); ++b) {
        Model& m = *models_[b];
        inputs.at(cycle, b).put(m);
        m.eval();
        rise(m);
      }
    }
    for (std::uint32_t b = 0; b < blocks(); ++b) collect(b);
  }

  void request(const core::RegisterRequest& r) override {
    put_request(*models_[r.block], r.address, r.write, r.value);
    requests_.push_back(r.block);
  }
  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    // One clock with idle links; the contract says that the block is quiescent.
    Model& m = *models_[b];
    m.rx_valid_i = 0;
    m.tx_credit_i = 0;
    clock_write(m, address, value);
    collect(b);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return read_now(*models_[b], address);
  }

  std::string describe(std::uint32_t b) const override {
    const Model& m = *models_[b];
    return fmt::format("sw{}: tx_valid {:#x} rx_credit {:#x} quiescent {}", b,
                       static_cast<unsigned>(m.tx_valid_o), std::uint64_t{m.rx_credit_o},
                       static_cast<unsigned>(m.quiescent_o));
  }

 private:
  static constexpr unsigned kVcW = Vcs > 1 ? (Vcs > 2 ? 2 : 1) : 1;
  static constexpr unsigned kKindW = 3;

  /// Starts to fetch the next model while this one is evaluated. Verilator puts plain variables
  /// first, then the routing table, of which little is used, then the queues.
  void prefetch(std::uint32_t b) const {
    constexpr std::size_t kLine = 64, kPlain = 1280, kQueues = 512;
    const auto* state = reinterpret_cast<const char*>(models_[b]->rootp);
    constexpr std::size_t kSize = sizeof(*Model::rootp);
    for (std::size_t at = 0; at < kPlain; at += kLine) __builtin_prefetch(state + at);
    for (std::size_t at = kSize - kQueues; at < kSize; at += kLine) __builtin_prefetch(state + at);
  }

  /// clock() with the waveform or the recording between inputs and edge, or with requests on
  /// register ports.
  void clock_watched(std::uint64_t cycle, std::span<const std::uint32_t> awake) {
    for (const std::uint32_t b : awake) drive(b);
    if (recording_) {
      if (awake.size() != blocks()) throw InternalError("a recording needs all blocks every cycle");
      for (const auto& model : models_) recording_->add(*model);
    }
    if (wave_) wave_->dump_inputs(cycle);
    for (const std::uint32_t b : awake) {
      rise(*models_[b]);
      collect(b);
    }
    if (wave_) wave_->dump_edge(cycle);
    for (const std::uint32_t b : requests_) models_[b]->reg_valid_i = 0;
    requests_.clear();
  }

  static void rise(Model& m) {
    m.clk_i = 1;
    m.eval();
    m.clk_i = 0;
  }

  static void reset(Model& m) {
    m.clk_i = 0;
    m.rst_ni = 0;
    m.rx_valid_i = 0;
    m.tx_credit_i = 0;
    m.reg_valid_i = 0;
    m.eval();
    for (int i = 0; i < 2; ++i) {
      rise(m);
      m.eval();
    }
    m.rst_ni = 1;
    m.eval();
  }

  /// Put this cycle's inputs on the model, clock low, and let them settle.
  void drive(std::uint32_t b) {
    auto& m = *models_[b]->rootp;  // its ports; the model itself has only references to them
    core::BlockWires& w = wires_[b];
    set_port(m.rx_valid_i, w.rx_valid);
    if (w.rx_valid != 0) {
      std::uint64_t vc = 0, kind = 0;
      for (std::uint32_t rest = w.rx_valid; rest != 0; rest &= rest - 1) {
        const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
        const core::Flit& flit = rx_[index(b, p)];
        vc |= std::uint64_t{flit.vc} << (kVcW * p);
        kind |= std::uint64_t{flit.kind} << (kKindW * p);
        put_payload<FlitW>(m.rx_payload_i, p, flit);
      }
      set_port(m.rx_vc_i, vc);
      set_port(m.rx_kind_i, kind);
    }
    set_port(m.tx_credit_i, w.tx_back == 0 ? 0 : pack_back<Ports, Vcs>(w.tx_back));
    w.rx_valid = 0;
    w.tx_back = 0;
    models_[b]->eval();
  }

  /// Take the registered outputs after an edge.
  void collect(std::uint32_t b) {
    const auto& m = *models_[b]->rootp;
    core::BlockWires& w = wires_[b];
    w.tx_valid = m.tx_valid_o;
    w.rx_back = m.rx_credit_o == 0 ? 0 : unpack_back<Ports, Vcs>(m.rx_credit_o);
    quiescent_[b] = m.quiescent_o;
    const std::uint64_t vc = m.tx_vc_o, kind = m.tx_kind_o;
    for (std::uint32_t rest = w.tx_valid; rest != 0; rest &= rest - 1) {
      const unsigned p = static_cast<unsigned>(__builtin_ctz(rest));
      core::Flit& flit = tx_[index(b, p)];
      flit.vc = static_cast<std::uint8_t>((vc >> (kVcW * p)) & ((1u << kVcW) - 1));
      flit.kind = static_cast<std::uint8_t>((kind >> (kKindW * p)) & 7);
      get_payload<FlitW>(m.tx_payload_o, p, flit);
    }
  }

  std::unique_ptr<VerilatedContext> context_;
  std::vector<std::unique_ptr<Model>> models_;
  std::unique_ptr<Wave> wave_;
  std::unique_ptr<SwitchRecording<Model>> recording_;  ///< while recording
  std::vector<std::uint32_t> requests_;  ///< blocks with one on their port until the next edge
};

}  // namespace muster::verif
