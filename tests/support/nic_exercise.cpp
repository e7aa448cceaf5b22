// SPDX-License-Identifier: Apache-2.0
#include "muster/verif.hpp"
#include "support/exercises.hpp"
#include "systems/nic/nic_factory.hpp"
#include "systems/nic/nic_registers.hpp"

namespace muster::testing {

using core::Flit;
using nic::NicType;
namespace nic_regs = nic::registers;

namespace {

/// Random inputs for one NIC of a bank: a link with well- and ill-formed packets that are aimed at
/// the state in which the NIC is, and a host that uses and misuses its registers, within what
/// docs/systems/nic-engine.md lets it do.
class NicDriver {
 public:
  NicDriver(nic::NicBank& bank, std::uint32_t block, const nic::NicConfig& config,
            const NicConditions& world, std::uint64_t seed)
      : bank_(bank),
        nic_(block),
        config_(config),
        world_(world),
        rng_(seed * 64 + block),
        self_(below(2048)),
        channel_(below(config.vcs)),
        stream_(below(config.conns)),
        entries_(config.contexts),
        owed_(config.vcs) {
    if (chance(0.5)) peers_.push_back(0);  // as in a connection that is not valid
    while (peers_.size() < 2 * config.conns) {
      const std::uint32_t peer = below(2048);
      if (std::ranges::find(peers_, peer) == peers_.end()) peers_.push_back(peer);
    }
    // Before the first message; what is written later comes while packets do.
    bank.write_register(block, nic_regs::kAddress,
                        nic_regs::address_word(self_, channel_) | below(4) << 14);
    write_times();
    for (std::uint32_t k = 0; k < config.conns; ++k) write_connection(k);
    for (std::uint32_t c = 0; c < config.contexts; ++c) write_context(c);
  }
  /// The inputs of one cycle.
  void drive() {
    core::BlockWires& wires = bank_.wires(nic_);
    nic::HostWires& host = bank_.host(nic_);
    if (wires.tx_valid != 0) {
      ++sent_;
      ++owed_[bank_.tx(nic_, 0).vc];
      see(bank_.tx(nic_, 0));
    }
    for (std::uint32_t v = 0; v < config_.vcs; ++v) {
      if (owed_[v] == 0 || !chance(world_.credit)) continue;
      --owed_[v];
      wires.tx_back |= 1u << v;
    }

    if (flits_.empty() && chance(world_.packet)) next_packet();
    if (!flits_.empty() && chance(0.95)) {
      bank_.rx(nic_, 0) = flits_.front();
      wires.rx_valid = 1;
      if (chance(0.03)) {  // a sync flit, or one of another channel, between them
        Flit& flit = bank_.rx(nic_, 0);
        const std::uint32_t vc = below(config_.vcs);
        if (vc == channel_) flit.kind |= Flit::kSync;
        flit.vc = static_cast<std::uint8_t>(vc);
      } else {
        flits_.pop_front();
      }
    }

    host.ready = chance(world_.ready);
    if (host.event && host.ready) ++events_[host.word >> 29];
    if (writes_.empty() && chance(world_.host)) act();
    if (!writes_.empty() && chance(0.9)) {
      host.access = host.write = true;
      std::tie(host.address, host.data) = writes_.front();
      writes_.pop_front();
    } else if (chance(0.05)) {
      host.access = true;
      host.address = below(0x1000);
    }
  }

  std::uint64_t events(unsigned kind) const { return events_[kind]; }  ///< taken, by bits 31..29
  std::uint64_t sent() const { return sent_; }                         ///< flits of the NIC

 private:
  void write(std::uint32_t address, std::uint32_t data) { writes_.emplace_back(address, data); }
  bool chance(double p) { return rng_.chance(p); }
  std::uint32_t below(std::uint64_t n) { return rng_.below(n); }
  template <class... T>
  std::uint32_t one_of(T... values) {
    const std::uint32_t all[] = {static_cast<std::uint32_t>(values)...};
    return all[rng_.below(sizeof...(T))];
  }

