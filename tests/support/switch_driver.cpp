// SPDX-License-Identifier: Apache-2.0
#include "support/switch_driver.hpp"

#include <fmt/format.h>

#include "fabric/register_map.hpp"
#include "muster/fabric/barrier_message.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::testing {

using core::Flit;

namespace regs = fabric::registers;

bool has_counters(const fabric::SwitchConfig& config) {
  const auto& kinds = config.kind->variants;
  const auto found = std::ranges::find(kinds, "counters", &fabric::VariantParameter::name);
  return found != kinds.end() && config.variant[found - kinds.begin()] != 0;
}

std::uint32_t word_of_counters(Random& rng, std::uint32_t ports) {
  switch (rng.below(4)) {
    case 0:
      return regs::kIrqEnable;
    case 1:
      return regs::kPortsFlits + rng.below(regs::kPortsWords * ports);
    default:
      return regs::kIrqCauses;
  }
}

SwitchDriver::SwitchDriver(core::Bank& bank, std::uint32_t block,
                           const fabric::SwitchConfig& config, const DriverMix& mix,
                           std::uint64_t seed)
    : bank_(bank),
      block_(block),
      config_(config),
      mix_(mix),
      rng_(seed, block),
      lanes_(std::size_t{config.ports} * config.vcs),
      paused_(config.ports, 0) {
  for (Lane& l : lanes_) l.credits = config.depth;
  if (fabric::has_pockets(config)) pockets_.resize(config.ports);
  for (Lane& l : pockets_) l.credits = 1;
  queued_ = btin::variant(config).queued;
  // One in four has none: there is no such port.
  spill_port_ = config.ports;  // none
  const btin::Variant variant = btin::variant(config);
  if (variant.spill) spill_port_ = rng_.below(config.ports + (config.ports + 2) / 3);
  bank_.write_register(block, fabric::registers::kSpill,
                       spill_port_ < config.ports ? 1u << spill_port_ : 0);
  if (variant.retry) {
    const std::uint32_t period = rng_.below(4) == 0 ? 0 : 1 + rng_.below(60);
    bank_.write_register(block, fabric::registers::kPeriods,
                         fabric::registers::periods_word(period, rng_.below(4)));
  }
  if (has_counters(config)) bank_.write_register(block, fabric::registers::kIrqEnable, rng_.word());
  bank_.write_register(block, fabric::registers::kPermits, rng_.word());
  for (std::uint32_t d = 0; d < config.dests; ++d) {
    // The lowest bit is the route: as many destinations for each port.
    const std::uint32_t port = rng_.below(config.ports);
    const core::PortMask others = rng_.below(core::port_bit(config.ports));
    const bool empty = d == 0 || rng_.below(16) == 0;
    const core::PortMask mask = empty ? 0 : (others >> port | 1u) << port;
    const bool self = d == 0 || rng_.below(2) == 0;
    fabric::registers::write_route(
        d, mask, config.ports,
        [&](std::uint32_t address, std::uint32_t value) {
          bank_.write_register(block, address, value);
        },
        self);
  }
  const std::uint32_t salt = rng_.word();  // so that every bit of an id moves
  const bool many = variant.groups != 0;
  const std::vector<std::uint32_t> places =
      many ? exercised_groups(config) : std::vector<std::uint32_t>(config.regs);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    const std::uint32_t r = many ? 0 : i;
    const std::uint32_t gid = many ? places[i] : ((r * 5 + 3) ^ salt) % (1u << config.gid_w);
    if (many) bank_.write_register(block, fabric::window_registers::kSelect, gid);
    const bool reflect = rng_.below(4) == 0;
    // A number of at least Ports is no port.
    const std::uint32_t parent =
        rng_.below(rng_.below(8) == 0 ? std::bit_ceil(config.ports + 1) : config.ports);
    std::uint32_t children = rng_.below(core::port_bit(config.ports));
    if (!reflect) children &= static_cast<std::uint32_t>(~core::port_bit(parent));
    gids_.push_back(variant.labels ? r : gid);
    for (const std::uint32_t word : {regs::labels(r), regs::upper_labels(r)})
      if (variant.labels) bank_.write_register(block, word, rng_.word());
    bank_.write_register(block, fabric::registers::children(r), children);
    bank_.write_register(block, fabric::registers::control(r),
                         (1u << 31) | (std::uint32_t{reflect} << 30) | (parent << 16) | gid |
                             rng_.below(8) << 26 | rng_.below(4) << 24);
  }
  if (mix.hostile > 0.0) guard_ports();
}

