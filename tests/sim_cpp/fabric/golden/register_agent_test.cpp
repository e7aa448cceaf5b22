// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

using core::Flit;

constexpr std::uint32_t kSelf = 40, kNode = 7, kControl = 0x040, kChildren = 0x041;

std::vector<Flit> request(std::uint32_t address, bool write = false, std::uint32_t old = 0,
                          std::uint32_t value = 0, std::uint32_t source = kNode,
                          std::uint32_t tag = 3) {
  return SwitchBench::packet({kSelf, source, address, write, old, value, tag});
}

struct Answer {
  std::uint32_t port = 0, vc = 0, tag = 0, by = 0, status = 0, address = 0, value = 0;
  std::uint64_t cycle = 0;  ///< the head was on the wires
};

/// A switch with number kSelf; kNode is behind port 2, and port 0 may write.
struct Bench : SwitchBench {
  explicit Bench(std::uint32_t vcs = 2) : SwitchBench(sw(4, vcs)) {
    route(kSelf, 1u << 16);
    route(kNode, 1u << 2);
    write(0x005, 1);
  }

  /// Runs until an answer is complete, 100 cycles at most; returns all credits.
  std::optional<Answer> answer() {
    std::vector<Flit> flits;
    Answer a;
    for (int i = 0; i < 100; ++i) {
      for (std::uint32_t p = 0; p < 4; ++p) {
        if (!valid(p)) continue;
        if (flits.empty()) a.cycle = now();
        a.port = p;
        a.vc = out(p).vc;
        flits.push_back(out(p));
        give_credit(p, out(p).vc);
      }
      step();
      if (!flits.empty() && flits.back().tail()) break;
    }
    if (flits.empty()) return std::nullopt;
    REQUIRE(flits.size() == 5);
    CHECK(flits[0].head());
    CHECK(formats.destination(flits[0]) == kNode);
    CHECK(formats.opcode(flits[0]) == 2);
    a.by = flits[1].lo & 0x7ff;
    a.tag = flits[1].lo >> 11 & 31;
    a.status = flits[2].lo >> 12 & 15;
    a.address = flits[2].lo & 0xfff;
    a.value = static_cast<std::uint32_t>(flits[3].lo | flits[4].lo << 16);
    return a;
  }
};

TEST_CASE("a read is answered eight cycles after its last flit", "[golden][agent]") {
  Bench bench;
  const std::uint64_t last = bench.send_all(request(0x001), 1, 1);
  const auto a = bench.answer();
  REQUIRE(a);
  CHECK(a->cycle == last + 8);
  CHECK(a->port == 2);
  CHECK(a->vc == 1);
  CHECK(a->by == kSelf);
  CHECK(a->tag == 3);
  CHECK(a->status == 0);
  CHECK(a->address == 0x001);
  CHECK(a->value == 0x04040204);
  bench.step(3);
  CHECK(bench.quiescent());
  CHECK(bench.read(0x004) == 0);
}

TEST_CASE("the states of a request are described as text", "[golden][agent]") {
  Bench bench;
  bench.send_all(request(0x001), 1, 1);
  std::vector<std::string> told;
  for (int i = 0; i < 12; ++i) {
    const std::string text = bench.describe(), mark = "agent ";
    const std::size_t at = text.find(mark);
    const std::string now = at == std::string::npos ? "" : text.substr(at + mark.size());
    const std::string word = now.substr(0, now.find_first_of(";, "));
    if (told.empty() || told.back() != word) told.push_back(word);
    bench.step();
  }
  CHECK(told ==
        std::vector<std::string>{"receiving", "reading", "deciding", "writing", "answering"});
}

TEST_CASE("a write is done if the word is the expected one, and the port has a permit",
          "[golden][agent]") {
  Bench bench;
  bench.send_all(request(kControl, true, 0, 0x2003000A), 0);
  auto a = bench.answer();
  REQUIRE(a);
  CHECK(a->status == 0);
  CHECK(a->value == 0);
  CHECK(bench.read(kControl) == 0x2003000A);

  bench.send_all(request(kControl, true, 0, 0x2003000B), 0);  // another one wants it
  a = bench.answer();
  REQUIRE(a);
  CHECK(a->status == 1);
  CHECK(a->value == 0x2003000A);
  CHECK(bench.read(kControl) == 0x2003000A);

  bench.send_all(request(kControl, true, 0x2003000A, 0), 1);
  a = bench.answer();
  REQUIRE(a);
  CHECK(a->status == 2);
  CHECK(bench.read(kControl) == 0x2003000A);
  CHECK(bench.read(0x020) == (1u << 24 | 2u << 20 | 1u << 16));
}

