// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "systems/nic/golden/nic_direct.hpp"
#include "systems/nic/golden/nic_event_unit.hpp"
#include "systems/nic/nic_factory.hpp"

namespace muster::golden {

/// One NIC barrier engine as docs/systems/nic-engine.md and docs/systems/nic-link.md describe it.
class NicEngine {
  using Ask = NicContext::Ask;
  using HostWires = nic::HostWires;
  using NicMessage = nic::NicMessage;
  using NicType = nic::NicType;

 public:
  explicit NicEngine(const nic::NicConfig& config)
      : config_(config),
        contexts_(config.chained != 0 ? 0 : config.contexts, NicContext(config)),
        round_(config.contexts),
        direct_(config),
        receive_(config.seq_w, config.addr_w),
        transmit_(config.depth) {
    if (config.chained != 0) unit_.emplace(config);
  }

  /// A cycle: reads and clears the inputs, sets the outputs of the next cycle.
  void clock(core::BlockWires& wires, const core::Flit& rx, core::Flit& tx, HostWires& host) {
    const Load load = choose_load(host.ready);
    const std::optional<std::uint32_t> served = choose_served();
    const Grant grant = choose_grant(served);
    const Pick pick = choose_token(host, served);
    // The turn is not that of a message, and stays with a context whose message is not sent.
    const bool passes_on = served && !owner() && (!asks_to_send(*served) || grant.asker == 0u);
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
    const bool timer_runs = std::ranges::any_of(
        contexts_, [&](const NicContext& context) { return context.runs(times_); });
    for (std::uint32_t c = 0; c < contexts_.size(); ++c) {
      if (overridden == c) continue;  // the host's write wins
      const bool granted = (served == c && grant.asker == 0u) || pick.context == c;
      contexts_[c].tick(times_, load.context == c, round_.visit(c));
      if (served == c)
        contexts_[c].serve(times_, granted, h.context == c ? h.verdict : NicVerdict{});
      contexts_[c].settle(times_);
    }
    if (passes_on) turn_ = (*served + 1) % config_.contexts;
    if (timer_runs) round_.move();
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
    if (grant.asker) pointer_ = (*grant.asker + 1) % (askers() + 2);
    if (malformed) count_up(drops_[0]);
    if (vain || pick.refused) count_up(refused_);
    const bool written = vain || (unit_ && start);  // a start of the unit is in its clock
    if (host.access && host.write && host.address != nic_regs::kSend && !written)
      write_register(host.address, host.data);

    if (flit) tx = *flit;
    wires = {.tx_valid = flit.has_value(), .rx_back = comes ? std::uint64_t{1} << rx.vc : 0};
    host = {.event = event_.has_value(), .word = event_.value_or(0)};
  }
  /// Clocking it with idle inputs would change nothing, except for the link outputs that it drives.
  bool quiet() const {
    return !transmit_.busy() && !receive_.message() && replies_.empty() && events_.empty() &&
           !event_ && gap_ == 0 && direct_.quiet(times_) && (!unit_ || unit_->quiet()) &&
           std::ranges::all_of(contexts_, [&](const NicContext& c) { return c.quiet(times_); });
  }