/// Half of the ports have half or a quarter of the groups.
void SwitchDriver::guard_ports() {
  constexpr std::uint32_t kLeastPatience = 3, kPatiences = 6;
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    if (rng_.below(2) == 0) continue;
    const std::uint32_t mask = 1u << rng_.below(config_.gid_w) | 1u << rng_.below(config_.gid_w);
    const std::uint32_t value = rng_.word() & mask;
    bank_.write_register(block_, fabric::registers::kGroupPermits + p, mask << 16 | value);
  }
  const std::uint32_t patience = rng_.below(kPatiences);
  const auto spills = btin::variant(config_).spill ? rng_.below(kPatiences) : std::uint32_t{0};
  bank_.write_register(block_, fabric::registers::kPatience,
                       (patience == 0 ? 0 : patience + kLeastPatience - 1) |
                           spills << fabric::registers::kPatienceSpill.low);
}

/// A control word or child mask that no software would write.
std::uint32_t SwitchDriver::hostile_word(bool control) {
  const std::uint32_t any = rng_.word();
  if (!control) return any;
  return (any & ~0xfffu) | (rng_.below(4) != 0) << 31 | gids_[rng_.below(gids_.size())];
}

Flit SwitchDriver::random_payload() {
  const auto p = fabric::Formats::low_bits(rng_.payload(), config_.flit_w);
  return {.lo = p.lo, .hi = p.hi};
}

/// Place and data in turn, now and then out of turn or of a port that is not there.
Flit SwitchDriver::answer_half() {
  const fabric::Formats formats(config_.flit_w, config_.gid_w);
  place_sent_ ^= rng_.below(8) != 0;
  fabric::BarrierMessage m;
  m.gid = gids_[rng_.below(gids_.size())];
  m.type = static_cast<fabric::MessageType>(rng_.below(2));
  m.data = rng_.payload();
  if (place_sent_) {
    std::uint32_t port = rng_.below(rng_.below(8) == 0 ? 16 : config_.ports);
    if (rng_.below(4) == 0) port = spill_port_;  // where both latches may want to go
    const fabric::Payload high{m.data.lo & ~std::uint64_t{0x1f}, m.data.hi};
    m = fabric::spill_place(m, port);
    m.data = {m.data.lo | high.lo, high.hi};  // bits above a place are ignored
  } else {
    m.type = fabric::MessageType::kSpillData;
  }
  return formats.barrier_flit(m, 0);
}

/// Of the register's phase and epoch, or now and then not.
Flit SwitchDriver::retry_message(std::uint32_t gid, fabric::MessageType type) {
  const fabric::Formats formats(config_.flit_w, config_.gid_w);
  fabric::RetryMessage m;
  m.type = type;
  m.gid = gid;
  for (std::uint32_t r = 0; r < config_.regs; ++r) {
    const std::uint32_t control = bank_.read_register(block_, regs::control(r));
    if ((control & 0xfff) != gid) continue;
    m.phase = (bank_.read_register(block_, regs::state(r)) & regs::kBarrierStatePhase.mask()) != 0;
    m.epoch = control >> regs::kBarrierControlEpoch.low & 3;
  }
  if (rng_.below(4) == 0) m.phase = !m.phase;
  if (rng_.below(16) == 0) m.epoch ^= 1u << rng_.below(2);
  m.fail = rng_.below(500) == 0;
  m.data = rng_.payload();
  return formats.barrier_flit(fabric::barrier_message(formats, m), 0);
}

