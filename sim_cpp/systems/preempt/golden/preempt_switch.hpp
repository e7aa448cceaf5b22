// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fabric/golden/block_random.hpp"
#include "fabric/golden/data_path.hpp"
#include "fabric/golden/port_counters.hpp"
#include "fabric/golden/switch_registers.hpp"
#include "systems/preempt/golden/bsr_buffers.hpp"
#include "systems/preempt/golden/preempt_output.hpp"
#include "systems/preempt/preempt_registers.hpp"

namespace muster::golden {

namespace bsr_regs = preempt::registers;

/// One preempting switch as docs/systems/preempting-switches.md describes it. Its queues and its
/// routing table lie in storage of the bank.
class PreemptSwitch {
  using Flit = core::Flit;
  using Act = PreemptOutput::Act;
  using What = PreemptOutput::What;
  using Steered = CrossbarOne::Steered;

 public:
  static constexpr bool kAddressed = false;

  /// `queues`: FlitRings::storage(config) flits. All three outlive it.
  PreemptSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
      : config_(config),
        kind_(kind_of(config.kind)),
        format_(fabric::formats(config)),
        registers_(config, routes, kAddressed),
        crossbar_one_(kind_, config.vcs),
        queues_(config, queues),
        data_(config, routes),
        credits_(config.depth),
        buffers_(config.ports, config.regs, fabric::barrier_buffers(config) - 1, format_),
        outputs_(config.ports, PreemptOutput(kind_, config.vcs, buffers_.size(),
                                             fabric::barrier_buffers(config))) {
    for (std::uint32_t p = 0; p < config.ports; ++p)
      data_lanes_ |= (bit(config.vcs) - 1) << lane_of(p, 0);
    if (config.variant[0] != 0) counters_ = std::make_unique<PortCounters>(config.ports);
  }

  /// A cycle, as BarrierSwitch::clock(). Bit `vcs` of a port's nibble is the credit of the barrier
  /// buffer.
  void clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
    // The state at the beginning of the cycle, and what is decided on it.
    const std::uint64_t pads = generating();
    const Heads heads = heads_of_queues();
    const std::uint16_t traversing = data_.busy();
    const Outputs outputs = decide_outputs();
    const BsrBuffers::Choice choice = buffers_.choose(served());
    const Steered steered = steer(heads, wires.rx_valid, rx);
    drive_outputs(outputs, traversing, tx);

    // From here on the state is that after the edge.
    counted_ = drops();
    const std::uint32_t wanted = counters_ ? data_.wanted(heads.data | pads) : 0;
    const DataPath::Moved moved = move_data(heads, pads, outputs);
    credits_.update(moved.spent | outputs.spent, wires.tx_back & data_lanes_);
    std::uint32_t freed = receive(steered);
    freed |= take_message(choice);
    freed |= cut_and_hand_back(outputs, moved.spent, wires.tx_back);
    std::uint64_t back = moved.taken & ~pads;
    if (kind_ == PreemptKind::kIII) {
      crossbar_one_.edge(steered, back);
      back |= steered.taken;
      for_each_bit(steered.taken, [&](std::uint32_t lane) { queues_.pop(lane); });
      for_each_bit(wires.rx_valid, [&](std::uint32_t p) { queues_.push(p, rx[p]); });
    } else {
      crossbar_one_.edge(steered, steered.data);
      for_each_bit(steered.data,
                   [&](std::uint32_t lane) { queues_.push(port_of(lane), rx[port_of(lane)]); });
    }
    freed &= static_cast<std::uint32_t>(bit(config_.ports) - 1);  // the origin has no neighbour
    for_each_bit(freed, [&](std::uint32_t p) { back |= bit(lane_of(p, config_.vcs)); });

