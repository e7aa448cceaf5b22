// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <deque>
#include <vector>

#include "fabric/register_map.hpp"
#include "models/model_library.hpp"
#include "muster/core/rng.hpp"
#include "muster/fabric/formats.hpp"
#include "muster/verif.hpp"
#include "support/seed.hpp"
#include "systems/switch_kinds.hpp"

using namespace muster;
using core::Flit;

namespace {

/// Probabilities per port, virtual channel and cycle.
struct Mix {
  double data, worms;   ///< a packet begins
  double sync;          ///< a sync flit, which is dropped
  double send;          ///< a flit of a packet that has begun is sent
  double credit;        ///< one of the credits owed comes back
  double broken = 0.0;  ///< a flit of a packet is lost, or its head bit is wrong
};

/// Plays the neighbours of one multicast switch at random: packets on the data channels, worms and
/// packets of other opcodes on the last. Some destinations have no route.
class Driver {
 public:
  Driver(core::Bank& bank, const fabric::SwitchConfig& config, const Mix& mix, std::uint64_t seed)
      : bank_(bank), config_(config), mix_(mix), rng_(seed), lanes_(config.ports * config.vcs) {
    for (Lane& l : lanes_) l.credits = config.depth;
    for (std::uint32_t d = 0; d < config.dests; ++d) {
      const std::uint64_t mask = rng_.below(1u << config.ports) << rng_.below(config.ports);
      bank.write_register(0, 0x800 + d, static_cast<std::uint32_t>(mask | rng_.below(2) << 16));
    }
  }

  /// The inputs of a cycle; without `more` only what has begun is ended, and credits all return.
  void drive(bool more) {
    core::BlockWires& w = bank_.wires(0);
    for (std::uint32_t p = 0; p < config_.ports; ++p) {
      if ((w.tx_valid >> p & 1) != 0) {
        Lane& out = lane(p, bank_.tx(0, p).vc);
        ++out.owed;
        if (bank_.tx(0, p).head() == out.leaving) throw InternalError("a packet is not whole");
        out.leaving = !bank_.tx(0, p).tail();
        ++received;
        heads += bank_.tx(0, p).vc + 1u == config_.vcs && bank_.tx(0, p).head();
      }
      for (std::uint32_t v = 0; v < config_.vcs; ++v) {
        lane(p, v).credits += w.rx_back >> (4 * p + v) & 1;
        if (lane(p, v).owed == 0 || (more && rng_.uniform() >= mix_.credit)) continue;
        --lane(p, v).owed;
        w.tx_back |= std::uint64_t{1} << (4 * p + v);
      }
    }
    for (std::uint32_t p = 0; p < config_.ports; ++p) send(p, more);
  }
  bool quiet() const {
    for (const Lane& l : lanes_)
      if (!l.flits.empty() || l.open || l.credits != config_.depth) return false;
    return bank_.quiescent(0);
  }

  std::uint64_t sent = 0, received = 0, worms = 0;
  std::uint64_t heads = 0;  ///< of worms, by any output

 private:
  struct Lane {
    std::deque<Flit> flits;  ///< the rest of the packet that has begun
    std::uint32_t credits = 0, owed = 0;
    bool open = false;     ///< as the switch sees it: a head has come and no tail since
    bool leaving = false;  ///< a packet has begun to come out, its tail has not
  };
  Lane& lane(std::uint32_t port, std::uint32_t vc) { return lanes_[port * config_.vcs + vc]; }