Flit SwitchDriver::message(std::uint32_t port) {
  if (together_ && btin::variant(config_).retry)
    return retry_message(*together_, fabric::MessageType::kReduction);
  if (together_) {
    const fabric::BarrierMessage arrival{.gid = *together_, .data = rng_.payload()};
    return fabric::Formats(config_.flit_w, config_.gid_w).barrier_flit(arrival, 0);
  }
  if (port == spill_port_ && rng_.below(2) == 0) return answer_half();
  if (gids_.empty() || rng_.chance(mix_.forged)) {
    Flit flit = random_payload();
    flit.kind = Flit::kSync;
    return flit;
  }
  const fabric::Formats formats(config_.flit_w, config_.gid_w);
  fabric::BarrierMessage m;
  m.type = static_cast<fabric::MessageType>(rng_.below(3) == 0);
  m.gid = gids_[rng_.below(gids_.size())];
  if (rng_.below(8) == 0) m.gid ^= 1;  // mostly a group without register
  if (btin::variant(config_).retry) return retry_message(m.gid, m.type);
  m.data = rng_.payload();
  return formats.barrier_flit(m, 0);
}

std::deque<Flit> SwitchDriver::request() {
  const bool write = rng_.below(4) == 0;
  const std::uint32_t any = rng_.below(0x200);
  const std::uint32_t slots = btin::variant(config_).groups != 0 ? 2 : config_.regs;
  const std::uint32_t r = rng_.below(slots);
  const bool is_child = (any & 1) != 0;
  const std::uint32_t address = !write || rng_.below(8) == 0 ? any
                                : is_child                   ? fabric::registers::children(r)
                                                             : fabric::registers::control(r);
  std::uint32_t old = bank_.read_register(block_, address);
  const bool is_control = address % fabric::registers::kBarrierWords == 0;
  std::uint32_t value =
      is_control ? (rng_.below(32) == 0 ? old & ~(1u << 31) : old ^ 1u << 29) : old & any;
  if (btin::variant(config_).groups != 0 && address == fabric::window_registers::kSelect)
    value = gids_[rng_.below(gids_.size())];
  if (rng_.chance(mix_.hostile)) value = hostile_word(is_control);
  if (rng_.below(8) == 0) old ^= 1u << rng_.below(32);

  const std::uint32_t opcode = rng_.below(16) == 0 ? 2 : 1;
  const std::uint32_t source = rng_.below(0x10000);
  const std::uint32_t words[] = {
      opcode << 11, source, (write ? 0x8000u : 0u) | address, old, old >> 16, value, value >> 16};
  std::deque<Flit> flits;
  for (const std::uint32_t word : words) {
    Flit flit = random_payload();
    flit.lo = (flit.lo & ~std::uint64_t{0xffff}) | (word & 0xffff);
    flit.kind = 0;
    flits.push_back(flit);
  }
  // Too short or too long, but never of the right length with a last word that is not legal.
  if (rng_.below(16) == 0)
    flits.push_back(random_payload());
  else
    while (rng_.below(8) == 0 && flits.size() > 1) flits.pop_back();
  flits.front().kind |= Flit::kHead;
  flits.back().kind |= Flit::kTail;
  return flits;
}

bool SwitchDriver::for_worms(std::uint32_t vc) const {
  return config_.kind == &packets::kMulticastSwitch && vc + 1 == config_.vcs;
}

Flit SwitchDriver::worm_flit(std::uint64_t opcode) {
  Flit flit = random_payload();
  flit.lo = (flit.lo & ~std::uint64_t{0xF800}) | opcode << fabric::kDestinationWidth;
  if (rng_.below(8) != 0) aim(flit);
  flit.kind = 0;
  return flit;
}

