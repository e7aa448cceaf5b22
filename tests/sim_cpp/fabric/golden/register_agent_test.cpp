// SPDX-License-Identifier: Apache-2.0
#include "sim_cpp/fabric/golden/switch_bench.hpp"

namespace muster::golden {
namespace {

constexpr std::uint32_t kSelf = 40, kNode = 7, kControl = 0x100, kChildren = 0x102;

std::vector<core::Flit> request(std::uint32_t address, bool write = false, std::uint32_t old = 0,
                                std::uint32_t value = 0, std::uint32_t source = kNode,
                                std::uint32_t tag = 3) {
  return SwitchBench::packet({kSelf, source, address, write, old, value, tag});
}

struct Answer {
  std::uint32_t port = 0, vc = 0, tag = 0, by = 0, status = 0, address = 0, value = 0;
  std::uint64_t cycle = 0;  ///< the head was on the wires
  bool operator==(const Answer&) const = default;
};

/// A switch with number kSelf; kNode is behind port 2, and port 0 may write.
struct Bench : SwitchBench {
  explicit Bench(std::uint32_t vcs = 2) : SwitchBench(sw(4, vcs)) {
    route(kSelf, 1u << 31);
    route(kNode, 1u << 2);
    write(0x00A, 1);
  }

  /// Runs until an answer is complete, 100 cycles at most; returns all credits.
  std::optional<Answer> answer() {
    std::vector<core::Flit> flits;
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
  CHECK(bench.answer() == Answer{2, 1, 3, kSelf, 0, 0x001, 0x04040204, last + 8});
  bench.step(3);
  CHECK(bench.quiescent());
  CHECK(bench.read(0x004) == 0);
}

TEST_CASE("a write to a barrier register is done if the word is the expected one, with a permit",
          "[golden][agent]") {
  Bench bench;
  struct Row {
    std::uint32_t port, address, old, value, status, answered, after;
  };
  const std::uint32_t x = 0x2003000A, y = 0x2003000B;
  for (const Row& row : {Row{0, kControl, 0, x, 0, 0, x},
                         {0, kControl, 0, y, 1, x, x},  // another one wants it
                         {1, kControl, x, 0, 2, x, x},
                         {0, kChildren, 0, 0xfffff, 0, 0, 0xf}}) {
    CAPTURE(row.port, row.address, row.old);
    bench.send_all(request(row.address, true, row.old, row.value), row.port);
    const auto a = bench.answer();
    REQUIRE(a);
    CHECK(a->status == row.status);
    CHECK(a->value == row.answered);
    CHECK(bench.read(row.address) == row.after);
  }
  CHECK(bench.read(0x020) == (1u << 24 | 1u << 16 | 2u << 12));
  for (const std::uint32_t address :
       {0x003u, 0x00Au, 0x101u, 0x103u, 0x104u, 0x140u, 0x800u + kNode, 0xfffu}) {
    CAPTURE(address);
    const std::uint32_t before = bench.read(address);
    bench.send_all(request(address, true, before, ~before), 0);
    const auto a = bench.answer();
    REQUIRE(a);
    CHECK(a->status == 3);
    CHECK(bench.read(address) == before);
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
  shorter.back().kind = core::Flit::kTail;
  other[0].lo ^= 3u << 11;
  auto cut = request(kControl, true, 0, 0x2003000A);
  cut.back() = core::Flit::cut_mark(0);
  bench.write(0x00A, 0b0100);
  for (const auto& flits : {longer, shorter, other, {SwitchBench::single(kSelf | 1u << 11)}, cut}) {
    bench.send_all(flits, 2);
    CHECK_FALSE(bench.answer());
  }
  CHECK(bench.read(0x020) == (5u << 24 | 2u << 16 | 1u << 12));
  CHECK(bench.read(kControl) == 0);
  CHECK(bench.quiescent());
}

TEST_CASE("an answer without a route is counted, the write is done", "[golden][agent]") {
  Bench bench;
  bench.send_all(request(kControl, true, 0, 5, 9), 0);
  CHECK_FALSE(bench.answer());
  CHECK(bench.read(0x020) == (1u << 24 | 3u << 12));
  CHECK(bench.read(kControl) == 5);
}

}  // namespace
}  // namespace muster::golden
