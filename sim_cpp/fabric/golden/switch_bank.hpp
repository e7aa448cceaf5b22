// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/input_queues.hpp"
#include "fabric/golden/route_table.hpp"
#include "muster/fabric/engine_registry.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// A switch that may have groups in block RAM.
template <class Switch>
inline constexpr bool kShowsMemory = requires(const Switch& at) {
  at.memory_word(0u, 0u);
};

/// Golden switches of one configuration. `Switch` is one of them: made from a configuration, its
/// part of `queues_` and its routing table, with clock(wires, rx, tx), idle(),
/// write_register(), read_register() and describe(); kAddressed: packets can be for it. It may have
/// announce(), which is told what the host asks for in the coming cycle and carries it out itself,
/// irq(), memory_word() and prefetch().
template <class Switch>
class SwitchBank : public core::Bank, public core::Divisible, public fabric::SharesRoutes {
 public:
  /// All switches as after reset, their routing tables empty. Throws InputError if `config` is out
  /// of range.
  SwitchBank(std::uint32_t blocks, const fabric::SwitchConfig& config)
      : Bank(blocks, validate(config).ports),
        config_(config),
        queues_(blocks * FlitRings::storage(config)),
        large_(blocks * sizeof(Switch) + queues_.size() * sizeof(core::Flit) > kNear),
        tables_(blocks, RouteTable(config.dests)) {
    switches_.reserve(blocks);
    for (std::size_t b = 0; b < blocks; ++b)
      switches_.emplace_back(config_, &queues_[b * FlitRings::storage(config)], tables_[b]);
    quiescent_.assign(blocks, 1);
  }

  const fabric::SwitchConfig& config() const { return config_; }

