// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabric/register_map.hpp"
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {

/// docs/systems/guard.md by hand.
namespace {

using core::Flit;
namespace regs = fabric::registers;

constexpr std::uint32_t kValid = 1u << 31, kTurn = 1u << 30;
constexpr std::uint32_t kSelf = 0, kAsker = 1;  // destinations: the switch, and a node at port 1

fabric::SwitchConfig guarded(fabric::SwitchConfig config) {
  config.guard = true;
  return config;
}

/// A word of the records: one event, the host's or a packet's from `port`.
std::uint32_t refused_once(std::uint32_t info, std::uint32_t port = 0) {
  return 1u << 24 | info | port << 16;
}

std::vector<Flit> write_request(std::uint32_t address, std::uint32_t old, std::uint32_t value,
                                std::uint32_t source = kAsker) {
  return SwitchBench::packet({kSelf, source, address, true, old, value});
}

class Guarded : public SwitchBench {
 public:
  explicit Guarded(const fabric::SwitchConfig& config = guarded(sw(4, 1))) : SwitchBench(config) {
    write(regs::kRoutes + kSelf, regs::kRoutesOwn.mask());
    route(kAsker, 1u << 1);
    route(2, 1u << 2);
    write(regs::kPermits, 0xf);
  }
  /// The host writes; the outcome is in the records two cycles later.
  void host(std::uint32_t address, std::uint32_t value) {
    request(address, value);
    step(3);
  }
  /// The status of the answer at port 1, within 30 cycles; its credits are given back.
  std::optional<std::uint32_t> status() {
    std::uint32_t flits = 0;
    std::optional<std::uint32_t> found;
    for (int i = 0; i < 30; ++i, step()) {
      if (!valid(1)) continue;
      if (++flits == 3) found = static_cast<std::uint32_t>(out(1).lo) >> 12;
      give_credit(1);
    }
    CHECK((!found || flits == 5));
    return found;
  }
  std::optional<std::uint32_t> ask(std::uint32_t port, std::uint32_t address, std::uint32_t value) {
    send_all(write_request(address, read(address), value), port);
    return status();
  }
};

}  // namespace

TEST_CASE("a group that another valid register has is refused, and changes nothing",
          "[golden][guard]") {
  Guarded bench;
  bench.load(0, 5, 0b0011, 3);
  bench.send(0, bench.reduction(5));
  bench.step();
  bench.host(regs::control(1), kValid | 5);
  CHECK(bench.read(regs::control(1)) == 0);
  CHECK(bench.read(regs::kRefusals) == refused_once(1u << 22 | 1));
  CHECK(bench.arrived(0) == 0b0001);
  bench.host(regs::control(1), 5);  // not valid: no harm
  CHECK(bench.read(regs::control(1)) == 5);
  bench.host(regs::control(0), kValid | 2u << 16 | 5);  // its own group
  CHECK(bench.read(regs::control(0)) == (kValid | 2u << 16 | 5));
  CHECK(bench.arrived(0) == 0);
  CHECK(bench.read(regs::kRefusals) >> 24 == 1);
  bench.host(regs::kRefusals, 0);
  CHECK(bench.read(regs::kRefusals) == 0);
}

TEST_CASE("a parent among the children is refused except in a register with turn",
          "[golden][guard]") {
  Guarded bench;
  bench.host(regs::children(2), 0b0110);
  bench.host(regs::control(2), kValid | 1u << 16 | 7);
  CHECK(bench.read(regs::control(2)) == 0);
  CHECK(bench.read(regs::kRefusals) == refused_once(1u << 22 | 1u << 20 | 2));
  bench.host(regs::control(2), kValid | kTurn | 1u << 16 | 7);
  CHECK(bench.read(regs::control(2)) == (kValid | kTurn | 1u << 16 | 7));
  bench.host(regs::control(2), kValid | 9u << 16 | 7);  // no such port
  bench.host(regs::control(2), kValid | 3u << 16 | 7);
  bench.host(regs::children(2), 0b1000);
  CHECK(bench.read(regs::children(2)) == 0b0110);
  CHECK(bench.read(regs::kRefusals) >> 24 == 2);
}

TEST_CASE("a spill mask of several ports is refused", "[golden][guard][spill]") {
  Guarded bench(guarded(with_pockets(sw(4, 1))));
  bench.host(regs::kSpill, 0b0100);
  bench.host(regs::kSpill, 0b0110);
  CHECK(bench.read(regs::kSpill) == 0b0100);
  CHECK(bench.read(regs::kRefusals) == refused_once(1u << 22 | 2u << 20 | 1));
  bench.host(regs::kSpill, 0xfff0);
  CHECK(bench.read(regs::kSpill) == 0);
}

TEST_CASE("a packet that would do harm is told that the word is not writable", "[golden][guard]") {
  Guarded bench;
  bench.load(0, 5, 0b0011, 3);
  CHECK(bench.ask(2, regs::control(1), kValid | 5) == 3);
  CHECK(bench.read(regs::control(1)) == 0);
  CHECK(bench.read(regs::kRefusals) == refused_once(1, 2));
  CHECK(bench.read(regs::kAgentDrops) == refused_once(2u << 20, 2));
  CHECK(bench.ask(2, regs::control(1), kValid | 6) == 0);
  CHECK(bench.read(regs::control(1)) == (kValid | 6));
}

TEST_CASE("a packet touches no group that is not of its port", "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kGroupPermits + 2, 0xf0u << 16 | 0x10);  // port 2: groups 0x10 to 0x1f
  CHECK(bench.read(regs::kGroupPermits + 2) == (0xf0u << 16 | 0x10));
  bench.load(0, 0x25, 0b0011, 3);
  CHECK(bench.ask(2, regs::control(0), 0) == 2);
  CHECK(bench.ask(2, regs::children(0), 0) == 2);
  CHECK(bench.ask(2, regs::control(1), kValid | 0x26) == 2);
  CHECK(bench.ask(2, regs::control(1), regs::kBarrierControlClaimed.mask() | 0x26) == 2);
  CHECK(bench.read(regs::kRefusals) == (4u << 24 | 3u << 20 | 2u << 16));
  CHECK(bench.ask(2, regs::control(1), kValid | 0x16) == 0);
  CHECK(bench.ask(2, regs::control(1), 0) == 0);
  CHECK(bench.ask(0, regs::control(0), 0) == 0);  // of port 0 are all
  CHECK(bench.read(regs::kRefusals) >> 24 == 4);
}

TEST_CASE("a flit that comes to a full queue is lost, and cuts its packet", "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kHold, 0b0100);
  bench.send_all({Guarded::head(2), Guarded::body(1), Guarded::body(2), Guarded::body(3)}, 0);
  bench.send(0, Guarded::body(4));  // no credit: lost
  bench.step(3);
  CHECK(bench.read(regs::kOverflows) == refused_once(0));
  CHECK(bench.read(regs::kNoRouteDrops) == 0);
  bench.host(regs::kHold, 0);
  std::vector<Flit> seen;
  for (int i = 0; i < 16; ++i, bench.step()) {
    if (i == 4) bench.send(0, Guarded::body(5));
    if (i == 5) bench.send(0, Guarded::tail(6));
    if (i == 6) bench.send(0, Guarded::single(2));
    if (!bench.valid(2)) continue;
    seen.push_back(bench.out(2));
    bench.give_credit(2);
  }
  REQUIRE(seen.size() == 5);
  CHECK(seen[2].lo == 2);
  CHECK(seen[3] == Flit::cut_mark(0));  // it was the third body
  CHECK((seen[4].head() && seen[4].lo == 2));
  bench.step(3);
  // The rest of the packet.
  CHECK(bench.read(regs::kNoRouteDrops) == 2u << regs::kNoRouteDropsHeadless.low);
  CHECK(bench.read(regs::kOverflows) == refused_once(0));
  CHECK(bench.quiescent());
}

TEST_CASE("a sync flit that comes to a full pocket is lost", "[golden][guard][spill]") {
  Guarded bench(guarded(with_pockets(sw(4, 1))));
  bench.host(regs::kSpill, 0b1000);
  for (int i = 0; i < 3; ++i) {  // one to the latch, one to the pocket, one too many
    bench.send(1, bench.reduction(9, i));
    bench.step(4);
  }
  CHECK(bench.read(regs::kOverflows) == refused_once(1u << 22, 1));
}

TEST_CASE("a request that stops in the middle is dropped, and its later flits too",
          "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kPatience, 3);
  const auto packet = write_request(regs::control(0), 0, kValid | 5);
  bench.send(0, packet[0]);
  bench.step();
  bench.send(0, packet[1]);
  bench.step(3);  // t + 3: taken
  bench.step(8);
  CHECK(bench.read(regs::kAgentDrops) == 0);
  bench.step(2);
  CHECK(bench.read(regs::kAgentDrops) == refused_once(1u << 20));
  CHECK(bench.quiescent());
  CHECK(bench.ask(3, regs::control(1), kValid | 6) == 0);  // others are served
  bench.send_all({packet.begin() + 2, packet.end()}, 0);
  CHECK_FALSE(bench.status());
  CHECK(bench.read(regs::control(0)) == 0);
  CHECK(bench.ask(0, regs::control(0), kValid | 5) == 0);
}

TEST_CASE("a packet that does not end does not keep the access unit", "[golden][guard]") {
  Guarded bench;
  std::vector<Flit> packet(8, Guarded::body(1u << 11));
  packet.front().kind = Flit::kHead;
  bench.send_all(packet, 0);
  bench.step(5);
  CHECK(bench.read(regs::kAgentDrops) == refused_once(1u << 20));
  CHECK(bench.ask(3, regs::control(1), kValid | 6) == 0);
  bench.send_all({4, Guarded::body(0)}, 0);
  CHECK(bench.ask(3, regs::control(2), kValid | 7) == 0);
  bench.send(0, Guarded::tail(0));
  bench.step(5);
  CHECK(bench.read(regs::kAgentDrops) == refused_once(1u << 20));
}

TEST_CASE("without patience a request is waited for", "[golden][guard]") {
  Guarded bench;
  const auto packet = write_request(regs::control(0), 0, kValid | 5);
  bench.send_all({packet.begin(), packet.begin() + 3}, 0);
  bench.step(40000);
  bench.send_all({packet.begin() + 3, packet.end()}, 0);
  CHECK(bench.status() == 0);
}

TEST_CASE("an answer that cannot leave is given up, and its channel gets a tail",
          "[golden][guard]") {
  Guarded bench;
  bench.write(regs::kPatience, 4);
  bench.send_all(write_request(regs::control(0), 0, kValid | 5), 0);
  std::uint32_t flits = 0;
  for (int i = 0; i < 40; ++i, bench.step()) flits += bench.valid(1);
  CHECK(flits == 4);  // as many as there are credits
  CHECK(bench.read(regs::kAgentDrops) == refused_once(3u << 20));
  CHECK_FALSE(bench.quiescent());
  // Another requester is served, at another output.
  bench.send_all(write_request(regs::control(1), 0, kValid | 6, 2), 0);
  flits = 0;
  for (int i = 0; i < 20; ++i, bench.step()) flits += bench.valid(2);
  CHECK(flits == 4);
  bench.give_credit(2);
  bench.step(3);
  // A packet for the channel waits for the tail.
  bench.send(3, Guarded::single(kAsker));
  bench.step(10);
  CHECK_FALSE(bench.valid(1));
  std::vector<Flit> seen;
  for (int i = 0; i < 12; ++i, bench.step()) {
    if (i < 2) bench.give_credit(1);
    if (bench.valid(1)) seen.push_back(bench.out(1));
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[0] == Flit::cut_mark(0));
  CHECK((seen[1].head() && seen[1].lo == kAsker));
  CHECK(bench.quiescent());
}

TEST_CASE("a switch that guards itself needs queues of two flits", "[golden][guard]") {
  CHECK_THROWS_WITH(fabric::validate(guarded(sw(4, 1, 1))),
                    Catch::Contains("depth = 1 is not in 2..16"));
}

/// docs/systems/guard.md, "Isolation from a hostile node": every short sequence of what a node may
/// send to a switch that guards itself.
namespace {

constexpr std::uint32_t kPorts = 4, kHostile = 2, kVictims = 5, kOwnGroup = 7;
constexpr std::uint32_t kBelow = 0b0011, kAbove = 3;  ///< of the victims: children, parent
constexpr std::uint32_t kOthers = 1;                  ///< groups beside the victims' at an output
constexpr std::uint32_t kCycles = 60;

using Letter = std::vector<Flit>;  ///< in successive cycles
using LetterWord = std::vector<std::size_t>;

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
      write_request(regs::control(0), control, 0, kHostile),
      write_request(regs::children(0), kBelow, 0, kHostile),
      write_request(regs::control(1), 0, control, kHostile),
  };
  for (std::uint32_t type = 0; type < 4; ++type)
    for (const std::uint32_t gid : {kVictims, kOwnGroup}) letters.push_back(message(type, gid));
  return letters;
}

/// Messages of the victims' group that leave, by port, with the cycle.
struct Seen {
  std::array<std::vector<std::pair<std::uint64_t, std::uint64_t>>, kPorts> left;
  std::uint32_t control = 0, children = 0, progress = 0;
};

/// Two barriers of the victims, whose neighbours keep to the rules; the node at kHostile sends
/// `sent` from cycle `start` on and minds no credit.
Seen barriers_beside(const std::vector<Flit>& sent, std::uint32_t start) {
  fabric::SwitchConfig config = sw(kPorts, 1);
  config.guard = true;
  SwitchBench bench(config);
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
  seen.progress = bench.read(regs::progress(0));
  return seen;
}

/// The same messages in the same order at each port, later by at most two flits of data, and for
/// each other group by one message and two more flits.
bool undisturbed(const Seen& seen, const Seen& alone) {
  bool same = seen.control == alone.control && seen.children == alone.children &&
              seen.progress == alone.progress;
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
