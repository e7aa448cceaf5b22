// SPDX-License-Identifier: Apache-2.0
#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// docs/systems/guard.md by hand.
namespace {

using core::Flit;
namespace regs = fabric::registers;

constexpr std::uint32_t kValid = 1u << 31;

TEST_CASE("a group that another valid register has is refused, and changes nothing",
          "[golden][guard]") {
  SwitchBench bench(sw(4, 1, {.guard = true}));
  const auto host = [&](std::uint32_t address, std::uint32_t value) {
    bench.request(address, value);
    bench.step(3);  // the outcome is in the records two cycles later
  };
  bench.load(0, 5, 0b0011, 3);
  bench.take(0, bench.reduction(5));
  host(regs::control(1), kValid | 5);
  CHECK(bench.read(regs::control(1)) == 0);
  CHECK(bench.read(regs::kRefusals) == (1u << 24 | 1u << 14 | 1));
  CHECK(bench.arrived(0) == 0b0001);
  host(regs::control(1), 5);  // not valid: no harm
  CHECK(bench.read(regs::control(1)) == 5);
  host(regs::control(0), kValid | 2u << 16 | 5);  // its own group
  CHECK(bench.read(regs::control(0)) == (kValid | 2u << 16 | 5));
  CHECK(bench.arrived(0) == 0);
  CHECK(bench.read(regs::kRefusals) >> 24 == 1);
  host(regs::kRefusals, 0);
  CHECK(bench.read(regs::kRefusals) == 0);
}

/// docs/systems/guard.md, "Isolation from a hostile node": every short sequence of what a node may
/// send to a switch that guards itself.
constexpr std::uint32_t kPorts = 4, kHostile = 2, kVictims = 5, kOwnGroup = 7;
constexpr std::uint32_t kBelow = 0b0011, kAbove = 3;  ///< of the victims: children, parent
constexpr std::uint32_t kOthers = 1;                  ///< groups beside the victims' at an output
constexpr std::uint32_t kCycles = 60;

using Letter = std::vector<Flit>;  ///< in successive cycles
using LetterWord = std::vector<std::size_t>;

std::vector<Flit> write_request(std::uint32_t address, std::uint32_t old, std::uint32_t value) {
  return SwitchBench::packet({0, kHostile, address, true, old, value});
}

/// What it sends: nothing; parts of packets to others, to the switch and to no node; messages of
/// its own group, of the victims' and of none, of all types; writes of the victims' register.
std::vector<Letter> alphabet(const SwitchBench& bench) {
  const auto message = [&](std::uint32_t type, std::uint32_t gid) {
    return Letter{
        bench.formats.barrier_flit({static_cast<fabric::MessageType>(type), gid, {0x3f, 0}}, 0)};
  };
  const std::uint32_t control = regs::control_word(kVictims, kAbove, false);
  std::vector<Letter> letters = {
      {{}},  // an idle cycle
      {SwitchBench::head(kAbove)},
      {SwitchBench::body(0xffff)},
      {SwitchBench::tail(0)},
      {SwitchBench::single(0)},
      {SwitchBench::head(63)},
      write_request(regs::control(0), control, 0),
      write_request(regs::children(0), kBelow, 0),
      write_request(regs::control(1), 0, control),
  };
  for (std::uint32_t type = 0; type < 4; ++type)
    for (const std::uint32_t gid : {kVictims, kOwnGroup}) letters.push_back(message(type, gid));
  return letters;
}

/// Messages of the victims' group that leave, by port, with the cycle.
struct Seen {
  std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, kPorts> left;
  std::uint32_t control = 0, children = 0, arrived = 0, serve = 0;
};

/// Two barriers of the victims, whose neighbours keep to the rules; the node at kHostile sends
/// `sent` from cycle `start` on and ignores credits.
Seen barriers_beside(const std::vector<Flit>& sent, std::uint32_t start) {
  SwitchBench bench(sw(4, 1, {.guard = true}));
  bench.write(regs::kRoutes, regs::kRoutesOwn.mask());
  for (std::uint32_t d = 1; d < kPorts; ++d) bench.route(d, 1u << d);
  bench.write(regs::kPermits, 0xf);
  bench.write(regs::kGroupPermits + kHostile, 0xffu << 16 | kOwnGroup);
  bench.write(regs::kPatience, 4);
  bench.load(0, kVictims, kBelow, kAbove);
  bench.load(2, kOwnGroup, 1u << kHostile, kAbove);
  Seen seen;
  for (std::uint32_t cycle = 0; cycle < kCycles; ++cycle) {
    if (cycle % 20 == 4) bench.send(0, bench.reduction(kVictims, 1));
    if (cycle % 20 == 7) bench.send(1, bench.reduction(kVictims, 2));
    if (cycle % 20 == 16) bench.send(kAbove, bench.distribution(kVictims, 3));
    const std::size_t at = cycle - start;
    if (cycle >= start && at < sent.size() && sent[at] != Flit{}) bench.send(kHostile, sent[at]);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      if (!bench.valid(p)) continue;
      if (!bench.out(p).sync())
        bench.give_credit(p);
      else if (bench.message(p).gid == kVictims)
        seen.left[p].emplace_back(cycle, bench.out(p).lo);
    }
    bench.step();
  }
  seen.control = bench.read(regs::control(0));
  seen.children = bench.read(regs::children(0));
  seen.arrived = bench.arrived(0);
  seen.serve = bench.to_serve(0);
  return seen;
}

