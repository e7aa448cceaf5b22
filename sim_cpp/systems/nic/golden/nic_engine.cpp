// SPDX-License-Identifier: Apache-2.0
#include "systems/nic/golden/nic_engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/register_map.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::golden {

using nic::HostWires;
using nic::NicMessage;
using nic::NicType;
using Ask = NicContext::Ask;
namespace regs = nic::registers;

namespace {

constexpr std::uint32_t kNicContexts = regs::control(0), kNicConnections = regs::connection(0),
                        kNicEntries = regs::entry(0, 0);

/// Counters stop at 255.
void count_up(std::uint8_t& counter) {
  if (counter != 255) ++counter;
}

}  // namespace

NicEngine::NicEngine(const nic::NicConfig& config)
    : config_(config),
      contexts_(config.chained != 0 ? 0 : config.contexts, NicContext(config)),
      direct_(config),
      receive_(config.seq_w, config.addr_w),
      transmit_(config.depth) {
  if (config.chained != 0) unit_.emplace(config);
}

NicNotice NicEngine::notice(std::uint32_t c) const {
  return unit_ ? unit_->notice(c) : contexts_[c].notice();
}

std::uint32_t NicEngine::notice_word(std::uint32_t c) const {
  return unit_ ? unit_->event_word(c) : contexts_[c].event_word(c);
}

NicEngine::Load NicEngine::choose_load(bool ready) const {
  Load load;
  load.open = !event_ || ready;
  if (!load.open) return load;
  for (std::uint32_t c = 0; c < config_.contexts; ++c) {
    if (notice(c) == NicNotice::kNone) continue;
    load.context = c;
    load.word = notice_word(c);
    return load;
  }
  load.dead = direct_.notice();
  if (load.dead) {
    load.word = direct_.event_word(*load.dead);
  } else if (!events_.empty()) {
    load.queue = true;
    load.word = events_.front();
  }
  return load;
}

NicEngine::Grant NicEngine::choose_grant() const {
  Grant grant;
  if (!transmit_.open()) return grant;
  const std::uint32_t contexts = config_.contexts;
  for (std::uint32_t i = 0; i < contexts + 2 && !grant.message; ++i) {
    const std::uint32_t asker = (pointer_ + i) % (contexts + 2);
    if (asker == contexts) {
      grant.reply = !replies_.empty();
      if (grant.reply) grant.message = replies_.front();
    } else if (asker > contexts) {
      grant.message = direct_.asks();
      grant.direct = grant.message.has_value();
    } else if (unit_) {
      grant.message = unit_->asks(asker);
      if (grant.message) grant.context = asker;
    } else {
      const NicContext& c = contexts_[asker];
      const Ask ask = c.asks(times_);
      grant.nack = ask == Ask::kNack && gap_ == 0;
      if (ask != Ask::kStep && !grant.nack) continue;
      grant.context = asker;
      grant.message = NicMessage{.type = grant.nack ? NicType::kNack : NicType::kStep,
                                 .destination = c.here().peer,
                                 .slot = c.here().slot,
                                 .group = c.group(),
                                 .barrier = c.sequence()};
    }
    if (grant.message) grant.asker = asker;
  }
  if (grant.message) grant.message->source = address_;
  return grant;
}

NicEngine::Pick NicEngine::choose_token(const HostWires& host) const {
  Pick pick;
  if (host.access && host.write && host.address == regs::kSend) {
    pick.peer = host.data >> 21;
    if (direct_.room(pick.peer).value_or(false))
      pick.token =
          NicToken{static_cast<std::uint8_t>(host.data >> 16 & 31),
                   static_cast<std::uint8_t>(host.data >> 8),
                   static_cast<std::uint8_t>(host.data & ((1u << config_.seq_w) - 1)), true};
    pick.refused = !pick.token;
    return pick;
  }
  const auto contexts = static_cast<std::uint32_t>(contexts_.size());
  for (std::uint32_t i = 0; i < contexts; ++i) {
    const std::uint32_t asker = (token_pointer_ + i) % contexts;
    const NicContext& c = contexts_[asker];
    if (c.asks(times_) != Ask::kToken) continue;
    pick.pointer = (asker + 1) % contexts;
    pick.peer = c.here().peer;
    const std::optional<bool> room = direct_.room(pick.peer);
    pick.refused = !room;
    if (room.value_or(true)) pick.context = asker;
    if (room.value_or(false)) pick.token = NicToken{c.here().slot, c.group(), c.sequence(), false};
    break;
  }
  return pick;
}

