// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "fabric/golden/switch_bank.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "muster/fabric/formats.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::golden {

using core::BlockWires;
using core::Flit;

BarrierSwitch::BarrierSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
    : queues_(config, queues),
      credits_(config.depth),
      data_(config, routes),
      barriers_(config),
      spill_(config),
      turns_(config),
      pocket_credits_(static_cast<std::uint16_t>(bit(config.ports) - 1)),
      config_(config),
      routes_(routes) {
  if (config.guard) {
    guard_ = std::make_unique<WriteGuard>(config);
    agent_.guard();
  }
  if (fabric::has_pockets(config))
    for (std::uint32_t p = 0; p < config.ports; ++p) pocket_lanes_ |= bit(lane_of(p, config.vcs));
  look();
}

bool BarrierSwitch::nothing_under_way() const {
  return barriers_.requested() == 0 && spill_.requested() == 0 && pockets_.full() == 0 &&
         waiting_ == 0 && !barriers_.busy() && !barriers_.drops().pending() && agent_.quiet() &&
         !agent_.drops().pending() && owed_ == 0 && !timed() && !(guard_ && guard_->pending());
}

void BarrierSwitch::look() {
  resting_ = !guard_ && agent_.state() == RegisterAgent::State::kIdle && nothing_under_way();
  suspect_ = barriers_.retry() != nullptr && barriers_.retry()->suspect();
}

/// The candidate at an output that is requested is a latch's, not a register's.
bool BarrierSwitch::from_latch(std::uint32_t port) const {
  return has(spill_.requested(), port) && !(has(barriers_.requested(), port) && spill_.last(port));
}

BarrierShare BarrierSwitch::share_outputs(std::uint64_t returned) const {
  BarrierShare share;
  const std::uint64_t credited = (credits_.at_least_one() | returned) & ~held_;
  share.usable = credited;
  for_each_bit(waiting_, [&](std::uint32_t port) {
    share.usable &= ~(std::uint64_t{0xf} << lane_of(port, 0));
  });
  const std::uint16_t busy = data_.busy();
  const std::uint16_t able = (barriers_.requested() | spill_.requested()) & pocket_credits_;
  share.goes = able & static_cast<std::uint16_t>(~busy);
  for_each_bit(share.goes & spill_.requested(), [&](std::uint32_t port) {
    if (from_latch(port)) share.latched |= static_cast<std::uint16_t>(bit(port));
  });
  share.waits = able & busy;
  if (agent_.state() == RegisterAgent::State::kAnswering || owed_ != 0)
    share_with_answers(share, credited);
  share.waits &= static_cast<std::uint16_t>(~waiting_);
  return share;
}

bool BarrierSwitch::offer_answer(BarrierShare& share, std::uint32_t lane,
                                 std::uint64_t credited) const {
  const std::uint32_t port = port_of(lane);
  if (data_.owner(lane) != ChannelPath::kNone || !has(credited, lane)) return false;
  if (has(data_.busy(), port)) {
    share.waits |= static_cast<std::uint16_t>(bit(port));
    return false;
  }
  if (has(share.goes, port)) return false;
  share.answers |= bit(lane);
  return true;
}

void BarrierSwitch::share_with_answers(BarrierShare& share, std::uint64_t credited) const {
  share.closed = owed_;
  std::uint64_t tails = owed_;
  if (agent_.state() == RegisterAgent::State::kAnswering) {
    const std::uint32_t lane = agent_.out();
    share.closed |= bit(lane);
    if (!has(owed_, lane)) {
      share.answered = offer_answer(share, lane, credited);
      tails &= ~(std::uint64_t{0xf} << lane_of(port_of(lane), 0));
    }
  }
  while (tails != 0) {
    const std::uint32_t lane = lowest(tails);
    offer_answer(share, lane, credited);
    tails &= ~(std::uint64_t{0xf} << lane_of(port_of(lane), 0));
  }
}

std::optional<fabric::AccessStatus> BarrierSwitch::forbidden_write(bool writable) {
  if (!guard_ || !agent_.asks_to_write(permits_, writable)) return std::nullopt;
  const std::uint32_t address = agent_.address(), value = agent_.value(), port = agent_.port();
  if (guard_->foreign(barriers_, address, value, port)) {
    guard_->refused_packet(port, address, fabric::registers::Refusal::kForeignGroup);
    return fabric::AccessStatus::kNoPermit;
  }
  const auto harm = guard_->harm(barriers_, address, value);
  if (!harm) return std::nullopt;
  guard_->refused_packet(port, address, *harm);
  return fabric::AccessStatus::kNotWritable;
}