    wires.rx_valid = 0;
    wires.tx_back = 0;
    wires.tx_valid = traversing | outputs.goes;
    wires.rx_back = back;
    if (counters_) {
      counters_->edge(wanted & ~std::uint32_t{data_.busy()}, {}, moved.lost | dropped());
      counters_->leave(wires.tx_valid);
    }
  }
  bool idle() const {
    return queues_.heads().all() == 0 && data_.busy() == 0 && generating() == 0 &&
           buffers_.idle() && counted_ == drops() &&
           std::ranges::all_of(outputs_, &PreemptOutput::idle);
  }
  bool irq() const { return counters_ && counters_->irq(false); }
  void after_writes() {
    if (counters_) counters_->keep_new_causes();
  }
  void write_register(std::uint32_t address, std::uint32_t value) {
    registers_.write(address, value);
    if (counters_) counters_->write(address, value);
    if (const auto entry = entry_at(address)) {
      write_entry(*entry, address - bsr_regs::kEntriesWords * *entry, value);
    } else if (address == bsr_regs::kAddress) {
      buffers_.table().set_address(value & names());
    } else if (address == bsr_regs::kPolicy) {
      draws_ = bsr_regs::kPolicyRandom.of(value) != 0;
      unpadded_ = bsr_regs::kPolicyUnpadded.of(value) != 0;
    } else if (address == bsr_regs::kTimes) {
      times_ = {bsr_regs::kTimesIdle.of(value), bsr_regs::kTimesLongest.of(value),
                bsr_regs::kTimesGap.of(value)};
    } else if (address == bsr_regs::kLfsr) {
      random_ = BlockRandom(static_cast<std::uint16_t>(value));
    } else if (address == bsr_regs::kClosed) {
      buffers_.set_closed(registers_.ports(value));
    }
  }
  std::uint32_t read_register(std::uint32_t address) const {
    if (const auto word = registers_.read(address, counted_.unroutable, counted_.headless))
      return *word;
    if (const auto entry = entry_at(address))
      return read_entry(buffers_.table().at(*entry), address - bsr_regs::kEntriesWords * *entry);
    if (address >= bsr_regs::kAddressesChild) {
      const std::uint32_t entry = (address - bsr_regs::kAddressesChild) / bsr_regs::kAddressesWords,
                          port = address % bsr_regs::kAddressesWords;
      return entry < config_.regs && port < config_.ports ? buffers_.table().at(entry).child[port]
                                                          : 0;
    }
    if (address >= bsr_regs::kPortDrops && address - bsr_regs::kPortDrops < config_.ports) {
      std::uint32_t word = 0;
      for (std::uint32_t i = 0; i < 4; ++i)
        word |= std::min(counted_.of_port[address - bsr_regs::kPortDrops][i], 15u) << 8 * i;
      return word;
    }
    switch (address) {
      case bsr_regs::kAddress:
        return buffers_.table().address();
      case bsr_regs::kPolicy:
        return bsr_regs::kPolicyRandom.put(draws_) | bsr_regs::kPolicyUnpadded.put(unpadded_);
      case bsr_regs::kTimes:
        return bsr_regs::times(times_.idle, times_.gap, times_.longest);
      case bsr_regs::kLfsr:
        return random_.value();
      case bsr_regs::kLongestWait: {
        std::uint32_t longest = 0;
        for (const PreemptOutput& output : outputs_)
          longest = std::max(longest, output.longest_wait());
        return std::min(longest, 0xffffu);
      }
      case bsr_regs::kClosed:
        return buffers_.closed();
      default:
        return counters_ ? counters_->read(address) : 0;
    }
  }
  std::string describe() const {
    std::string text = fmt::format("crossbar {:#x}, queues {:#x}, padding {:#x}", data_.busy(),
                                   queues_.heads().all(), crossbar_one_.generator());
    for (std::uint32_t p = 0; p < config_.ports; ++p)
      if (!outputs_[p].idle() || outputs_[p].no_room())
        text += fmt::format("; output {}:{}", p, outputs_[p].describe());
    return text + buffers_.describe();
  }

 private:
  static constexpr std::uint32_t kMalformed = 0, kFirstDrop = 1;  // fields of the drop counters