TEST_CASE("packets write barrier registers and nothing else", "[golden][agent]") {
  Bench bench;
  for (const std::uint32_t address : {0x003u, 0x005u, 0x042u, 0x050u, 0x800u + kNode, 0xfffu}) {
    CAPTURE(address);
    const std::uint32_t before = bench.read(address);
    bench.send_all(request(address, true, before, ~before), 0);
    const auto a = bench.answer();
    REQUIRE(a);
    CHECK(a->status == 3);
    CHECK(bench.read(address) == before);
  }
  CHECK(bench.read(0x020) == (6u << 24 | 2u << 20));
  bench.send_all(request(kChildren, true, 0, 0xfffff), 0);
  REQUIRE(bench.answer());
  CHECK(bench.read(kChildren) == 0xf);
}

/// Of a write of 5 over 0 to the control word: the answer, and how many cycles later than without a
/// host it came. `host` is called in the cycle of reading with 0, and so on up to 40.
template <class Host>
std::pair<Answer, std::uint64_t> beside(Bench& bench, Host host) {
  constexpr std::uint64_t kReading = 4, kAlone = 8;  // cycles after the tail
  const std::uint64_t last = bench.send_all(request(kControl, true, 0, 5), 0);
  while (bench.now() < last + kReading) bench.step();
  std::vector<Flit> flits;
  std::uint64_t first = 0;
  for (int cycle = 0; cycle < 40; ++cycle) {
    if (bench.valid(2)) {
      if (flits.empty()) first = bench.now();
      flits.push_back(bench.out(2));
      bench.give_credit(2);
    }
    host(cycle);
    bench.step();
  }
  REQUIRE(flits.size() == 5);
  Answer a;
  a.status = flits[2].lo >> 12 & 15;
  a.value = static_cast<std::uint32_t>(flits[3].lo | flits[4].lo << 16);
  return {a, first - (last + kAlone)};
}

TEST_CASE("a read of the host keeps the access unit from reading only", "[golden][agent]") {
  for (int cycle = 0; cycle < 3; ++cycle) {
    CAPTURE(cycle);
    Bench bench;
    const auto [a, later] = beside(bench, [&](int now) {
      if (now == cycle) bench.request_read(0x001);
    });
    CHECK(a.status == 0);
    CHECK(later == (cycle == 0 ? 1 : 0));
    CHECK(bench.read(kControl) == 5);
  }
  Bench bench;  // a bus that polls as fast as it can
  const auto [a, later] = beside(bench, [&](int now) {
    if (now % 2 == 0) bench.request_read(kControl);
  });
  CHECK(a.status == 0);
  CHECK(later == 1);
}

TEST_CASE("a write of the host to what the packet's write depends on makes it begin again",
          "[golden][agent]") {
  for (int cycle = 0; cycle < 3; ++cycle) {
    CAPTURE(cycle);
    const std::uint64_t delay = cycle + 1;
    Bench same, other, permits, elsewhere;
    const auto host = [&](Bench& bench, std::uint32_t address, std::uint32_t value) {
      return beside(bench, [&, address, value](int now) {
        if (now == cycle) bench.request(address, value);
      });
    };
    const auto [a, a_later] = host(same, kControl, 0);
    CHECK(a.status == 0);
    CHECK(a_later == delay);
    CHECK(same.read(kControl) == 5);

    const auto [b, b_later] = host(other, kControl, 7);
    CHECK(b.status == 1);
    CHECK(b.value == 7);
    CHECK(b_later == delay);
    CHECK(other.read(kControl) == 7);

    const auto [c, c_later] = host(permits, 0x005, 0);
    CHECK(c.status == 2);
    CHECK(c_later == delay);
    CHECK(permits.read(kControl) == 0);

    const auto [d, d_later] = host(elsewhere, kChildren + 4, 3);
    CHECK(d.status == 0);
    CHECK(d_later == (cycle == 0 ? 0 : 1));
    CHECK(elsewhere.read(kControl) == 5);
    CHECK(elsewhere.read(kChildren + 4) == 3);
  }
}

