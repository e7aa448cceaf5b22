// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/preempt/bsr_message.hpp"

namespace muster::golden {

using core::Flit;
using Act = PreemptOutput::Act;
using What = PreemptOutput::What;

namespace {

constexpr std::uint32_t kMalformed = 0, kFirstDrop = 1;  // fields of the drop counters

PreemptKind kind_of(const fabric::SwitchKind* kind) {
  if (kind == &preempt::kBsr1) return PreemptKind::kI;
  return kind == &preempt::kBsr2 ? PreemptKind::kII : PreemptKind::kIII;
}

Flit pad(std::uint32_t lane) {
  Flit flit;
  flit.kind = core::Flit::kPad;
  flit.vc = static_cast<std::uint8_t>(vc_of(lane));
  return flit;
}

}  // namespace

PreemptSwitch::PreemptSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
    : config_(config),
      kind_(kind_of(config.kind)),
      message_bits_(bit(config.dests > 2048 ? 21 : 16) - 1),
      registers_(config, routes, kAddressed),
      crossbar_one_(kind_, config.vcs),
      queues_(config, queues),
      data_(config, routes),
      credits_(config.depth),
      buffers_(config.ports, config.regs),
      outputs_(config.ports, PreemptOutput(kind_, config.vcs, config.ports + 1)) {
  for (std::uint32_t p = 0; p < config.ports; ++p)
    data_lanes_ |= (bit(config.vcs) - 1) << lane_of(p, 0);
}

/// Input lanes that offer a pad: the generator is connected, nothing is in the queue, and the
/// packet under way has begun and not ended.
std::uint64_t PreemptSwitch::generating() const {
  if (unpadded_) return 0;
  std::uint64_t lanes = 0;
  for_each_bit(crossbar_one_.generator() & ~queues_.heads().all(), [&](std::uint32_t lane) {
    if (!data_.active(lane)) return;
    const bool owns = data_.owner(lane_of(data_.output(lane), vc_of(lane))) == port_of(lane);
    lanes |= std::uint64_t{owns} << lane;
  });
  return lanes;
}

Heads PreemptSwitch::heads_of_queues() const {
  Heads heads = queues_.heads();
  std::uint64_t pads = 0;
  for_each_bit(heads.sync, [&](std::uint32_t lane) {
    pads |= std::uint64_t{queues_.head(lane).kind == core::Flit::kPad} << lane;
  });
  heads.sync &= ~pads;
  heads.data |= pads;
  return heads;
}

/// I and II look at the wires, III at the heads of the queues.
PreemptSwitch::Steered PreemptSwitch::steer(const Heads& heads, std::uint32_t rx_valid,
                                            const Flit* rx) const {
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

std::uint32_t PreemptSwitch::served() const {
  std::uint32_t buffers = 0;
  for (const PreemptOutput& output : outputs_)
    if (output.served()) buffers |= std::uint32_t{1} << *output.served();
  return buffers;
}

/// Each buffer that waits to go asks for one output, if there is one.
void PreemptSwitch::ask(Outputs& outputs) const {
  for_each_bit(buffers_.waiting(served()), [&](std::uint32_t b) {
    const std::uint16_t ways = buffers_.ways(b);
    if (ways == 0) return;
    std::uint32_t port = lowest(ways);
    if (!buffers_.at(b).first_message()) {
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

PreemptOutput::View PreemptSwitch::view_of(std::uint32_t port, std::uint64_t credited) const {
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

PreemptSwitch::Outputs PreemptSwitch::decide_outputs() const {
  Outputs result;
  const std::uint64_t credited = credits_.at_least_one();
  result.usable = credited & data_lanes_;
  const auto draw = draws_ ? std::optional(random_.low_four()) : std::nullopt;
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

void PreemptSwitch::drive_outputs(const Outputs& outputs, std::uint16_t traversing,
                                  Flit* tx) const {
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

DataPath::Moved PreemptSwitch::move_data(const Heads& heads, std::uint64_t pads,
                                         const Outputs& outputs) {
  for_each_bit(pads, [&](std::uint32_t lane) { queues_.push(port_of(lane), pad(lane)); });
  const DataPath::Moved moved =
      data_.clock({heads.data | pads, 0}, queues_, outputs.usable, outputs.closed);
  for_each_bit(pads & ~moved.taken, [&](std::uint32_t lane) { queues_.pop(lane); });
  return moved;
}

std::uint32_t PreemptSwitch::receive(const Steered& steered) {
  std::uint32_t malformed = steered.malformed, freed = 0;
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    Flit flit = steered.message[p];
    flit.lo &= message_bits_;  // the rest of a wide flit says nothing
    const BarrierBuffer::Framing framing =
        has(steered.messages, p)
            ? buffers_.receive(p, flit, data_.route(fabric::Formats::destination(flit)))
            : buffers_.silence(p);
    malformed |= std::uint32_t{framing.malformed} << p;
    freed |= std::uint32_t{framing.freed} << p;
  }
  for_each_bit(malformed, [&](std::uint32_t p) { count(p, kMalformed); });
  return freed;
}

std::uint32_t PreemptSwitch::take_message(const BsrBuffers::Choice& choice) {
  const BsrBuffers::Result result =
      buffers_.edge(choice, [&](std::uint32_t destination) { return data_.route(destination); });
  if (result.dropped)
    count(*choice.applied, kFirstDrop + static_cast<std::uint32_t>(*result.dropped));
  unroutable_ = std::min(unroutable_ + result.unroutable, 0xffffu);
  return result.freed;
}

/// `allocated`: lanes of which data have been allocated; `returned`: credits.
std::uint32_t PreemptSwitch::cut_and_hand_back(const Outputs& outputs, std::uint64_t allocated,
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

void PreemptSwitch::count(std::uint32_t port, std::uint32_t field) {
  constexpr std::uint8_t kMost = 15;
  std::uint8_t& counter = drops_[port][field];
  if (counter < kMost) ++counter;
}

void PreemptSwitch::clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
  // The state at the beginning of the cycle, and what is decided on it.
  const std::uint64_t pads = generating();
  const Heads heads = heads_of_queues();
  const std::uint16_t traversing = data_.busy();
  const Outputs outputs = decide_outputs();
  const BsrBuffers::Choice choice = buffers_.choose(served());
  const Steered steered = steer(heads, wires.rx_valid, rx);
  drive_outputs(outputs, traversing, tx);

  // From here on the state is that after the edge.
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
}

bool PreemptSwitch::idle() const {
  return queues_.heads().all() == 0 && data_.busy() == 0 && generating() == 0 && buffers_.idle() &&
         std::all_of(outputs_.begin(), outputs_.end(),
                     [](const PreemptOutput& output) { return output.idle(); });
}

std::string PreemptSwitch::describe() const {
  std::string text = fmt::format("crossbar {:#x}, queues {:#x}, padding {:#x}", data_.busy(),
                                 queues_.heads().all(), crossbar_one_.generator());
  for (std::uint32_t p = 0; p < config_.ports; ++p)
    if (!outputs_[p].idle() || outputs_[p].no_room())
      text += fmt::format("; output {}:{}", p, outputs_[p].describe());
  return text + buffers_.describe();
}

/// The register port of the preempting switches: the map of docs/systems/preempting-switches.md.
namespace {
constexpr std::uint32_t kAddress = 0x008, kPolicy = 0x009, kTimes = 0x00A, kLfsr = 0x00B,
                        kLongestWait = 0x00C, kClosed = 0x00D, kDrops = 0x010, kEntries = 0x400,
                        kWordsPerEntry = 32;
constexpr std::uint32_t kRandomBit = 0, kUnpaddedBit = 1;
enum Word : std::uint32_t { kControl, kMasks, kProgress, kAbove, kChild = 16 };
constexpr std::uint32_t kValidBit = 31, kCenterBit = 30, kTreeBit = 29, kBranchBit = 28,
                        kSentBit = 27, kTidyBit = 26, kRefusedBit = 25, kCountShift = 8;
}  // namespace

/// The entry of the status table that has the word, if one has.
std::optional<std::uint32_t> PreemptSwitch::entry_at(std::uint32_t address) const {
  const std::uint32_t entry = (address - kEntries) / kWordsPerEntry;
  return address >= kEntries && entry < config_.regs ? std::optional(entry) : std::nullopt;
}

void PreemptSwitch::write_register(std::uint32_t address, std::uint32_t value) {
  registers_.write(address, value);
  if (const auto entry = entry_at(address)) {
    write_entry(*entry, address % kWordsPerEntry, value);
  } else if (address == kAddress) {
    buffers_.table().set_address(value & names());
  } else if (address == kPolicy) {
    draws_ = has(value, kRandomBit);
    unpadded_ = has(value, kUnpaddedBit);
  } else if (address == kTimes) {
    times_ = {value & 0xff, value >> 16, value >> 8 & 0xff};
  } else if (address == kLfsr) {
    random_ = BlockRandom(static_cast<std::uint16_t>(value));
  } else if (address == kClosed) {
    buffers_.set_closed(registers_.ports(value));
  }
}

std::uint32_t PreemptSwitch::names() const {
  return std::bit_ceil(std::max(config_.dests, 2048u)) - 1;
}

void PreemptSwitch::write_entry(std::uint32_t e, std::uint32_t word, std::uint32_t value) {
  if (word != kControl && word != kMasks) return;
  const BsrEntry& before = buffers_.table().at(e);
  BsrEntry entry;
  entry.valid = before.valid;
  entry.center = before.center;
  entry.count = before.count;
  entry.gid = before.gid;
  entry.locals = before.locals;
  if (word == kControl) {
    entry.valid = has(value, kValidBit);
    entry.center = has(value, kCenterBit);
    entry.count = static_cast<std::uint16_t>(value >> kCountShift & names());
    entry.gid = static_cast<std::uint8_t>(value);
  } else {
    entry.locals = registers_.ports(value);
  }
  buffers_.table().write(e, entry);
}

std::uint32_t PreemptSwitch::read_register(std::uint32_t address) const {
  if (const auto word =
          registers_.read(address, data_.unroutable() + unroutable_, data_.headless()))
    return *word;
  if (const auto entry = entry_at(address))
    return read_entry(buffers_.table().at(*entry), address % kWordsPerEntry);
  if (address >= kDrops && address - kDrops < config_.ports) {
    const auto& d = drops_[address - kDrops];
    return static_cast<std::uint32_t>(d[3]) << 24 | d[2] << 16 | d[1] << 8 | d[0];
  }
  switch (address) {
    case kAddress:
      return buffers_.table().address();
    case kPolicy:
      return std::uint32_t{draws_} << kRandomBit | std::uint32_t{unpadded_} << kUnpaddedBit;
    case kTimes:
      return times_.longest << 16 | times_.gap << 8 | times_.idle;
    case kLfsr:
      return random_.value();
    case kLongestWait: {
      std::uint32_t longest = 0;
      for (const PreemptOutput& output : outputs_)
        longest = std::max(longest, output.longest_wait());
      return std::min(longest, 0xffffu);
    }
    case kClosed:
      return buffers_.closed();
    default:
      return 0;
  }
}

std::uint32_t PreemptSwitch::read_entry(const BsrEntry& entry, std::uint32_t word) const {
  switch (word) {
    case kControl:
      return std::uint32_t{entry.valid} << kValidBit | std::uint32_t{entry.center} << kCenterBit |
             std::uint32_t{entry.tree} << kTreeBit | std::uint32_t{entry.branch} << kBranchBit |
             std::uint32_t{entry.sent} << kSentBit | std::uint32_t{entry.tidy} << kTidyBit |
             std::uint32_t{entry.refused} << kRefusedBit |
             std::uint32_t{entry.count} << kCountShift | entry.gid;
    case kMasks:
      return std::uint32_t{entry.children} << 16 | entry.locals;
    case kProgress:
      return std::uint32_t{entry.serve} << 16 | entry.arrived;
    case kAbove:
      return std::uint32_t{entry.center_address} << 16 | entry.parent;
    default:
      return word >= kChild && word - kChild < config_.ports ? entry.child[word - kChild] : 0;
  }
}

}  // namespace muster::golden

namespace muster::preempt {
namespace {

std::uint32_t message_flits(const core::Flit& first) {
  return begins_bsr_message(first) ? bsr_length(bsr_type(first)) : 0;
}

constexpr fabric::SwitchKind kind(std::string_view name, std::uint32_t architecture,
                                  fabric::SyncCredits credits, std::uint8_t cuttable,
                                  std::uint32_t min_depth) {
  constexpr std::uint32_t kFirstNumber = 3;
  return {.name = name,
          .module = "bsr_switch",
          .architecture = architecture,
          .number = kFirstNumber + architecture - 1,
          .max_vcs = 3,
          .usual_vcs = 2,  // with one channel I and II are the same machine
          .max_gid_w = 8,
          .sync_credits = credits,
          .message_flits = message_flits,
          .min_depth = min_depth,
          .cuttable = cuttable,
          .pads = true,
          .golden = golden::make_switch_bank<golden::PreemptSwitch>,
          .sync_text = bsr_text};
}

using enum fabric::SyncCredits;

}  // namespace

constinit const fabric::SwitchKind kBsr1 = kind("bsr-1", 1, kBuffer, 7, 1);
constinit const fabric::SwitchKind kBsr2 = kind("bsr-2", 2, kBuffer, 1, 1);
// A message has room in one queue.
constinit const fabric::SwitchKind kBsr3 = kind("bsr-3", 3, kBoth, 7, 3);

}  // namespace muster::preempt
