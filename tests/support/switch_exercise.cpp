// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <limits>

#include "muster/verif.hpp"
#include "support/exercises.hpp"
#include "systems/switch_kinds.hpp"

namespace muster::testing {

namespace regs = fabric::registers;

namespace {

constexpr std::uint32_t kValid = 1u << 31, kTurn = 1u << 30;

/// A host that uses the register port of one switch at random while traffic flows, within the rules
/// of docs/reference/registers.md: valid registers have different groups and no parent in their
/// child mask, the barrier channel stays as it is. Groups in block RAM may be anything at any time.
/// Bits and addresses without a meaning get random writes too. One that is hostile keeps no rules:
/// it is for switches that guard themselves.
class RegisterHost {
 public:
  /// `rate`: requests a cycle, 0 to 1; `polling`: reads in each of the other cycles. Begins with
  /// the registers as they are now.
  RegisterHost(core::Bank& bank, std::uint32_t block, const fabric::SwitchConfig& config,
               double rate, double polling, std::uint64_t seed, bool hostile)
      : bank_(bank),
        block_(block),
        config_(config),
        variant_(btin::variant(config)),
        counters_(has_counters(config)),
        rate_(rate),
        polling_(polling),
        hostile_(hostile),
        rng_(seed, 1000 + block) {
    if (variant_.groups != 0) return;
    for (std::uint32_t r = 0; r < config.regs; ++r) {
      const std::uint32_t control = bank.read_register(block, regs::control(r));
      registers_.push_back({(control & kValid) != 0, (control & kTurn) != 0, (control >> 16) & 0x3f,
                            control & 0xfff, bank.read_register(block, regs::children(r))});
    }
  }

  /// Reads some registers, and perhaps puts a request on the port for the coming clock().
  void act() {
    if (counters_ && rng_.chance(rate_ / 4)) return write_counters();
    if (config_.kind == &packets::kMulticastSwitch) {  // outputs are held now and then
      if (rng_.chance(rate_))
        write(regs::kHold, rng_.below(2) == 0 ? 0 : rng_.word() & rng_.word());
      return;
    }
    bank_.read_register(block_, rng_.below(regs::control(config_.regs)));
    const std::uint32_t drops = rng_.below(2) == 0 ? regs::kDrops : regs::kAgentDrops;
    if (rng_.below(8) == 0) bank_.read_register(block_, drops);
    if (!rng_.chance(rate_)) return poll();
    if (variant_.retry && rng_.below(8) == 0) return write_retry();
    const std::uint32_t r = rng_.below(config_.regs);
    if (hostile_ && rng_.below(2) == 0)
      return rng_.below(4) == 0 ? write_guard() : write_anything(r);
    switch (rng_.below(10)) {
      case 9:  // what comes next is the first again
        return write(drops, rng_.word());
      case 8:  // some outputs held for some time, most of the time none
        return write(regs::kHold, rng_.below(2) == 0 ? 0 : rng_.word() & rng_.word());
      case 0:
        if (hostile_) return write_anything(r);
        return variant_.groups != 0 ? write_group() : write_control(r);
      case 1:
        if (hostile_) return write_anything(r);
        return variant_.groups != 0 ? write_group() : write_children(r);
      case 2:
      case 3:
      case 4:
        return write(regs::kRoutes + rng_.below(config_.dests),
                     rng_.below(8) == 0 ? 0 : rng_.word());
      case 5:
        return write_without_meaning();
      default:
        bank_.request({block_, false, rng_.below(0x100), rng_.word()});
    }
  }
  std::uint64_t writes() const { return writes_; }
  /// Barriers under way that a write has cleared: their progress word was not 0 before it.
  std::uint64_t interrupted() const { return interrupted_; }

 private:
  struct Register {
    bool valid = false, reflect = false;
    std::uint32_t parent = 0, gid = 0, children = 0;
  };
  bool legal(std::uint32_t r, const Register& candidate) const {
    if (!candidate.valid) return true;
    if (!candidate.reflect && ((std::uint64_t{candidate.children} >> candidate.parent) & 1))
      return false;
    for (std::uint32_t other = 0; other < config_.regs; ++other)
      if (other != r && registers_[other].valid && registers_[other].gid == candidate.gid)
        return false;
    return true;
  }

  /// All of them; up to 32.
  std::uint32_t ports() const { return ~0u >> (32 - config_.ports); }

  Register control_change(std::uint32_t r) {
    Register next = registers_[r];
    next.valid = rng_.below(8) != 0;
    next.reflect = rng_.below(3) == 0;
    next.parent = rng_.below(rng_.below(8) == 0 ? std::bit_ceil(config_.ports + 1) : config_.ports);
    if (rng_.below(4) == 0) next.gid = rng_.word() & ((1u << config_.gid_w) - 1);
    return next;
  }

  Register children_change(std::uint32_t r) {
    Register next = registers_[r];
    next.children = rng_.word() & ports();
    // Small groups complete more often.
    if (rng_.below(2) == 0) next.children &= rng_.word();
    return next;
  }