  /// Mostly a timeout of one bit: whether it is 0 depends on each of them.
  void write_times() {
    const std::uint32_t timeout =
        world_.patient ? one_of(0, 3000, 65535)
                       : one_of(0, 1, 2, 4, 7, 8, 16, 30, 32, 64, 100, 129, 255, 512);
    write(nic_regs::kTimes,
          nic_regs::times_word(timeout, one_of(0, 1, 2, 8, 15), one_of(0, 0, 1, 9, 4095)));
    write(nic_regs::kQuiet, one_of(0, 1, 20, 300));
  }

  /// Many an event that needs few counts, so that it fires.
  std::uint32_t entry(bool last, std::uint32_t next, std::uint32_t peer) {
    const std::uint32_t word =
        std::uint32_t{chance(0.5)} << 31 | std::uint32_t{last} << 30 | below(32) << 16 | peer;
    if (config_.chained == 0) return word | below(2) << 29 | next << 24;
    return word | (chance(0.8) ? 1 + below(3) : below(16)) << 26 | next << 21 | below(32) << 11;
  }

  /// A walk through some of the entries in any order, or any links at all. Few peers, so that
  /// messages find their entries; the ignored fields of the control word at random.
  void write_context(std::uint32_t c) {
    write(nic_regs::control(c), 0);
    std::vector<std::uint32_t> order(config_.steps);
    for (std::uint32_t s = 0; s < config_.steps; ++s) order[s] = s;
    for (std::uint32_t s = 2; s < config_.steps; ++s) std::swap(order[s], order[1 + below(s)]);
    const std::uint32_t length = 1 + below(config_.steps);
    const bool walk = chance(0.7);
    entries_[c].assign(config_.steps, 0);
    for (std::uint32_t i = 0; i < config_.steps; ++i) {
      const std::uint32_t next = walk && i + 1 < length ? order[i + 1] : below(config_.steps);
      const bool last = walk ? i + 1 == length : chance(0.2);
      const std::uint32_t peer = peers_[below(std::min<std::size_t>(4, peers_.size()))];
      entries_[c][order[i]] = entry(last, next, peer);
    }
    for (std::uint32_t s = 0; s < config_.steps; ++s) write(nic_regs::entry(c, s), entries_[c][s]);
    // No two contexts have one group, and no context has groups of its own in all runs.
    const std::uint32_t group = below(32) << 3 | (c ^ (self_ & 7));
    const std::uint32_t sequence = one_of(0, 255, below(256));
    write(nic_regs::control(c), nic_regs::control_word(group, sequence, chance(0.4)) | below(16)
                                                                                           << 16);
    if (chance(0.8)) write(nic_regs::doorbell(c), nic_regs::kContextsDoorbellStarts.mask());
  }

  /// What the NIC sends says which numbers its connection with the receiver has.
  void see(const Flit& flit) {
    if (flit.head()) leaving_.clear();
    leaving_.push_back(flit);
    if (!flit.tail()) return;
    const auto m = nic::nic_message(leaving_);
    if (m && m->type == NicType::kData) numbers_[m->destination].next = m->packet;
    if (m && m->type == NicType::kAck) numbers_[m->destination].expected = m->packet + 1u;
  }

  void write_connection(std::uint32_t k) {
    const std::uint32_t peer = peers_[k + (chance(0.9) ? 0 : config_.conns)];
    numbers_.erase(peers_[k]);
    numbers_.erase(peer);
    if (world_.stream && k == stream_)
      return write(nic_regs::connection(k), nic_regs::connection_word(peers_[k]));
    write(nic_regs::connection(k),
          chance(0.9) ? nic_regs::connection_word(peer) | below(1 << 20) << 11 : peer);
  }

