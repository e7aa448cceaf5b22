// SPDX-License-Identifier: Apache-2.0
#include "systems/preempt/golden/preempt_switch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "muster/fabric/formats.hpp"
#include "systems/preempt/switch_kinds.hpp"

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

PreemptSwitch::PreemptSwitch(const fabric::SwitchConfig& config, Flit* queues,
                             std::uint16_t* routes)
    : config_(config),
      routes_(routes),
      queues_(config, queues),
      data_(config, routes),
      credits_(config.depth),
      buffers_(config.ports, config.regs),
      outputs_(config.ports,
               PreemptOutput(kind_of(config.kind), config.vcs - 1, config.ports + 1)) {
  for (std::uint32_t p = 0; p < config.ports; ++p)
    data_lanes_ |= (bit(config.vcs - 1) - 1) << lane_of(p, 0);
}

/// Input lanes that offer a pad: the generator is on, nothing is in the queue, and the packet
/// under way has begun and not ended.
std::uint64_t PreemptSwitch::generating() const {
  if (unpadded_) return 0;
  std::uint64_t lanes = 0;
  for_each_bit(padding_ & ~queues_.heads().all(), [&](std::uint32_t lane) {
    if (!data_.active(lane)) return;
    const bool owns = data_.owner(lane_of(data_.output(lane), vc_of(lane))) == port_of(lane);
    lanes |= std::uint64_t{owns} << lane;
  });
  return lanes;
}

std::uint32_t PreemptSwitch::served() const {
  std::uint32_t buffers = 0;
  for (const PreemptOutput& output : outputs_)
    if (output.served()) buffers |= std::uint32_t{1} << *output.served();
  return buffers;
}

/// Each buffer that waits to go asks for one output.
void PreemptSwitch::ask(Outputs& outputs) const {
  const std::uint32_t taken = served();
  for (std::uint32_t b = 0; b < buffers_.size(); ++b) {
    const BsrBuffer& buffer = buffers_.at(b);
    if (buffer.state != BsrBuffer::State::kGoing || has(taken, b)) continue;
    std::uint32_t port = lowest(buffer.mask);
    if (!buffer.first_message() && !buffer.by_port) {
      std::uint32_t open = 0, cut = 0;
      for_each_bit(buffer.mask, [&](std::uint32_t p) {
        open |= std::uint32_t{outputs_[p].open_way(outputs.view[p])} << p;
        cut |= std::uint32_t{outputs_[p].cut_way(outputs.view[p])} << p;
      });
      if ((open | cut) != 0) port = lowest(open != 0 ? open : cut);
    }
    outputs.asking[port] |= std::uint32_t{1} << b;
  }
}

PreemptSwitch::Outputs PreemptSwitch::decide_outputs() const {
  Outputs result;
  const std::uint64_t data_bits = bit(config_.vcs - 1) - 1, credited = credits_.at_least_one();
  result.usable = credited & data_lanes_;
  const auto draw = draws_ ? std::optional(random_.low_four()) : std::nullopt;
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    PreemptOutput::View& view = result.view[p];
    view.busy = has(data_.busy(), p);
    view.credit = has(credited, barrier_lane(p));
    if (!has(hold_, p))
      view.credited = static_cast<std::uint8_t>(credited >> lane_of(p, 0) & data_bits);
    for (std::uint32_t v = 0; v + 1 < config_.vcs; ++v)
      if (data_.owner(lane_of(p, v)) == DataPath::kFree)
        view.free |= static_cast<std::uint8_t>(bit(v));
    if (const auto b = outputs_[p].served())
      view.flits = buffers_.at(*b).count - buffers_.at(*b).gone;

    const Act act = result.act[p] = outputs_[p].decide(view, draw);
    std::uint64_t shut = outputs_[p].shut(act);
    if (act.hold || has(hold_, p)) shut = 0xf;
    result.usable &= ~(shut << lane_of(p, 0));
    result.closed |= std::uint64_t{outputs_[p].closed(act)} << lane_of(p, 0);
    if (act.what == What::kNothing) continue;
    result.goes |= static_cast<std::uint16_t>(bit(p));
    result.spent |= bit(barrier_lane(p));
  }
  ask(result);
  return result;
}

PreemptSwitch::Intake PreemptSwitch::look_at(const Heads& heads) const {
  Intake intake;
  const auto malformed = [&](std::uint32_t lane) {
    intake.taken |= bit(lane);
    intake.malformed |= static_cast<std::uint16_t>(bit(port_of(lane)));
  };
  for_each_bit(heads.sync & data_lanes_, malformed);
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    const std::uint32_t lane = barrier_lane(p);
    if (!has(heads.all(), lane)) continue;
    const Flit& head = queues_.head(lane);
    const bool control =
        buffers_.begins(p) && preempt::bsr_type(head) == preempt::BsrType::kControl;
    if (!head.sync()) {
      malformed(lane);
    } else if (control) {
      const bool known =
          preempt::is_control(head) && preempt::link_control(head).channel + 1u < config_.vcs;
      if (!known) {
        malformed(lane);
      } else {
        intake.taken |= bit(lane);
        intake.control |= static_cast<std::uint16_t>(bit(p));
      }
    } else if (buffers_.room(p)) {
      intake.taken |= bit(lane);
      intake.flits |= static_cast<std::uint16_t>(bit(p));
    }
  }
  return intake;
}