/// One to six addresses, or all that a worm can have, and what it carries.
std::deque<Flit> SwitchDriver::worm() {
  const auto other = [&] { return (fabric::kOpcodeWorm + 1 + rng_.below(31)) % 32; };
  std::uint64_t addresses = 1 + rng_.below(6), others = 2;
  if (rng_.below(16) == 0)
    addresses = fabric::kWormAddresses;
  else if (rng_.below(4) == 0)
    others = rng_.below(6) + (addresses != 1);
  std::deque<Flit> flits;
  for (std::uint64_t i = 0; i < addresses; ++i)  // a head of another opcode now and then
    flits.push_back(worm_flit(i == 0 && rng_.below(8) == 0 ? other() : fabric::kOpcodeWorm));
  for (std::uint64_t i = 0; i < others; ++i)
    flits.push_back(worm_flit(i == 0 ? other() : rng_.below(32)));
  flits.front().kind |= Flit::kHead;
  flits.back().kind |= Flit::kTail;
  ++worms_;
  return flits;
}

void SwitchDriver::take_outputs() {
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    if ((row_of(p).tx_valid >> p % core::kRowPorts & 1) == 0) continue;
    const Flit& flit = bank_.tx(block_, p);
    if (!flit.sync()) {
      Lane& l = lane(p, flit.vc);
      ++l.owed;
      // In a switch that guards itself a head may be cut from its packet: then a mark goes alone.
      const bool alone = btin::variant(config_).guard && flit.cut() && !l.leaving;
      if (flit.head() == l.leaving && !alone)
        throw InternalError(fmt::format("output {} sends {}", p,
                                        l.leaving ? "a head in a packet" : "a flit of no packet"));
      l.leaving = !flit.tail();
      worm_heads_ += flit.head() && for_worms(flit.vc);
    } else if (!pockets_.empty())
      ++pockets_[p].owed;
    else if (queued_) {
      if (lane(p, 0).leaving)
        throw InternalError(fmt::format("output {} sends a message in a packet", p));
      ++lane(p, 0).owed;
    }
    ++received_;
  }
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    const std::uint64_t back = row_of(p).rx_back >> 4 * (p % core::kRowPorts);
    for (std::uint32_t v = 0; v < config_.vcs; ++v) lane(p, v).credits += (back >> v) & 1;
    if (!pockets_.empty()) pockets_[p].credits += (back >> config_.vcs) & 1;
  }
}

void SwitchDriver::return_credits(bool all) {
  returned_ = false;
  const std::uint32_t kinds = config_.vcs + (pockets_.empty() ? 0 : 1);
  for (std::uint32_t p = 0; p < config_.ports; ++p)
    for (std::uint32_t v = 0; v < kinds; ++v) {
      Lane& l = v < config_.vcs ? lane(p, v) : pockets_[p];
      if (l.owed == 0 || !(all || rng_.chance(mix_.credit))) continue;
      --l.owed;
      row_of(p).tx_back |= std::uint64_t{1} << (4 * (p % core::kRowPorts) + v);
      returned_ = true;
    }
}

void SwitchDriver::put(std::uint32_t port, const Flit& flit) {
  ++sent_;
  bank_.rx(block_, port) = flit;
  row_of(port).rx_valid |= 1u << port % core::kRowPorts;
}

bool SwitchDriver::may_send(const Lane& on, bool draining) {
  if (on.credits > 0) return true;
  return !draining && rng_.chance(mix_.hostile);
}

void SwitchDriver::pay(Lane& from) {
  if (from.credits > 0) --from.credits;
}

void SwitchDriver::send_sync(std::uint32_t port) {
  if (!pockets_.empty()) {
    if (!may_send(pockets_[port], false)) return;
    pay(pockets_[port]);
  }
  if (queued_) {  // between packets; now and then within one, which ends there
    Lane& l = lane(port, 0);
    if ((l.in_packet || l.open) && !rng_.chance(mix_.broken)) return;
    if (!may_send(l, false)) return;
    pay(l);
    l.open = false;
  }
  Flit flit = message(port);
  if (rng_.below(16) == 0) flit.vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
  put(port, flit);
}

