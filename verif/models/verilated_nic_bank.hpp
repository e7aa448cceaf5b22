// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <verilated.h>

#include <memory>
#include <vector>

#include "fabric/engine_registry.hpp"
#include "models/model_context.hpp"
#include "models/port_words.hpp"
#include "models/register_access.hpp"
#include "models/wave.hpp"
#include "systems/nic/blocks/nic_bank.hpp"

namespace muster::verif {

/// Verilated NIC barrier engines of one configuration as a bank. `Model` is the class Verilator
/// makes of nic_engine. Models are named by their node: a failing assertion says `nic12`.
template <class Model, unsigned FlitW>
class VerilatedNicBank final : public nic::NicBank {
 public:
  VerilatedNicBank(std::uint32_t nics, const fabric::BankOptions& options)
      : NicBank(nics), context_(std::make_unique<VerilatedContext>()) {
    context_->threads(1);
    context_->assertOn(options.assertions);
    context_->randReset(options.random_init ? 2 : 0);
    context_->randSeed(static_cast<int>(options.seed % 0x7FFFFFFF) + 1);
    if (!options.wave_file.empty()) context_->traceEverOn(true);
    for (std::uint32_t b = 0; b < nics; ++b)
      models_.push_back(std::make_unique<Model>(context_.get(), fmt::format("nic{}", b).c_str()));
    if (!options.wave_file.empty()) wave_ = Wave::open(options, models_);
    for (std::uint32_t b = 0; b < nics; ++b) {
      idle(*models_[b]);
      reset_model(*models_[b]);
      collect(b);
    }
  }
  ~VerilatedNicBank() override {
    Verilated::threadContextp(context_.get());
    for (auto& model : models_) model->final();
    wave_.reset();
    models_.clear();  // before their context
  }

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    if (wave_) {
      for (const std::uint32_t b : awake) drive(b);
      wave_->dump_inputs(cycle);
      for (const std::uint32_t b : awake) {
        rise(*models_[b]);
        collect(b);
      }
      return wave_->dump_edge(cycle);
    }
    for (const std::uint32_t b : awake) {
      drive(b);
      rise(*models_[b]);
      collect(b);
    }
  }

  void write_register(std::uint32_t b, std::uint32_t address, std::uint32_t value) override {
    // One clock with idle inputs; the contract says that the block is quiescent.
    Model& m = *models_[b];
    idle(m);
    clock_write(m, address, value);
    collect(b);
  }
  std::uint32_t read_register(std::uint32_t b, std::uint32_t address) override {
    return read_now(*models_[b], address);
  }

  std::string describe(std::uint32_t b) const override {
    const Model& m = *models_[b];
    return fmt::format("nic{}: tx_valid {} event {} quiescent {}", b,
                       static_cast<unsigned>(m.tx_valid_o), static_cast<unsigned>(m.event_valid_o),
                       static_cast<unsigned>(m.quiescent_o));
  }

 private:
  static void idle(Model& m) {
    m.rx_valid_i = 0;
    m.tx_credit_i = 0;
    m.reg_valid_i = 0;
    m.event_ready_i = 0;
  }

  /// Put this cycle's inputs on the model, clock low, and let them settle.
  void drive(std::uint32_t b) {
    Model& m = *models_[b];
    core::BlockWires& w = wires_[b];
    nic::HostWires& host = hosts_[b];
    m.rx_valid_i = static_cast<CData>(w.rx_valid);
    if (w.rx_valid != 0) {
      m.rx_vc_i = rx_[b].vc;
      m.rx_kind_i = rx_[b].kind;
      put_payload<FlitW>(m.rx_payload_i, 0, rx_[b]);
    }
    m.tx_credit_i = static_cast<CData>(w.tx_back);
    m.event_ready_i = host.ready;
    m.reg_valid_i = 0;
    if (host.access) put_request(m, host.address, host.write, host.data);
    w.rx_valid = 0;
    w.tx_back = 0;
    host.access = host.write = host.ready = false;
    m.eval();
  }

  /// Take the registered outputs after an edge.
  void collect(std::uint32_t b) {
    Model& m = *models_[b];
    m.reg_valid_i = 0;
    core::BlockWires& w = wires_[b];
    w.tx_valid = m.tx_valid_o;
    w.rx_back = m.rx_credit_o;
    quiescent_[b] = m.quiescent_o;
    hosts_[b].event = m.event_valid_o;
    if (m.event_valid_o) hosts_[b].word = m.event_o;
    if (!m.tx_valid_o) return;
    tx_[b].vc = m.tx_vc_o;
    tx_[b].kind = m.tx_kind_o;
    get_payload<FlitW>(m.tx_payload_o, 0, tx_[b]);
  }

  std::unique_ptr<VerilatedContext> context_;
  std::vector<std::unique_ptr<Model>> models_;
  std::unique_ptr<Wave> wave_;
};

}  // namespace muster::verif