  /// What the host may do at any time.
  void act() {
    if (world_.stream)
      return write(nic_regs::kSend,
                   nic_regs::send_word(peers_[stream_], below(32), below(256), below(256)));
    const std::uint32_t c = below(config_.contexts);
    const std::uint32_t what = below(100);
    if (what < 50) {
      write(nic_regs::doorbell(c), nic_regs::kContextsDoorbellStarts.mask());
    } else if (what < 75) {
      write(nic_regs::kSend,
            nic_regs::send_word(peers_[below(peers_.size())], below(32), below(256), below(256)));
    } else if (what < 80) {
      write(nic_regs::doorbell(c), below(4));
    } else if (what < 86) {
      write_connection(below(config_.conns));
    } else if (what < 90) {
      write_times();
    } else if (what < 97) {
      write_context(c);
    } else {
      // Beyond the last context, connection and entry, and what is read only.
      const std::uint32_t nowhere = one_of(
          0, 1, 2, 7, 8, 9, nic_regs::received(c), nic_regs::sent(c),
          nic_regs::control(config_.contexts), nic_regs::doorbell(config_.contexts),
          nic_regs::connection(config_.conns), nic_regs::entry(config_.contexts, 0), 0x800, 0xfff);
      write(nowhere, rng_.word());
    }
  }

  /// A message that the NIC may be waiting for, or one just beside it.
  nic::NicMessage message() {
    nic::NicMessage m;
    m.destination = self_;
    const std::uint32_t c = below(config_.contexts);
    std::uint32_t state = bank_.read_register(nic_, nic_regs::control(c));
    // Or as the host is about to set it, so that both may come in one cycle.
    for (const auto& [address, word] : writes_)
      if (address == nic_regs::control(c) && chance(0.8)) state = word;
    const bool direct = state >> 30 & 1;
    m.type = static_cast<NicType>(one_of(0, 0, 0, 1, 1, 2, 3, 4));
    if (m.type == NicType::kStep && direct && chance(0.9)) m.type = NicType::kData;
    m.slot = static_cast<std::uint8_t>(chance(0.5) ? state >> 16 & 31 : below(config_.steps));
    if (chance(0.03)) m.slot = static_cast<std::uint8_t>(below(32));
    m.group = static_cast<std::uint8_t>(chance(0.95) ? state >> 8 & 0xff : below(256));
    const std::uint32_t sequence = state & 0xff;
    m.barrier = static_cast<std::uint8_t>(
        sequence + one_of(0, 0, 0, 0, 0, 1, 1, 1, 255, 255, below(256), 1u << below(8)));
    if (world_.early && chance(0.95)) {
      m.type = direct ? NicType::kData : NicType::kStep;
      m.slot = static_cast<std::uint8_t>(below(config_.steps));
      m.barrier = static_cast<std::uint8_t>(sequence + 1);
    }
    m.source = m.slot < config_.steps && chance(0.95) ? entries_[c][m.slot] & 0x7ff
                                                      : peers_[below(peers_.size())];
    if (world_.stream) {
      m.type = chance(0.9) == (nic_ % 2 == 0) ? NicType::kData : NicType::kAck;
      m.source = peers_[stream_];
    }
    for (std::uint32_t k = 0; k < config_.conns; ++k) {
      const std::uint32_t word = bank_.read_register(nic_, nic_regs::connection(k));
      if (m.type == NicType::kAck && (word >> 29 & 1) && chance(0.5)) m.source = word & 0x7ff;
    }
    const Numbers& numbers = numbers_[m.source];
    const std::uint32_t number = m.type == NicType::kAck ? numbers.next : numbers.expected;
    m.packet = static_cast<std::uint8_t>(number + one_of(0, 0, 0, 0, 0, 255, 1, below(256)));
    return m;
  }

  /// One thing wrong with a packet; what is beyond the CRC has a good one.
  void spoil(std::vector<Flit>& flits, nic::NicMessage& m) {
    const auto close = [&] {
      flits[4].lo = nic::nic_crc(std::span(flits).first(nic::kNicFlits - 1));
    };
    switch (below(9)) {
      case 0:
        for (std::uint32_t i = 1 + below(3); i > 0; --i)
          flits[below(flits.size())].lo ^= std::uint64_t{1} << below(16);
        break;
      case 1:
        flits.erase(flits.begin() + 1 + below(3));
        break;
      case 2:
        flits.insert(flits.begin() + 1 + below(4), 1 + below(3), flits[1 + below(3)]);
        break;
      case 3:
        m.destination = chance(0.5) ? self_ ^ 1 : below(2048);
        flits[0].lo = (flits[0].lo & ~std::uint64_t{0x7ff}) | m.destination;
        close();
        break;
      case 4:
        flits[2].lo = (flits[2].lo & 0x1fff) | (5 + below(3)) << 13;
        close();
        break;
      case 5:
        flits[0].lo ^= std::uint64_t{1 + below(31)} << fabric::kDestinationWidth;
        close();
        break;
      case 6:  // cut short, by the head that follows
        flits.resize(1 + below(flits.size() - 1));
        break;
      case 7:  // without its head
        flits.erase(flits.begin());
        break;
      default:
        flits.resize(1);
        flits[0].kind |= Flit::kTail;
    }
  }