std::optional<std::uint32_t> NicEngine::context_of(const NicMessage& m, bool direct) const {
  for (std::uint32_t c = 0; c < contexts_.size(); ++c)
    if (contexts_[c].valid() && contexts_[c].group() == m.group)
      return contexts_[c].direct() == direct ? std::optional(c) : std::nullopt;
  return std::nullopt;
}

NicEngine::Handling NicEngine::handle() const {
  Handling h;
  if (!receive_.message()) return h;
  const NicMessage& m = *receive_.message();
  if (m.type == NicType::kData || m.type == NicType::kAck)
    handle_direct(h, m);
  else if (unit_)
    handle_chained(h, m);
  else
    handle_step(h, m);
  if (h.reply) h.reply->source = address_;
  return h;
}

void NicEngine::handle_step(Handling& h, const NicMessage& m) const {
  h.context = context_of(m, false);
  if (!h.context) {
    h.drop = NicDrop::kUnknown;
    return;
  }
  h.verdict = contexts_[*h.context].judge(m);
  h.drop = h.verdict.drop;
  if (!h.verdict.reply) return;
  if (replies_.size() == kReplies)
    h.drop = NicDrop::kLimited;
  else
    h.reply = NicMessage{.type = *h.verdict.reply,
                         .destination = m.source,
                         .slot = h.verdict.slot,
                         .group = m.group,
                         .barrier = m.barrier};
}

void NicEngine::handle_chained(Handling& h, const NicMessage& m) const {
  const NicEventUnit::Verdict verdict = unit_->judge(m);
  h.drop = verdict.drop;
  h.count = verdict.count;
}

void NicEngine::handle_direct(Handling& h, const NicMessage& m) const {
  const NicDirect::Verdict verdict = direct_.judge(m);
  const bool data = m.type == NicType::kData;
  const bool full = events_.size() == kEvents;
  h.drop = verdict.drop;
  if (h.drop == NicDrop::kUnknown) return;
  if (data && replies_.size() == kReplies) {
    h.drop = NicDrop::kLimited;
    return;
  }
  if (verdict.reply) {
    h.reply = m;
    h.reply->type = NicType::kAck;
    h.reply->destination = m.source;
  }
  if (!verdict.accept) return;
  if (data) h.context = context_of(m, true);
  const bool for_host = data ? !h.context : verdict.host;
  if (for_host && full) {
    h.drop = NicDrop::kLimited;
    h.reply.reset();
    return;
  }
  h.accepts = verdict.connection;
  if (h.context) {
    h.verdict = contexts_[*h.context].judge(m);
    h.drop = h.verdict.drop;
  } else if (for_host && data) {
    h.event = regs::event_word(regs::Event::kReceived, std::uint32_t{m.slot} << 24 |
                                                           std::uint32_t{m.group} << 8 | m.barrier);
  } else if (for_host) {
    h.event = regs::event_word(regs::Event::kSent, verdict.connection << 24);
  }
}

