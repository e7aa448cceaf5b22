// SPDX-License-Identifier: Apache-2.0
#include "support/link_pair.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace muster::testing {

using core::Flit;

LinkBlock::LinkBlock(const fabric::LinkConfig& config, bool first, std::uint64_t seed)
    : config_(config),
      first_(first),
      groups_(config.slots > config.vcs * config.depth ? config.slots - config.vcs * config.depth
                                                       : 1),
      rng_(seed) {
  for (std::uint32_t v = 0; v < config.vcs; ++v) full_[v] = config.depth;
  if (config.pocket != 0) full_[config.vcs] = 1;
  begin();
}

void LinkBlock::begin() {
  credits_ = full_;
  used_ = {};
  open_ = {};
  turns_.clear();
  for (std::uint32_t g = 0; g < groups_; ++g)
    if ((g % 2 == 0) == first_) turns_.insert(g);
}

std::optional<LinkSend> LinkBlock::message(double flood) {
  LinkSend s;
  s.flit.kind = rng_.below(8) == 0 ? Flit::kFirst : Flit::kSync;
  s.flit.vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
  if (config_.lossy != 0) return s;
  const bool free = config_.pocket == 0 || credits_[config_.vcs] != 0;
  if (free && !turns_.empty()) {
    s.group = *turns_.begin();
    turns_.erase(turns_.begin());
    if (config_.pocket != 0) --credits_[config_.vcs];
    return s;
  }
  if (!rng_.chance(flood) || config_.pocket != 0) return std::nullopt;
  return s;
}

/// The buffer has a place for one more flit whose credit is not back, and for a message of each
/// group.
bool LinkBlock::buffered() const {
  std::uint32_t out = 0;
  for (std::uint32_t v = 0; v < config_.vcs; ++v) out += full_[v] - credits_[v];
  return out < config_.slots - groups_;
}

std::optional<LinkSend> LinkBlock::send(const LinkTraffic& traffic) {
  if (!rng_.chance(traffic.send)) return std::nullopt;
  std::optional<LinkSend> s;
  if (rng_.chance(traffic.sync)) {
    s = message(traffic.flood);
  } else {
    const auto vc = static_cast<std::uint8_t>(rng_.below(config_.vcs));
    if (credits_[vc] == 0 || (!buffered() && !rng_.chance(traffic.flood))) return std::nullopt;
    --credits_[vc];
    const bool head = !sending_[vc], tail = rng_.below(4) == 0;
    sending_[vc] = !tail;
    s = LinkSend{};
    s->flit.vc = vc;
    s->flit.kind = static_cast<std::uint8_t>((head ? Flit::kHead : 0u) | (tail ? Flit::kTail : 0u));
  }
  if (!s) return s;
  // A number that is never 0, and bits above it at random.
  const std::uint64_t mask = config_.flit_w == 64 ? ~0ull : (1ull << config_.flit_w) - 1;
  number_ = number_ % 0xffff + 1;
  s->flit.lo = (rng_.next() << 16 & mask) | number_;
  return s;
}

unsigned LinkBlock::give(const LinkTraffic& traffic) {
  unsigned classes = 0;
  for (std::uint32_t c = 0; c < config_.backs(); ++c) {
    if (used_[c] == 0 || !rng_.chance(traffic.credit)) continue;
    --used_[c];
    classes |= 1u << c;
  }
  return classes;
}

bool LinkBlock::credits(unsigned classes) {
  for (std::uint32_t c = 0; c < 4; ++c) {
    if ((classes >> c & 1) == 0) continue;
    if (credits_[c]++ == full_[c]) return false;
  }
  return true;
}

bool LinkBlock::receive(const Flit& flit, std::optional<std::uint32_t> group) {
  if (group) turns_.insert(*group);
  if (!flit.sync()) open_[flit.vc] = !flit.tail();
  const std::uint32_t c = class_of(flit);
  return c == kNoClass || used_[c]++ < full_[c];
}

using fabric::LinkBank;
namespace link_regs = fabric::link_registers;

LinkCounts& LinkCounts::operator+=(const LinkCounts& other) {
  sent += other.sent;
  delivered += other.delivered;
  synced += other.synced;
  ended += other.ended;
  for (unsigned i = 0; i < downs.size(); ++i) downs[i] += other.downs[i];
  sessions += other.sessions;
  resets += other.resets;
  quiet += other.quiet;
  replays += other.replays;
  rejected += other.rejected;
  lost += other.lost;
  comparisons += other.comparisons;
  return *this;
}