void BarrierSwitch::wait(RegisterAgent::State before, bool moved, const BarrierShare& share) {
  const std::uint64_t agents = share.answered ? bit(agent_.out()) : 0;
  owed_ &= ~(share.answers & ~agents);
  if (const auto owes = agent_.wait(before, moved)) owed_ |= bit(*owes);
}

BarrierSwitch::Access BarrierSwitch::access_registers(const core::RegisterRequest* host,
                                                      std::uint32_t word) {
  using State = RegisterAgent::State;
  Access access;
  access.moved = true;  // the host keeps it off, at least
  const bool writes = host != nullptr && host->write && agent_.is_write();
  const bool again = writes && write_depends_on(host->address);
  if (agent_.state() == State::kReading) {
    agent_.find_route(data_.route(agent_.source()));
    const bool reads = host != nullptr && !host->write;
    if (reads || again)
      agent_.keep_off(again);
    else
      agent_.read(word);
  } else if (agent_.given_in()) {
    agent_.answer_busy();
  } else if (writes) {
    agent_.keep_off(again);
  } else if (agent_.state() == State::kDeciding) {
    agent_.decided();
  } else {
    access.address = agent_.address();
    access.value = agent_.value();
    const bool writable = writable_by_packets(access.address);
    access.write = agent_.decide(permits_, writable, forbidden_write(writable));
  }
  return access;
}

BarrierSwitch::Access BarrierSwitch::serve_agent(const core::RegisterRequest* host) {
  // Either the access unit looks at flits or at registers: what it becomes in a cycle it is in the
  // next.
  const RegisterAgent::State agent = agent_.state();
  // The word is that of this cycle; what the access unit drops now is counted at its edge.
  const bool reading = agent == RegisterAgent::State::kReading;
  const std::uint32_t word = reading ? read_register(agent_.address()) : 0;
  if (data_.local() != 0) agent_.take(data_.local(), data_.local_first(), queues_);
  if (reading || agent == RegisterAgent::State::kDeciding ||
      agent == RegisterAgent::State::kWriting) {
    return access_registers(host, word);
  }
  return {};
}

void BarrierSwitch::drive_outputs(const BarrierShare& share, Flit* tx) const {
  data_.drive(queues_, tx);
  for_each_bit(share.goes & ~share.latched,
               [&](std::uint32_t port) { tx[port] = barriers_.message(port); });
  for_each_bit(share.latched, [&](std::uint32_t port) { tx[port] = spill_.message(port); });
  for_each_bit(share.answers, [&](std::uint32_t lane) {
    Flit& flit = tx[port_of(lane)];
    flit =
        has(owed_, lane) ? Flit::cut_mark(static_cast<std::uint8_t>(vc_of(lane))) : agent_.flit();
  });
}

std::uint16_t BarrierSwitch::receive_guarded(std::uint32_t valid, const Flit* rx,
                                             std::uint64_t full) {
  std::uint16_t messages = 0;
  for_each_bit(valid, [&](std::uint32_t port) {
    const bool sync = rx[port].sync();
    if (sync ? has(pockets_.full(), port) : !data_.arrive_guarded(queues_, port, rx[port], full))
      guard_->lost(port, rx[port]);
    else if (sync)
      messages |= static_cast<std::uint16_t>(bit(port));
  });
  return messages;
}

std::uint64_t BarrierSwitch::full_lanes() const {
  std::uint64_t full = 0;
  for_each_bit(queues_.filled(),
               [&](std::uint32_t lane) { full |= std::uint64_t{queues_.full(lane)} << lane; });
  return full;
}