  void next_packet() {
    nic::NicMessage m = message();
    const auto good = nic::nic_flits(m, static_cast<std::uint8_t>(channel_));
    std::vector<Flit> flits(good.begin(), good.end());
    if (chance(world_.bad)) spoil(flits, m);
    for (Flit& flit : flits) {
      if (config_.flit_w > 16) {
        const std::uint64_t junk = rng_.next() << 16;
        flit.lo |= config_.flit_w < 64 ? junk & ((std::uint64_t{1} << config_.flit_w) - 1) : junk;
      }
      flits_.push_back(flit);
    }
  }

  nic::NicBank& bank_;
  const std::uint32_t nic_;
  const nic::NicConfig config_;
  const NicConditions world_;
  Random rng_;
  std::uint32_t self_, channel_;
  const std::uint32_t stream_;                                  ///< the connection that stays
  std::vector<std::uint32_t> peers_;                            ///< two for each connection
  std::vector<std::vector<std::uint32_t>> entries_;             ///< as written, by context
  std::deque<std::pair<std::uint32_t, std::uint32_t>> writes_;  ///< to come, one after the other
  std::deque<core::Flit> flits_;                                ///< of the packet under way
  std::vector<Flit> leaving_;                                   ///< of the one that the NIC sends
  struct Numbers {
    std::uint32_t next = 0, expected = 0;
  };
  std::map<std::uint32_t, Numbers> numbers_;  ///< of connections, by peer
  std::vector<std::uint32_t> owed_;           ///< credits, by virtual channel
  std::uint64_t events_[8] = {};
  std::uint64_t sent_ = 0;
};

constexpr std::uint32_t kNics = 2, kReadPeriod = 97;

void read_all(nic::NicBank& bank) {
  for (std::uint32_t b = 0; b < kNics; ++b)
    for (std::uint32_t address = 0; address < 0x0b0; ++address) bank.read_register(b, address);
}

}  // namespace

NicExerciseResult exercise(const nic::NicConfig& config, const NicConditions& world,
                           std::uint64_t seed, std::uint64_t cycles) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  const auto bank = nic::nics_of(*verif::make_lockstep_engine())->make_nics(config, kNics, options);
  read_all(*bank);
  std::vector<NicDriver> drivers;
  for (std::uint32_t b = 0; b < kNics; ++b) drivers.emplace_back(*bank, b, config, world, seed);
  std::vector<std::uint32_t> all(kNics);
  std::iota(all.begin(), all.end(), 0u);

  NicExerciseResult result;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    for (NicDriver& driver : drivers) driver.drive();
    bank->clock(cycle, all);
    if (cycle % kReadPeriod == 0) read_all(*bank);
    for (std::uint32_t b = 0; b < kNics; ++b) result.quiet += bank->quiescent(b);
  }
  read_all(*bank);
  for (std::uint32_t b = 0; b < kNics; ++b) {
    result.sent += drivers[b].sent();
    for (unsigned kind = 0; kind < 6; ++kind) result.events[kind] += drivers[b].events(kind);
    const std::uint32_t drops = bank->read_register(b, nic::registers::kDrops);
    for (unsigned i = 0; i < 4; ++i) result.drops[i] += drops >> (8 * i) & 0xff;
    result.drops[4] += bank->read_register(b, nic::registers::kRefused);
  }
  result.comparisons = bank->comparisons();
  return result;
}

}  // namespace muster::testing