  static PreemptKind kind_of(const fabric::SwitchKind* kind) {
    if (kind == &preempt::kBsr1) return PreemptKind::kI;
    return kind == &preempt::kBsr2 ? PreemptKind::kII : PreemptKind::kIII;
  }
  static Flit pad(std::uint32_t lane) {
    return {.vc = static_cast<std::uint8_t>(vc_of(lane)), .kind = Flit::kPad};
  }
  struct Outputs {
    std::array<PreemptOutput::View, kMaxPorts> view;
    std::array<PreemptOutput::Act, kMaxPorts> act;
    std::array<std::uint32_t, kMaxPorts> asking{};  // buffers
    std::uint64_t usable = 0, closed = 0;           // lanes
    std::uint16_t goes = 0;                         // ports
    std::uint64_t spent = 0;                        // lanes
  };
  /// Input lanes that offer a pad: the generator is connected, nothing is in the queue, and the
  /// packet under way has begun and not ended.
  std::uint64_t generating() const {
    if (unpadded_) return 0;
    std::uint64_t lanes = 0;
    for_each_bit(crossbar_one_.generator() & ~queues_.heads().all(), [&](std::uint32_t lane) {
      if (!data_.active(lane)) return;
      const bool owns = data_.owner(lane_of(data_.output(lane), vc_of(lane))) == port_of(lane);
      lanes |= std::uint64_t{owns} << lane;
    });
    return lanes;
  }
  /// Pads of other switches count as data.
  Heads heads_of_queues() const {
    Heads heads = queues_.heads();
    std::uint64_t pads = 0;
    for_each_bit(heads.sync, [&](std::uint32_t lane) {
      pads |= std::uint64_t{queues_.head(lane).kind == Flit::kPad} << lane;
    });
    heads.sync &= ~pads;
    heads.data |= pads;
    return heads;
  }
  /// I and II look at the wires, III at the heads of the queues.
  Steered steer(const Heads& heads, std::uint32_t rx_valid, const Flit* rx) const {
    Steered steered;
    if (kind_ == PreemptKind::kIII) {
      for_each_bit(heads.sync, [&](std::uint32_t lane) {
        crossbar_one_.steer(port_of(lane), queues_.head(lane), steered);
      });
    } else {
      for_each_bit(rx_valid, [&](std::uint32_t p) {
        if (rx[p].vc >= config_.vcs)
          throw InternalError("a flit on a virtual channel that does not exist");
        crossbar_one_.steer(p, rx[p], steered);
      });
    }
    return steered;
  }
  Outputs decide_outputs() const {
    Outputs result;
    const std::uint64_t credited = credits_.at_least_one();
    result.usable = credited & data_lanes_;
    const std::uint32_t draw = draws_ ? random_.low_four() : 15;
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      result.view[p] = view_of(p, credited);
      const Act act = result.act[p] = outputs_[p].decide(result.view[p], draw);
      std::uint64_t shut = outputs_[p].shut(act);
      if (act.hold || has(registers_.held_ports(), p)) shut = 0xf;
      result.usable &= ~(shut << lane_of(p, 0));
      result.closed |= std::uint64_t{outputs_[p].closed(act)} << lane_of(p, 0);
      if (act.what == What::kNothing) continue;
      result.goes |= static_cast<std::uint16_t>(bit(p));
      if (kind_ == PreemptKind::kIII) result.spent |= bit(lane_of(p, act.channel));
    }
    ask(result);
    return result;
  }
  PreemptOutput::View view_of(std::uint32_t port, std::uint64_t credited) const {
    PreemptOutput::View view;
    view.busy = has(data_.busy(), port);
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      const std::uint32_t lane = lane_of(port, v);
      const auto channel = static_cast<std::uint8_t>(bit(v));
      if (has(registers_.held_ports(), port)) continue;  // an owner, and no credit
      if (data_.owner(lane) == DataPath::kFree) view.free |= channel;
      if (!has(credited, lane)) continue;
      view.credited |= channel;
      if (credits_.count(lane) >= preempt::kBsrFlits) view.roomy |= channel;
    }
    if (const auto b = outputs_[port].served()) view.flits = buffers_.at(*b).left();
    return view;
  }
  std::uint32_t served() const {
    std::uint32_t buffers = 0;
    for (const PreemptOutput& output : outputs_)
      if (output.served()) buffers |= std::uint32_t{1} << *output.served();
    return buffers;
  }
  /// Each buffer that waits to go asks for one output, if there is one.
  void ask(Outputs& outputs) const {
    std::uint32_t ending = 0;  // buffers whose last flit goes
    for (std::uint32_t p = 0; buffers_.several() && p < config_.ports; ++p)
      if (outputs.act[p].what == What::kFlit && outputs.act[p].last)
        ending |= std::uint32_t{1} << *outputs_[p].served();
    ending &= buffers_.of_ports();
    for_each_bit(buffers_.waiting(served()) | ending, [&](std::uint32_t b) {
      const BarrierBuffer& buffer = buffers_.asks(b, has(ending, b));
      const std::uint16_t ways = buffers_.ways(buffer);
      if (buffer.state() != BarrierBuffer::State::kGoing || ways == 0) return;
      std::uint32_t port = lowest(ways);
      if (!buffer.first_message()) {
        std::uint32_t open = 0, cut = 0;
        for_each_bit(ways, [&](std::uint32_t p) {
          open |= std::uint32_t{outputs_[p].open_way(outputs.view[p])} << p;
          cut |= std::uint32_t{outputs_[p].cut_way(outputs.view[p])} << p;
        });
        if ((open | cut) != 0) port = lowest(open != 0 ? open : cut);
      }
      outputs.asking[port] |= std::uint32_t{1} << b;
    });
  }
  void drive_outputs(const Outputs& outputs, std::uint16_t traversing, Flit* tx) const {
    for_each_bit(traversing, [&](std::uint32_t p) { tx[p] = data_.crossbar()[p]; });
    for_each_bit(outputs.goes, [&](std::uint32_t p) {
      const Act& act = outputs.act[p];
      if (act.what == What::kFlit) {
        tx[p] = buffers_.at(*outputs_[p].served()).next();
        tx[p].vc = act.channel;
      } else {
        tx[p] = preempt::control_flit({act.what == What::kEnd, act.channel});
      }
    });
  }
  /// A pad stands in its queue until the data path has had its chance; it pays no credit back, for
  /// none was spent.
  DataPath::Moved move_data(const Heads& heads, std::uint64_t pads, const Outputs& outputs) {
    for_each_bit(pads, [&](std::uint32_t lane) { queues_.push(port_of(lane), pad(lane)); });
    const DataPath::Moved moved =
        data_.clock({heads.data | pads, 0}, queues_, outputs.usable, outputs.closed);
    for_each_bit(pads & ~moved.taken, [&](std::uint32_t lane) { queues_.pop(lane); });
    return moved;
  }
  // The edge. Each returns the ports whose barrier buffer has become free, or nothing.
  std::uint32_t receive(const Steered& steered) {
    std::uint32_t malformed = steered.malformed, freed = 0;
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      Flit flit = steered.message[p];
      flit.lo &= format_.mask();  // the rest of a wide flit says nothing
      const BarrierBuffer::Framing framing =
          has(steered.messages, p)
              ? buffers_.receive(p, flit, [&](std::uint32_t to) { return data_.route(to); })
              : buffers_.silence(p);
      malformed |= std::uint32_t{framing.malformed} << p;
      freed |= std::uint32_t{framing.freed} << p;
    }
    for_each_bit(malformed, [&](std::uint32_t p) { count(p, kMalformed); });
    return freed;
  }
  std::uint32_t take_message(const BsrBuffers::Choice& choice) {
    const BsrBuffers::Result result =
        buffers_.edge(choice, [&](std::uint32_t destination) { return data_.route(destination); });
    if (result.dropped)
      count(*choice.applied, kFirstDrop + static_cast<std::uint32_t>(*result.dropped));
    unroutable_ += result.unroutable;
    return result.freed;
  }
  /// `allocated`: lanes of which data have been allocated; `returned`: credits.
  std::uint32_t cut_and_hand_back(const Outputs& outputs, std::uint64_t allocated,
                                  std::uint64_t returned) {
    bool drawn = false;
    std::uint32_t freed = 0;
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      const Act& act = outputs.act[p];
      PreemptOutput& output = outputs_[p];
      if (act.what == What::kFlit && buffers_.sent(*output.served()))
        freed |= std::uint32_t{1} << *output.served();
      output.edge(act, outputs.asking[p],
                  static_cast<std::uint32_t>(allocated >> lane_of(p, 0) & 0xf),
                  has(returned, lane_of(p, config_.vcs)), times_);
      drawn |= act.what == What::kRequest;
    }
    if (drawn && draws_) random_.step();
    return freed;
  }
  void count(std::uint32_t port, std::uint32_t field) { ++drops_[port][field]; }
  /// What registers say of drops, up to their greatest values, one cycle after them.
  struct Drops {
    std::uint32_t unroutable, headless;
    std::array<std::array<std::uint32_t, 4>, kMaxPorts> of_port;
    bool operator==(const Drops&) const = default;
  };
  /// Ports at which messages have been dropped in this cycle.
  std::uint32_t dropped() const {
    std::uint32_t ports = 0;
    for (std::uint32_t p = 0; p < config_.ports; ++p)
      ports |= std::uint32_t{drops_[p] != counted_.of_port[p]} << p;
    return ports;
  }
  Drops drops() const { return {data_.unroutable() + unroutable_, data_.headless(), drops_}; }
  std::uint32_t read_entry(const BsrEntry& entry, std::uint32_t word) const {
    switch (word) {
      case bsr_regs::kEntriesControl:
        return bsr_regs::kEntriesControlValid.put(entry.valid) |
               bsr_regs::kEntriesControlCenter.put(entry.center) |
               bsr_regs::kEntriesControlTree.put(entry.tree) |
               bsr_regs::kEntriesControlBranch.put(entry.branch) |
               bsr_regs::kEntriesControlSent.put(entry.sent) |
               bsr_regs::kEntriesControlTidy.put(entry.tidy) |
               bsr_regs::kEntriesControlRefused.put(entry.refused) |
               std::uint32_t{entry.count} << bsr_regs::kEntriesControlCount.low | entry.gid;
      case bsr_regs::kEntriesWays:
        return bsr_regs::kEntriesWaysCenter.put(entry.center_address) | entry.parent;
      case bsr_regs::kEntriesChildren:
        return entry.children;
      case bsr_regs::kEntriesArrived:
        return entry.arrived;
      case bsr_regs::kEntriesServe:
        return entry.serve;
      case bsr_regs::kEntriesLocals:
        return entry.locals;
      default:
        return 0;
    }
  }
  /// Bits of an address, and of a number of members.
  std::uint32_t names() const { return std::bit_ceil(std::max(config_.dests, 2048u)) - 1; }
  /// The entry of the status table that has the word, if one has.
  std::optional<std::uint32_t> entry_at(std::uint32_t address) const {
    const std::uint32_t entry = (address - bsr_regs::kEntriesControl) / bsr_regs::kEntriesWords;
    return address >= bsr_regs::kEntriesControl && entry < config_.regs ? std::optional(entry)
                                                                        : std::nullopt;
  }
  void write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
    if (word != bsr_regs::kEntriesControl && word != bsr_regs::kEntriesLocals) return;
    const BsrEntry& before = buffers_.table().at(e);
    BsrEntry entry{.valid = before.valid,
                   .center = before.center,
                   .gid = before.gid,
                   .count = before.count,
                   .locals = before.locals};
    if (word == bsr_regs::kEntriesControl) {
      entry.valid = bsr_regs::kEntriesControlValid.of(value) != 0;
      entry.center = bsr_regs::kEntriesControlCenter.of(value) != 0;
      entry.count =
          static_cast<std::uint16_t>(value >> bsr_regs::kEntriesControlCount.low & names());
      entry.gid = static_cast<std::uint8_t>(value);
    } else {
      entry.locals = registers_.ports(value);
    }
    buffers_.table().write(e, entry);
  }

  fabric::SwitchConfig config_;
  PreemptKind kind_;
  preempt::BsrFormat format_;
  SwitchRegisters registers_;
  std::uint64_t data_lanes_ = 0;
  CrossbarOne crossbar_one_;
  InputQueues queues_;
  DataPath data_;
  Credits credits_;
  BsrBuffers buffers_;
  std::vector<PreemptOutput> outputs_;
  BlockRandom random_;
  PreemptTimes times_;
  bool draws_ = false, unpadded_ = false;
  std::uint32_t unroutable_ = 0;
  std::array<std::array<std::uint32_t, 4>, kMaxPorts> drops_{};
  Drops counted_{};
  std::unique_ptr<PortCounters> counters_;
};

}  // namespace muster::golden
