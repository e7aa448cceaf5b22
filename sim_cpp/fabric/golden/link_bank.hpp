// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/link_end.hpp"

namespace muster::golden {

/// Link ends of one configuration on the engine `golden`.
class GoldenLinkBank : public fabric::LinkBank, public core::Divisible {
 public:
  /// Throws InputError if `config` is out of range.
  GoldenLinkBank(const fabric::LinkConfig& config, std::uint32_t ends)
      : LinkBank(config, ends), ends_(ends, LinkEnd(config)), requests_(ends) {}

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      core::BlockWires& w = wires_[b];
      LinkEnd::Inputs in{.credits = static_cast<unsigned>(w.tx_back & 0xf),
                         .request = requests_[b]};
      if (w.rx_valid >> kBlockPort & 1) in.flit = rx(b, kBlockPort);
      if (w.rx_valid >> kWirePort & 1) in.frame = rx(b, kWirePort);
      step(b, in);
      requests_[b].reset();
    }
  }
  void reset(std::uint32_t block) override {
    ends_[block] = LinkEnd(config_);
    requests_[block].reset();
    wires_[block] = {};
    irq_[block] = quiescent_[block] = 0;
  }
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    step(block, {.request = core::RegisterRequest{block, true, address, value}});
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return ends_[block].read_register(address);
  }
  void request(const core::RegisterRequest& request) override {
    requests_[request.block] = request;
  }
  std::string describe(std::uint32_t block) const override { return ends_[block].describe(); }

 private:
  void step(std::uint32_t b, const LinkEnd::Inputs& in) {
    LinkEnd& end = ends_[b];
    const LinkEnd::Outputs out = end.clock(in);
    const bool flit = out.flit.has_value(), frame = out.frame.has_value();
    if (flit) tx(b, kBlockPort) = *out.flit;
    if (frame) tx(b, kWirePort) = *out.frame;
    wires_[b] = {.tx_valid = std::uint32_t{flit} << kBlockPort | std::uint32_t{frame} << kWirePort,
                 .rx_back = out.credits};
    irq_[b] = end.irq();
    quiescent_[b] = !flit && !frame && out.credits == 0 && end.quiet();
  }

  std::vector<LinkEnd> ends_;
  std::vector<std::optional<core::RegisterRequest>> requests_;  ///< of the next cycle, by end
};

/// Makes golden link ends of every legal configuration.
class GoldenLinks final : public fabric::LinkFactory {
 public:
  bool supports(const fabric::LinkConfig&) const override { return true; }
  std::unique_ptr<fabric::LinkBank> make_links(const fabric::LinkConfig& config, std::uint32_t ends,
                                               const fabric::BankOptions&) const override {
    return std::make_unique<GoldenLinkBank>(config, ends);
  }
};

}  // namespace muster::golden
