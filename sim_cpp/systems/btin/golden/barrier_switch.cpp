// SPDX-License-Identifier: Apache-2.0
#include "systems/btin/golden/barrier_switch.hpp"

#include <fmt/ranges.h>

#include "fabric/golden/switch_bank.hpp"

namespace muster::golden::inline MUSTER_SWITCHES {

using core::Flit;

BarrierSwitch::BarrierSwitch(const fabric::SwitchConfig& config, Flit* queues, RouteTable& routes)
    : queues_(config, queues),
      credits_(config.depth),
      registers_(config, routes, kAddressed),
      data_(config, routes),
      pockets_(config.ports),
      pocket_credits_(all_ports(config.ports)),
      barriers_(config),
      spill_(config),
      turns_(config),
      rows_(rows_of(config.ports)),
      config_(config) {
  queued_ = btin::variant(config).queued;
  if (queued_) left_.resize(config.ports);
  if (btin::variant(config).guard) {
    guard_ = std::make_unique<WriteGuard>(config);
    agent_.guard();
  }
  if (btin::variant(config).counters) counters_ = std::make_unique<PortCounters>(config.ports);
  if (fabric::has_pockets(config))
    for (std::uint32_t p = 0; p < config.ports; ++p)
      pocket_lanes_ |= lane_bit(lane_of(p, config.vcs));
}

bool BarrierSwitch::idle() const {
  return queues_.filled() == 0 && (data_.busy() | waiting_ | barriers_.requested()) == 0 &&
         !barriers_.busy() && !barriers_.drops().pending() && spill_.requested() == 0 &&
         !spill_.timed(pocket_credits_) && pockets_.full() == 0 && agent_.quiet() &&
         !agent_.timed() && !agent_.drops().pending() && owed_ == 0 &&
         !(guard_ && guard_->pending()) && !(counters_ && counters_->pending()) && !written_ &&
         data_.counted();
}

/// The candidate at an output that is requested is a latch's, not a register's.
bool BarrierSwitch::from_latch(std::uint32_t port) const {
  return has(spill_.requested(), port) && !(has(barriers_.requested(), port) && spill_.last(port));
}

void BarrierSwitch::share_with_messages(BarrierShare& share) const {
  const Ports able = (barriers_.requested() | spill_.requested()) & pocket_credits_;
  share.goes = able & static_cast<Ports>(~data_.busy());
  share.waits = able & data_.busy() & static_cast<Ports>(~waiting_);
  for_each_bit(share.goes & spill_.requested(), [&](std::uint32_t port) {
    if (from_latch(port)) share.latched |= static_cast<Ports>(bit(port));
  });
}

bool BarrierSwitch::offer_answer(BarrierShare& share, std::uint32_t lane,
                                 const Lanes& credited) const {
  const std::uint32_t port = port_of(lane);
  if (data_.owner(lane) != ChannelPath::kNone || !has(credited, lane)) return false;
  if (has(data_.busy(), port)) {
    share.waits |= static_cast<Ports>(bit(port) & ~waiting_);
    return false;
  }
  if (has(share.goes, port)) return false;
  share.answers |= lane_bit(lane);
  return true;
}

/// One at an output whose channel 0 has no owner and no answer is offered to it, and goes if there
/// is a credit and no flit traverses.
Ports BarrierSwitch::share_channels(BarrierShare& share, const Lanes& credited) const {
  Ports offered = 0;
  const bool answering = agent_.state() == RegisterAgent::State::kAnswering;
  for_each_bit(barriers_.requested(), [&](std::uint32_t port) {
    const std::uint32_t lane = lane_of(port, 0);
    const auto output = static_cast<Ports>(bit(port));
    share.closed |= lane_bit(lane);
    if (data_.owner(lane) != ChannelPath::kNone || (answering && agent_.out() == lane)) return;
    offered |= output;
    if (!has(credited, lane)) return;
    if (has(data_.busy(), port))
      share.waits |= output & static_cast<Ports>(~waiting_);
    else
      share.goes |= output;
  });
  return offered;
}

void BarrierSwitch::share_with_answers(BarrierShare& share, const Lanes& credited,
                                       Ports taken) const {
  share.closed |= owed_;
  Lanes tails = owed_;
  if (agent_.state() == RegisterAgent::State::kAnswering) {
    const std::uint32_t lane = agent_.out();
    share.closed |= lane_bit(lane);
    if (!has(owed_, lane) && !has(taken, port_of(lane))) {
      share.answered = offer_answer(share, lane, credited);
      tails &= ~lanes_of(port_of(lane));
    }
  }
  for_each_port(tails, [&](std::uint32_t port) {
    offer_answer(share, lowest(tails & lanes_of(port)), credited);
  });
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

void BarrierSwitch::wait(RegisterAgent::State before, const BarrierShare& share) {
  const bool moved = share.answered || (before == RegisterAgent::State::kReceiving &&
                                        has(data_.local(), agent_.lane()));
  const Lanes agents = share.answered ? lane_bit(agent_.out()) : Lanes{};
  owed_ &= ~(share.answers & ~agents);
  if (const auto owes = agent_.wait(before, moved)) owed_ |= lane_bit(*owes);
}

void BarrierSwitch::access_registers(std::uint32_t word, Access& access) {
  using State = RegisterAgent::State;
  const bool writes = written_ && agent_.is_write();
  const bool again = writes && write_depends_on(written_->address);
  if (agent_.state() == State::kReading) {
    agent_.find_route(data_.route(agent_.source()));
    if (asked_ || again)
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
}

inline void BarrierSwitch::serve_agent(Access& access, const Lanes& local) {
  // Either the access unit looks at flits or at registers: what it becomes in a cycle it is in the
  // next.
  const RegisterAgent::State agent = agent_.state();
  const bool at_registers =
      RegisterAgent::State::kReading <= agent && agent <= RegisterAgent::State::kWriting;
  // The word is that of this cycle; what the access unit drops now is counted at its edge.
  const bool reading = agent == RegisterAgent::State::kReading;
  const std::uint32_t word = reading ? read_register(agent_.address()) : 0;
  if (local != 0) agent_.take(local, data_.local_first() & local, queues_);
  if (at_registers) access_registers(word, access);
}

Ports BarrierSwitch::take_messages(Ports arriving, const Flit* rx, const BarrierShare& share,
                                   const Access& access) {
  const bool blocked = (written_ && writes_group(written_->address)) ||
                       (access.write && writes_group(access.address));
  const PortMessages messages = pockets_.messages(arriving, rx);
  const MessageTurns::Choice seen = turns_.choose(messages, blocked);
  const BarrierSpill::Choice spilled = spill_.choose(seen.ports, messages, barriers_);
  const auto own = static_cast<Ports>(share.goes & ~share.latched);
  if (guard_) guard_->given_up(spill_.wait(share.latched, pocket_credits_));
  const bool bad = spill_.edge(spilled, messages, share.goes, share.latched);
  const std::uint64_t malformed = bad ? bit(*spilled.port) : 0;
  auto taken = static_cast<Ports>(seen.ports & ~spilled.asking);
  barriers_.edge(taken, messages, own, static_cast<Ports>(malformed));
  if (spilled.port) taken |= static_cast<Ports>(bit(*spilled.port));
  if (pocket_lanes_ == 0) return taken;
  turns_.edge(seen, taken);
  pockets_.edge(messages, taken);
  pocket_credits_ &= static_cast<Ports>(~share.goes);
  return taken;
}

void BarrierSwitch::return_pockets(const Lanes& lanes) {
  for_each_bit(lanes, [&](std::uint32_t lane) {
    if (has(pocket_credits_, port_of(lane))) throw InternalError("a credit without a flit");
    pocket_credits_ |= static_cast<Ports>(bit(port_of(lane)));
  });
}

inline BarrierShare BarrierSwitch::share_outputs(const Lanes& returned) const {
  const Lanes credited = (credits_.at_least_one() | returned) & ~registers_.held();
  BarrierShare share{.usable = credited};
  for_each_bit(waiting_, [&](std::uint32_t port) { share.usable &= ~lanes_of(port); });
  Ports first = 0;
  if (queued_)
    first = share_channels(share, credited);
  else if ((barriers_.requested() | spill_.requested()) != 0)
    share_with_messages(share);
  if (agent_.state() == RegisterAgent::State::kAnswering || owed_ != 0)
    share_with_answers(share, credited, first);
  return share;
}

void BarrierSwitch::drive_messages(const BarrierShare& share, Flit* tx) const {
  for_each_bit(share.goes & ~share.latched,
               [&](std::uint32_t port) { tx[port] = barriers_.message(port); });
  for_each_bit(share.latched, [&](std::uint32_t port) { tx[port] = spill_.message(port); });
  for_each_bit(share.answers, [&](std::uint32_t lane) {
    Flit& flit = tx[port_of(lane)];
    flit =
        has(owed_, lane) ? Flit::cut_mark(static_cast<std::uint8_t>(vc_of(lane))) : agent_.flit();
  });
}

/// In a switch that does not guard itself its sender has taken care.
inline bool BarrierSwitch::has_place(std::uint32_t port, const Flit& flit) const {
  if (!guard_) return true;
  return flit.sync() ? !has(pockets_.full(), port) : data_.has_place(queues_, port, flit);
}

void BarrierSwitch::lose(std::uint32_t port, const Flit& flit) {
  if (!flit.sync()) data_.lose(queues_, port, flit);
  guard_->lost(port, flit);
}

inline Ports BarrierSwitch::receive(Ports valid, const Flit* rx) {
  Ports messages = 0;
  for_each_bit(valid, [&](std::uint32_t port) {
    const Flit& flit = rx[port];
    if (!has_place(port, flit)) [[unlikely]]
      lose(port, flit);
    else if (flit.sync()) [[unlikely]] {
      if (queued_)
        data_.arrive(queues_, port, ChannelPath::queued(flit));
      else
        messages |= static_cast<Ports>(bit(port));
    } else
      data_.arrive(queues_, port, flit);
  });
  return messages;
}

Ports BarrierSwitch::leaving_messages() {
  Ports ports = 0;
  for_each_bit(data_.local(), [&](std::uint32_t lane) {
    const Flit& flit = queues_.popped(lane);
    if (flit.kind != Flit::kFirst) return;
    left_[port_of(lane)] = flit;
    ports |= static_cast<Ports>(bit(port_of(lane)));
  });
  return ports;
}

void BarrierSwitch::count(Ports stalled, Ports lost) {
  PortCounters::Events before;
  before.dropped = barriers_.drops().pending_ports() | agent_.drops().pending_ports();
  if (guard_) {
    before.refused = guard_->refused();
    before.overflow = guard_->overflowed() != 0;
    before.dropped |= guard_->overflowed();
  }
  counters_->edge(stalled, before, lost | data_.take_headless());
}

void BarrierSwitch::clock(core::BlockWires& wires, const Flit* rx, Flit* tx) {
  // What the state at the beginning of the cycle decides.
  const Ports traversing = data_.busy();
  const Lanes returned = returned_credits(wires, rows_);
  const BarrierShare share = share_outputs(returned);
  data_.drive(queues_, tx);
  if (share.goes != 0 || share.answers != 0) drive_messages(share, tx);
  const RegisterAgent::State agent = agent_.state();
  const Ports stalled = counters_ ? data_.stalled(share.usable) : Ports{0};
  const Ports lost = counters_ ? data_.take_lost() : Ports{0};
  const Ports leaving = queued_ ? leaving_messages() : Ports{0};
  Lanes paid = share.answers, local = data_.local();
  if (queued_) {
    for_each_bit(share.goes, [&](std::uint32_t port) { paid |= lane_bit(lane_of(port, 0)); });
    for_each_bit(leaving, [&](std::uint32_t port) { local &= ~lane_bit(lane_of(port, 0)); });
  }

  // From here on the state is that after the edge.
  Access access;
  serve_agent(access, local);
  if (share.answered) agent_.sent();
  if (guard_) wait(agent, share);
  const ChannelPath::Moved moved = data_.clock(queues_, share.usable, share.closed);
  const Ports arriving = receive(valid_inputs(wires, rows_), rx) | leaving;
  const bool messages = (arriving | pockets_.full() | share.goes) != 0 || barriers_.busy() ||
                        spill_.timed(pocket_credits_);
  const Ports taken =
      messages ? take_messages(arriving, queued_ ? left_.data() : rx, share, access) : Ports{0};
  waiting_ = share.waits;
  credits_.update(moved.spent | paid, returned & ~pocket_lanes_);
  return_pockets(returned & pocket_lanes_);
  if (counters_) count(stalled, lost);
  barriers_.drops().edge();
  agent_.drops().edge();
  if (guard_) guard_->edge();
  if (access.write) write_register(access.address, access.value);
  if (written_) write_register(written_->address, written_->value);
  if (counters_) counters_->keep_new_causes();
  written_ = asked_ && asked_->write ? asked_ : std::nullopt;
  asked_.reset();

  Ports leave = traversing | share.goes;
  for_each_bit(share.answers,
               [&](std::uint32_t lane) { leave |= static_cast<Ports>(bit(port_of(lane))); });
  if (counters_) counters_->leave(leave);
  Lanes credits = moved.taken;
  if (pocket_lanes_ != 0)
    for_each_bit(taken, [&](std::uint32_t p) { credits |= lane_bit(lane_of(p, config_.vcs)); });
  put_outputs(wires, rows_, leave, credits);
}

/// The state of a barrier switch as text.
namespace {
using fabric::Formats;

std::string text(const Flit& flit, const Formats& formats) {
  if (flit.sync()) {
    const auto message = formats.barrier_message(flit);
    return fmt::format("message of type {} of group {}", static_cast<int>(message.type),
                       message.gid);
  }
  if (flit.head()) return fmt::format("head for {}", Formats::destination(flit));
  return flit.tail() ? "tail" : "body";
}
}  // namespace

std::string BarrierSwitch::describe() const {
  std::vector<std::string> parts;
  const Formats formats(config_.flit_w, config_.gid_w);

  for_each_bit(queues_.filled(), [&](std::uint32_t lane) {
    std::string route;
    if (data_.routed(lane)) route = fmt::format(" to port {}", data_.output(lane));
    if (data_.draining(lane)) route = " dropped, no route";
    parts.push_back(fmt::format("queue {}.{}: {} flits, {}{}", port_of(lane), vc_of(lane),
                                queues_.size(lane), text(queues_.head(lane), formats), route));
  });
  for (std::uint32_t port = 0; port < config_.ports; ++port) {
    for (std::uint32_t vc = 0; vc < config_.vcs; ++vc) {
      const std::uint32_t lane = lane_of(port, vc), credits = credits_.count(lane);
      const std::uint8_t owner = data_.owner(lane), next = data_.next(lane);
      if (owner == ChannelPath::kNone && next == ChannelPath::kNone && credits != 0) continue;
      std::string state = fmt::format("channel {}.{}: {} credits", port, vc, credits);
      if (owner != ChannelPath::kNone) state += fmt::format(", owned by port {}", owner);
      if (next != ChannelPath::kNone) state += fmt::format(", next port {}", next);
      parts.push_back(state);
    }
  }
  if (agent_.state() != RegisterAgent::State::kIdle)
    parts.push_back(fmt::format("agent {}", agent_.state_name()));
  if (barriers_.many() != nullptr) barriers_.many()->describe(parts);
  if (barriers_.retry() != nullptr) barriers_.retry()->describe(parts);
  for (std::uint32_t r = 0; r < config_.regs; ++r)
    if (const BarrierRegister& at = barriers_.at(r); at.valid)
      parts.push_back(
          fmt::format("register {}: group {} {} children {:#x} arrived {:#x}{} serve {:#x}", r,
                      at.gid, at.reflect ? "reflects" : fmt::format("parent {}", at.parent),
                      at.children, at.arrived, at.sent ? " sent" : "", at.serve));
  for_each_bit(pockets_.full(), [&](std::uint32_t port) {
    const PortMessages messages = pockets_.messages(0, nullptr);
    parts.push_back(fmt::format("pocket {}: {}", port, text(messages.at(port), formats)));
  });
  if (spill_.closed()) parts.push_back("spill closed");
  if (spill_.requested() != 0)
    parts.push_back(fmt::format("spill waits for outputs {:#x}", spill_.requested()));
  return parts.empty() ? "empty" : fmt::format("{}", fmt::join(parts, "; "));
}

std::unique_ptr<core::Bank> barrier_switches(std::uint32_t blocks,
                                             const fabric::SwitchConfig& config) {
  return make_switch_bank<BarrierSwitch>(blocks, config);
}

}  // namespace muster::golden::inline MUSTER_SWITCHES