/// The same messages in the same order at each port, later by at most two flits of data, and for
/// each other group by one message and two more flits.
bool undisturbed(const Seen& seen, const Seen& alone) {
  bool same = seen.control == alone.control && seen.children == alone.children &&
              seen.arrived == alone.arrived && seen.serve == alone.serve;
  for (std::uint32_t p = 0; p < kPorts; ++p) {
    if (seen.left[p].size() != alone.left[p].size()) return false;
    for (std::size_t i = 0; i < seen.left[p].size(); ++i) {
      const auto& [cycle, payload] = seen.left[p][i];
      same &= payload == alone.left[p][i].second && cycle >= alone.left[p][i].first &&
              cycle <= alone.left[p][i].first + 2 + 3 * kOthers;
    }
  }
  return same;
}

std::string text_of(const LetterWord& word) {
  std::string text;
  for (const std::size_t letter : word) text += " " + std::to_string(letter);
  return text;
}

/// The next word in the order of a counter; false after the last.
bool advance(LetterWord& word, std::size_t letters) {
  for (std::size_t& letter : word) {
    if (++letter != letters) return true;
    letter = 0;
  }
  return false;
}

void try_all(std::size_t length) {
  const std::vector<Letter> letters = alphabet(SwitchBench(sw(kPorts, 1)));
  const Seen alone = barriers_beside({}, 0);
  REQUIRE(alone.left[kAbove].size() == 3);
  REQUIRE(alone.left[0].size() == 3);
  std::size_t later = 0;
  for (const std::uint32_t start : {0u, 3u, 5u, 14u}) {
    LetterWord word(length, 0);
    do {
      std::vector<Flit> sent;
      for (const std::size_t letter : word)
        sent.insert(sent.end(), letters[letter].begin(), letters[letter].end());
      const Seen seen = barriers_beside(sent, start);
      later += seen.left[kAbove] != alone.left[kAbove];
      if (!undisturbed(seen, alone)) FAIL("start " << start << ", letters" << text_of(word));
    } while (advance(word, letters.size()));
  }
  CHECK(later > 0);  // it does take turns at the output
}

TEST_CASE("whatever a node sends, another group's barriers are as without it", "[golden][guard]") {
  try_all(4);
}

TEST_CASE("so they are with longer sequences of what a node sends", "[golden][guard][soak]") {
  try_all(5);
}

}  // namespace
}  // namespace muster::golden