  void write(std::uint32_t address, std::uint32_t value) {
    bank_.request({block_, true, address, value});
    ++writes_;
  }

  /// A barrier of the register, or of the group in the window.
  bool under_way(std::uint32_t r) {
    return (bank_.read_register(block_, regs::arrived(r)) |
            bank_.read_register(block_, regs::serve(r))) != 0;
  }

  void write_control(std::uint32_t r) {
    Register next = control_change(r);
    while (!legal(r, next)) next = control_change(r);
    interrupted_ += under_way(r);
    registers_[r] = next;
    const std::uint32_t meaning =
        (std::bit_ceil(config_.ports + 1) - 1) << 16 | kValid | kTurn | ((1u << config_.gid_w) - 1);
    write(regs::control(r), (next.valid ? kValid : 0) | (next.reflect ? kTurn : 0) |
                                (next.parent << 16) | next.gid | (rng_.word() & ~meaning));
  }

  /// A child whose data wait to be folded is not added again: software has no reason to.
  bool may_add(std::uint32_t r, std::uint32_t children) {
    if (!variant_.retry) return true;
    const std::uint32_t added = children & ~bank_.read_register(block_, regs::children(r));
    return (bank_.read_register(block_, regs::folding(r)) & added) == 0;
  }

  void write_children(std::uint32_t r) {
    Register next = children_change(r);
    while (!legal(r, next)) next = children_change(r);
    if (!may_add(r, next.children)) return;
    interrupted_ += under_way(r);
    registers_[r] = next;
    write(regs::children(r), next.children | (rng_.word() & ~ports()));
  }

  /// Of groups in block RAM: selects one, or changes the selected one.
  void write_group() {
    const std::vector<std::uint32_t> groups = exercised_groups(config_);
    const auto selected = static_cast<std::uint32_t>(
        rng_.below(8) == 0 ? rng_.word() : groups[rng_.below(groups.size())]);
    const std::uint32_t what = rng_.below(4);
    if (what < 2) return write(fabric::window_registers::kSelect, selected);
    interrupted_ += under_way(0);
    if (what == 2)
      return write(regs::control(0), rng_.below(8) == 0 ? rng_.word() : rng_.word() | kValid);
    write(regs::children(0), rng_.below(2) == 0 ? rng_.word() : rng_.word() & rng_.word());
  }

  /// Of registers that repeat: an abort now and then, or other periods.
  void write_retry() {
    if (rng_.below(2) == 0)
      return write(regs::kPeriods, rng_.word() & (rng_.below(2) == 0 ? 0x3003fu : 0x30003u));
    const std::uint32_t r = rng_.below(config_.regs);
    write(regs::state(r),
          rng_.below(4) == 0 ? rng_.word() : rng_.word() & ~regs::kBarrierCommandAborts.mask());
  }

  /// Control word or child mask that must not be written, mostly of a group that is there.
  void write_anything(std::uint32_t r) {
    interrupted_ += under_way(r);
    if (rng_.below(2) == 0) return write(regs::children(r), rng_.word() & rng_.word());
    const std::uint32_t other = rng_.below(config_.regs);
    const std::uint32_t gid = bank_.read_register(block_, regs::control(other)) & 0xfff;
    const std::uint32_t word = rng_.below(4) == 0 ? rng_.word() : rng_.word() & ~0xfffu;
    write(regs::control(r), rng_.below(8) == 0 ? word : word | gid | kValid);
  }

  /// The words of the guard, another spill port or none, and masks of more than one.
  void write_guard() {
    constexpr std::uint32_t kPatiences = 6;
    switch (rng_.below(4)) {
      case 0:
        return write(regs::kPatience, rng_.below(kPatiences) | rng_.below(kPatiences)
                                                                   << regs::kPatienceSpill.low);
      case 1:
        if (rng_.below(4) == 0)
          return write(regs::kSpill,
                       std::uint32_t{1} << rng_.below(std::min(config_.ports + 1, 32u)));
        return write(regs::kSpill, 0x3u << rng_.below(config_.ports - 1) | rng_.word() << 16);
      case 2: {
        constexpr std::uint32_t kRecords[] = {regs::kRefusals, regs::kOverflows, regs::kGivenUp};
        return write(kRecords[rng_.below(std::size(kRecords))], rng_.word());
      }
      default:
        return write(regs::kGroupPermits + rng_.below(config_.ports),
                     rng_.below(2) == 0 ? 0 : 0x10001u << rng_.below(config_.gid_w));
    }
  }

  void write_counters() {
    const std::uint32_t address = word_of_counters(rng_, config_.ports);
    write(address, rng_.word());
  }