/// The edge of what was taken from the heads.
void PreemptSwitch::execute(const Intake& intake) {
  for_each_bit(intake.malformed, [&](std::uint32_t p) { count(p, kMalformed); });
  for_each_bit(intake.control, [&](std::uint32_t p) {
    const preempt::LinkControl control = preempt::link_control(queues_.head(barrier_lane(p)));
    const std::uint64_t lane = bit(lane_of(p, control.channel));
    padding_ = control.end ? padding_ & ~lane : padding_ | lane;
  });
  for_each_bit(intake.flits, [&](std::uint32_t p) {
    const Flit& head = queues_.head(barrier_lane(p));
    buffers_.push(p, head, data_.route(fabric::Formats::destination(head)));
  });
  for_each_bit(intake.taken, [&](std::uint32_t lane) { queues_.pop(lane); });
}

void PreemptSwitch::count(std::uint32_t port, std::uint32_t field) {
  constexpr std::uint8_t kMost = 15;
  std::uint8_t& counter = drops_[port][field];
  if (counter < kMost) ++counter;
}

Heads PreemptSwitch::heads_of_queues() const {
  Heads heads = queues_.heads();
  std::uint64_t received = 0;
  for_each_bit(heads.sync & data_lanes_, [&](std::uint32_t lane) {
    received |= std::uint64_t{queues_.head(lane).kind == core::Flit::kPad} << lane;
  });
  heads.sync &= ~received;
  heads.data |= received;
  return heads;
}

void PreemptSwitch::drive_outputs(const Outputs& outputs, std::uint16_t traversing,
                                  Flit* tx) const {
  for_each_bit(traversing, [&](std::uint32_t p) { tx[p] = data_.crossbar()[p]; });
  const auto channel = static_cast<std::uint8_t>(config_.vcs - 1);
  for_each_bit(outputs.goes, [&](std::uint32_t p) {
    const Act& act = outputs.act[p];
    if (act.what == What::kFlit) {
      const BsrBuffer& buffer = buffers_.at(*outputs_[p].served());
      tx[p] = buffer.flits[buffer.gone];
      tx[p].vc = channel;
    } else {
      tx[p] = preempt::control_flit({act.what == What::kEnd, act.channel}, channel);
    }
  });
}

DataPath::Moved PreemptSwitch::move_data(const Heads& heads, std::uint64_t pads,
                                         const Outputs& outputs) {
  for_each_bit(pads, [&](std::uint32_t lane) { queues_.push(port_of(lane), pad(lane)); });
  const Heads data{(heads.data & data_lanes_) | pads, 0};
  const DataPath::Moved moved = data_.clock(data, queues_, outputs.usable, outputs.closed);
  for_each_bit(pads & ~moved.taken, [&](std::uint32_t lane) { queues_.pop(lane); });
  return moved;
}

void PreemptSwitch::cut_and_hand_back(const Outputs& outputs, std::uint64_t spent) {
  bool drawn = false;
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    const auto allocated = static_cast<std::uint32_t>(spent >> lane_of(p, 0) & 0xf);
    PreemptOutput& output = outputs_[p];
    if (outputs.act[p].what == What::kFlit) buffers_.gone(*output.served());
    output.edge(outputs.act[p], outputs.asking[p], allocated, times_);
    drawn |= outputs.act[p].what == What::kRequest;
  }
  if (drawn && draws_) random_.step();
}

void PreemptSwitch::take_message(const BsrBuffers::Choice& choice) {
  const BsrBuffers::Result result =
      buffers_.edge(choice, [&](std::uint32_t destination) { return data_.route(destination); });
  if (result.dropped)
    count(*choice.applied, kFirstDrop + static_cast<std::uint32_t>(*result.dropped));
  unroutable_ = std::min(unroutable_ + result.unroutable, 0xffffu);
}

void PreemptSwitch::clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
  // The state at the beginning of the cycle, and what is decided on it.
  const std::uint64_t pads = generating();
  const Heads heads = heads_of_queues();
  const std::uint16_t traversing = data_.busy();
  const Outputs outputs = decide_outputs();
  const BsrBuffers::Choice choice = buffers_.choose(served());
  const Intake intake = look_at(heads);
  drive_outputs(outputs, traversing, tx);

  // From here on the state is that after the edge.
  const DataPath::Moved moved = move_data(heads, pads, outputs);
  credits_.update(outputs.spent, 0);
  credits_.update(moved.spent, wires.tx_back);
  cut_and_hand_back(outputs, moved.spent);
  take_message(choice);
  execute(intake);
  for_each_bit(wires.rx_valid, [&](std::uint32_t p) { queues_.push(p, rx[p]); });

  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.tx_valid = traversing | outputs.goes;
  wires.rx_back = (moved.taken & ~pads) | intake.taken;
}

bool PreemptSwitch::idle() const {
  return queues_.heads().all() == 0 && data_.busy() == 0 && generating() == 0 && buffers_.idle() &&
         std::all_of(outputs_.begin(), outputs_.end(),
                     [](const PreemptOutput& output) { return output.idle(); });
}

std::string PreemptSwitch::describe() const {
  std::string text = fmt::format("crossbar {:#x}, queues {:#x}, padding {:#x}", data_.busy(),
                                 queues_.heads().all(), padding_);
  for (std::uint32_t p = 0; p < config_.ports; ++p)
    if (!outputs_[p].idle()) text += fmt::format("; output {}:{}", p, outputs_[p].describe());
  return text + buffers_.describe();
}

}  // namespace muster::golden
