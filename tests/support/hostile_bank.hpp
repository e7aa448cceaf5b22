// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabric/register_map.hpp"
#include "muster/core/bank.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/engine_registry.hpp"
#include "muster/fabric/formats.hpp"

namespace muster::test {

/// Switches at one of whose ports stands a node that sends whatever it likes: barrier messages of
/// all types and groups, parts of packets, requests to this and other switches that would write
/// registers with the right old words. It minds no credit, and gives those of its own late. The
/// other nodes discard the packets that come to them: they send none.
///
/// REQUIRES: nothing is skipped, and no data are sent.
class HostileBank : public core::Bank {
 public:
  struct Node {
    std::uint32_t id, block, port;      ///< the node, and where it stands
    std::uint32_t nodes, destinations;  ///< of the network
    std::uint32_t groups;               ///< of others, from 0 on; the next one is its own
    std::uint64_t seed;
    std::uint64_t until;  ///< the cycle in which it stops
  };

  /// `node_ports`: by block, ports that have nodes.
  HostileBank(std::unique_ptr<Bank> inside, const fabric::SwitchConfig& config, const Node& node,
              std::vector<std::uint32_t> node_ports)
      : Bank(inside->blocks(), inside->ports()),
        inside_(std::move(inside)),
        config_(config),
        node_(node),
        node_ports_(std::move(node_ports)),
        rng_(node.seed) {}

  std::uint64_t sent() const { return sent_; }  ///< flits of the node so far

  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      inside_->wires(b).rx_valid = wires_[b].rx_valid;
      inside_->wires(b).tx_back = wires_[b].tx_back;
      for (std::uint32_t p = 0; p < ports(); ++p) inside_->rx(b, p) = rx(b, p);
      wires_[b].rx_valid = 0;
      wires_[b].tx_back = 0;
    }
    for (const auto& [b, back] : thrown_away_) inside_->wires(b).tx_back |= back;
    thrown_away_.clear();
    if (cycle < node_.until) attack();
    inside_->clock(cycle, awake);
    for (const std::uint32_t b : awake) {
      wires_[b].tx_valid = inside_->wires(b).tx_valid;
      wires_[b].rx_back = inside_->wires(b).rx_back;
      for (std::uint32_t p = 0; p < ports(); ++p) tx(b, p) = inside_->tx(b, p);
      quiescent_[b] = inside_->quiescent(b) && b != node_.block;
      throw_away(b);
    }
    swallow();
  }

  /// Packets may write registers at the node's own port alone, and there of its own group alone.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    namespace regs = fabric::registers;
    const bool home = block == node_.block;
    if (address == regs::kPermits) {
      value = home ? 1u << node_.port : 0;
      inside_->write_register(block, regs::kPatience, 6);
      if (home)
        inside_->write_register(block, regs::kGroupPermits + node_.port,
                                0xffu << 16 | node_.groups);
    }
    inside_->write_register(block, address, value);
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return inside_->read_register(block, address);
  }
  std::string describe(std::uint32_t block) const override { return inside_->describe(block); }

 private:
  void attack() {
    if (rng_.below(4) == 0) return;
    if (queue_.empty()) think();
    inside_->rx(node_.block, node_.port) = queue_.back();
    inside_->wires(node_.block).rx_valid |= 1u << node_.port;
    queue_.pop_back();
    ++sent_;
  }
  /// The next flits, the last first.
  void think() {
    const fabric::Formats formats(config_.flit_w, config_.gid_w);
    const auto vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
    switch (rng_.below(3)) {
      case 0: {  // a barrier message
        const auto gid = static_cast<std::uint32_t>(rng_.below(node_.groups + 1));
        queue_.push_back(formats.barrier_flit(
            {static_cast<fabric::MessageType>(rng_.below(4)), gid, {rng_.next(), 0}}, 0));
        break;
      }
      case 1:
        write_request(vc);
        break;
      default:  // of a packet of data, or what is none
        core::Flit flit{.lo = rng_.below(node_.destinations), .vc = vc};
        flit.kind = static_cast<std::uint8_t>(rng_.below(4));
        queue_.push_back(flit);
    }
  }
  /// To a switch: its register r, of which it knows the word. The answer would come to itself.
  void write_request(std::uint8_t vc) {
    namespace regs = fabric::registers;
    const auto sw = static_cast<std::uint32_t>(rng_.below(blocks()));
    const auto r = static_cast<std::uint32_t>(rng_.below(config_.regs));
    const std::uint32_t address = rng_.below(2) == 0 ? regs::control(r) : regs::children(r);
    const std::uint32_t old = inside_->read_register(sw, address);
    // Nothing, anything, or a register of its own group.
    const std::uint64_t kind = rng_.below(3);
    const auto value = kind == 0   ? 0u
                       : kind == 1 ? static_cast<std::uint32_t>(rng_.next())
                                   : regs::control_word(node_.groups, node_.port, false);
    const std::uint32_t words[] = {
        std::uint32_t{fabric::kOpcodeRequest} << fabric::kDestinationWidth | (node_.nodes + sw),
        node_.id | std::uint32_t{vc} << fabric::kSourceWidth,
        0x8000u | address,
        old & 0xffff,
        old >> 16,
        value & 0xffff,
        value >> 16};
    for (std::size_t i = std::size(words); i-- > 0;) {
      core::Flit flit{.lo = words[i], .vc = vc};
      if (i == 0) flit.kind = core::Flit::kHead;
      if (i + 1 == std::size(words)) flit.kind = core::Flit::kTail;
      queue_.push_back(flit);
    }
  }
  /// Flits of packets on their way to nodes; their credits come back at once.
  void throw_away(std::uint32_t b) {
    core::BlockWires& w = wires_[b];
    for (std::uint32_t p = 0; p < ports(); ++p) {
      if (!(w.tx_valid & node_ports_[b] & 1u << p) || tx(b, p).sync()) continue;
      w.tx_valid &= ~(1u << p);
      const std::uint64_t back = std::uint64_t{1} << (4 * p + tx(b, p).vc);
      if (b == node_.block && p == node_.port)
        kept_.push_back(back);
      else
        thrown_away_.emplace_back(b, back);
    }
  }
  /// What leaves towards the node, and what is returned to it, the network's own node does not get.
  void swallow() {
    core::BlockWires& w = wires_[node_.block];
    w.tx_valid &= ~(1u << node_.port);
    w.rx_back &= ~(std::uint64_t{0xf} << (4 * node_.port));
    if (kept_.empty() || rng_.below(3) != 0) return;
    thrown_away_.emplace_back(node_.block, kept_.back());
    kept_.pop_back();
  }

  std::unique_ptr<Bank> inside_;
  fabric::SwitchConfig config_;
  Node node_;
  std::vector<std::uint32_t> node_ports_;
  Rng rng_;
  std::vector<core::Flit> queue_;  ///< that the node will send, the last first
  /// Credits that come back in the next cycle, by block, and those that the node still has.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> thrown_away_;
  std::vector<std::uint64_t> kept_;
  std::uint64_t sent_ = 0;
};

}  // namespace muster::test