  Flit random_flit(std::uint32_t opcode) {
    Flit flit;
    const auto bits = fabric::Formats::low_bits(
        {rng_.next(), static_cast<std::uint16_t>(rng_.next())}, config_.flit_w);
    flit.lo = (bits.lo & ~std::uint64_t{0xF800}) | opcode << fabric::kDestinationWidth;
    if (rng_.below(8) != 0)  // an entry of the table
      flit.lo = (flit.lo & ~fabric::address_bits(0xffff)) | rng_.below(config_.dests);
    flit.hi = bits.hi;
    flit.kind = 0;
    return flit;
  }
  std::uint32_t other_opcode() {
    return (fabric::kOpcodeWorm + 1 + static_cast<std::uint32_t>(rng_.below(31))) % 32;
  }
  void begin(std::deque<Flit>& flits, bool worm) {
    std::uint64_t addresses = worm ? 1 + rng_.below(6) : 0, others = 2;
    if (worm && rng_.below(16) == 0)  // the longest
      addresses = fabric::kWormAddresses;
    else if (!worm || rng_.below(4) == 0)
      others = rng_.below(6) + (addresses != 1);
    for (std::uint64_t i = 0; i < addresses; ++i)
      flits.push_back(random_flit(i == 0 && rng_.below(8) == 0
                                      ? other_opcode()  // a head nevertheless
                                      : fabric::kOpcodeWorm));
    for (std::uint64_t i = 0; i < others; ++i)
      flits.push_back(random_flit(i == 0 && worm ? other_opcode()
                                                 : static_cast<std::uint32_t>(rng_.below(32))));
    flits.front().kind |= Flit::kHead;
    flits.back().kind |= Flit::kTail;
    if (flits.front().cut()) flits.front().lo ^= Flit::kCutWord;  // by chance
    worms += worm;
  }
  void send(std::uint32_t port, bool more) {
    const auto vc = static_cast<std::uint32_t>(rng_.below(config_.vcs));
    const bool worm = vc + 1 == config_.vcs;
    Lane& l = lane(port, vc);
    if (l.flits.empty() && more && rng_.uniform() < (worm ? mix_.worms : mix_.data))
      begin(l.flits, worm);
    if (l.flits.empty() && !more && l.open) {
      l.flits.push_back(random_flit(0));
      l.flits.back().kind = Flit::kTail;
    }
    Flit flit;
    if (more && rng_.uniform() < mix_.sync) {
      flit = random_flit(0);
      flit.kind = Flit::kSync;
    } else if (l.credits != 0 && !l.flits.empty() && (!more || rng_.uniform() < mix_.send)) {
      flit = l.flits.front();
      l.flits.pop_front();
      if (more && rng_.uniform() < mix_.broken) {
        if (rng_.below(2) == 0) return;  // lost, on a link that was down
        if (rng_.below(4) == 0)
          flit = Flit::cut_mark(flit.vc);
        else
          flit.kind ^= Flit::kHead;
      }
      l.open = !flit.tail() && l.open != flit.head();
    } else {
      return;
    }
    flit.vc = static_cast<std::uint8_t>(vc);
    l.credits -= !flit.sync();
    ++sent;
    bank_.rx(0, port) = flit;
    bank_.wires(0).rx_valid |= 1u << port;
  }

  core::Bank& bank_;
  fabric::SwitchConfig config_;
  Mix mix_;
  Rng rng_;
  std::vector<Lane> lanes_;
};

void run_random(const fabric::SwitchConfig& config, const Mix& mix, std::uint64_t seed,
                std::uint64_t cycles) {
  CAPTURE(config.name, seed, mix.data, mix.worms, mix.credit);
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = seed;
  const auto bank = verif::make_lockstep_engine()->make_switches(config, 1, options);
  Driver driver(*bank, config, mix, seed);
  auto& port = *bank;
  Rng rng(seed, 1);
  const std::uint32_t all[] = {0};
  std::uint64_t cycle = 0;
  for (; cycle < cycles; ++cycle) {
    driver.drive(true);
    // Outputs are held now and then, the last time none.
    if (cycle % 64 == 0 || cycle + 1 == cycles)
      port.request({0, true, fabric::registers::kHold,
                    cycle + 64 > cycles || rng.below(2) == 0
                        ? 0
                        : static_cast<std::uint32_t>(rng.next() & rng.next())});
    bank->clock(cycle, all);
    bank->read_register(0, 0x004);
  }
  for (; cycle < cycles + 20000 && !driver.quiet(); ++cycle) {
    driver.drive(false);
    bank->clock(cycle, all);
  }
  CHECK(driver.quiet());
  CHECK(driver.sent > cycles / 20);
  CHECK(driver.received > cycles / 100);
  CHECK(driver.heads > driver.worms);  // replicated
  namespace regs = fabric::registers;
  const auto headless = regs::kNoRouteDropsHeadless.of(bank->read_register(0, 0x004));
  CHECK((headless > 20) == (mix.broken > 0.0));
  for (std::uint32_t address = 0; address < 0x1000; ++address) bank->read_register(0, address);
}

constexpr Mix kMixes[] = {
    {0.9, 0.9, 0.05, 1.0, 0.95},   // busy
    {0.02, 0.1, 0.02, 0.9, 0.9},   // worms meet few data
    {0.9, 0.9, 0.0, 0.9, 0.08},    // outputs that hardly take anything: buffers and queues are full
    {0.05, 0.05, 0.01, 0.3, 0.5},  // gaps within packets
    {0.0, 0.9, 0.0, 1.0, 1.0},     // only worms
    {0.9, 0.9, 0.05, 1.0, 0.95, 0.1},  // links go down and come back at any flit
    {0.5, 0.9, 0.0, 0.9, 0.5, 0.02},
};

}  // namespace

TEST_CASE("every built multicast switch agrees with golden under random worms and data",
          "[lockstep][multicast]") {
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(packets::kMulticastSwitch))
    for (const Mix& mix : kMixes) run_random(config, mix, ++seed, 4000);
}

TEST_CASE("every built multicast switch agrees with golden for long",
          "[lockstep][multicast][soak]") {
  std::uint64_t seed = muster_seed();
  for (const fabric::SwitchConfig& config : verif::listed_switches(packets::kMulticastSwitch))
    for (const Mix& mix : kMixes)
      for (int round = 0; round < 10; ++round) run_random(config, mix, ++seed, 40000);
}