std::uint16_t BarrierSwitch::take_messages(std::uint16_t arriving, const Flit* rx,
                                           const BarrierShare& share, bool blocked) {
  const PortMessages messages = pockets_.messages(arriving, rx);
  const MessageTurns::Choice seen = turns_.choose(messages, blocked);
  const BarrierSpill::Choice spilled = spill_.choose(seen.ports, messages, barriers_);
  const auto own = static_cast<std::uint16_t>(share.goes & ~share.latched);
  if (guard_) guard_->given_up(spill_.wait(share.latched, pocket_credits_));
  const bool bad = spill_.edge(spilled, messages, share.goes, share.latched);
  const std::uint64_t malformed = bad ? bit(*spilled.port) : 0;
  auto taken = static_cast<std::uint16_t>(seen.ports & ~spilled.asking);
  barriers_.edge(taken, messages, own, static_cast<std::uint16_t>(malformed));
  if (spilled.port) taken |= static_cast<std::uint16_t>(bit(*spilled.port));
  if (pocket_lanes_ == 0) return taken;
  turns_.edge(seen, taken);
  pockets_.edge(messages, taken);
  pocket_credits_ &= static_cast<std::uint16_t>(~share.goes);
  return taken;
}

void BarrierSwitch::return_pockets(std::uint64_t lanes) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    if (has(pocket_credits_, port_of(lane))) throw InternalError("a credit without a flit");
    pocket_credits_ |= static_cast<std::uint16_t>(bit(port_of(lane)));
  });
}

std::uint64_t BarrierSwitch::pocket_credits_of(std::uint16_t taken) const {
  std::uint64_t credits = 0;
  if (pocket_lanes_ != 0)
    for_each_bit(taken, [&](std::uint32_t port) { credits |= bit(lane_of(port, config_.vcs)); });
  return credits;
}

std::uint64_t BarrierSwitch::wake(std::uint16_t arriving) {
  const std::uint16_t taken = take_messages(arriving, rx_, {}, false);
  barriers_.drops().edge();
  look();
  return pocket_credits_of(taken);
}

bool BarrierSwitch::clock(const core::RegisterRequest* host) {
  BlockWires& wires = *wires_;
  const std::uint64_t inputs = wires.rx_valid | wires.tx_back;
  const bool host_blocks = std::exchange(group_written_, false);
  const std::uint16_t traversing = data_.busy(), closed = waiting_;
  const BarrierShare share = share_outputs(wires.tx_back);
  drive_outputs(share, tx_);
  const RegisterAgent::State agent = agent_.state();
  const bool received =
      agent == RegisterAgent::State::kReceiving && has(data_.local(), agent_.lane());
  const std::uint64_t full = guard_ ? full_lanes() : 0;

  // From here on the state is that after the edge.
  const Access access = serve_agent(host);
  if (share.answered) agent_.sent();
  if (guard_) wait(agent, received || share.answered, share);
  const ChannelPath::Moved moved = data_.clock(queues_, share.usable, share.closed);
  const std::uint16_t arriving = guard_ ? receive_guarded(wires.rx_valid, rx_, full)
                                        : data_.arrive(queues_, wires.rx_valid, rx_);
  const bool unit_busy = barriers_.busy();
  const bool blocked = host_blocks || (access.write && writes_group(access.address));
  std::uint16_t taken = 0;
  if ((arriving | pockets_.full() | share.goes) != 0 || unit_busy || spill_.timed(pocket_credits_))
    taken = take_messages(arriving, rx_, share, blocked);
  waiting_ = share.waits;
  credits_.update(moved.spent | share.answers, wires.tx_back & ~pocket_lanes_);
  return_pockets(wires.tx_back & pocket_lanes_);
  barriers_.drops().edge();
  agent_.drops().edge();
  if (guard_) guard_->edge();
  if (access.write) write_register(access.address, access.value);
  look();

  stalled_ = (inputs | share.goes | share.answers | closed | taken) == 0 && !moved.changed &&
             !access.moved && !unit_busy && !barriers_.drops().pending() &&
             !agent_.drops().pending() && !timed() && !(guard_ && guard_->pending());
  wires.rx_valid = 0;
  wires.tx_back = 0;
  wires.tx_valid = traversing | share.goes;
  for_each_bit(share.answers, [&](std::uint32_t lane) { wires.tx_valid |= 1u << port_of(lane); });
  wires.rx_back = moved.taken | pocket_credits_of(taken);
  return wires.tx_valid == 0 && wires.rx_back == 0 && idle();
}

