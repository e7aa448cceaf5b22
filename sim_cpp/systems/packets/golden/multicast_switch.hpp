// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "fabric/golden/data_path.hpp"
#include "fabric/golden/port_counters.hpp"
#include "fabric/golden/switch_registers.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

/// What has come of worms by one input port and has not gone by all outputs yet.
class WormBuffer {
  using Flit = core::Flit;
  using Formats = fabric::Formats;

 public:
  static constexpr std::size_t kEntries = 66;  ///< 64 addresses and the payload

  struct Entry {
    Flit flit;
    Ports outputs;
  };
  explicit WormBuffer(std::uint32_t ports) : ports_(ports) {}

  bool empty() const { return entries_.empty(); }
  bool full() const { return entries_.size() == kEntries; }
  /// Takes a flit; `route` is the mask of an address flit's output. Returns false for an address
  /// without a route.
  bool push(Flit flit, Ports route) {
    const bool address = is_address(flit);
    if (flit.kind & InputQueues::kHeadless) {
      if (open_)
        flit = Flit::cut_mark(flit.vc);
      else
        flit.kind = 0;  // it goes nowhere and ends nothing
    }
    if (address) opened_ |= route;
    entries_.push_back({flit, address ? route : opened_});
    addresses_ = address;
    open_ = (open_ || flit.head()) && !flit.tail();
    if (!open_) {
      addresses_ = false;
      opened_ = 0;
    }
    return !address || route != 0;
  }
  /// The entry at the cursor of an output if it goes there, else null.
  const Entry* at(std::uint32_t output) const {
    if (cursor_[output] == entries_.size()) return nullptr;
    const Entry& entry = entries_[cursor_[output]];
    return has(entry.outputs, output) ? &entry : nullptr;
  }
  /// True if the worm at the cursor of an output may begin there: the rest of it is in the buffer,
  /// or it is the oldest. REQUIRES: at(output).
  bool may_begin(std::uint32_t output) const {
    const auto is_tail = [](const Entry& entry) { return entry.flit.tail(); };
    return std::any_of(entries_.begin() + cursor_[output], entries_.end(), is_tail) ||
           std::ranges::none_of(entries_, is_tail);
  }
  /// The cursors of `sent` and those that stand at an entry of others move on; then entries that
  /// all have passed leave. On the state at the beginning of a cycle, before push().
  void advance(Ports sent) {
    std::uint32_t passed = static_cast<std::uint32_t>(entries_.size());
    for (std::uint32_t p = 0; p < ports_; ++p) {
      const bool waits = at(p) != nullptr && !has(sent, p);
      if (!waits && cursor_[p] < entries_.size()) ++cursor_[p];
      passed = std::min<std::uint32_t>(passed, cursor_[p]);
    }
    entries_.erase(entries_.begin(), entries_.begin() + passed);
    for (std::uint32_t p = 0; p < ports_; ++p)
      cursor_[p] = static_cast<std::uint8_t>(cursor_[p] - passed);
  }
  /// True for an address flit of the worm that is coming in.
  bool is_address(const Flit& flit) const {
    return flit.head() ||
           (addresses_ && !flit.tail() && Formats::opcode(flit) == fabric::kOpcodeWorm);
  }

 private:
  std::uint32_t ports_;
  std::deque<Entry> entries_;
  std::array<std::uint8_t, kMaxPorts> cursor_{};  // entries before it, by output
  bool open_ = false;                             // a worm is coming in
  bool addresses_ = false;                        // of it: no payload yet
  Ports opened_ = 0;                              // by the worm coming in
};