void NicEngine::clock(core::BlockWires& wires, const core::Flit& rx, core::Flit& tx,
                      HostWires& host) {
  const Load load = choose_load(host.ready);
  const Grant grant = choose_grant();
  const Pick pick = choose_token(host);
  const Handling h = handle();
  const std::optional<ContextWrite> write = context_write(host);
  std::optional<std::uint32_t> overridden, start;
  if (write && (!write->doorbell || (write->releases && write->accepted)))
    overridden = write->context;
  if (write && write->doorbell && !write->releases && write->accepted) start = write->context;
  const bool vain = write && write->doorbell && !write->accepted;
  const std::optional<NicMessage> message = receive_.message();

  // The edge.
  const bool comes = wires.rx_valid != 0;
  if (!comes) receive_.idle();
  const bool malformed = comes && receive_.take(rx, channel_, address_);
  for (std::uint32_t c = 0; c < contexts_.size(); ++c) {
    if (overridden == c) continue;  // the host's write wins
    const bool granted = grant.context == c || pick.context == c;
    contexts_[c].clock(times_, granted, h.context == c ? h.verdict : NicVerdict{},
                       load.context == c);
  }
  const bool lost = unit_ && unit_->clock({.step = h.count,
                                           .granted = grant.context,
                                           .loaded = load.context,
                                           .started = start,
                                           .overruled = overridden,
                                           .arrives = receive_.message().has_value()});
  const bool ack = h.accepts && message->type == NicType::kAck;
  direct_.clock(times_, grant.direct, ack ? h.accepts : std::nullopt);
  if (h.accepts) direct_.accept(*message, *h.accepts);
  if (pick.token) direct_.push(pick.peer, *pick.token);
  if (load.dead) direct_.clear_notice(*load.dead);
  if (pick.pointer) token_pointer_ = *pick.pointer;

  if (load.open) event_ = load.word;
  if (load.queue) events_.pop_front();
  if (h.event) events_.push_back(*h.event);
  if (grant.reply) replies_.pop_front();
  if (h.reply) replies_.push_back(*h.reply);
  if (gap_ != 0) --gap_;
  if (grant.nack) gap_ = times_.gap;
  count(lost ? NicDrop::kLimited : h.drop);

  const auto flit = transmit_.clock(wires.tx_back >> channel_ & 1);
  if (grant.message) transmit_.load(*grant.message, channel_);
  if (grant.asker) pointer_ = (*grant.asker + 1) % (config_.contexts + 2);
  if (malformed) count_up(drops_[0]);
  if (vain || pick.refused) count_up(refused_);
  const bool written = vain || (unit_ && start);  // a start of the unit is in its clock
  if (host.access && host.write && host.address != regs::kSend && !written)
    write_register(host.address, host.data);

  if (flit) tx = *flit;
  wires = {.tx_valid = flit.has_value(), .rx_back = comes ? std::uint64_t{1} << rx.vc : 0};
  host = {.event = event_.has_value(), .word = event_.value_or(0)};
}

std::optional<NicEngine::ContextWrite> NicEngine::context_write(const HostWires& host) const {
  const std::uint32_t c = (host.address - kNicContexts) / 4, word = host.address % 4;
  const bool hits = host.access && host.write && host.address >= kNicContexts &&
                    c < config_.contexts && word <= 1;
  if (!hits) return std::nullopt;
  ContextWrite write{.context = c, .doorbell = word == 1};
  if (write.doorbell) {
    write.releases = (host.data & regs::kContextsDoorbellReleases.mask()) != 0;
    write.accepted = accepts(c, host.data);
  }
  return write;
}

bool NicEngine::accepts(std::uint32_t c, std::uint32_t doorbell) const {
  return unit_ ? unit_->accepts(c, doorbell) : contexts_[c].accepts(doorbell);
}

void NicEngine::count(NicDrop drop) {
  if (drop != NicDrop::kNone) count_up(drops_[static_cast<std::size_t>(drop)]);
}

bool NicEngine::quiet() const {
  return !transmit_.busy() && !receive_.message() && replies_.empty() && events_.empty() &&
         !event_ && gap_ == 0 && direct_.quiet(times_) && (!unit_ || unit_->quiet()) &&
         std::all_of(contexts_.begin(), contexts_.end(),
                     [&](const NicContext& c) { return c.quiet(times_); });
}