LinkPair::LinkPair(const fabric::LinkConfig& config, Make make, const LinkConditions& conditions,
                   std::uint64_t seed)
    : config_(config),
      make_(std::move(make)),
      conditions_(conditions),
      rng_(seed, 1),
      sides_{Side{make_(seed), LinkBlock(config, true, seed * 4),
                  LinkMedium(config, conditions.latency, conditions.faults, seed * 4 + 1)},
             Side{make_(seed + 1), LinkBlock(config, false, seed * 4 + 2),
                  LinkMedium(config, conditions.latency, conditions.faults, seed * 4 + 3)}} {
  sides_[1].asleep = conditions.late;
}

void LinkPair::set_faults(const LinkFaults& faults) {
  for (Side& side : sides_) side.wires.faults() = faults;
}

void LinkPair::fail(const Side& side, const std::string& what) const {
  if (!conditions_.checked) return;
  throw std::runtime_error(fmt::format("cycle {} side {}: {}; {}", cycle_, &side - sides_.data(),
                                       what, side.bank->describe(0)));
}

/// A session begins: with all credits, as the blocks have them.
void LinkPair::restart(Side& side) {
  ++side.session;
  side.block.begin();
}

void LinkPair::reset(unsigned number) {
  Side& side = sides_[number];
  counts_.comparisons += side.bank->comparisons();
  side.bank = make_(rng_.next());
  side.counters = 0;
  side.state = State::kWait;
  side.was_down = false;
  side.written.reset();
  restart(side);
  ++counts_.resets;
}

void LinkPair::write(unsigned side, std::uint32_t value) { sides_[side].written = value; }

/// The state in this cycle, and what follows from its change.
void LinkPair::look(Side& side) {
  const std::uint32_t word = side.bank->read_register(0, link_regs::kStatus);
  const State before = side.state;
  side.state = link_regs::state(word);
  side.was_down = before == State::kDown;
  if (side.bank->irq(0) != (side.state == State::kDown && !link_regs::kStatusRestart.of(word)))
    fail(side, "irq does not say what the status says");
  const auto risen = [&](const fabric::RegisterField& field) {
    const std::uint32_t now = field.of(word), last = field.of(side.counters);
    return now > last ? now - last : 0;
  };
  counts_.replays += risen(link_regs::kStatusReplays);
  counts_.rejected += risen(link_regs::kStatusRejected);
  counts_.lost += risen(link_regs::kStatusLost);
  side.counters = word;
  if (side.state == before) return;
  if (side.state == State::kUp) ++counts_.sessions;
  if (side.state == State::kDown)
    ++counts_.downs[static_cast<std::size_t>(link_regs::reason(word))];
  if (before != State::kDown) return;
  if (side.state != State::kWait) fail(side, "Down is left, but not to Wait");
  if (!side.block.all_back()) fail(side, "a session begins without all credits");
  if (!side.block.empty()) fail(side, "a session begins with a flit in a queue");
  restart(side);
}

/// Which message of a group it is.
std::optional<std::uint32_t> LinkPair::deliver(Side& side, Side& from, const Flit& flit) {
  const bool begins = side.within != side.session;
  while (!from.sent.empty()) {
    const Sent front = from.sent.front();
    from.sent.pop_front();
    const bool first = front.session != from.passed;
    if (!loose(front)) from.passed = front.session;
    const bool fits = begins ? first && front.session > side.source : front.session == side.source;
    if (fits && front.what.flit == flit) {
      side.source = front.session;
      side.within = side.session;
      ++counts_.delivered;
      counts_.synced += flit.sync();
      return front.what.group;
    }
    // What went down with its session is never delivered.
    if (begins || loose(front)) continue;
    fail(side,
         fmt::format("flit {:#x} is delivered in place of {:#x}", flit.lo, front.what.flit.lo));
  }
  fail(side, fmt::format("flit {:#x} was not sent", flit.lo));
  return std::nullopt;
}