/// The state of a barrier switch as text.
namespace {
using fabric::Formats;
using fabric::MessageType;

std::string text(const Flit& flit, const Formats& formats) {
  if (!flit.sync()) {
    const char* part =
        flit.head() ? (flit.tail() ? "single flit" : "head") : (flit.tail() ? "tail" : "body");
    if (!flit.head()) return part;
    return fmt::format("{} for {}", part, Formats::destination(flit));
  }
  const auto message = formats.barrier_message(flit);
  switch (message.type) {
    case MessageType::kReduction:
      return fmt::format("reduction of group {}", message.gid);
    case MessageType::kDistribution:
      return fmt::format("distribution of group {}", message.gid);
    default:
      return fmt::format("sync flit of type {}", static_cast<int>(message.type));
  }
}

std::string ports(std::uint32_t mask) {
  std::string list;
  for_each_bit(mask, [&](std::uint32_t port) {
    fmt::format_to(std::back_inserter(list), "{}{}", list.empty() ? "" : ",", port);
  });
  return fmt::format("{{{}}}", list);
}

std::string text(const BarrierRegister& at) {
  const std::string parent = at.reflect ? "reflects" : fmt::format("parent {}", at.parent);
  return fmt::format("group {} {} children {} arrived {}{} serve {}", at.gid, parent,
                     ports(at.children), ports(at.arrived), at.sent ? " sent" : "",
                     ports(at.serve));
}
}  // namespace

std::string BarrierSwitch::describe() const {
  std::string all;
  const auto add = [&](const std::string& part) {
    if (!all.empty()) all += "; ";
    all += part;
  };
  const Formats formats(config_.flit_w, config_.gid_w);

  for_each_bit(queues_.filled(), [&](std::uint32_t lane) {
    std::string route;
    if (data_.routed(lane)) route = fmt::format(" to port {}", data_.output(lane));
    if (data_.draining(lane)) route = " dropped, no route";
    add(fmt::format("queue {}.{}: {} flits, {}{}", port_of(lane), vc_of(lane), queues_.size(lane),
                    text(queues_.head(lane), formats), route));
  });
  for (std::uint32_t port = 0; port < config_.ports; ++port) {
    for (std::uint32_t vc = 0; vc < config_.vcs; ++vc) {
      const std::uint32_t lane = lane_of(port, vc), credits = credits_.count(lane);
      const std::uint8_t owner = data_.owner(lane), next = data_.next(lane);
      std::string state;
      if (owner != ChannelPath::kNone) state = fmt::format(" owned by port {}", owner);
      if (owner != ChannelPath::kNone && credits != 0)
        state += fmt::format(", {} credits", credits);
      if (credits == 0) state += state.empty() ? " without credits" : ", no credits";
      if (next != ChannelPath::kNone) state += fmt::format(", next port {}", next);
      if (!state.empty()) add(fmt::format("channel {}.{}{}", port, vc, state));
    }
  }
  if (agent_.state() != RegisterAgent::State::kIdle) {
    add(fmt::format("agent {}", agent_.state_name()));
  }
  if (barriers_.many() != nullptr) {
    if (const std::string groups = barriers_.many()->describe(); !groups.empty()) add(groups);
  }
  if (barriers_.retry() != nullptr) {
    if (const std::string groups = barriers_.retry()->describe(); !groups.empty()) add(groups);
  }
  for (std::uint32_t r = 0; r < config_.regs; ++r) {
    if (barriers_.at(r).valid) add(fmt::format("register {}: {}", r, text(barriers_.at(r))));
  }
  for_each_bit(pockets_.full(), [&](std::uint32_t port) {
    const PortMessages messages = pockets_.messages(0, nullptr);
    add(fmt::format("pocket {}: {}", port, text(messages.at(port), formats)));
  });
  if (spill_.closed()) add("spill closed");
  if (spill_.requested() != 0) add("spill waits for outputs " + ports(spill_.requested()));
  return all.empty() ? "empty" : all;
}

}  // namespace muster::golden

namespace muster::btin {

constinit const fabric::SwitchKind kBarrierSwitch = {
    .name = "barrier",
    .module = "barrier_switch",
    .number = 1,
    .serial = true,
    .spill = true,
    .retry = true,
    .guard = true,
    .max_groups = 4096,
    .credit_turn = 2,
    .golden = golden::make_switch_bank<golden::BarrierSwitch>,
    .sync_text = fabric::barrier_message_text};

}  // namespace muster::btin