TEST_CASE("with the eighth cycle in which the host keeps it off the access unit answers busy",
          "[golden][agent]") {
  SECTION("reads in every cycle") {
    for (int cycles : {7, 8}) {
      CAPTURE(cycles);
      Bench bench;
      const auto [a, later] = beside(bench, [&](int now) {
        if (now < cycles) bench.request_read(0x001);
      });
      CHECK(a.status == (cycles == 8 ? 4 : 0));
      CHECK(a.value == 0);
      CHECK(later == (cycles == 8 ? 6 : 7));
      CHECK(bench.read(kControl) == (cycles == 8 ? 0 : 5));
      CHECK(bench.read(0x020) == (cycles == 8 ? 1u << 24 : 0));
    }
  }
  SECTION("writes in every cycle") {
    Bench bench;
    const auto [a, later] = beside(bench, [&](int) { bench.request(0x007, 0); });
    CHECK(a.status == 4);
    CHECK(later == 7);
    CHECK(bench.read(kControl) == 0);
  }
  SECTION("writes of the word whenever it would be written: the latest answer there is") {
    Bench bench;
    const auto [a, later] = beside(bench, [&](int now) {
      if (now % 3 == 2) bench.request(kControl, 0);
    });
    CHECK(a.status == 4);
    CHECK(later == 22);
    CHECK(bench.read(kControl) == 0);
  }
  SECTION("a read by packet is done beside any writes") {
    Bench bench;
    const std::uint64_t last = bench.send_all(request(kControl), 0);
    for (int i = 0; i < 7; ++i) {
      bench.request(kControl, 0);
      bench.step();
    }
    const auto a = bench.answer();
    REQUIRE(a);
    CHECK(a->status == 0);
    CHECK(a->cycle == last + 8);
  }
}

TEST_CASE("a second request while one is served is dropped whole and counted", "[golden][agent]") {
  Bench bench;
  const auto first = request(0x001), second = request(0x002, false, 0, 0, kNode, 4);
  for (std::size_t i = 0; i < first.size(); ++i) {
    bench.send(0, first[i]);
    bench.send(3, second[i]);  // a higher port loses
    bench.step();
  }
  const auto a = bench.answer();
  REQUIRE(a);
  CHECK(a->tag == 3);
  CHECK_FALSE(bench.answer());
  CHECK(bench.read(0x020) == (1u << 24 | 3u << 16));  // busy
  bench.send_all(second, 3);                          // repeated
  const auto b = bench.answer();
  REQUIRE(b);
  CHECK(b->tag == 4);
}

TEST_CASE("what is no request of seven flits is malformed", "[golden][agent]") {
  Bench bench;
  auto longer = request(0x001), shorter = request(0x001), other = request(0x001);
  longer.back().kind = 0;
  longer.push_back(SwitchBench::tail(0));
  shorter.pop_back();
  shorter.back().kind = Flit::kTail;
  other[0].lo ^= 3u << 11;
  auto cut = request(kControl, true, 0, 0x2003000A);
  cut.back() = Flit::cut_mark(0);
  bench.write(0x005, 0b0100);
  for (const auto& flits : {longer, shorter, other, {SwitchBench::single(kSelf | 1u << 11)}, cut}) {
    bench.send_all(flits, 2);
    CHECK_FALSE(bench.answer());
  }
  CHECK(bench.read(0x020) == (5u << 24 | 1u << 20 | 2u << 16));
  CHECK(bench.read(kControl) == 0);
  CHECK(bench.quiescent());
}

TEST_CASE("an answer without a route is counted, the write is done", "[golden][agent]") {
  Bench bench;
  bench.send_all(request(kControl, true, 0, 5, 9), 0);
  CHECK_FALSE(bench.answer());
  CHECK(bench.read(0x020) == (1u << 24 | 3u << 20));
  CHECK(bench.read(kControl) == 5);
}

TEST_CASE("an answer waits for the packet that has its channel, and others then wait for it",
          "[golden][agent]") {
  Bench bench(1);
  bench.send(3, SwitchBench::head(kNode));  // has the channel, and its tail does not come
  bench.step(4);
  bench.send_all(request(0x001), 0);
  bench.step(10);
  bench.send(1, SwitchBench::single(kNode));  // begins behind the answer
  bench.step(10);
  CHECK_FALSE(bench.quiescent());
  bench.send(3, SwitchBench::tail(0));
  std::vector<Flit> seen;
  for (int i = 0; i < 30; ++i) {
    if (bench.valid(2)) {
      seen.push_back(bench.out(2));
      bench.give_credit(2);
    }
    bench.step();
  }
  REQUIRE(seen.size() == 7);
  CHECK(seen[0].tail());
  CHECK(bench.formats.opcode(seen[1]) == 2);
  CHECK(seen[5].tail());
  CHECK(seen[6].head());
  CHECK(bench.quiescent());
}

TEST_CASE("an answer waits without credits, and nothing else waits for it", "[golden][agent]") {
  Bench bench(1);
  for (int i = 0; i < 4; ++i) bench.send_all({SwitchBench::single(kNode)}, 3);
  bench.step(8);  // no credit is left
  bench.send_all(request(0x001), 0);
  bench.step(5);
  const auto lost = request(0x001);
  for (int i = 0; i < 3; ++i) {
    bench.send_all(lost, 0);
    bench.step(2);
  }  // taken at once nevertheless
  bench.step(2);
  CHECK(bench.read(0x020) == 3u << 24);
  CHECK(bench.outputs() == 0);
  bench.give_credit(2);
  const auto a = bench.answer();
  CHECK(a);
}

}  // namespace
}  // namespace muster::golden