  /// An address that is read-only, harmless or nothing at all.
  void write_without_meaning() {
    const std::uint32_t address = rng_.below(1u << regs::kAddressWidth);
    const bool route = address >= regs::kRoutes && address - regs::kRoutes < config_.dests;
    const std::uint32_t r = (address - regs::control(0)) / regs::kBarrierWords;
    const bool settable =
        r < config_.regs && (address == regs::control(r) || address == regs::children(r));
    const bool kept = route || settable || address == regs::kSpill || address == regs::kHold;
    write(kept ? regs::kIdentity : address, rng_.word());
  }

  void poll() {
    if (!rng_.chance(polling_)) return;
    const std::uint32_t words = variant_.counters ? 0x240 : 0x200;
    bank_.request({block_, false, rng_.below(words), 0});
  }

  core::Bank& bank_;
  std::uint32_t block_;
  fabric::SwitchConfig config_;
  btin::Variant variant_;
  bool counters_;
  double rate_, polling_;
  bool hostile_;
  Random rng_;
  std::vector<Register> registers_;
  std::uint64_t writes_ = 0, interrupted_ = 0;
};

}  // namespace

ExerciseResult exercise(const SwitchExercise& what) {
  fabric::BankOptions options;
  options.random_init = true;
  options.seed = what.seed;
  auto bank = verif::make_lockstep_engine()->make_switches(what.config, what.blocks, options);
  // What a reset leaves: the first write to a barrier register clears it.
  for (std::uint32_t b = 0; b < what.blocks; ++b)
    for (std::uint32_t address = 0; address < 0x300; ++address) bank->read_register(b, address);
  std::vector<SwitchDriver> drivers;
  std::vector<RegisterHost> hosts;
  for (std::uint32_t b = 0; b < what.blocks; ++b)
    drivers.emplace_back(*bank, b, what.config, what.mix, what.seed);
  const bool hosted = what.writing > 0.0 || what.polling > 0.0;
  for (std::uint32_t b = 0; hosted && b < what.blocks; ++b)
    hosts.emplace_back(*bank, b, what.config, what.writing, what.polling, what.seed,
                       what.mix.hostile > 0.0);
  std::vector<std::uint32_t> all(what.blocks);
  std::iota(all.begin(), all.end(), 0);

  std::uint64_t cycle = 0;
  for (; cycle < what.cycles; ++cycle) {
    for (auto& driver : drivers) driver.drive();
    for (auto& host : hosts) host.act();
    bank->clock(cycle, all);
  }
  for (std::uint32_t b = 0; what.writing > 0.0 && b < what.blocks; ++b)
    bank->request({b, true, fabric::registers::kHold, 0});
  const btin::Variant variant = btin::variant(what.config);
  if ((variant.retry || variant.straggler) && what.writing > 0.0) {  // one request a cycle
    for (auto& driver : drivers) driver.drain();
    bank->clock(cycle++, all);
  }
  if (variant.retry)  // registers under way would never be quiet
    for (std::uint32_t b = 0; b < what.blocks; ++b)
      bank->request({b, true, fabric::registers::kPeriods, 0});
  // A register that counts how long the first has waited is not quiet until the last comes.
  for (std::uint32_t r = 0; variant.straggler && r < what.config.regs; ++r) {
    for (std::uint32_t b = 0; b < what.blocks; ++b)
      bank->request({b, true, regs::children(r), bank->read_register(b, regs::children(r))});
    for (auto& driver : drivers) driver.drain();
    bank->clock(cycle++, all);
  }
  ExerciseResult result;
  for (; cycle < what.cycles + 5000 && !result.quiet; ++cycle) {
    result.quiet = true;
    for (auto& driver : drivers) result.quiet = driver.drain() && result.quiet;
    bank->clock(cycle, all);
  }
  if (btin::variant(what.config).guard) {  // times begin while nothing else happens
    for (std::uint32_t b = 0; b < what.blocks; ++b)
      bank->request({b, true, regs::kPatience, 3u << regs::kPatienceSpill.low | 3});
    for (const std::uint64_t end = cycle + 20; cycle < end; ++cycle) bank->clock(cycle, all);
  }
  result.sent = result.received = result.writes = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t b = 0; b < what.blocks; ++b) {
    result.sent = std::min(result.sent, drivers[b].sent());
    result.received = std::min(result.received, drivers[b].received());
    result.worms += drivers[b].worms();
    result.worm_heads += drivers[b].worm_heads();
    result.headless += regs::kNoRouteDropsHeadless.of(bank->read_register(b, regs::kNoRouteDrops));
    result.refused += regs::kDropsCount.of(bank->read_register(b, regs::kRefusals));
    result.lost += regs::kDropsCount.of(bank->read_register(b, regs::kOverflows));
    result.given_up += regs::kDropsCount.of(bank->read_register(b, regs::kGivenUp));
    for (std::uint32_t address = 0; address < 0x300; ++address) bank->read_register(b, address);
  }
  for (const auto& host : hosts) {
    result.writes = std::min(result.writes, host.writes());
    result.interrupted += host.interrupted();
  }
  return result;
}

}  // namespace muster::testing