void NicEngine::write_register(std::uint32_t address, std::uint32_t value) {
  if (address == regs::kAddress) {
    address_ = fabric::address_of(value) & ((1u << config_.addr_w) - 1);
    channel_ = static_cast<std::uint8_t>(value >> 12 & 3);
  } else if (address == regs::kTimes) {
    times_.timeout = value & 0xffff;
    times_.retries = value >> 16 & 15;
    times_.gap = value >> 20;
  } else if (address == regs::kQuiet) {
    times_.quiet = value & 0xffffff;
  } else if (address == regs::kSend) {
    const Pick pick =
        choose_token({.access = true, .write = true, .address = address, .data = value});
    if (pick.token) direct_.push(pick.peer, *pick.token);
    if (pick.refused) count_up(refused_);
  } else if (address >= kNicEntries && address < kNicEntries + 32 * config_.contexts) {
    const std::uint32_t c = (address - kNicEntries) / 32, s = address % 32;
    if (s >= config_.steps) return;
    if (unit_)
      unit_->write_event(c, s, value);
    else
      contexts_[c].write_entry(s, value);
  } else if (address >= kNicConnections && address < kNicConnections + config_.conns) {
    direct_.write(address - kNicConnections, value);
  } else if (address >= kNicContexts && address < kNicContexts + 4 * config_.contexts) {
    write_context((address - kNicContexts) / 4, address % 4, value);
  }
}

void NicEngine::write_context(std::uint32_t c, std::uint32_t word, std::uint32_t value) {
  if (word > 1) return;
  if (word == 1 && !accepts(c, value)) {
    count_up(refused_);
  } else if (!unit_) {
    if (word == 0)
      contexts_[c].write_control(value);
    else
      contexts_[c].ring(value);
  } else if (word == 0) {
    unit_->write_control(c, value);
  } else if (value & regs::kContextsDoorbellReleases.mask()) {
    unit_->release(c);
  } else {
    unit_->clock({.started = c});
  }
}

std::uint32_t NicEngine::read_context(std::uint32_t c, std::uint32_t word) const {
  if (unit_) return word == 0 ? unit_->control(c) : 0;
  const NicContext& context = contexts_[c];
  if (word == 0) return context.control();
  if (word == 2) return context.received();
  return word == 3 ? context.sent() : 0;
}

std::uint32_t NicEngine::read_register(std::uint32_t address) const {
  if (address == regs::kIdentity)
    return fabric::registers::identity_word(regs::kKind, regs::kIdentityVersionValue);
  if (address == regs::kSizes)
    return config_.chained << 31 | config_.contexts << 24 | config_.steps << 16 |
           config_.conns << 8 | config_.records;
  if (address == regs::kWidths)
    return config_.vcs << 24 | config_.depth << 16 | config_.seq_w << 8 | config_.flit_w;
  if (address == regs::kAddress) return regs::address_word(address_, channel_);
  if (address == regs::kTimes) return regs::times_word(times_.timeout, times_.retries, times_.gap);
  if (address == regs::kQuiet) return times_.quiet;
  if (address == regs::kRefused) return refused_;
  if (address == regs::kDrops)
    return std::uint32_t{drops_[3]} << 24 | std::uint32_t{drops_[2]} << 16 |
           std::uint32_t{drops_[1]} << 8 | drops_[0];
  if (address >= kNicConnections && address < kNicConnections + config_.conns)
    return direct_.read(address - kNicConnections);
  if (address >= kNicContexts && address < kNicContexts + 4 * config_.contexts)
    return read_context((address - kNicContexts) / 4, address % 4);
  return 0;
}

std::string NicEngine::describe() const {
  std::string text =
      fmt::format("NIC n{}: {} replies, {} events, {} credits{}", address_, replies_.size(),
                  events_.size(), transmit_.credits(), transmit_.busy() ? ", sending" : "");
  for (std::uint32_t c = 0; c < contexts_.size(); ++c)
    if (contexts_[c].valid()) text += fmt::format("; context {}: {}", c, contexts_[c].describe());
  if (unit_) text += unit_->describe();
  return text + "; " + direct_.describe();
}

namespace {

class GoldenNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig&) const override { return true; }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions&) const override {
    return std::make_unique<GoldenNicBank>(config, nics);
  }
};

}  // namespace

std::shared_ptr<const nic::NicFactory> make_golden_nics() { return std::make_shared<GoldenNics>(); }

}  // namespace muster::golden