/// What comes from the end in this cycle.
void LinkPair::arrive(Side& side, Side& from) {
  LinkBank& bank = *side.bank;
  const core::BlockWires& w = bank.wires(0);
  if (!side.block.credits(static_cast<unsigned>(w.rx_back))) fail(side, "a credit too many");
  if ((w.tx_valid >> LinkBank::kBlockPort & 1) == 0) return;
  const Flit& flit = bank.tx(0, LinkBank::kBlockPort);
  std::optional<std::uint32_t> group;
  if (!side.was_down) {
    group = deliver(side, from, flit);
  } else {
    if (flit != Flit::cut_mark(flit.vc) || !side.block.open(flit.vc))
      fail(side, "a link that is down delivers what is no cut mark of an open packet");
    ++counts_.ended;
  }
  if (!side.block.receive(flit, group)) fail(side, "a flit without a place");
}

void LinkPair::host(Side& side) {
  core::RegisterRequest r{.write = true, .address = link_regs::kStatus};
  if (side.written) {
    r.value = *side.written;
    side.written.reset();
  } else if (side.state == State::kDown && rng_.chance(conditions_.restart)) {
    r.value = link_regs::kCommandRestart.mask();
  } else if (rng_.chance(conditions_.kill)) {
    r.value = link_regs::kCommandKill.mask() | rng_.below(8);
  } else if (rng_.chance(conditions_.host)) {
    r.write = rng_.chance(0.5);
    r.address = rng_.chance(0.5) ? 1 : rng_.below(0x1000);
    r.value = rng_.word();
    if (r.address == link_regs::kStatus) r.value &= link_regs::kCommandClear.mask();
  } else {
    return;
  }
  side.bank->request(r);
}

void LinkPair::drive(Side& side, const std::optional<Flit>& frame) {
  LinkBank& bank = *side.bank;
  core::BlockWires& w = bank.wires(0);
  const bool down = side.state == State::kDown;
  // A link that is down is drained in a moment without flits.
  const bool pause = down && rng_.below(8) != 0;
  const auto s = pause ? std::nullopt : side.block.send(conditions_.traffic);
  w.rx_valid = 0;
  if (s) {
    bank.rx(0, LinkBank::kBlockPort) = s->flit;
    w.rx_valid |= 1u << LinkBank::kBlockPort;
    ++counts_.sent;
    if (!down) side.sent.push_back({*s, side.session});
  }
  if (frame) {
    bank.rx(0, LinkBank::kWirePort) = *frame;
    w.rx_valid |= 1u << LinkBank::kWirePort;
  }
  w.tx_back = side.block.give(conditions_.traffic);
}

void LinkPair::step() {
  for (unsigned i = 0; i < 2; ++i)
    if (rng_.chance(conditions_.reset)) reset(i);
  std::array<std::optional<Flit>, 2> frames;  // at the side's input
  for (unsigned i = 0; i < 2; ++i) {
    Side& side = sides_[i];
    if (side.asleep == 0) look(side);
    const bool out = side.asleep == 0 && (side.bank->wires(0).tx_valid >> LinkBank::kWirePort & 1);
    frames[1 - i] =
        side.wires.carry(out ? std::optional(side.bank->tx(0, LinkBank::kWirePort)) : std::nullopt);
  }
  constexpr std::uint32_t kEnd[] = {0};
  for (unsigned i = 0; i < 2; ++i) {
    Side& side = sides_[i];
    if (side.asleep != 0) {
      --side.asleep;
      side.bank->clock(cycle_, {});
      continue;
    }
    drive(side, frames[i]);
    host(side);
    arrive(side, sides_[1 - i]);
    side.bank->clock(cycle_, kEnd);
    counts_.quiet += side.bank->quiescent(0);
  }
  ++cycle_;
}

bool LinkPair::run_until(const std::function<bool()>& done, std::uint64_t cycles) {
  for (std::uint64_t i = 0; i < cycles && !done(); ++i) step();
  return done();
}

bool LinkPair::at_rest() {
  for (Side& side : sides_)
    if (state(0) != State::kUp || state(1) != State::kUp || !side.bank->quiescent(0) ||
        !side.block.all_back() || !side.block.empty() ||
        std::ranges::any_of(side.sent, [&](const Sent& sent) {
          return sent.session == side.session && !loose(sent);
        }))
      return false;
  return true;
}

LinkCounts LinkPair::counts() {
  LinkCounts counts = counts_;
  for (const Side& side : sides_) counts.comparisons += side.bank->comparisons();
  return counts;
}

}  // namespace muster::testing