  /// The register port between two cycles.
  void write_register(std::uint32_t address, std::uint32_t value) {
    if (address == nic_regs::kAddress) {
      address_ = fabric::address_of(value) & ((1u << config_.addr_w) - 1);
      channel_ = static_cast<std::uint8_t>(value >> 12 & 3);
    } else if (address == nic_regs::kTimes) {
      times_.timeout = value & 0xffff;
      times_.retries = value >> 16 & 15;
      times_.gap = value >> 20;
    } else if (address == nic_regs::kQuiet) {
      times_.quiet = value & 0xffffff;
    } else if (address == nic_regs::kSend) {
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
  std::uint32_t read_register(std::uint32_t address) const {
    if (address == nic_regs::kIdentity)
      return fabric::registers::identity_word(nic_regs::kKind, nic_regs::kIdentityVersionValue);
    if (address == nic_regs::kSizes)
      return config_.chained << 31 | config_.contexts << 24 | config_.steps << 16 |
             config_.conns << 8 | config_.records;
    if (address == nic_regs::kWidths)
      return config_.vcs << 24 | config_.depth << 16 | config_.seq_w << 8 | config_.flit_w;
    if (address == nic_regs::kAddress) return nic_regs::address_word(address_, channel_);
    if (address == nic_regs::kTimes)
      return nic_regs::times_word(times_.timeout, times_.retries, times_.gap);
    if (address == nic_regs::kQuiet) return times_.quiet;
    if (address == nic_regs::kRefused) return refused_;
    if (address == nic_regs::kDrops)
      return std::uint32_t{drops_[3]} << 24 | std::uint32_t{drops_[2]} << 16 |
             std::uint32_t{drops_[1]} << 8 | drops_[0];
    if (address >= kNicConnections && address < kNicConnections + config_.conns)
      return direct_.read(address - kNicConnections);
    if (address >= kNicContexts && address < kNicContexts + 4 * config_.contexts)
      return read_context((address - kNicContexts) / 4, address % 4);
    return 0;
  }
  std::string describe() const {
    std::string text =
        fmt::format("NIC n{}: {} replies, {} events, {} credits{}", address_, replies_.size(),
                    events_.size(), transmit_.credits(), transmit_.busy() ? ", sending" : "");
    for (std::uint32_t c = 0; c < contexts_.size(); ++c)
      if (contexts_[c].valid()) text += fmt::format("; context {}: {}", c, contexts_[c].describe());
    if (unit_) text += unit_->describe();
    return text + "; " + direct_.describe();
  }

 private:
  static constexpr std::uint32_t kNicContexts = nic_regs::control(0),
                                 kNicConnections = nic_regs::connection(0),
                                 kNicEntries = nic_regs::entry(0, 0);
  static constexpr std::size_t kReplies = 4, kEvents = 8;

  /// Who loads the event register.
  struct Load {
    bool open = false;                     ///< the register is free or being freed
    std::optional<std::uint32_t> context;  ///< whose notice it is
    std::optional<std::uint32_t> dead;     ///< connection whose notice it is
    bool queue = false;                    ///< the oldest of the event queue
    std::optional<std::uint32_t> word;
  };
  /// Who is granted the transmitter: a context, else the reply queue, else the direct path.
  struct Grant {
    std::optional<std::uint32_t> asker;
    std::optional<std::uint32_t> context;  ///< of an event unit
    bool reply = false, direct = false, nack = false;
    std::optional<NicMessage> message;
  };
  /// Whose token is queued, and who is told so.
  struct Pick {
    std::optional<NicToken> token;
    std::uint32_t peer = 0;
    std::optional<std::uint32_t> context;  ///< whose entry is done
    bool refused = false;
  };
  /// The outcome of the message in the message register.
  struct Handling {
    NicDrop drop = NicDrop::kNone;
    std::optional<std::uint32_t> context;  ///< that `verdict` is for
    NicVerdict verdict;
    std::optional<std::uint32_t> accepts;  ///< connection that accepts it
    std::optional<NicMessage> reply;
    std::optional<std::uint32_t> event;
    std::optional<NicCount> count;  ///< of the event unit
  };
  /// A write of the host to the control word or the doorbell of a context.
  struct ContextWrite {
    std::uint32_t context = 0;
    bool doorbell = false;
    bool releases = false, accepted = false;  ///< of a doorbell; else it starts
  };
  Load choose_load(bool ready) const {
    Load load;
    load.open = !event_ || ready;
    if (!load.open) return load;
    for (std::uint32_t c = 0; c < config_.contexts; ++c) {
      const NicNotice notice = unit_ ? unit_->notice(c) : contexts_[c].notice();
      if (notice == NicNotice::kNone) continue;
      load.context = c;
      load.word = unit_ ? unit_->event_word(c) : contexts_[c].event_word(c);
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
  /// Who asks the transmitter besides the reply queue and the direct path: the context that is
  /// served, or each group of an event unit.
  std::uint32_t askers() const { return unit_ ? config_.contexts : 1; }
  /// The context that the message in the message register is for.
  std::optional<std::uint32_t> owner() const {
    if (!receive_.message()) return std::nullopt;
    for (std::uint32_t c = 0; c < contexts_.size(); ++c)
      if (contexts_[c].valid() && contexts_[c].group() == receive_.message()->group) return c;
    return std::nullopt;
  }
  std::optional<std::uint32_t> choose_served() const {
    if (const auto c = owner()) return c;
    const auto contexts = static_cast<std::uint32_t>(contexts_.size());
    for (std::uint32_t i = 0; i < contexts; ++i)
      if (const std::uint32_t c = (turn_ + i) % contexts; contexts_[c].has_work(times_, gap_ == 0))
        return c;
    return std::nullopt;
  }
  /// It asks the transmitter in this cycle.
  bool asks_to_send(std::uint32_t c) const {
    const Ask ask = contexts_[c].asks(times_);
    return ask == Ask::kStep || (ask == Ask::kNack && gap_ == 0);
  }
  Grant choose_grant(std::optional<std::uint32_t> served) const {
    Grant grant;
    if (!transmit_.open()) return grant;
    const std::uint32_t contexts = askers();
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
      } else if (served && asks_to_send(*served)) {
        const NicContext& c = contexts_[*served];
        grant.nack = c.asks(times_) == Ask::kNack;
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
  Pick choose_token(const HostWires& host, std::optional<std::uint32_t> served = {}) const {
    Pick pick;
    if (host.access && host.write && host.address == nic_regs::kSend) {
      pick.peer = host.data >> 21;
      if (direct_.room(pick.peer).value_or(false))
        pick.token =
            NicToken{static_cast<std::uint8_t>(host.data >> 16 & 31),
                     static_cast<std::uint8_t>(host.data >> 8),
                     static_cast<std::uint8_t>(host.data & ((1u << config_.seq_w) - 1)), true};
      pick.refused = !pick.token;
      return pick;
    }
    if (!served || contexts_[*served].asks(times_) != Ask::kToken) return pick;
    const NicContext& c = contexts_[*served];
    pick.peer = c.here().peer;
    const std::optional<bool> room = direct_.room(pick.peer);
    pick.refused = !room;
    if (room.value_or(true)) pick.context = served;
    if (room.value_or(false)) pick.token = NicToken{c.here().slot, c.group(), c.sequence(), false};
    return pick;
  }
  Handling handle() const {
    Handling h;
    if (!receive_.message()) return h;
    const NicMessage& m = *receive_.message();
    if (m.type == NicType::kData || m.type == NicType::kAck)
      handle_direct(h, m);
    else if (unit_)
      std::tie(h.drop, h.count) = unit_->judge(m);
    else
      handle_step(h, m);
    if (h.reply) h.reply->source = address_;
    return h;
  }
  void handle_step(Handling& h, const NicMessage& m) const {
    h.context = context_of_message(false);
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
  void handle_direct(Handling& h, const NicMessage& m) const {
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
    if (data) h.context = context_of_message(true);
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
      h.event = nic_regs::event_word(nic_regs::Event::kReceived, std::uint32_t{m.slot} << 24 |
                                                                     std::uint32_t{m.group} << 8 |
                                                                     m.barrier);
    } else if (for_host) {
      h.event = nic_regs::event_word(nic_regs::Event::kSent, verdict.connection << 24);
    }
  }
  /// owner(), if it takes messages that come this way.
  std::optional<std::uint32_t> context_of_message(bool direct) const {
    const auto c = owner();
    return c && contexts_[*c].direct() == direct ? c : std::nullopt;
  }
  bool accepts(std::uint32_t c, std::uint32_t doorbell) const {
    return unit_ ? unit_->accepts(c, doorbell) : contexts_[c].accepts(doorbell);
  }
  std::optional<ContextWrite> context_write(const HostWires& host) const {
    const std::uint32_t c = (host.address - kNicContexts) / 4, word = host.address % 4;
    const bool hits = host.access && host.write && host.address >= kNicContexts &&
                      c < config_.contexts && word <= 1;
    if (!hits) return std::nullopt;
    ContextWrite write{.context = c, .doorbell = word == 1};
    if (write.doorbell) {
      write.releases = (host.data & nic_regs::kContextsDoorbellReleases.mask()) != 0;
      write.accepted = accepts(c, host.data);
    }
    return write;
  }
  void write_context(std::uint32_t c, std::uint32_t word, std::uint32_t value) {
    if (word > 1) return;
    if (word == 1 && !accepts(c, value))
      count_up(refused_);
    else if (!unit_)
      if (word == 0)
        contexts_[c].write_control(value);
      else
        contexts_[c].ring(value);
    else if (word == 0)
      unit_->write_control(c, value);
    else if (value & nic_regs::kContextsDoorbellReleases.mask())
      unit_->release(c);
    else
      unit_->clock({.started = c});
  }
  /// Counters stop at 255.
  static void count_up(std::uint8_t& counter) {
    if (counter != 255) ++counter;
  }
  void count(NicDrop drop) {
    if (drop != NicDrop::kNone) count_up(drops_[static_cast<std::size_t>(drop)]);
  }
  std::uint32_t read_context(std::uint32_t c, std::uint32_t word) const {
    if (unit_) return word == 0 ? unit_->control(c) : 0;
    const NicContext& context = contexts_[c];
    if (word == 0) return context.control();
    if (word == 2) return context.received();
    return word == 3 ? context.sent() : 0;
  }

  nic::NicConfig config_;
  std::vector<NicContext> contexts_;  ///< none with an event unit
  NicRound round_;                    ///< of their timers
  std::optional<NicEventUnit> unit_;
  NicDirect direct_;
  NicReceive receive_;
  NicTransmit transmit_;
  std::deque<NicMessage> replies_;
  std::deque<std::uint32_t> events_;
  std::optional<std::uint32_t> event_;  ///< the event register
  NicTimes times_;
  std::uint32_t address_ = 0, gap_ = 0;
  std::uint8_t channel_ = 0;
  std::uint32_t pointer_ = 0, turn_ = 0;
  std::array<std::uint8_t, 4> drops_{};  ///< malformed, then as NicDrop
  std::uint8_t refused_ = 0;
};

/// NIC barrier engines of one configuration on the engine `golden`.
class GoldenNicBank : public nic::NicBank, public core::Divisible {
 public:
  /// Throws InputError if `config` is out of range.
  GoldenNicBank(const nic::NicConfig& config, std::uint32_t nics)
      : NicBank(nics), nics_(nics, NicEngine(nic::validate(config))) {
    quiescent_.assign(nics, 1);
  }

  core::Divisible* divisible() override { return this; }
  void clock(std::uint64_t cycle, std::span<const std::uint32_t> awake) override {
    clock_some(cycle, awake);
  }
  void clock_some(std::uint64_t, std::span<const std::uint32_t> awake) override {
    for (const std::uint32_t b : awake) {
      nics_[b].clock(wires_[b], rx_[b], tx_[b], hosts_[b]);
      quiescent_[b] = wires_[b].tx_valid == 0 && wires_[b].rx_back == 0 && nics_[b].quiet();
    }
  }
  void write_register(std::uint32_t block, std::uint32_t address, std::uint32_t value) override {
    nics_[block].write_register(address, value);
    quiescent_[block] = nics_[block].quiet();
  }
  std::uint32_t read_register(std::uint32_t block, std::uint32_t address) override {
    return nics_[block].read_register(address);
  }
  std::string describe(std::uint32_t block) const override { return nics_[block].describe(); }

 private:
  std::vector<NicEngine> nics_;
};

/// Makes golden NICs of every legal configuration.
class GoldenNics final : public nic::NicFactory {
 public:
  bool supports(const nic::NicConfig&) const override { return true; }
  std::unique_ptr<nic::NicBank> make_nics(const nic::NicConfig& config, std::uint32_t nics,
                                          const fabric::BankOptions&) const override {
    return std::make_unique<GoldenNicBank>(config, nics);
  }
};

}  // namespace muster::golden