/// One multicast switch as docs/systems/baselines.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class MulticastSwitch {
  using Flit = core::Flit;
  using Formats = fabric::Formats;

 public:
  static constexpr bool kAddressed = false;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  MulticastSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
      : config_(config),
        registers_(config, routes, kAddressed),
        queues_(config, queues),
        data_(config, routes),
        credits_(config.depth),
        rows_(rows_of(config.ports)),
        buffers_(config.ports, WormBuffer(config.ports)) {
    owner_.fill(kFree);
    for (std::uint32_t p = 0; p < config.ports; ++p) worm_lanes_ |= lane_bit(worm_lane(p));
    if (config.variant[0] != 0) counters_ = std::make_unique<PortCounters>(config.ports);
  }

  /// A cycle, as BarrierSwitch::clock().
  void clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
    const Ports unrouted = std::exchange(unrouted_, Ports{0});
    unroutable_ =
        std::min(unroutable_ + static_cast<std::uint32_t>(std::popcount(unrouted)), 0xffffu);
    const Heads heads = queues_.heads();
    const Ports wanted = counters_ ? this->wanted(heads.data & ~worm_lanes_) : Ports{0};
    const Ports traversing = data_.busy();
    const Lanes credit = credits_.at_least_one();
    Lanes usable = credit & ~registers_.held(), spent = 0;
    Ports goes = 0;
    std::array<Ports, kMaxPorts> sent{};  // by input
    for_each_bit(traversing, [&](std::uint32_t p) { tx[p] = data_.crossbar()[p]; });
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      const std::uint32_t input = candidate(p);
      if (input == kFree || !has(credit, worm_lane(p))) continue;
      usable &= ~lanes_of(p);
      if (has(traversing, p)) continue;
      Flit flit = buffers_[input].at(p)->flit;
      const auto first = static_cast<std::uint8_t>(owner_[p] == kFree ? Flit::kHead : 0);
      if (!flit.cut()) flit.kind = static_cast<std::uint8_t>((flit.kind & Flit::kTail) | first);
      tx[p] = flit;
      goes |= static_cast<Ports>(bit(p));
      spent |= lane_bit(worm_lane(p));
      sent[input] |= static_cast<Ports>(bit(p));
      owner_[p] = flit.tail() ? kFree : static_cast<std::uint8_t>(input);
      if (flit.tail()) pointer_[p] = static_cast<std::uint8_t>((input + 1) % config_.ports);
    }

    // From here on the state is that after the edge; `heads` remembers the queues as they were.
    for_each_bit(valid_inputs(wires, rows_), [&](std::uint32_t port) {
      if (!rx[port].sync()) queues_.push(port, rx[port]);
    });
    Lanes taken = 0;
    for (std::uint32_t i = 0; i < config_.ports; ++i) {
      const bool room = !buffers_[i].full();
      buffers_[i].advance(sent[i]);
      if (has(heads.data, worm_lane(i)) && room) taken |= lane_bit(worm_lane(i));
    }
    const Ports headless = take_worms(taken);
    const DataPath::Moved moved = data_.clock({heads.data & ~worm_lanes_, 0}, queues_, usable, 0);
    credits_.update(moved.spent | spent, returned_credits(wires, rows_));
    const Ports leave = traversing | goes;
    put_outputs(wires, rows_, leave, moved.taken | taken);
    if (counters_) {
      counters_->edge(static_cast<Ports>(wanted & ~goes & ~data_.busy()), {},
                      moved.lost | unrouted | headless);
      counters_->leave(leave);
    }
  }
  bool idle() const {
    return queues_.heads().all() == 0 && data_.busy() == 0 &&
           !(counters_ && counters_->pending()) &&
           std::ranges::all_of(buffers_, &WormBuffer::empty);
  }
  bool irq() const { return counters_ && counters_->irq(false); }
  void after_writes() {
    if (counters_) counters_->keep_new_causes();
  }
  void write_register(std::uint32_t address, std::uint32_t value) {
    registers_.write(address, value);
    if (counters_) counters_->write(address, value);
  }
  std::uint32_t read_register(std::uint32_t address) const {
    return registers_.read(address, data_.unroutable() + unroutable_, data_.headless() + headless_)
        .value_or(counters_ ? counters_->read(address) : 0);
  }
  std::string describe() const {
    std::string text = "worms:";
    for (std::uint32_t i = 0; i < config_.ports; ++i)
      for (std::uint32_t p = 0; p < config_.ports; ++p)
        if (buffers_[i].at(p) != nullptr)
          text += fmt::format(" {}->{}{}", i, p, owner_[p] == i ? " (owner)" : "");
    return text +
           fmt::format("; crossbar {:#x}, queues {}", data_.busy(), text_of(queues_.heads().all()));
  }

 private:
  static constexpr std::uint8_t kFree = 0xff;
  std::uint32_t worm_lane(std::uint32_t port) const { return lane_of(port, config_.vcs - 1); }
  /// The input whose worm may go by an output, or kFree.
  std::uint32_t candidate(std::uint32_t output) const {
    if (owner_[output] != kFree)
      return buffers_[owner_[output]].at(output) != nullptr ? owner_[output] : kFree;
    std::uint64_t requests = 0;
    for (std::uint32_t i = 0; i < config_.ports; ++i)
      if (buffers_[i].at(output) != nullptr && buffers_[i].may_begin(output)) requests |= bit(i);
    return requests == 0 ? kFree : round_robin(requests, pointer_[output]);
  }
  /// Returns the input ports of which headless flits were dropped.
  Ports take_worms(const Lanes& lanes) {
    std::uint64_t lost = 0;
    for_each_bit(lanes, [&](std::uint32_t lane) {
      const Flit& flit = queues_.head(lane);
      const Ports mask = data_.route(Formats::destination(flit));
      const auto route = static_cast<Ports>(mask & -mask);
      if (has(queues_.headless(), lane)) {
        headless_ = std::min(headless_ + 1, 0xffu);
        lost |= bit(port_of(lane));
      }
      if (!buffers_[port_of(lane)].push(flit, route))
        unrouted_ |= static_cast<Ports>(bit(port_of(lane)));
      queues_.pop(lane);
    });
    return static_cast<Ports>(lost);
  }
  /// Output ports for which data of these lanes or worms wait.
  Ports wanted(const Lanes& lanes) const {
    std::uint64_t ports = data_.wanted(lanes);
    for (const WormBuffer& buffer : buffers_)
      for (std::uint32_t p = 0; p < config_.ports; ++p)
        ports |= std::uint64_t{buffer.at(p) != nullptr} << p;
    return static_cast<Ports>(ports);
  }

  fabric::SwitchConfig config_;
  SwitchRegisters registers_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  Lanes worm_lanes_ = 0;
  std::uint32_t rows_;                             // of the wires
  std::vector<WormBuffer> buffers_;                // by input port
  std::array<std::uint8_t, kMaxPorts> owner_;      // of an output's worm channel: an input port
  std::array<std::uint8_t, kMaxPorts> pointer_{};  // of an output
  std::uint32_t unroutable_ = 0;                   // address flits
  std::uint32_t headless_ = 0;                     // flits of worm channels
  Ports unrouted_ = 0;  // ports of those taken in this cycle, not counted yet
  std::unique_ptr<PortCounters> counters_;
};

}  // namespace muster::golden::inline MUSTER_SWITCHES