  /// Throws InternalError, naming cycle, switch and state, if a flit comes for a full queue or a
  /// credit that was not spent.
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
    end_clock(cycle);
  }
  core::Divisible* divisible() override { return this; }
  void clock_some(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    std::uint32_t block = 0;
    try {
      for (std::size_t i = 0; i < awake.size(); ++i) {
        if (large_) prefetch(awake, i);
        const std::uint32_t b = block = awake[i];
        Switch& at = switches_[b];
        if (!raising_.empty()) raise_flits(b);
        at.clock(row(b), &rx_[index(b, 0)], &tx_[index(b, 0)]);
        if (!raising_.empty()) lower_credits(b);
        look(b, at);
      }
      if (!requests_.empty())
        for (const std::uint32_t b : awake) write(b);
    } catch (const InternalError& error) {
      throw InternalError("cycle {}, {} switch {}: {} [{}]", cycle, config_.kind->name, block,
                          error.what(), describe(block));
    }
  }
  void end_clock(std::uint64_t) override { requests_.clear(); }

  void share_routes(std::shared_ptr<const topology::Routes> routes) override {
    routes_ = std::move(routes);
    for (std::uint32_t b = 0; b < tables_.size(); ++b)
      tables_[b].share(*routes_, b, Switch::kAddressed);
    raising_.clear();
    if (const topology::Phases* const phases = routes_->phases())
      for (std::uint32_t b = 0; b < tables_.size(); ++b)
        raising_.push_back(static_cast<Ports>(phases->raising(b)));
  }

  void reset(std::uint32_t block) override {
    tables_[block] = RouteTable(config_.dests);
    Switch* const old = &switches_[block];
    std::destroy_at(old);
    std::construct_at(old, config_, &queues_[block * FlitRings::storage(config_)], tables_[block]);
    std::fill_n(&row(block), rows_, core::BlockWires{});
    quiescent_[block] = 1;
    irq_[block] = 0;
  }

  /// Takes effect at once and moves no flit. A block that is quiescent may be no longer so.
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    switches_[block].write_register(address, value);
    look(block, switches_[block]);
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return switches_[block].read_register(address);
  }
  std::uint32_t memory_word(std::uint32_t block, std::uint32_t group,
                            std::uint32_t word) const override {
    if constexpr (kShowsMemory<Switch>) return switches_[block].memory_word(group, word);
    return 0;
  }
  void request(const core::RegisterRequest& request) override {
    if constexpr (requires { switches_[request.block].announce(request); })
      switches_[request.block].announce(request);
    else
      requests_.push_back(request);
  }
  std::string describe(std::uint32_t block) const override { return switches_[block].describe(); }

 private:
  /// Switches that are clocked after awake[i]: what a cycle reads of them, and their queues. In a
  /// large network they lie in memory far away by the time of their next cycle.
  void prefetch(std::span<const std::uint32_t> awake, std::size_t i) const {
    if (i + 2 < awake.size()) {
      const std::uint32_t b = awake[i + 2];
      const std::size_t places = FlitRings::storage(config_);
      prefetch_lines(&switches_[b], std::min<std::size_t>(sizeof(Switch), 512));
      prefetch_lines(&queues_[b * places], places * sizeof(core::Flit));
      prefetch_lines(&rx_[index(b, 0)], ports_ * sizeof(core::Flit));
      prefetch_lines(&tx_[index(b, 0)], ports_ * sizeof(core::Flit));
      prefetch_lines(&wires_[kRows == 1 ? b : std::size_t{b} * rows_], sizeof(core::BlockWires));
    }
    if constexpr (requires(const Switch& at) { at.prefetch(); })
      if (i + 1 < awake.size()) switches_[awake[i + 1]].prefetch();
  }
  /// What the host writes in this cycle. It wins over what the messages of the cycle have done.
  void write(std::uint32_t block) {
    for (const core::RegisterRequest& r : requests_) {
      if (r.block != block || !r.write) continue;
      switches_[block].write_register(r.address, r.value);
      if constexpr (requires { switches_[block].after_writes(); }) switches_[block].after_writes();
      look(block, switches_[block]);
    }
  }
  // Packets that come by a raising link (topology::Phases) change their virtual channel there: in
  // the switch, and behind it, channel v + 1 is that which is v on the link.
  void raise_flits(std::uint32_t b) {
    for_each_bit(raising_[b] & valid_inputs(row(b), rows_), [&](std::uint32_t port) {
      core::Flit& flit = rx_[index(b, port)];
      flit.vc += !flit.sync();
    });
  }
  void lower_credits(std::uint32_t b) {
    for_each_bit(raising_[b], [&](std::uint32_t port) {
      std::uint64_t& back = (&row(b))[port / core::kRowPorts].rx_back;
      const std::uint32_t lsb = lane_of(port % core::kRowPorts, 0);
      const std::uint64_t of_data = ((bit(config_.vcs) - 1) << lsb) & back;
      back ^= of_data ^ of_data >> 1;
    });
  }
  core::BlockWires& row(std::uint32_t block) {
    return wires_[kRows == 1 ? block : std::size_t{block} * rows_];
  }
  /// Outputs beside those of the links.
  void look(std::uint32_t block, const Switch& at) {
    const core::BlockWires* const wires = &row(block);
    std::uint64_t driven = wires->tx_valid | wires->rx_back;
    for (std::uint32_t i = 1; kRows > 1 && i < rows_; ++i)
      driven |= wires[i].tx_valid | wires[i].rx_back;
    quiescent_[block] = at.idle() & (driven == 0);
    if constexpr (requires { at.irq(); }) irq_[block] = at.irq();
  }

  static constexpr std::size_t kNear = std::size_t{1} << 21;  // bytes of a second-level cache

  fabric::SwitchConfig config_;
  std::vector<core::Flit> queues_;                  // of all switches
  bool large_;                                      // more than a near cache holds
  std::shared_ptr<const topology::Routes> routes_;  // that tables share
  std::vector<Ports> raising_;                      // by switch, or empty: see topology::Phases
  std::vector<RouteTable> tables_;                  // by switch
  std::vector<Switch> switches_;
  std::vector<core::RegisterRequest> requests_;  // for the next clock()
};

/// Of a configuration, for fabric::SwitchKind::golden.
template <class Switch>
std::unique_ptr<core::Bank> make_switch_bank(std::uint32_t blocks,
                                             const fabric::SwitchConfig& config) {
  return std::make_unique<SwitchBank<Switch>>(blocks, config);
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