void SwitchDriver::send(std::uint32_t port, bool draining) {
  if (!draining && (together_ || rng_.chance(mix_.sync))) return send_sync(port);
  const std::uint32_t vc = rng_.below(config_.vcs);
  if (!draining && mix_.hostile > 0.0 && (config_.vcs & 1) != 0 && rng_.below(64) == 0) {
    Flit nowhere = random_payload();
    nowhere.vc = static_cast<std::uint8_t>(config_.vcs);
    return put(port, nowhere);
  }
  Lane& l = lane(port, vc);
  if (!may_send(l, draining)) return;
  Flit flit;
  const bool worms = for_worms(vc);
  // Requests are for barrier registers.
  const double begins = worms ? mix_.worms : gids_.empty() ? 0.0 : mix_.data * mix_.request / 4;
  if (!l.request.empty() || (!draining && !l.in_packet && rng_.chance(begins))) {
    if (l.request.empty()) l.request = worms ? worm() : request();
    flit = l.request.front();
    l.request.pop_front();
    l.in_packet = !l.request.empty();
  } else if (draining ? l.in_packet || l.open : !worms && rng_.chance(mix_.data)) {
    flit = random_payload();
    const bool tail = draining || rng_.below(4) == 0;
    flit.kind = static_cast<std::uint8_t>((l.in_packet || draining ? 0 : Flit::kHead) |
                                          (tail ? Flit::kTail : 0));
    l.in_packet = !tail;
  } else {
    return;
  }
  flit.vc = static_cast<std::uint8_t>(vc);
  if (flit.head() && !worms && rng_.below(8) != 0) aim(flit);
  if (flit.cut()) flit.lo ^= Flit::kCutWord;  // a packet of one flit is none by chance
  if (!draining && rng_.chance(mix_.broken)) {
    if (rng_.below(2) == 0) return;  // lost, on a link that was down
    if (rng_.below(4) == 0)
      flit = Flit::cut_mark(flit.vc);
    else
      flit.kind ^= Flit::kHead;
  }
  l.open = !flit.tail() && l.open != flit.head();
  pay(l);
  put(port, flit);
}

/// At an entry of the table.
void SwitchDriver::aim(Flit& head) {
  const std::uint32_t destination = rng_.below(config_.dests);
  const std::uint64_t bits = fabric::address_bits(0xffff);
  head.lo = (head.lo & ~bits) | fabric::address_bits(destination);
  head.lo = fabric::Formats::low_bits({head.lo, 0}, config_.flit_w).lo;
}

void SwitchDriver::drive() {
  take_outputs();
  return_credits(false);
  together_.reset();
  if (rng_.chance(mix_.volley)) together_ = gids_[rng_.below(gids_.size())];
  for (std::uint32_t p = 0; p < config_.ports; ++p) {
    if (paused_[p] > 0) {
      --paused_[p];
      continue;
    }
    if (rng_.chance(mix_.pause)) paused_[p] = rng_.below(40);
    send(p, false);
  }
}

bool SwitchDriver::drain() {
  together_.reset();
  take_outputs();
  return_credits(true);
  bool quiet = !returned_;
  for (std::uint32_t p = 0; p < config_.ports; ++p) send(p, true);
  // Who sends without credits gets more of them back than a queue has places.
  const bool counts = mix_.hostile <= 0.0;
  for (const Lane& l : lanes_)
    quiet = quiet && !l.in_packet && !l.open && (!counts || l.credits == config_.depth);
  for (const Lane& l : pockets_) quiet = quiet && (!counts || l.credits == 1);
  for (std::uint32_t p = 0; p < config_.ports; ++p) quiet = quiet && row_of(p).rx_valid == 0;
  return quiet && bank_.quiescent(block_);
}

}  // namespace muster::testing
